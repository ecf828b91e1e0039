"""Which conversation a request belongs to, and what of it is new: the behaviour of real chat programs."""

from __future__ import annotations

import pytest

from innerlife.conversations.events import COMPANION, TOOL, USER, Ending, Relation
from innerlife.conversations.model import Answer, Said
from innerlife.conversations.recording import Arriving
from innerlife.conversations.view import parent_of
from tests.conversations.conftest import Record
from tests.support.client import ChatClient, assistant, tool, user


def talk(client: ChatClient, *pairs: tuple[str, str]) -> list[str]:
    """Say each pair; the conversations they were recorded in."""
    return [client.say(said, reply).conversation for said, reply in pairs]


def test_a_new_chat_and_its_second_turn_are_one_conversation(record: Record) -> None:
    streams = talk(record.client(), ("My cat is Ada", "A fine name."), ("She is grey", "Noted."))
    assert len(set(streams)) == 1
    assert record.said() == ["My cat is Ada", "She is grey"]
    first, answer, second, _ = record.events()
    assert (parent_of(first), parent_of(answer), parent_of(second)) == (0, first.seq, answer.seq)


@pytest.mark.parametrize("chats", [2, 7, 30])
def test_equal_answers_in_several_conversations_do_not_mix_them(record: Record, chats: int) -> None:
    clients = [record.client() for _ in range(chats)]
    begun = [client.say(f"Remember item {n}", "OK.").conversation for n, client in enumerate(clients)]
    assert len(set(begun)) == chats
    for turn in range(2):
        for n, client in enumerate(clients):
            assert client.say(f"Turn {turn} of {n}", "OK.").conversation == begun[n]


def test_equal_beginnings_part_where_they_differ(record: Record) -> None:
    first, second = record.client(), record.client()
    one = first.say("Hello", "Hello! How can I help?").conversation
    first.say("Tell me about tides", "They rise.")
    two = second.say("Hello", "Hello! How can I help?").conversation
    second.say("Tell me about bread", "It rises.")
    assert one != two
    assert first.say("And the moon?", "It pulls.").conversation == one
    assert second.say("And the yeast?", "It lives.").conversation == two


def test_regenerate_records_a_second_answer_and_no_second_question(record: Record) -> None:
    client = record.client()
    stream = client.say("Name a tree", "Oak.").conversation
    client.say("Another", "Elm.")
    again = client.regenerate("Ash.")
    assert again.conversation == stream
    assert again.again
    assert record.said() == ["Name a tree", "Another"]
    assert [e.body.again for e in record.events() if e.kind == COMPANION] == [False, False, True]
    # The next turn follows the answer that is shown now.
    following = client.say("One more", "Yew.")
    shown = next(e for e in record.events() if e.body.text == "Ash.")
    assert parent_of(record.ledger.get([following.user_seq])[0]) == shown.seq


def test_retry_after_a_failure_is_the_same_message(record: Record) -> None:
    client = record.client()
    first = client.ask("Are you there?")
    record.recording.close(first, Answer("", Ending.FAILED, error="connection refused"))
    second = client.send()
    assert (second.conversation, second.user_seq, second.again) == (first.conversation, first.user_seq, False)


def test_retry_in_a_later_turn_after_a_failure_is_the_same_message(record: Record) -> None:
    client = record.client()
    client.say("Hello", "Hi.")
    first = client.ask("Are you there?")
    second = client.send()
    assert first.user_seq == second.user_seq
    assert record.said() == ["Hello", "Are you there?"]


def test_a_second_message_before_any_answer_joins_the_same_conversation(record: Record) -> None:
    client = record.client()
    first = client.ask("First try")
    second = client.ask("Second try")
    assert second.conversation == first.conversation
    assert parent_of(record.ledger.get([second.user_seq])[0]) == first.user_seq
    assert record.said() == ["First try", "Second try"]


@pytest.mark.parametrize("place", [0, 2, 4])
def test_an_edited_message_opens_a_branch_of_the_same_conversation(record: Record, place: int) -> None:
    """The first, a middle and the last message rewritten. Without ids a rewritten first message is a new chat."""
    client = record.client()
    stream = talk(client, ("One", "First answer"), ("Two", "Second answer"), ("Three", "Third answer"))[0]
    edited = client.edit(place, "Rewritten")
    event = record.ledger.get([edited.user_seq])[0]
    if place == 0:
        assert edited.conversation != stream
        return
    assert edited.conversation == stream
    assert event.body.relation is Relation.EDIT
    assert parent_of(event) == next(e.seq for e in record.events() if e.body.text in {
        2: {"First answer"}, 4: {"Second answer"}}[place])  # fmt: skip


