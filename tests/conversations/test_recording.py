"""What is kept of a turn, and how it is read back."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from innerlife.conversations.events import CHECKPOINT, COMPANION, USER, Ending, Relation
from innerlife.conversations.model import Answer, Image, Said, Speaker
from innerlife.conversations.recording import Arriving
from innerlife.errors import CauseGone
from innerlife.ledger.envelope import Actor, Role, Trust
from tests.conversations.conftest import Record
from tests.support.client import ChatClient, user, without_wrapper
from tests.support.stack import opened_stack

ODD = [
    "a NUL \0 inside",
    "lone \ud800 surrogate \udfff",
    "\u202eright to left\u202c שלום",
    "e\u0301 and é",
    "\r\n\t spaces \u00a0",
    "emoji 👩‍👩‍👧 and 𝔘",
    "x" * 100_000,
]


@pytest.mark.parametrize("text", ODD)
def test_evidence_is_kept_unmodified(tmp_path: Path, text: str) -> None:
    """[C1] Every string comes back as it was sent, through the database, from another opening."""
    with opened_stack(tmp_path / "core") as stack:
        opened = stack.recording.open(Arriving((user(text),), "test"))
        assert opened is not None
        stack.recording.close(opened, Answer(text, Ending.COMPLETE, "model\0\ud800"))
        stack.upkeep.catch_up()
        assert len(stack.texts()) == 2
    with opened_stack(tmp_path / "core") as stack:
        said, answer = stack.ledger.read(0, 10, {USER, COMPANION})
        assert (said.body.text, answer.body.text, answer.body.model) == (text, text, "model\0\ud800")


def test_a_wrapped_message_is_kept_whole_beside_the_own_words(tmp_path: Path) -> None:
    """[C1] `sent` is the message as the client sent it."""
    wrapped = "<attached_files>\ud800 a.pdf</attached_files>\n\nWhat is this?"
    with opened_stack(tmp_path / "core") as stack:
        assert stack.recording.open(Arriving((user(wrapped),), "test"))
        body = stack.ledger.newest(1)[0].body
        assert (body.text, body.sent) == (without_wrapper(wrapped), wrapped)


def test_images_are_blobs_and_an_image_alone_is_a_message(tmp_path: Path) -> None:
    """[C1] The bytes of an image come back as they were sent, and lie nowhere in the clear."""
    picture = Image(bytes(range(256)) * 300, "image/png")
    with opened_stack(tmp_path / "core") as stack:
        client = ChatClient(stack.recording)
        first = client.ask("", picture)
        assert client.send().user_seq == first.user_seq
        attachment = stack.ledger.newest(1)[0].body.attachments[0]
        assert (attachment.media_type, attachment.size) == ("image/png", 76800)
        assert stack.opened.blobs.get(attachment.blob) == picture.data
        files = [p for p in (tmp_path / "core" / "blobs").rglob("*") if p.is_file()]
        assert [p.name for p in files] == [attachment.blob]
        assert picture.data[:64] not in files[0].read_bytes()


def test_the_envelope_says_who_when_and_why(record: Record) -> None:
    """[C1] Recorded and happened at, zone, actor, trust, causes; evidence has no derivation."""
    client = record.client("chat-9")
    shown = client.say("Earlier", "Words")
    opened = client.ask("My cat is Ada")
    answer = record.recording.close(
        opened.__class__(opened.conversation, opened.user_seq, opened.user_id, shown=(shown.user_seq,)),
        Answer("A fine name", Ending.TRUNCATED, "tiny", "because", "[]", "cut"),
    )
    said = record.ledger.get([opened.user_seq])[0]
    assert (said.actor, said.trust, said.derivation, said.body.chat) == (
        Actor.USER,
        Trust.USER,
        None,
        "chat-9",
    )
    assert said.recorded_at == said.happened.at == record.clock.at
    assert said.happened.zone == "Europe/Vienna"
    assert (answer.actor, answer.trust) == (Actor.COMPANION, Trust.ASSISTANT_TEXT)
    assert answer.caused(Role.FROM) == (said.seq,)
    assert answer.caused(Role.SHOWN) == (shown.user_seq,)
    body = answer.body
    assert (body.ending, body.reasoning, body.tool_calls, body.error) == (
        Ending.TRUNCATED,
        "because",
        "[]",
        "cut",
    )


def test_an_answer_to_a_forgotten_message_is_a_normal_outcome(tmp_path: Path) -> None:
    with opened_stack(tmp_path / "core") as stack:
        opened = stack.recording.open(Arriving((user("Forget me"),), "test"))
        assert opened is not None
        stack.forgetting.finish(stack.forgetting.carry_out(stack.forgetting.preview([opened.user_seq])))
        with pytest.raises(CauseGone):
            stack.recording.close(opened, Answer("Never", Ending.COMPLETE))
        with pytest.raises(CauseGone):
            stack.recording.checkpoint(opened, "Never", 0)
        assert stack.ledger.count() == 0


def test_pieces_of_an_answer_are_read_as_one_until_it_is_finished(tmp_path: Path) -> None:
    """[C9] What was said before a crash is kept, and gives way to the finished answer."""
    with opened_stack(tmp_path / "core") as stack:
        opened = stack.recording.open(Arriving((user("Tell"),), "test"))
        assert opened is not None
        stack.recording.checkpoint(opened, "Once upon", 0, "m")
        stack.recording.checkpoint(opened, "Once upon a time", 9, "m")
        stack.upkeep.catch_up()
        exchange = stack.conversations.exchanges(opened.conversation)[0]
        assert exchange.answer is not None
        assert (exchange.answer.text, exchange.answer.ending) == ("Once upon a time", "writing")
        stack.recording.close(opened, Answer("Once upon a time.", Ending.COMPLETE, "m"))
        stack.upkeep.catch_up()
        exchange = stack.conversations.exchanges(opened.conversation)[0]
        assert exchange.answer is not None
        assert (exchange.answer.text, exchange.answers) == ("Once upon a time.", 1)
        assert stack.ledger.count({CHECKPOINT}) == 2


def test_two_answers_written_at_once_are_not_mixed(tmp_path: Path) -> None:
    """Several models answer one message in parallel; each has its own beginning."""
    with opened_stack(tmp_path / "core") as stack:
        opened = stack.recording.open(Arriving((user("Tell"),), "test"))
        assert opened is not None
        for text, offset in (("Once", 0), ("Once upon", 4)):
            stack.recording.checkpoint(opened, text, offset, "left")
            stack.recording.checkpoint(opened, text.replace("Once", "Twice"), offset and 5, "right")
        stack.recording.close(opened, Answer("Once upon a time.", Ending.COMPLETE, "left"))
        stack.upkeep.catch_up()
        answers = [m.text for m in stack.conversations.messages(opened.conversation)[1:]]
        assert answers == ["Twice upon", "Once upon a time."]


def test_two_clients_in_one_conversation_at_once(tmp_path: Path) -> None:
    """Equal requests that arrive together are one message; different ones are two, in one conversation."""
    with opened_stack(tmp_path / "core") as stack:
        first = ChatClient(stack.recording)
        stream = first.say("Hello there", "Hi.").conversation
        results: list[str] = []
        seqs: list[int] = []
        barrier = threading.Barrier(6)

        def ask(number: int) -> None:
            client = ChatClient(stack.recording)
            client.history = list(first.history)
            barrier.wait()
            opened = client.ask(f"Question {number % 3}")
            results.append(opened.conversation)
            seqs.append(opened.user_seq)

        threads = [threading.Thread(target=ask, args=(n,)) for n in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert set(results) == {stream}
        assert len(seqs) == 6
        assert len(set(seqs)) == 3


def test_reading_by_conversation_exchange_and_prefix(tmp_path: Path) -> None:
    with opened_stack(tmp_path / "core") as stack:
        one = ChatClient(stack.recording).say("First chat", "One")
        two = ChatClient(stack.recording)
        two.say("Second chat", "Two")
        two.regenerate("Two again")
        stack.upkeep.catch_up()
        seen = stack.conversations.newest()
        assert [c.opening for c in seen] == ["Second chat", "Second chat", "First chat"]
        assert stack.conversations.matching(one.conversation[:20]) != []
        assert stack.conversations.matching(one.conversation) == [one.conversation]
        assert stack.conversations.matching("\udcff") == []
        (exchange,) = stack.conversations.exchanges(one.conversation)
        assert exchange.answer is not None
        assert (exchange.said.text, exchange.answer.text) == ("First chat", "One")
        assert stack.ledger.by_id("\udcff") == []


def test_a_message_changed_in_place_is_an_edit(tmp_path: Path) -> None:
    """[P5] The client's own id of a message does not hide that its words were changed."""
    with opened_stack(tmp_path / "core") as stack:
        arriving = Arriving((Said(Speaker.USER, "I met Hubertus."),), "test", chat="chat", user_message="m1")
        first = stack.recording.open(arriving)
        again = stack.recording.open(arriving)
        changed = stack.recording.open(replace(arriving, messages=(Said(Speaker.USER, "I met Walburga."),)))
        assert first is not None
        assert again is not None
        assert changed is not None
        assert again.user_seq == first.user_seq
        [event] = stack.ledger.get([changed.user_seq])
        assert (event.body.text, event.body.relation) == ("I met Walburga.", Relation.EDIT)


def test_pieces_of_an_answer_go_with_what_they_were_shown(tmp_path: Path) -> None:
    """[G3] An answer that is still being written when its source is forgotten leaves no draft behind."""
    with opened_stack(tmp_path / "core") as stack:
        source = stack.recording.open(
            Arriving((Said(Speaker.USER, "The key is under Quirlminster."),), "test")
        )
        asking = stack.recording.open(Arriving((Said(Speaker.USER, "Where is the key?"),), "test"))
        assert source is not None
        assert asking is not None
        writing = replace(asking, shown=(source.user_seq,))
        stack.recording.checkpoint(writing, "It is under Quirl", 0)
        stack.recording.checkpoint(writing, "It is under Quirlminster.", 17)
        forgetting = stack.forgetting
        forgetting.finish(forgetting.carry_out(forgetting.preview([source.user_seq])))
        assert [e.body.text for e in stack.ledger.read() if e.kind == CHECKPOINT] == []
        with pytest.raises(CauseGone):
            stack.recording.checkpoint(writing, "It is under Quirlminster. Yes.", 25)
