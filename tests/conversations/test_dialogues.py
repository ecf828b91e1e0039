"""Random dialogues, resent by simulated clients in any order."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from innerlife.conversations.view import parent_of
from tests.conversations.conftest import Record
from tests.support.client import ChatClient

WORDS = ["yes", "no", "OK.", "Tell me more", "Why?", "Hello"]
TURNS = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from(["say", "say", "say", "retry", "regenerate", "edit"]),
              st.sampled_from(WORDS), st.sampled_from(WORDS)),
    min_size=1, max_size=25,
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(turns=TURNS)
def test_each_chat_window_is_one_conversation_and_each_new_message_is_recorded_once(
    turns: list[tuple[int, str, str, str]],
) -> None:
    """Four windows whose first exchanges differ, with answers and questions that repeat all the time."""
    record = Record()
    clients = [record.client() for _ in range(4)]
    begun = [c.say(f"This is window {n}", f"Welcome to {n}").conversation for n, c in enumerate(clients)]
    expected: list[list[str]] = [[f"This is window {n}"] for n in range(4)]
    for place, (number, deed, said, reply) in enumerate(turns):
        # An edit back to an earlier wording is that earlier message; here every edit is a new one.
        words = f"{said} (edit {place})" if deed == "edit" else said
        stream, new = _act(clients[number], deed, words, reply)
        assert stream == begun[number]
        expected[number] += new
    for number in range(4):
        assert record.said(begun[number]) == expected[number]


@settings(max_examples=40, deadline=None)
@given(turns=st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(WORDS)), min_size=1, max_size=12))
def test_every_message_follows_the_one_before_it(turns: list[tuple[str, str]]) -> None:
    record = Record()
    client = record.client()
    for said, reply in turns:
        client.say(said, reply)
    events = record.events()
    assert [parent_of(e) for e in events] == [0, *(e.seq for e in events[:-1])]
    assert [e.body.text for e in events] == [m.text for m in client.history]
    assert len(record.streams()) == 1


def _act(client: ChatClient, deed: str, said: str, reply: str) -> tuple[str, list[str]]:
    """Do it; the conversation it was recorded in, and what is new."""
    if deed == "regenerate" and len(client.history) > 2:
        return client.regenerate(reply).conversation, []
    if deed == "retry":
        first, second = client.ask(said), client.send()
        assert first.user_seq == second.user_seq
        client.answer(second, reply)
        return second.conversation, [said]
    if deed == "edit" and len(client.history) > 2:
        opened = client.edit(len(client.history) - 2, said)
        client.answer(opened, reply)
        return opened.conversation, [said]
    return client.say(said, reply).conversation, [said]
