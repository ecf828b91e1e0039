"""Events of conversations, a closed union (`Event` bodies of this room)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from innerlife.ledger.registry import Kind, Retention


class Relation(StrEnum):
    """How a user message stands to what came before it: feedback that later learning reads (promise L1)."""

    NEW = "new"
    EDIT = "edit"


class Ending(StrEnum):
    """How an answer ended."""

    COMPLETE = "complete"
    TRUNCATED = "truncated"
    INTERRUPTED = "interrupted"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Attachment:
    """An image or file that came with a message; the bytes are a blob."""

    blob: str
    media_type: str
    size: int


@dataclass(frozen=True, slots=True)
class UserMessage:
    """What the user said. `text` is their own words; `sent` the whole message where a client had wrapped them.

    The message it follows is its `trigger` cause: no body names another event, so that one can go without a trace.
    `quoted` are the stretches of `text`, as (first, one past the last) character, whose speaker is unknown: decided
    when it was recorded, so that later rules change nothing that was. `chat` is the client's own id of the
    conversation, where it gave one.
    """

    text: str
    sent: str = ""
    attachments: tuple[Attachment, ...] = ()
    relation: Relation = Relation.NEW
    surface: str = ""
    chat: str = ""
    fiction: bool = False
    quoted: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class CompanionMessage:
    """What the client saw as an answer; the user message is its `from` cause, what it was given to remember `shown`.

    `again` is true where an earlier answer to the same message was complete: the user asked to do it again.
    """

    text: str
    ending: Ending = Ending.COMPLETE
    model: str = ""
    reasoning: str = ""
    tool_calls: str = ""
    again: bool = False
    error: str = ""
    fiction: bool = False


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a client's tool answered in the middle of a turn: somebody else's words."""

    text: str
    fiction: bool = False


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A piece of an answer that is still being written: it follows the first `offset` characters."""

    offset: int
    text: str
    model: str = ""


ConversationEvent = UserMessage | CompanionMessage | ToolResult | Checkpoint

USER = "message.user"
COMPANION = "message.companion"
TOOL = "message.tool"
CHECKPOINT = "message.checkpoint"


def _told_of_user(message: UserMessage) -> str:
    what = "changed a message to" if message.relation is Relation.EDIT else "said"
    shown = f" and showed {len(message.attachments)} pictures" if message.attachments else ""
    return f"You {what}: {message.text}{shown}"


def _told_of_companion(message: CompanionMessage) -> str:
    how = {
        Ending.COMPLETE: "Answered once more" if message.again else "Answered",
        Ending.TRUNCATED: "Answered as far as the limit let it",
        Ending.INTERRUPTED: "Answered until it was stopped",
        Ending.FAILED: "Could not answer",
    }[message.ending]
    return f"{how}: {message.text or message.error or 'by calling a tool'}"


KINDS = (
    Kind(USER, UserMessage, Retention.ARCHIVE, tells=_told_of_user),
    Kind(COMPANION, CompanionMessage, Retention.ARCHIVE, tells=_told_of_companion),
    Kind(TOOL, ToolResult, Retention.ARCHIVE, tells=lambda result: f"A tool answered: {result.text}"),
    Kind(
        CHECKPOINT,
        Checkpoint,
        Retention.VOLATILE,
        tells=lambda piece: f"Kept a piece of an answer: {piece.text}",
    ),
)
"""Kinds this room registers."""
