"""A chat turn in the companion's own words, free of any wire format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from innerlife.conversations.events import Ending
from innerlife.conversations.model import Answer, Image, Opened, Said, Speaker

__all__ = [
    "Answer",
    "Ending",
    "Hints",
    "Image",
    "Opened",
    "Plan",
    "Said",
    "Speaker",
    "Standing",
    "TurnRequest",
    "always",
]


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
    which carry one prompt and no history. `tools_size` is the length of the tools' definitions, in characters.
    """

    messages: tuple[Said, ...]
    model: str
    surface: str
    hints: Hints = Hints()
    window: int | None = None
    fiction: bool = False
    lone_prompt: bool = False
    offers_tools: bool = False
    tools_size: int = 0


def always() -> bool:
    """Nothing that could be forgotten is in it."""
    return True


class Standing(StrEnum):
    """What became of a turn on its way in: the first word of the header `X-Innerlife`."""

    OK = "ok"
    DEGRADED = "degraded"
    UNRECORDED = "unrecorded"
    PASSTHROUGH = "passthrough"


@dataclass(frozen=True, slots=True)
class Plan:
    """What to send on: `stable` goes in front of the client's system text, `block` beside its newest user message.

    Both are empty where nothing is added. `kept` are blocks of earlier turns with the index in the request's messages
    where each was sent: they stay there. `opened` is None where nothing is recorded. `stands()` says later whether
    nothing was forgotten since, so that these words may be sent once more; it may block.
    """

    standing: Standing
    why: str = ""
    stable: str = ""
    block: str = ""
    kept: tuple[tuple[int, str], ...] = ()
    opened: Opened | None = None
    stands: Callable[[], bool] = field(default=always, compare=False, repr=False)
