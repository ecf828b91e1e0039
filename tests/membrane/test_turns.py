"""A turn through the membrane: recorded, remembered for, explained."""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path

import pytest

from innerlife.conversations.events import COMPANION, USER
from innerlife.errors import DiskFull, NotFound, StorageFailed
from innerlife.ledger.envelope import Actor, Draft, Event, Trust
from innerlife.ledger.store import Intent
from innerlife.membrane.events import CONTEXT
from innerlife.membrane.giving import Near
from innerlife.membrane.remember import Recollection, hydrate
from innerlife.membrane.turn import Answer, Ending, Hints, Plan, Said, Speaker, Standing, TurnRequest
from innerlife.membrane.turns import Given, Turns
from innerlife.membrane.why import Why
from innerlife.workspace.inputs import Written
from innerlife.workspace.policy import WorkspacePolicy
from innerlife.workspace.shipped import load_shipped
from tests.support.stack import Stack, open_stack

NO_HINTS = Hints()
ORIGIN = ("Anima", date(2026, 3, 1))


@dataclass
class Everything:
    """Remembers every message there is, newest first; can be told to be slow or to fail."""

    stack: Stack
    wait: threading.Event = field(default_factory=threading.Event)
    slow: bool = False
    error: StorageFailed | None = None
    asked: list[str] = field(default_factory=list)

    def __call__(self, words: str, now: datetime, except_texts: Collection[str] = ()) -> Recollection:
        self.asked.append(words)
        if self.slow:
            self.wait.wait(10)
        if self.error is not None:
            raise self.error
        events = self.stack.ledger.newest(50, {USER, COMPANION})
        ranked = [(event.seq, 1 / (1 + place)) for place, event in enumerate(events)]
        return Recollection(tuple(hydrate(self.stack.ledger, ranked, except_texts)))


@dataclass
class Room:
    """The membrane over a real encrypted ledger."""

    stack: Stack
    memory: Everything
    turns: Turns
    why: Why

    def settled(self) -> None:
        """Wait until the records of what was shown are written."""
        self.turns.close()


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    stack = open_stack(tmp_path / "core")
    memory = Everything(stack)
    texts = load_shipped()
    given = Given(texts, lambda: ORIGIN, WorkspacePolicy())
    turns = Turns(stack.ledger, stack.recording, memory, given, stack.clock, stack.opened.handle)
    yield Room(stack, memory, turns, Why(stack.ledger, texts, lambda: ORIGIN))
    memory.wait.set()
    turns.close()
    stack.close()


def user(text: str) -> Said:
    return Said(Speaker.USER, text)


def ask(*said: Said, hints: Hints = NO_HINTS, fiction: bool = False) -> TurnRequest:
    return TurnRequest(said, "model", "test", hints, fiction=fiction)


def answered(room: Room, text: str, answer: str) -> Plan:
    plan = room.turns.begin(ask(user(text)))
    assert plan.opened is not None
    room.turns.finish(plan.opened, Answer(answer, Ending.COMPLETE))
    return plan


def kinds(room: Room) -> list[str]:
    return [event.kind for event in room.stack.ledger.read()]


def test_what_one_chat_was_told_stands_in_the_next_ones_block(room: Room) -> None:
    """[W1] Origin, guardrails and constitution go in front, what is remembered goes beside the message."""
    answered(room, "My sister Ines moves to Porto in June.", "Good to know.")
    plan = room.turns.begin(ask(user("Where does my sister move?")))
    assert plan.standing is Standing.OK
    assert "Ines moves to Porto" in plan.block
    assert "Ines" not in plan.stable
    texts = load_shipped()
    guardrails = plan.stable.index(texts.guardrails.strip().splitlines()[0])
    assert plan.stable.index("Anima") < guardrails < plan.stable.index(texts.constitution.values[0].short)


def test_the_user_message_is_durable_before_the_turn_goes_on(room: Room) -> None:
    """[C9] When `begin` returns, another reader of the file finds the message."""
    plan = room.turns.begin(ask(user("Please keep this.")))
    assert plan.opened is not None
    [event] = room.stack.ledger.get([plan.opened.user_seq])
    assert event.body.text == "Please keep this."


def test_a_side_task_leaves_no_trace(room: Room) -> None:
    """[P5] A client's own prompts are neither recorded nor added to."""
    prompt = "### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history."
    plan = room.turns.begin(ask(user(prompt)))
    assert (plan.standing, plan.stable, plan.block) == (Standing.PASSTHROUGH, "", "")
    assert kinds(room) == []


def test_a_temporary_chat_remembers_and_is_not_remembered(room: Room) -> None:
    """[P5] Nothing of a temporary chat is kept, and the header says so."""
    answered(room, "I keep bees.", "How many hives?")
    before = kinds(room)
    plan = room.turns.begin(ask(user("What do I keep?"), hints=Hints(chat="temporary:1")))
    assert plan.standing is Standing.UNRECORDED
    assert plan.opened is None
    assert "I keep bees." in plan.block
    room.settled()
    assert [k for k in kinds(room) if k != CONTEXT] == [k for k in before if k != CONTEXT]


