"""A chat turn in the companion's own words, free of any wire format."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from innerlife.conversations.events import Ending


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
class Opened:
    """A recorded user message that waits for its answer.

    `again` where an earlier answer was complete; `prefix` is the answer's beginning where it is to be continued;
    `shown` are the seqs of what the model was given to remember.
    """

    conversation: str
    user_seq: int
    user_id: str
    again: bool = False
    prefix: str = ""
    fiction: bool = False
    shown: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What the client saw of an answer."""

    text: str
    ending: Ending
    model: str = ""
    reasoning: str = ""
    tool_calls: str = ""
    error: str = ""