def test_an_edited_first_message_stays_where_a_header_names_the_chat(record: Record) -> None:
    client = record.client("chat-1")
    stream = talk(client, ("One", "First answer"), ("Two", "Second answer"))[0]
    edited = client.edit(0, "Rewritten")
    assert edited.conversation == stream
    assert record.ledger.get([edited.user_seq])[0].body.relation is Relation.EDIT


def test_continue_joins_the_answer_to_its_beginning(record: Record) -> None:
    client = record.client()
    opened = client.ask("Tell a story")
    client.answer(opened, "Once upon", Ending.INTERRUPTED)
    carried_on = client.send()
    assert (carried_on.user_seq, carried_on.prefix) == (opened.user_seq, "Once upon")
    client.answer(carried_on, " a time.")
    assert [e.body.text for e in record.events() if e.kind == COMPANION] == ["Once upon", "Once upon a time."]
    assert client.say("More", "The end.").conversation == opened.conversation
    assert record.said() == ["Tell a story", "More"]


def test_tool_rounds_record_each_result_once(record: Record) -> None:
    client = record.client()
    client.say("Hello", "Hi.")
    opened = client.ask("What is the weather?")
    calls = '[{"name":"weather"}]'
    record.recording.close(opened, Answer("Let me look.", Ending.COMPLETE, tool_calls=calls))
    client.history += [assistant("Let me look.", calls), tool("rain"), tool("12 degrees")]
    second = client.send()
    third = client.send()  # the request is retried
    record.recording.close(third, Answer("", Ending.COMPLETE, tool_calls=calls))
    client.history += [assistant("", calls), tool("rain")]
    fourth = client.send()
    client.answer(fourth, "It rains.")
    assert {second.user_seq, third.user_seq, fourth.user_seq} == {opened.user_seq}
    assert [e.body.text for e in record.events() if e.kind == TOOL] == ["rain", "12 degrees", "rain"]
    assert client.say("Thanks", "Gladly.").conversation == opened.conversation
    assert record.said() == ["Hello", "What is the weather?", "Thanks"]
    assert not fourth.again


def test_equal_answers_after_tool_rounds_do_not_mix_conversations(record: Record) -> None:
    calls = '[{"name":"save"}]'
    clients = [record.client() for _ in range(3)]
    begun = []
    for number, client in enumerate(clients):
        opened = client.ask(f"Save item {number}")
        record.recording.close(opened, Answer("", Ending.COMPLETE, tool_calls=calls))
        client.history += [assistant("", calls), tool("saved")]
        client.answer(client.send(), "Done.")
        begun.append(opened.conversation)
    assert [client.say("Thanks", "Gladly.").conversation for client in clients] == begun


def test_several_models_in_parallel_share_the_message(record: Record) -> None:
    client = record.client()
    client.say("Hello", "Hi.")
    one = client.ask("Compare")
    two = client.send()
    assert one.user_seq == two.user_seq
    record.recording.close(one, Answer("From the first", Ending.COMPLETE, "m1"))
    record.recording.close(two, Answer("From the second", Ending.COMPLETE, "m2"))
    client.history.append(assistant("From the first"))
    assert client.say("Thanks", "Gladly.").conversation == one.conversation
    assert record.said() == ["Hello", "Compare", "Thanks"]


@pytest.mark.parametrize("kept", [1, 2, 3, 5])
def test_a_history_cut_off_by_the_client_still_belongs(record: Record, kept: int) -> None:
    client = record.client()
    stream = talk(client, *((f"Question {n}", f"Answer number {n}") for n in range(10)))[0]
    client.history = client.history[-kept:]
    assert client.say("One more", "Fine.").conversation == stream
    assert len(record.said()) == 11


def test_a_lone_first_message_equal_to_an_answered_one_is_a_new_conversation(record: Record) -> None:
    one = record.client().say("Good morning", "Good morning!")
    two = record.client().say("Good morning", "Good morning!")
    assert one.conversation != two.conversation
    assert not two.again


def test_a_lone_first_message_equal_to_an_unanswered_one_is_that_one(record: Record) -> None:
    one = record.client().ask("Good morning")
    record.recording.close(one, Answer("Good mo", Ending.INTERRUPTED))
    two = record.client().ask("Good morning")
    assert (one.conversation, one.user_seq) == (two.conversation, two.user_seq)


def test_header_ids_outrank_likeness(record: Record) -> None:
    one, two = record.client("a"), record.client("b")
    first = one.say("Good morning", "Good morning!").conversation
    second = two.say("Good morning", "Good morning!").conversation
    assert first != second
    assert one.say("How are you?", "Well.").conversation == first
    assert two.say("How are you?", "Well.").conversation == second
    assert one.regenerate("Very well.").conversation == first