def test_fiction_is_recorded_and_given_nothing_of_the_users_life(room: Room) -> None:
    """[P13] A role-play neither learns from nor is told the user's life; that it is fiction stays with it."""
    answered(room, "I keep bees.", "How many hives?")
    plan = room.turns.begin(ask(user("I am the queen of the moon."), fiction=True))
    assert plan.opened is not None
    assert plan.block == ""
    assert room.stack.ledger.get([plan.opened.user_seq])[0].body.fiction


def test_slow_recall_lets_the_chat_go_on(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """[P6] Past its deadline memory is left out, the message is recorded, and the header says degraded."""
    monkeypatch.setattr("innerlife.membrane.giving.RECALL_SECONDS", 0.02)
    room.memory.slow = True
    plan = room.turns.begin(ask(user("Are you there?")))
    assert plan.standing is Standing.DEGRADED
    assert plan.why
    assert plan.opened is not None
    assert plan.stable


def test_failed_recall_lets_the_chat_go_on(room: Room) -> None:
    """[P6] A broken index degrades the answer and nothing else."""
    room.memory.error = StorageFailed("runtime.db could not be used")
    plan = room.turns.begin(ask(user("Are you there?")))
    assert (plan.standing, plan.why) == (Standing.DEGRADED, "runtime.db could not be used")
    assert plan.opened is not None


def test_a_ledger_that_cannot_be_written_lets_the_chat_go_on(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """[P6] Nothing recorded is said with its reason, and memory still helps."""
    answered(room, "I keep bees.", "How many hives?")

    def full(_drafts: object) -> list[Event]:
        raise DiskFull("The disk is full: /somewhere")

    monkeypatch.setattr(room.stack.ledger, "append_all", full)
    plan = room.turns.begin(ask(user("What do I keep?")))
    assert (plan.standing, plan.why) == (Standing.UNRECORDED, "The disk is full: /somewhere")
    assert plan.opened is None
    assert "I keep bees." in plan.block


def test_why_shows_the_same_bytes_with_their_evidence(room: Room) -> None:
    """[W6] The context of a past turn is rendered again, byte for byte, with the events behind it."""
    answered(room, "My sister Ines moves to Porto in June.", "Good to know.")
    plan = room.turns.begin(ask(user("Where does my sister move?")))
    room.settled()
    told = room.why.last()
    assert told.replay.matches
    assert told.replay.workspace.block == plan.block
    assert told.replay.workspace.stable == plan.stable
    assert "My sister Ines moves to Porto in June." in [e.body.text for e in told.evidence]
    assert plan.opened is not None
    [said] = room.stack.ledger.get([plan.opened.user_seq])
    assert room.why.of(said).replay.workspace.block == plan.block


def test_why_of_an_answer_is_why_of_its_question(room: Room) -> None:
    """[W6] Either side of an exchange names the turn."""
    plan = answered(room, "Good morning.", "Good morning to you.")
    room.settled()
    [answer] = room.stack.ledger.newest(1, {COMPANION})
    assert plan.opened is not None
    assert room.why.of(answer).said.seq == plan.opened.user_seq


def test_why_without_a_turn_says_so(room: Room) -> None:
    """[W6] A failure is never an empty explanation."""
    with pytest.raises(NotFound):
        room.why.last()


def test_the_preview_is_what_the_model_receives(room: Room) -> None:
    """[W7] The preview of a message and the real turn differ in the fence's mark alone, and it records nothing."""
    answered(room, "I keep bees.", "How many hives?")
    room.settled()
    before = kinds(room)
    preview = room.turns.preview("What do I keep?")
    assert kinds(room) == before
    again = Turns(
        room.stack.ledger, room.stack.recording, room.memory,
        Given(load_shipped(), lambda: ORIGIN, WorkspacePolicy()), room.stack.clock, room.stack.opened.handle,
    )  # fmt: skip
    plan = again.begin(ask(user("What do I keep?")))
    again.close()
    assert preview.stable == plan.stable
    mark, real = preview.block[1:9], plan.block[1:9]
    assert preview.block.replace(mark, real) == plan.block


def test_a_message_asked_again_gets_the_same_block(room: Room) -> None:
    """[P4] Retries and regenerations replay the block byte for byte, whatever was learned meanwhile."""
    first = room.turns.begin(ask(user("What do I keep?")))
    answered(room, "I keep bees.", "How many hives?")
    second = room.turns.begin(ask(user("What do I keep?")))
    assert first.opened is not None
    assert second.opened is not None
    assert second.opened.user_seq == first.opened.user_seq
    assert second.block == first.block


def test_a_forgotten_text_leaves_the_kept_blocks(room: Room) -> None:
    """[G3] What was forgotten is not replayed from memory either."""
    told = answered(room, "I keep bees in Kaskelot.", "How many hives?")
    assert told.opened is not None
    first = room.turns.begin(ask(user("What do I keep?")))
    assert "Kaskelot" in first.block
    forgetting = room.stack.forgetting
    forgetting.finish(forgetting.carry_out(forgetting.preview([told.opened.user_seq])))
    second = room.turns.begin(ask(user("What do I keep?")))
    assert "Kaskelot" not in second.block


def test_an_answer_written_over_a_forgetting_is_not_kept(room: Room) -> None:
    """[G3] Forgetting what an answer was shown while it is written takes the answer too."""
    told = answered(room, "I keep bees in Kaskelot.", "How many hives?")
    plan = room.turns.begin(ask(user("What do I keep?")))
    assert plan.opened is not None
    assert told.opened is not None
    forgetting = room.stack.forgetting
    forgetting.finish(forgetting.carry_out(forgetting.preview([told.opened.user_seq])))
    room.turns.finish(plan.opened, Answer("You keep bees in Kaskelot.", Ending.COMPLETE))
    assert not any("Kaskelot" in str(event.body) for event in room.stack.ledger.read())


def test_a_draft_without_a_registered_kind_cannot_be_appended(room: Room) -> None:
    """[C1] Only declared kinds enter the ledger."""

    @dataclass(frozen=True)
    class Stray:
        text: str

    with pytest.raises(KeyError):
        room.stack.ledger.append(Draft(Stray("x"), Actor.USER, Trust.USER))
    assert kinds(room) == []


def test_a_defect_in_what_is_added_costs_memory_and_not_the_answer(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """[P6] Whatever goes wrong while memory is put together: the chat goes on, and its answer is recorded."""

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("innerlife.membrane.giving.assemble", broken)
    plan = room.turns.begin(ask(user("Are you there?")))
    assert plan.standing is Standing.DEGRADED
    assert plan.opened is not None
    room.turns.finish(plan.opened, Answer("I am.", Ending.COMPLETE))
    assert room.stack.ledger.newest(1, {COMPANION})[0].body.text == "I am."


def test_a_record_of_another_make_is_passed_over(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """[P4] An older block that cannot be made again is left out, and the turn goes on with the rest."""
    first = answered(room, "I keep bees.", "How many hives?")
    room.settled()
    again = Turns(
        room.stack.ledger, room.stack.recording, room.memory,
        Given(load_shipped(), lambda: ORIGIN, WorkspacePolicy()), room.stack.clock, room.stack.opened.handle,
    )  # fmt: skip
    monkeypatch.setattr(
        "innerlife.workspace.record.WorkspaceRecord.from_json", lambda _: dict[str, str]()["sections"]
    )
    said = (user("I keep bees."), Said(Speaker.ASSISTANT, "How many hives?"), user("What do I keep?"))
    plan = again.begin(ask(*said))
    again.close()
    assert first.opened is not None
    assert plan.standing is Standing.OK
    assert plan.kept == ()


def test_a_missing_record_is_counted(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """[U7] That `why` will not be able to explain a turn is counted, whatever the reason."""

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("innerlife.membrane.giving.record_of", broken)
    room.turns.begin(ask(user("Are you there?")))
    room.settled()
    assert room.turns.context_failures == 1


def test_what_is_forgotten_while_memory_is_searched_is_noticed(room: Room) -> None:
    """What a turn was given stands only where nothing was forgotten since it began, not since it was put together."""
    gone = answered(room, "Ines moves to Porto.", "Good to know.").opened
    assert gone is not None
    room.memory.slow = True
    plans: list[Plan] = []
    turn = threading.Thread(target=lambda: plans.append(room.turns.begin(ask(user("Where?")))))
    turn.start()
    while len(room.memory.asked) < 2:
        time.sleep(0.001)
    room.stack.ledger.store.forget(lambda: Intent("one", (gone.user_seq,), ()))
    room.memory.wait.set()
    turn.join()
    assert plans[0].opened is not None
    assert plans[0].stands is not None
    assert not plans[0].stands()


def test_what_is_always_there_is_read_while_memory_is_searched(tmp_path: Path) -> None:
    """Memory takes longest, so that nothing else waits behind it."""
    stack = open_stack(tmp_path / "core")
    memory = Everything(stack, slow=True)
    read_before_memory = threading.Event()

    def present(_now: datetime, near: Near, _said: Sequence[str]) -> tuple[Written, ...]:
        read_before_memory.set()
        memory.wait.set()
        assert near() == {}
        return ()

    given = Given(load_shipped(), lambda: ORIGIN, WorkspacePolicy(), present)
    turns = Turns(stack.ledger, stack.recording, memory, given, stack.clock, stack.opened.handle)
    plan = turns.begin(ask(user("Where?")))
    assert plan.standing is Standing.OK, "memory came in time, since what is always there did not wait for it"
    assert read_before_memory.is_set()
    turns.close()
    stack.close()
