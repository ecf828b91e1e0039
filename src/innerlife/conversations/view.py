"""The views of conversations: every message, every exchange, every conversation."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, assert_never

from innerlife.conversations.events import (
    CHECKPOINT,
    COMPANION,
    TOOL,
    USER,
    Checkpoint,
    CompanionMessage,
    ConversationEvent,
    Ending,
    ToolResult,
    UserMessage,
)
from innerlife.kernel.moments import to_micros
from innerlife.kernel.passage import Passage
from innerlife.kernel.text import storable, without_fence_lines
from innerlife.ledger.envelope import Event, Role
from innerlife.ports import Rows

_TABLES = (
    """CREATE TABLE conversations_message (
        seq INTEGER PRIMARY KEY, id TEXT NOT NULL, stream TEXT NOT NULL, speaker TEXT NOT NULL, text TEXT NOT NULL,
        at INTEGER NOT NULL, zone TEXT NOT NULL, parent INTEGER NOT NULL, ending TEXT NOT NULL, again INTEGER NOT NULL,
        model TEXT NOT NULL, fiction INTEGER NOT NULL, attachments INTEGER NOT NULL)""",
    "CREATE INDEX conversations_message_stream ON conversations_message (stream, seq)",
    "CREATE INDEX conversations_message_parent ON conversations_message (parent)",
    "CREATE INDEX conversations_message_id ON conversations_message (id)",
)
_COLUMNS = "seq, id, stream, speaker, text, at, zone, parent, ending, again, model, fiction, attachments"

SPEAKERS = {USER: "user", COMPANION: "companion", TOOL: "tool", CHECKPOINT: "companion"}


class ConversationsView:
    """Messages by conversation. An exchange is a user message with its newest answer: read, not stored."""

    name = "conversations"
    version = 2
    kinds = frozenset({USER, COMPANION, TOOL, CHECKPOINT})

    def create(self, rows: Rows) -> None:
        """Make the empty tables."""
        for statement in _TABLES:
            rows.execute(statement)

    def fold(self, rows: Rows, events: Iterable[Event]) -> None:
        """Apply a slice of events."""
        for event in events:
            _fold(rows, event)

    def purge(self, rows: Rows, seqs: Collection[int]) -> None:
        """Remove the rows of these events; what followed them follows nothing now."""
        every = [(seq,) for seq in seqs]
        rows.executemany("DELETE FROM conversations_message WHERE seq = ?", every)
        rows.executemany("UPDATE conversations_message SET parent = 0 WHERE parent = ?", every)

    def dump(self, rows: Rows) -> Iterable[tuple[Any, ...]]:
        """Every message, in order."""
        yield from rows.execute(f"SELECT {_COLUMNS} FROM conversations_message ORDER BY seq")  # noqa: S608 - constant


def _fold(rows: Rows, event: Event) -> None:
    body: ConversationEvent = event.body
    match body:
        case UserMessage():
            _add(rows, event, body.text, fiction=body.fiction, attachments=len(body.attachments))
        case CompanionMessage():
            # The finished answer takes the place of its pieces; another model may still be writing one beside it.
            rows.execute(
                "DELETE FROM conversations_message WHERE parent = ? AND ending = 'writing' AND model IN ('', ?)",
                (parent_of(event), storable(body.model)),
            )
            again, ending = body.again, body.ending
            _add(rows, event, body.text, ending=ending, again=again, model=body.model, fiction=body.fiction)
        case ToolResult():
            _add(rows, event, body.text, fiction=body.fiction)
        case Checkpoint():
            _piece(rows, event, body)
        case _:
            assert_never(body)


def parent_of(event: Event) -> int:
    """The seq of the message that this one follows or answers, or 0."""
    causes = event.caused(Role.TRIGGER) if event.kind == USER else event.caused(Role.FROM)
    return causes[0] if causes else 0


def _piece(rows: Rows, event: Event, piece: Checkpoint) -> None:
    found = rows.execute(
        "SELECT seq, text FROM conversations_message WHERE parent = ? AND ending = 'writing' AND model = ?",
        (parent_of(event), storable(piece.model)),
    ).fetchone()
    if found is None:
        _add(rows, event, piece.text, ending="writing", model=piece.model)
    else:
        text = found[1][: piece.offset] + storable(piece.text)
        rows.execute("UPDATE conversations_message SET text = ? WHERE seq = ?", (text, found[0]))


def _add(
    rows: Rows,
    event: Event,
    text: str,
    *,
    ending: str = "",
    again: bool = False,
    model: str = "",
    fiction: bool = False,
    attachments: int = 0,
) -> None:
    rows.execute(
        f"INSERT INTO conversations_message ({_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",  # noqa: S608 - constant
        (
            event.seq, event.id, event.stream, SPEAKERS[event.kind], storable(text), to_micros(event.happened.at),
            event.happened.zone, parent_of(event), ending, int(again), storable(model), int(fiction), attachments,
        ),
    )  # fmt: skip


def passage(event: Event) -> Passage | None:
    """The searchable form of a message. Fiction is no part of the user's life, a failed answer says nothing."""
    body = event.body
    match body:
        case UserMessage(fiction=False):
            text, speaker = body.text, "user"
        case CompanionMessage(fiction=False) if body.ending is not Ending.FAILED:
            text, speaker = without_fence_lines(body.text), "companion"
        case _:
            return None
    if not text.strip():
        return None
    happened = event.happened
    return Passage(
        event.seq, event.id, event.kind, event.stream, speaker, storable(text), happened.at, happened.zone
    )


def words(event: Event) -> str:
    """Everything an event of this room says, fiction and failures included; empty for other kinds."""
    body = event.body
    match body:
        case UserMessage():
            return body.sent or body.text
        case CompanionMessage():
            return "\n".join(part for part in (body.text, body.reasoning, body.tool_calls) if part)
        case ToolResult() | Checkpoint():
            return body.text
        case _:
            return ""


SEARCHABLE = (USER, COMPANION)
"""Kinds that `passage` reads."""