def test_the_clients_message_id_makes_a_resend_idempotent(record: Record) -> None:
    client = record.client("a")
    first = client.ask("Good morning", user_message="m1")
    client.answer(first, "Hello")
    client.history = [user("Good  morning")]
    assert client.send("m1").user_seq == first.user_seq
    assert record.said() == ["Good morning"]


def test_an_edited_middle_of_the_history_changes_nothing_recorded(record: Record) -> None:
    client = record.client()
    stream = talk(client, ("One", "First"), ("Two", "Second"), ("Three", "Third"))[0]
    client.history[1] = assistant("First, as the person rewrote it")
    client.history[2] = user("Two, as the person rewrote it")
    assert client.say("Four", "Fourth").conversation == stream
    assert record.said() == ["One", "Two", "Three", "Four"]


def test_an_edited_last_answer_still_belongs(record: Record) -> None:
    client = record.client()
    stream = talk(client, ("One", "First"), ("Two", "Second"))[0]
    client.history[3] = assistant("Second, as the person rewrote it")
    assert client.say("Three", "Third").conversation == stream
    assert record.said() == ["One", "Two", "Three"]


def test_the_wrapper_of_a_file_is_gone_on_the_next_turn(record: Record) -> None:
    wrapped = (
        "### Task:\nRespond to the user query using the provided context, incorporating inline citations.\n"
        "<context>a long document</context>\n\n<attached_files>a.pdf</attached_files>\n\nWhat does it say?"
    )
    client = record.client()
    stream = client.say(wrapped, "It says much.").conversation
    client.history[0] = user("What does it say?")
    assert client.say("Go on", "More.").conversation == stream
    first = record.events()[0].body
    assert (first.text, first.sent) == ("What does it say?", wrapped)


def test_a_retry_without_the_wrapper_is_the_same_message(record: Record) -> None:
    client = record.client()
    client.say("Hello", "Hi.")
    first = client.ask("<attached_files>a.png</attached_files>\n\nWhat is this?")
    client.history[-1] = user("What is this?")
    assert client.send().user_seq == first.user_seq


@pytest.mark.parametrize("again", ["  First answer,\n\nin two parts. ", "First answer, in two parts."])
def test_an_answer_trimmed_or_wrapped_anew_is_known(record: Record, again: str) -> None:
    client = record.client()
    stream = client.say("One", "First answer,\nin two parts.\n").conversation
    client.history[1] = assistant(again)
    assert client.say("Two", "Second").conversation == stream


def test_a_chat_begun_with_another_model_is_a_conversation_of_its_own(record: Record) -> None:
    ours = talk(record.client(), ("Is it on?", "OK."), ("And now?", "OK."))[0]
    other = record.client()
    other.history = [user("Begun elsewhere"), assistant("Long ago."), user("With another"), assistant("OK.")]
    first = other.say("Now with you", "Welcome.")
    assert first.conversation != ours
    assert other.say("Still here?", "Yes.").conversation == first.conversation
    assert record.said(first.conversation) == ["Now with you", "Still here?"]


def test_two_copies_of_a_chat_go_on_as_branches_of_one_conversation(record: Record) -> None:
    client = record.client()
    stream = talk(client, ("One", "First"), ("Two", "Second"))[0]
    copy = record.client()
    copy.history = list(client.history)
    assert client.say("Left", "L").conversation == stream
    assert copy.say("Right", "R").conversation == stream
    assert client.say("Left again", "LL").conversation == stream
    assert copy.say("Right again", "RR").conversation == stream
    assert record.said() == ["One", "Two", "Left", "Right", "Left again", "Right again"]


def test_an_old_chat_of_others_is_context_and_not_evidence(record: Record) -> None:
    """[G6] Of what is resent only the newest message is recorded."""
    client = record.client()
    for number in range(5):
        client.history += [user(f"Foreign {number}"), assistant(f"Reply {number}")]
    client.say("Mine", "Yes.")
    assert record.said() == ["Mine"]


@pytest.mark.parametrize(
    "messages",
    [(), (assistant("Hello"),), (user("   "),), (tool("result"),), (user(""), assistant("x"))],
)
def test_nothing_of_the_users_is_nothing_to_record(record: Record, messages: tuple[Said, ...]) -> None:
    assert record.recording.open(Arriving(messages, "test")) is None
    assert record.events() == []


def test_kinds_of_a_turn(record: Record) -> None:
    record.client().say("One", "First")
    assert [e.kind for e in record.events()] == [USER, COMPANION]
