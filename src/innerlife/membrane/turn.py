"""A chat turn in the companion's own words, free of any wire format."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Speaker(StrEnum):
    """Who speaks in a chat request."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Image:
    """Bytes attached to a message."""

    data: bytes
    media_type: str


@dataclass(frozen=True, slots=True)
class Said:
    """One message as the client sent it. `tool_calls` is their JSON, or empty."""

    speaker: Speaker
    text: str
    images: tuple[Image, ...] = ()
    tool_calls: str = ""


@dataclass(frozen=True, slots=True)
class Hints:
    """What headers say of a request; empty where they say nothing (field-notes §1).

    `task` is None when no header speaks of tasks, "" when one says that this is a chat.
    """

    task: str | None = None
    chat: str = ""
    message: str = ""
    user_message: str = ""
    user_message_parent: str = ""
    user: str = ""


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """A chat request, read from any wire format. `window` is the model's context in tokens, where known.

    `surface` names how it came (`proxy`, `say`, `chat`); `lone_prompt` is true for generate and completion calls,
    which carry one prompt and no history.
    """

    messages: tuple[Said, ...]
    model: str
    surface: str
    hints: Hints = Hints()
    window: int | None = None
    fiction: bool = False
    lone_prompt: bool = False
    offers_tools: bool = False


class Standing(StrEnum):
    """What became of a turn on its way in: the first word of the header `X-Innerlife`."""

    OK = "ok"
    DEGRADED = "degraded"
    UNRECORDED = "unrecorded"
    PASSTHROUGH = "passthrough"


@dataclass(frozen=True, slots=True)
class Opened:
    """A recorded user message that waits for its answer. `shown` are the seqs of what it was given to remember."""

    conversation: str
    user_seq: int
    user_id: str
    replaces: str = ""
    fiction: bool = False
    shown: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """What to send on: `stable` goes in front of the client's system text, `block` beside its newest user message.

    Both are empty where nothing is added. `opened` is None where nothing is recorded.
    """

    standing: Standing
    why: str = ""
    stable: str = ""
    block: str = ""
    opened: Opened | None = None


class Ending(StrEnum):
    """How an answer ended."""

    COMPLETE = "complete"
    TRUNCATED = "truncated"
    INTERRUPTED = "interrupted"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Answer:
    """What the client saw of an answer."""

    text: str
    ending: Ending
    model: str = ""
    reasoning: str = ""
    tool_calls: str = ""
    error: str = ""
