"""What chat programs send besides a person's words (field-notes §1 of the design): told apart by pure rules.

Open WebUI 0.12 calls the model up to four times for one message: a title, the chat, follow-ups, tags. Where a
header names the task, it is believed; else the prompt's beginning tells, and `side_tasks` holds those of other
clients. The user's own words are what is left of a message when the wrappers of attached files and of the code
interpreter are taken off.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

from innerlife.membrane.side_tasks import side_task
from innerlife.membrane.turn import Said, Speaker, TurnRequest


class Purpose(StrEnum):
    """What a request is for. Only a CHAT is remembered (promise P5)."""

    CHAT = "chat"
    SIDE_TASK = "side_task"
    TEMPORARY = "temporary"
    UNTOUCHED = "untouched"


_TEMPORARY: Final = ("temporary:", "local:")
"""How ids of chats begin that are not to be remembered: Open WebUI now, and before 0.6."""

_TASK: Final = "### Task:"

_TASKS: Final = re.compile(
    r"""[#]{3} \s Task: \s* (?:
        Generate \s a \s concise \b [^\n]{0,60} \b title
      | Generate \s \d-\d \s broad \s tags
      | Predict \s \d-\d \s useful \s messages
      | Suggest \s \d-\d \s relevant \s follow-up
      | Analyze \s the \s chat \s history \s to \s determine \s the \s necessity \s of \s generating \s search
      | You \s are \s an \s autocompletion \s system
      | Generate \s a \s detailed \s prompt \s for \s an? m? \s image \s generation \s task
      | Summarize \s the \s conversation \s history \s that \s will \s be \s compacted
    )""",
    re.VERBOSE,
)

_LONE_TASKS: Final = (
    "Your task is to reflect the speaker's likely facial expression",
    "Your task is to reflect the speaker\u2019s likely facial expression",
    "You have been provided with a set of responses from various models to the latest user query",
)

_WITH_FILES: Final = re.compile(
    r"### Task:\s*Respond to the user query using the provided context", re.IGNORECASE
)
_CONTEXT_END: Final = "</context>"
_BEFORE: Final = (
    (re.compile(r"\s*<memory_context>(?=.*</memory_context>)", re.DOTALL), "</memory_context>"),
    (re.compile(r"\s*<attached_files>\s*<file\b"), "</attached_files>"),
)
"""What stands in front of a person's words, by how it begins there and how it ends. Anything else is typed.

Files are shown one in a tag; what is remembered may begin with anything, so that there the end tells it.
"""

_QUERY: Final = re.compile(r"\s*<user_query>\s*(.*?)\s*</user_query>\s*\Z", re.DOTALL)
_SUMMARY: Final = "[CONVERSATION SUMMARY]"
_INTERPRETER: Final = re.compile(
    r"(?:\A|\n)\s*#### (?:Code Interpreter\s+You have access to\b|Tools Available\s+1\. \*\*Code Interpreter\*\*)"
)
"""What stands behind them; its heading alone may be the person's."""


def purpose(request: TurnRequest) -> Purpose:
    """What a request is for: by header where one speaks of it, else by how its prompt begins."""
    if request.hints.task:
        return Purpose.SIDE_TASK
    if request.hints.chat.startswith(_TEMPORARY):
        return Purpose.TEMPORARY
    users = [said for said in request.messages if said.speaker is Speaker.USER]
    if not users:
        return Purpose.UNTOUCHED
    # A header that says "no task" outranks a prompt that a person may have typed.
    if request.hints.task is None and (_reads_like_a_task(request, users) or side_task(request) is not None):
        return Purpose.SIDE_TASK
    return Purpose.CHAT


def own_words(text: str) -> str:
    """The words of a user message that the person wrote, without what a chat program put around them.

    Of a wrapper only what follows its last end counts, so that a document, a file's name or a memory that contains
    the end mark cannot speak as the user.
    """
    if text.startswith(_SUMMARY):
        return ""
    if _WITH_FILES.match(text):
        text = _after_context(text)
    while ends := next((ends for begins, ends in _BEFORE if begins.match(text)), ""):
        text = _behind(ends, text).lstrip()
    if "####" in text and (tails := list(_INTERPRETER.finditer(text))):
        text = text[: tails[-1].start()]
    return text


def _behind(end: str, text: str) -> str:
    """What follows the last end; without one nothing tells the wrapped words from the person's."""
    return text.rpartition(end)[2] if end in text else ""


def _after_context(text: str) -> str:
    rest = _behind(_CONTEXT_END, text).lstrip("\r\n")
    query = _QUERY.match(rest)
    return query.group(1) if query else rest


def _reads_like_a_task(request: TurnRequest, users: list[Said]) -> bool:
    # Side tasks come alone and offer no tools; a chat that happens to begin alike does one or the other.
    if len(users) != 1 or request.offers_tools:
        return False
    prompt = users[0].text.lstrip()
    if prompt.startswith(_TASK):
        return _TASKS.match(prompt) is not None
    return prompt.startswith(_LONE_TASKS)
