"""Forgetting: what it reaches, and that nothing is left of it, not even that it was."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

import pytest

from innerlife.adapters.sqlite import connection as db
from innerlife.adapters.sqlite.vectors import SqliteVectors
from innerlife.conversations import later
from innerlife.conversations.events import CHECKPOINT, COMPANION, TOOL, Ending
from innerlife.conversations.model import Answer, Image
from innerlife.errors import BadInput, CauseGone, HomeBusy
from innerlife.ledger.envelope import Actor, Draft, Event, Trust
from innerlife.ledger.forget import Reach
from innerlife.ledger.store import Intent
from innerlife.selfmodel.events import OriginGiven
from tests.forget.life import KEPT, RARE, Life, lived_in
from tests.support.bytes import snapshot
from tests.support.client import ChatClient, user
from tests.support.stack import Stack, open_stack, opened_stack
from tests.support.victim import Victims

EVERYTHING = {"said", "answer", "used answer", "shown and used", "context", "other context"}


def everything_in(stack: Stack) -> Iterable[tuple[str, Any]]:
    """Every value of every table of both databases, with the table's name."""
    for engine, path in (
        (stack.opened.core.engine, stack.opened.core.path),
        (stack.opened.runtime.engine, Path("runtime")),
    ):
        with db.raw(engine, path) as raw:
            for (table,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                for row in raw.execute(f'SELECT * FROM "{table}"'):
                    yield from ((table, value) for value in row)


def test_the_control_run_finds_every_planted_word(life: Life) -> None:
    """[G4] Before: in the ledger, in the views, in an attachment."""
    found = life.planted()
    assert set().union(*found.values()) == set(RARE)
    assert {name.split("/")[0] for name in found} >= {"core.db-wal", "blobs"} or "core.db" in found
    assert any(name.startswith("runtime.db") for name in found)
    proof = life.stack.forgetting.prove([word.encode() for word in RARE])
    assert set(proof) == {"the ledger", "the views", "the attachments"}


def test_a_forgotten_message_takes_what_used_it_and_leaves_what_did_not(life: Life) -> None:
    """[G3] Answers, tool results, pieces, records of prompts, vectors, the picture; unrelated answers stay."""
    assert life.forget("said") == EVERYTHING
    left = life.events()
    assert [e.body.text for e in left if e.kind == COMPANION] == KEPT
    assert [e.kind for e in left if e.kind in (TOOL, CHECKPOINT)] == []
    assert life.planted() == {}
    assert life.stack.forgetting.prove([word.encode() for word in RARE]) == {}
    assert life.stack.opened.blobs.names() == []
    assert sorted(life.stack.texts()) == sorted(
        [
            "What is the moon?",
            "And what was mine?",
            "Do you know what I collect?",
            "How does bread rise?",
            "And rivers?",
            *KEPT,
        ]
    )


def test_nothing_says_that_something_was_there(life: Life) -> None:
    """[G4] No id and no seq of what went, in any value of any table or in any payload; no intent, no tombstone."""
    before = {e.seq: e.id for e in life.events()}
    life.forget("said")
    after = {e.seq for e in life.events()}
    gone = {seq: ident for seq, ident in before.items() if seq not in after}
    assert len(gone) >= 9
    traces = [str(seq) for seq in gone] + list(gone.values())
    for table, value in everything_in(life.stack):
        text = value.decode("latin-1") if isinstance(value, bytes) else str(value)
        assert not any(trace in text for trace in traces), (table, value)
    assert life.planted(traces) == {}
    assert life.stack.forgetting.unfinished() == []
    for event in life.events():
        assert not {c.seq for c in event.causes} & gone.keys()


def test_a_forgotten_exchange_and_a_forgotten_conversation(life: Life) -> None:
    """[G3] All of a conversation by its stream; what drew on it elsewhere goes too."""
    first = life.stack.ledger.get([life.seqs["said"]])[0].stream
    seqs = [e.seq for e in life.stack.ledger.by_stream(first, 1000)]
    forgetting = life.stack.forgetting
    forgetting.finish(forgetting.carry_out(forgetting.preview(seqs)))
    assert {e.stream for e in life.events()} == {"", life.stack.ledger.get([life.seqs["rivers"]])[0].stream}
    assert life.gone() == EVERYTHING | {"moon", "moon answer", "asked"}
    assert life.planted() == {}
    assert [c.id for c in life.stack.conversations.newest()] == [life.events()[-1].stream]


def test_only_an_answer_can_be_forgotten(life: Life) -> None:
    """[G3] The message is the unit: its question stays, its pieces go."""
    gone = life.forget("used answer")
    assert gone == {"used answer"}
    assert [e.body.text for e in life.events() if e.kind == CHECKPOINT] == ["A quartzine"]
    assert (
        life.stack.conversations.exchanges(life.stack.ledger.get([life.seqs["asked"]])[0].stream)[-1].answer
        is None
    )


def test_the_preview_says_what_and_why_and_changes_nothing(life: Life) -> None:
    """[G3] Everything it reaches, each with its reason."""
    before = list(life.stack.projector.dump()), life.events(), life.stack.ledger.epoch()
    reach = life.stack.forgetting.preview([life.seqs["said"]])
    assert (list(life.stack.projector.dump()), life.events(), life.stack.ledger.epoch()) == before
    why = {name: reach.why[life.seqs[name]].why for name in EVERYTHING}
    assert why == {
        "said": "asked", "answer": "from", "used answer": "used", "shown and used": "used",
        "context": "record", "other context": "record",
    }  # fmt: skip
    assert [e.seq for e in reach.events] == sorted(reach.why)
    assert len(reach.blobs) == 1


def test_nothing_to_forget_is_said(life: Life) -> None:
    with pytest.raises(BadInput):
        life.stack.forgetting.preview([12345])
    with pytest.raises(BadInput):
        life.stack.forgetting.prove([b"word", b""])


def test_acknowledged_means_that_nothing_serves_it(life: Life) -> None:
    """[G3] Before the slow part: not in the ledger, not in any view, in no process that has them open."""
    with opened_stack(life.stack.opened.folder) as other:
        assert any("quartzine" in text for text in other.texts())
        epoch = other.ledger.epoch()
        intent = life.stack.forgetting.carry_out(life.stack.forgetting.preview([life.seqs["said"]]))
        for stack in (life.stack, other):
            assert not any(word in text.lower() for text in stack.texts() for word in RARE)
            assert not any(word in json.dumps(list(stack.projector.dump())).lower() for word in RARE)
            assert stack.ledger.get([life.seqs["said"]]) == []
            assert stack.ledger.epoch() != epoch
            assert stack.forgetting.unfinished() == [intent]
        assert SqliteVectors(other.opened.core).fetch("model", list(life.seqs.values())).keys() == {
            life.seqs[name] for name in life.seqs.keys() - EVERYTHING - {"moon"}
        }
        life.stack.forgetting.finish(intent)
        assert not any(word in text.lower() for text in other.texts() for word in RARE)
        other.upkeep.catch_up()
        assert list(other.projector.dump()) == list(life.stack.projector.dump())
        assert life.planted() == {}


def test_the_forgotten_does_not_come_back_through_an_open_chat(life: Life) -> None:
    """[G6] The client resends everything it still shows; only the new message is recorded."""
    life.forget("said")
    texts = life.stack.texts()
    life.first.say("Still there?", "Yes.")
    life.stack.upkeep.catch_up()
    assert life.planted() == {}
    assert sorted(life.stack.texts()) == sorted([*texts, "Still there?", "Yes."])
    # The same where all of the conversation is forgotten, and where the message before was never answered.
    stream = life.stack.ledger.by_handle(life.stack.opened.handle("assistant:Yes."))[0].stream
    forgetting = life.stack.forgetting
    seqs = [e.seq for e in life.stack.ledger.by_stream(stream, 1000)]
    forgetting.finish(forgetting.carry_out(forgetting.preview(seqs)))
    opened = life.first.say("And now?", "Now too.")
    assert life.planted() == {}
    assert [e.body.text for e in life.stack.ledger.by_stream(opened.conversation)] == ["Now too.", "And now?"]
    lone = ChatClient(life.stack.recording)
    lone.history = [user("An unanswered quartzine")]
    lone.ask("Hello?")
    assert life.planted() == {}


def test_what_was_written_while_it_was_planned_goes_too(life: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    """[G3] An answer that arrives between the look and the deletion loses its ground and goes with it."""
    forgetting = life.stack.forgetting
    opened = life.first.ask("More about the quartzine?")
    preview = forgetting.preview
    looks: list[Reach] = []

    def and_then_it_is_answered(seqs: list[int]) -> Reach:
        reach = preview(seqs)
        if len(looks) == 1:
            life.stack.recording.close(opened, Answer("A late quartzine answer", Ending.COMPLETE))
        looks.append(reach)
        return reach

    monkeypatch.setattr(forgetting, "preview", and_then_it_is_answered)
    forgetting.finish(forgetting.carry_out(forgetting.preview([opened.user_seq])))
    assert len(looks) == 3
    assert "A late quartzine answer" not in [e.body.text for e in life.events() if e.kind == COMPANION]
    with pytest.raises(CauseGone):
        life.stack.recording.close(opened, Answer("Later still", Ending.COMPLETE))


def test_finishing_is_safe_to_repeat_and_to_share(life: Life) -> None:
    """[C9] Twice, at once, and from another process: nothing fails, nothing comes back."""
    folder = life.stack.opened.folder
    intent = life.stack.forgetting.carry_out(life.stack.forgetting.preview([life.seqs["said"]]))
    with opened_stack(folder) as other:
        failures: list[BaseException] = []

        def finish(stack: Stack) -> None:
            try:
                stack.forgetting.finish(intent)
            except BaseException as error:  # noqa: BLE001 - shown by the assertion below
                failures.append(error)

        threads = [threading.Thread(target=finish, args=(stack,)) for stack in (life.stack, other)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []
        other.forgetting.finish(intent)
        assert other.forgetting.resume() == 0
    assert life.planted() == {}
    assert life.gone() == EVERYTHING


def test_what_is_unfinished_is_said_and_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """[G3] Until all is done it is `unfinished`, and the next opening serves nothing of it before it goes on."""
    folder = tmp_path / "core"
    stack = open_stack(folder)
    life = lived_in(stack)
    with monkeypatch.context() as patch:
        # The process dies before this.
        patch.setattr(stack.projector, "purge", lambda seqs: None)
        stack.forgetting.carry_out(stack.forgetting.preview([life.seqs["said"]]))
    assert any("quartzine" in text for text in stack.texts())
    stack.close()
    with opened_stack(folder) as again:
        assert len(again.forgetting.unfinished()) == 1
        assert not any(word in text.lower() for text in again.texts() for word in RARE)
        assert again.forgetting.resume() == 1
        assert again.forgetting.unfinished() == []
        assert Life(again, life.seqs, life.first, life.second).planted() == {}


def test_another_process_that_rebuilds_all_the_time_brings_nothing_back(life: Life, victims: Victims) -> None:
    """[G3] Its views are swapped in around the forgetting; from the acknowledgement on, no look finds a word."""
    folder = life.stack.opened.folder
    results: list[list[str]] = []
    thread = threading.Thread(
        target=lambda: results.append(victims.run("rebuild_often", folder, count=12)[1])
    )
    with opened_stack(folder) as reader:
        thread.start()
        generation = reader.opened.runtime.generation()
        while thread.is_alive() and reader.opened.runtime.generation() == generation:
            assert any("quartzine" in text for text in reader.texts())
        intent = life.stack.forgetting.carry_out(life.stack.forgetting.preview([life.seqs["said"]]))
        looks = 0
        while thread.is_alive():
            assert not any(word in text.lower() for text in reader.texts() for word in RARE)
            looks += 1
        thread.join()
        assert results == [["rebuilt"]]
        assert looks > 3
        life.stack.forgetting.finish(intent)
        assert not any(word in text.lower() for text in reader.texts() for word in RARE)
    assert life.planted() == {}


def test_many_who_write_do_not_hold_a_forgetting_up(life: Life) -> None:
    """It looks while appends are held back; those wait for it, and none of them fails."""
    failures: list[BaseException] = []
    planning = threading.Event()

    def write(number: int) -> None:
        planning.wait(10)
        try:
            life.stack.ledger.append(Draft(OriginGiven("Anima", f"{number}"), Actor.SYSTEM, Trust.USER))
        except BaseException as error:  # noqa: BLE001 - shown by the assertion below
            failures.append(error)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(30)]
    for thread in threads:
        thread.start()

    def slowly() -> Intent:
        planning.set()
        threading.Event().wait(0.3)
        reach = life.stack.forgetting.preview([life.seqs["said"]])
        return Intent("01K", tuple(reach.why), reach.blobs)

    intent = life.stack.ledger.store.forget(slowly)
    for thread in threads:
        thread.join()
    life.stack.forgetting.finish(intent)
    assert failures == []
    assert life.planted() == {}
    assert life.stack.ledger.count({"self.origin"}) == 31


def test_what_crashes_left_lying_about_goes_too(life: Life) -> None:
    """[G4] Half of a rebuild, half of an attachment: nothing refers to them, and they hold the words all the same."""
    folder = life.stack.opened.folder
    shutil.copy(folder / "runtime.db", folder / "runtime.db.new")
    (name,) = life.stack.opened.blobs.names()
    half = folder / "blobs" / name[:2] / f".{name}.0badf00d"
    shutil.copy(half.with_name(name), half)
    life.forget("said")
    assert not half.exists()
    assert not (folder / "runtime.db.new").exists()
    assert life.planted() == {}


def test_views_of_another_version_serve_nothing_of_it_either(life: Life) -> None:
    """[G3] They cannot be purged row by row, so they are built anew before it is acknowledged."""
    with db.writing(life.stack.opened.runtime.engine, Path("runtime")) as rows:
        rows.exec_driver_sql("UPDATE projection SET stamp = 'of an older version'")
    with opened_stack(life.stack.opened.folder) as other:
        assert not other.upkeep.current
        other.forgetting.carry_out(other.forgetting.preview([life.seqs["said"]]))
        assert not any(word in text.lower() for text in other.texts() for word in RARE)


def test_a_reader_that_does_not_pause_is_said_and_nothing_is_claimed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """[G4] While the journal cannot be truncated the forgetting stays unfinished."""
    monkeypatch.setattr(db, "BUSY_SECONDS", 0.05)
    with opened_stack(tmp_path / "core") as stack, opened_stack(tmp_path / "core") as reader:
        life = lived_in(stack)
        intent = stack.forgetting.carry_out(stack.forgetting.preview([life.seqs["said"]]))
        with reader.opened.core.engine.connect() as connection:
            connection.exec_driver_sql("SELECT COUNT(*) FROM event").fetchall()
            with pytest.raises(HomeBusy):
                stack.forgetting.finish(intent)
            assert stack.forgetting.unfinished() == [intent]
        assert stack.forgetting.resume() == 1
        assert life.planted() == {}


def test_a_long_conversation_is_looked_at_once(life: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forgetting a conversation reads it a few times, not once for each of its messages."""
    client = ChatClient(life.stack.recording)
    stream = {client.say(f"Number {n} of many", f"Answer {n} of many").conversation for n in range(60)}.pop()
    reads: list[str] = []
    by_stream = life.stack.ledger.by_stream

    def counted(
        name: str, limit: int = 100, kinds: Collection[str] | None = None, before: int | None = None
    ) -> list[Event]:
        reads.append(name)
        return by_stream(name, limit, kinds, before)

    monkeypatch.setattr(life.stack.ledger, "by_stream", counted)
    reach = life.stack.forgetting.preview([e.seq for e in by_stream(stream, 1000)])
    assert len(reach.events) == 120
    assert len(reads) <= 3


def test_later_answers_are_found_however_many_there_are(life: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    """[G3] All that came after a message in its conversation is looked at, in as many readings as it takes."""
    monkeypatch.setattr(later, "_PAGE", 4)
    for number in range(9):
        life.first.say(f"Another question, the {number}th", "An answer about bread.")
    first = life.stack.ledger.get([life.seqs["said"]])
    after = {effect.effect for effect in later.later_answers(life.stack.ledger, first, set())}
    kinds = (COMPANION, TOOL, CHECKPOINT)
    assert after == {
        e.seq
        for e in life.events()
        if e.kind in kinds and e.stream == first[0].stream and e.seq > first[0].seq
    }
    assert "used answer" in life.forget("said")
    assert life.planted() == {}


def test_attachments_of_two_messages_stay_until_both_are_gone(life: Life) -> None:
    """[G3] A blob goes with the last event that cites it."""
    again = life.second.ask("The same picture", Image(b"pictorubia" * 300, "image/png"))
    life.forget("said")
    assert set().union(*life.planted().values()) == {"pictorubia"}
    life.seqs["again"] = again.user_seq
    life.forget("again")
    assert life.planted() == {}


def test_an_image_that_is_sent_again_meanwhile_stays(life: Life) -> None:
    """[G3] What a new message cites is not taken by a forgetting that was planned before it, nor by its resuming."""
    picture = Image(b"pictorubia" * 300, "image/png")
    forgetting = life.stack.forgetting
    intent = forgetting.carry_out(forgetting.preview([life.seqs["said"]]))
    life.second.ask("The same picture once more", picture)
    (name,) = life.stack.opened.blobs.names()
    forgetting.finish(intent)
    assert life.stack.opened.blobs.get(name) == picture.data
    forgetting.finish(intent)
    assert life.stack.opened.blobs.get(name) == picture.data


def test_an_image_that_goes_before_its_event_is_appended_comes_back(
    life: Life, monkeypatch: pytest.MonkeyPatch
) -> None:
    """[G3] Stored, taken by a forgetting because nothing cites it yet, and then cited: it is there all the same."""
    picture = Image(b"pictorubia" * 300, "image/png")
    forgetting, ledger = life.stack.forgetting, life.stack.ledger
    intent = forgetting.carry_out(forgetting.preview([life.seqs["said"]]))
    append = ledger.append

    def later(draft: Draft) -> Event:
        forgetting.finish(intent)
        assert life.stack.opened.blobs.names() == []
        return append(draft)

    monkeypatch.setattr(ledger, "append", later)
    life.second.ask("The same picture once more", picture)
    (name,) = life.stack.opened.blobs.names()
    assert life.stack.opened.blobs.get(name) == picture.data


def test_nothing_is_cited_while_attachments_are_removed(life: Life) -> None:
    """[G3] Between the look at what is cited and the removal no event is appended."""
    appended = threading.Event()

    def append() -> None:
        life.second.ask("Meanwhile")
        appended.set()

    writer = threading.Thread(target=append)
    with life.stack.opened.core.citations() as cited:
        assert len(cited) == 1
        writer.start()
        assert not appended.wait(0.3)
    writer.join()
    assert appended.is_set()


def test_every_file_of_a_core_is_known(life: Life) -> None:
    """[G3] A new file in a profile must be a store's, or hold nothing of anybody."""
    known = {"core.db", "runtime.db", "core.keys", "alone.lock"}
    life.forget("said")
    for name in snapshot(life.stack.opened.folder):
        assert name.removesuffix("-wal") in known or name.startswith("blobs/"), name


def test_an_intent_holds_ids_only(life: Life) -> None:
    """[G3] What is written down of a forgetting under way is numbers and blob names."""
    intent = life.stack.forgetting.carry_out(life.stack.forgetting.preview([life.seqs["said"]]))
    assert isinstance(intent, Intent)
    assert all(isinstance(seq, int) for seq in intent.seqs)
    assert all(len(name) == 64 for name in intent.blobs)
