"""Blocks stay where they were sent, so that an engine re-reads only what is new."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innerlife.conversations.events import COMPANION, USER
from innerlife.membrane.giving import Given
from innerlife.membrane.remember import Recollection, hydrate
from innerlife.membrane.sent import Sent, left_in_place
from innerlife.membrane.turn import Answer, Ending, Plan, Said, Speaker, TurnRequest
from innerlife.membrane.turns import Turns
from innerlife.workspace.policy import WorkspacePolicy
from innerlife.workspace.shipped import load_shipped
from tests.support.stack import Stack, open_stack

FACTS = [
    f"Fact {n}: the {n}th lighthouse of Bornholm was painted in colour number {n * 37}." for n in range(40)
]


@dataclass
class Client:
    """A chat program: keeps its own history and resends it whole, without any block."""

    stack: Stack
    policy: WorkspacePolicy = field(default_factory=WorkspacePolicy)
    history: list[Said] = field(default_factory=list)
    window: int | None = None

    def __post_init__(self) -> None:
        self.turns = self.fresh()

    def fresh(self) -> Turns:
        """The membrane as it is after a restart: nothing at hand."""
        handle = self.stack.opened.handle
        given = Given(load_shipped(), lambda: ("Anima", date(2026, 3, 1)), self.policy)
        stack = self.stack
        return Turns(stack.ledger, stack.recording, self.remember, given, stack.clock, handle)

    def remember(self, words: str, now: datetime, except_texts: Collection[str] = ()) -> Recollection:
        """Three facts of an older chat that belong to the number in the question."""
        told = [e for e in self.stack.ledger.read(0, 500, {USER}) if e.body.text.startswith("Fact")]
        number = int(words.rsplit(" ", 1)[-1].strip("?")) if words.startswith("Question") else 0
        ranked = [(told[(number * 3 + k) % len(told)].seq, 1.0 / (1 + k)) for k in range(3)] if told else []
        return Recollection(tuple(hydrate(self.stack.ledger, ranked, except_texts)))

    def ask(self, text: str) -> Plan:
        """Send the history and a new message."""
        self.history.append(Said(Speaker.USER, text))
        return self.send()

    def send(self) -> Plan:
        return self.turns.begin(TurnRequest(tuple(self.history), "m", "test", window=self.window))

    def hear(self, plan: Plan, answer: str) -> None:
        assert plan.opened is not None
        self.turns.finish(plan.opened, Answer(answer, Ending.COMPLETE))
        self.history.append(Said(Speaker.ASSISTANT, answer))

    def restart(self) -> None:
        self.turns.close()
        self.turns = self.fresh()

    def prompt(self, plan: Plan) -> list[str]:
        """The messages as the engine reads them."""
        added = dict(plan.kept) | {len(self.history) - 1: plan.block}
        users = [i for i, m in enumerate(self.history) if m.speaker is Speaker.USER]
        assert set(added) <= set(users)
        return [plan.stable] + [f"{added.get(i, '')}{m.text}" for i, m in enumerate(self.history)]


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    stack = open_stack(tmp_path / "core")
    told = Client(stack)
    for fact in FACTS:
        told.history = []
        told.hear(told.ask(fact), "Noted.")
    told.turns.close()
    client = Client(stack)
    yield client
    client.turns.close()
    stack.close()


def shared(one: list[str], other: list[str]) -> int:
    """How many messages from the beginning are equal: what a prompt cache keeps."""
    return next(
        (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def test_an_engine_re_reads_only_what_is_new(client: Client) -> None:
    """[P4] From turn to turn the prompt grows at its end alone."""
    before: list[str] = []
    for number in range(8):
        plan = client.ask(f"Question {number}?")
        assert "lighthouse" in plan.block
        now = client.prompt(plan)
        assert shared(before, now) == len(before)
        assert len(plan.kept) == number
        before = now
        client.hear(plan, f"Answer {number}.")


def test_after_a_restart_the_same_bytes_are_sent(client: Client) -> None:
    """[P4] What was sent where is known from the ledger, not from memory alone."""
    before: list[str] = []
    for number in range(5):
        plan = client.ask(f"Question {number}?")
        now = client.prompt(plan)
        assert shared(before, now) == len(before)
        before = now
        client.hear(plan, f"Answer {number}.")
        client.restart()


def test_when_the_blocks_grow_too_large_all_are_dropped_at_once(client: Client) -> None:
    """[P4] The sum of kept blocks stays in its budget, and between two drops nothing is re-read."""
    client.policy = replace(client.policy, kept_tokens=700)
    client.restart()
    drops, before = 0, [""]
    for number in range(24):
        plan = client.ask(f"Question {number}?")
        now = client.prompt(plan)
        sizes = sum(len(block) for _, block in plan.kept) + len(plan.block)
        assert sizes / 3 <= 700
        if shared(before, now) < len(before) and number:
            drops += 1
            assert plan.kept == ()
        before = now
        client.hear(plan, f"Answer {number}.")
    assert 2 <= drops <= 8


def test_a_drop_is_remembered_after_a_restart(client: Client) -> None:
    """[P4] Blocks that were dropped do not come back."""
    client.policy = replace(client.policy, kept_tokens=500)
    client.restart()
    last: list[str] = []
    for number in range(12):
        plan = client.ask(f"Question {number}?")
        last = client.prompt(plan)
        client.hear(plan, f"Answer {number}.")
    client.restart()
    now = client.prompt(client.ask("Question 12?"))
    kept_before = [text for text in last if "lighthouse" in text]
    assert shared(last, now) == len(last) or not any(text in now for text in kept_before)


def test_a_regeneration_gets_the_same_prompt(client: Client) -> None:
    """[P4] Retries and regenerations replay every byte, the older blocks included."""
    for number in range(3):
        client.hear(client.ask(f"Question {number}?"), f"Answer {number}.")
    first = client.ask("Question 3?")
    prompt = client.prompt(first)
    client.hear(first, "Answer 3.")
    client.history.pop()
    assert client.prompt(client.send()) == prompt


def test_an_edited_history_keeps_what_still_stands(client: Client) -> None:
    """[P4] From where the client changed its history on, nothing is put where it does not belong."""
    for number in range(4):
        client.hear(client.ask(f"Question {number}?"), f"Answer {number}.")
    client.history[2] = Said(Speaker.USER, "Something I never said")
    plan = client.ask("Question 9?")
    assert {index for index, _ in plan.kept} == {4, 6}


def test_a_forgotten_text_leaves_the_older_blocks_too(client: Client) -> None:
    """[G3] The block of an earlier turn that held it is gone from the next prompt, also at hand."""
    first = client.ask("Question 0?")
    client.hear(first, "I see.")
    assert "Fact 0:" in first.block
    seq = next(e.seq for e in client.stack.ledger.read(0, 100, {USER}) if e.body.text == FACTS[0])
    client.turns.close()
    client.turns = client.fresh()
    forgetting = client.stack.forgetting
    forgetting.finish(forgetting.carry_out(forgetting.preview([seq])))
    plan = client.ask("Question 5?")
    assert "Fact 0:" not in "".join(client.prompt(plan))


def test_an_answer_rests_on_the_older_blocks_too(client: Client) -> None:
    """[R4] What stood in a block left in place was shown, so a forgetting asks whether the answer used it."""
    first = client.ask("Question 0?")
    client.hear(first, "I see.")
    second = client.ask("Question 1?")
    assert first.opened is not None
    assert second.opened is not None
    assert set(first.opened.shown) <= set(second.opened.shown)


def test_a_full_window_drops_what_was_left_before_it_shrinks_the_new(client: Client) -> None:
    """[P12] What we add shrinks first: older blocks go before the request no longer fits."""
    client.window = 3000
    plan = client.ask("Question 0?")
    for number in range(1, 7):
        client.hear(plan, "A long answer about lighthouses and their keepers, told at leisure. " * 6)
        plan = client.ask(f"Question {number}?")
    assert len(plan.kept) < 5
    assert client.stack.ledger.count({COMPANION}) > 6


@given(
    st.lists(st.one_of(st.none(), st.integers(0, 900)), max_size=30),
    st.integers(0, 900),
    st.integers(100, 3000),
)
def test_kept_blocks_never_exceed_their_budget(sizes: list[int | None], new: int, budget: int) -> None:
    """[P4] Whatever was sent before: all stay or none, and within the budget."""
    before = [None if n is None else Sent("", "x" * n, n, ()) for n in sizes]
    stay, drops = left_in_place(before, new, budget)
    kept = sum(sent.tokens for sent in before[:stay] if sent is not None)
    assert not stay or kept + new <= budget
    assert drops == (bool(stay == 0 and any(s is not None and s.block for s in before)))
