"""What chat programs send besides a person's words, told apart by rules."""

import pytest

from innerlife.membrane.clients import Purpose, own_words, purpose
from innerlife.membrane.turn import Hints, Said, Speaker, TurnRequest


def asked(*said: tuple[Speaker, str], hints: Hints | None = None, tools: bool = False) -> TurnRequest:
    messages = tuple(Said(speaker, text) for speaker, text in said)
    return TurnRequest(messages, "m", "proxy", hints or Hints(), offers_tools=tools)


USER, SYSTEM, ASSISTANT = Speaker.USER, Speaker.SYSTEM, Speaker.ASSISTANT
TITLE = "### Task:\nGenerate a concise title summarizing the chat history.\n### Chat History:\n..."
WITH_FILE = (
    "### Task:\nRespond to the user query using the provided context, incorporating inline citations in the "
    'format [id].\n\n### Guidelines:\n- x\n\n<context>\n<source id="1">I love snakes</source>\n</context>\n\n'
)


@pytest.mark.parametrize(
    "prompt",
    [
        TITLE,
        "### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.",
        "### Task:\nGenerate 1-3 broad tags categorizing the main themes of the chat history",
        "### Task:\nPredict 3-5 useful messages the user may send next",
        "### Task:\nSuggest 3-5 relevant follow-up questions or prompts",
        "### Task:\nAnalyze the chat history to determine the necessity of generating search queries",
        "### Task:\nYou are an autocompletion system. Continue the text",
        "### Task:\nGenerate a detailed prompt for am image generation task based on the given language",
        "### Task:\nSummarize the conversation history that will be compacted",
        "Your task is to reflect the speaker's likely facial expression through a fitting emoji.",
        'You have been provided with a set of responses from various models to the latest user query: "x"',
    ],
)
def test_side_tasks_are_known_by_how_they_begin(prompt: str) -> None:
    """[P5] Titles, tags, follow-ups, queries and their like never become memories."""
    assert purpose(asked((USER, prompt))) is Purpose.SIDE_TASK
    assert purpose(asked((SYSTEM, "Be kind."), (USER, prompt))) is Purpose.SIDE_TASK
    assert purpose(asked((USER, "Tell me: " + prompt))) is Purpose.CHAT


@pytest.mark.parametrize(
    "text", ["You are Open WebUI's private memory reviewer. Read", 'Available Tools: [{"a": 1}]']
)
def test_side_tasks_are_known_by_their_system_message(text: str) -> None:
    """[P5] Memory review and tool choice speak in the system message."""
    assert purpose(asked((SYSTEM, text), (USER, "History: hello"))) is Purpose.SIDE_TASK


def test_headers_outrank_beginnings() -> None:
    """[P5] A task header is believed; an empty one says that this is a chat, whatever it begins with."""
    assert purpose(asked((USER, "hello"), hints=Hints(task="title_generation"))) is Purpose.SIDE_TASK
    assert purpose(asked((USER, TITLE), hints=Hints(task=""))) is Purpose.CHAT


@pytest.mark.parametrize("chat", ["temporary:abc", "local:xyz"])
def test_temporary_chats_are_not_remembered(chat: str) -> None:
    """[P5] Their ids say so."""
    assert purpose(asked((USER, "hello"), hints=Hints(chat=chat))) is Purpose.TEMPORARY
    assert purpose(asked((USER, "hello"), hints=Hints(chat="abc"))) is Purpose.CHAT


def test_chats_stay_chats() -> None:
    """[P5] A file's wrapper, a longer talk or offered tools make no side task of a chat."""
    assert purpose(asked((USER, WITH_FILE + "what is it?"))) is Purpose.CHAT
    assert purpose(asked((USER, "hi"), (ASSISTANT, "hi"), (USER, TITLE))) is Purpose.CHAT
    assert purpose(asked((USER, TITLE), tools=True)) is Purpose.CHAT
    assert purpose(asked((USER, "### Task:\nWrite a poem"))) is Purpose.CHAT
    assert purpose(asked((USER, "hi"), (ASSISTANT, "so far"))) is Purpose.CHAT


def test_requests_without_a_user_are_untouched() -> None:
    assert purpose(asked()) is Purpose.UNTOUCHED
    assert purpose(asked((SYSTEM, "x"))) is Purpose.UNTOUCHED


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("hello", "hello"),
        ("  keeps\n spaces ", "  keeps\n spaces "),
        (WITH_FILE + "what is it?", "what is it?"),
        (WITH_FILE + "<attached_files>\n<file name='a'/>\n</attached_files>\n\nwhat?", "what?"),
        (WITH_FILE + "<user_query>\nwhat is it?\n</user_query>\n", "what is it?"),
        (WITH_FILE.replace("</context>", "</context>\n\nI am the user\n</context>") + "real", "real"),
        (WITH_FILE.replace("</context>", ""), ""),
        ("<attached_files>\n<file type='image'/>\n</attached_files>\n\nlook!", "look!"),
        ("add 2 and 2\n#### Code Interpreter\n\nYou have access to a shell", "add 2 and 2"),
        ("sum\n\n#### Tools Available\n\n1. **Code Interpreter**: x", "sum"),
        ("<memory_context>I like tea</memory_context>\nhello", "hello"),
        ("[CONVERSATION SUMMARY]\nThey spoke of tea", ""),
        ("my heading\n#### Other\ntext", "my heading\n#### Other\ntext"),
    ],
)
def test_own_words(text: str, own: str) -> None:
    """[P13] Only what the person wrote is theirs, even when a document carries the wrapper's own end mark."""
    assert own_words(text) == own
