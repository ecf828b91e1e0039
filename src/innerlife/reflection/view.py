"""The view of reflections: what each has read, and which are called for.

The watermark of a conversation: a message that no reflection has read is unread.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from typing import Any, assert_never

from innerlife.kernel.moments import to_micros
from innerlife.kernel.text import storable
from innerlife.ledger.envelope import Event, Role
from innerlife.ports import Rows
from innerlife.reflection.events import CALLED, REFLECTED, Called, Reflected, ReflectionEvent, about

_TABLES = (
    """CREATE TABLE reflection_done (
        seq INTEGER PRIMARY KEY, id TEXT NOT NULL, sort TEXT NOT NULL, stream TEXT NOT NULL, at INTEGER NOT NULL,
        zone TEXT NOT NULL, concluded TEXT NOT NULL, left_ TEXT NOT NULL, model TEXT NOT NULL,
        model_free INTEGER NOT NULL)""",
    """CREATE TABLE reflection_read (
        message INTEGER NOT NULL, reflection INTEGER NOT NULL, sort TEXT NOT NULL,
        PRIMARY KEY (message, reflection)) WITHOUT ROWID""",
    "CREATE INDEX reflection_read_reflection ON reflection_read (reflection)",
    "CREATE TABLE reflection_called (seq INTEGER PRIMARY KEY, message INTEGER NOT NULL)",
    "CREATE INDEX reflection_called_message ON reflection_called (message)",
)


class ReflectionView:
    """Reflections, what they read, and calls for one."""

    name = "reflection"
    version = 1
    kinds = frozenset({REFLECTED, CALLED})

    def create(self, rows: Rows) -> None:
        """Make the empty tables."""
        for statement in _TABLES:
            rows.execute(statement)

    def fold(self, rows: Rows, events: Iterable[Event]) -> None:
        """Apply a slice of events."""
        for event in events:
            _fold(rows, event)

    def purge(self, rows: Rows, seqs: Collection[int]) -> None:
        """Remove the rows of these events. What rested on a forgotten message goes by its causes."""
        every = [(seq,) for seq in seqs]
        for table in ("done WHERE seq", "read WHERE reflection", "read WHERE message", "called WHERE seq"):
            rows.executemany(f"DELETE FROM reflection_{table} = ?", every)  # noqa: S608 - constants
        rows.executemany("DELETE FROM reflection_called WHERE message = ?", every)

    def dump(self, rows: Rows) -> Iterable[tuple[Any, ...]]:
        """Every row of every table, in order."""
        for table in ("done", "read", "called"):
            found = rows.execute(f"SELECT * FROM reflection_{table}")  # noqa: S608 - constant
            yield from sorted((table, *row) for row in found)


def _fold(rows: Rows, event: Event) -> None:
    body: ReflectionEvent = event.body
    match body:
        case Reflected():
            model = event.derivation.model if event.derivation else ""
            rows.execute(
                "INSERT INTO reflection_done VALUES (?,?,?,?,?,?,?,?,?,?)",
                (
                    event.seq, event.id, body.sort.value, event.stream, to_micros(event.recorded_at),
                    event.happened.zone, storable(json.dumps(body.concluded)), storable(json.dumps(body.left)),
                    storable(model), int(body.model_free),
                ),
            )  # fmt: skip
            rows.executemany(
                "INSERT OR IGNORE INTO reflection_read VALUES (?, ?, ?)",
                [(seq, event.seq, body.sort.value) for seq in event.caused(Role.FROM)],
            )
        case Called():
            rows.execute("INSERT INTO reflection_called VALUES (?, ?)", (event.seq, about(event)))
        case _:
            assert_never(body)
