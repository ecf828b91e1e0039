"""The view of reflections: what each has read.

The watermark of a conversation: a message that no reflection has read is unread.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from typing import Any

from innerlife.kernel.moments import to_micros
from innerlife.kernel.text import storable
from innerlife.ledger.envelope import Event, Role
from innerlife.ports import Rows
from innerlife.reflection.events import REFLECTED, Reflected

_TABLES = (
    """CREATE TABLE reflection_done (
        seq INTEGER PRIMARY KEY, id TEXT NOT NULL, sort TEXT NOT NULL, stream TEXT NOT NULL, at INTEGER NOT NULL,
        zone TEXT NOT NULL, concluded TEXT NOT NULL, left_ TEXT NOT NULL, model TEXT NOT NULL,
        model_free INTEGER NOT NULL)""",
    """CREATE TABLE reflection_read (
        message INTEGER NOT NULL, reflection INTEGER NOT NULL, sort TEXT NOT NULL,
        PRIMARY KEY (message, reflection)) WITHOUT ROWID""",
    "CREATE INDEX reflection_read_reflection ON reflection_read (reflection)",
)


class ReflectionView:
    """Reflections, and what they read."""

    name = "reflection"
    version = 2
    kinds = frozenset({REFLECTED})

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
        for table in ("done WHERE seq", "read WHERE reflection", "read WHERE message"):
            rows.executemany(f"DELETE FROM reflection_{table} = ?", every)  # noqa: S608 - constants

    def dump(self, rows: Rows) -> Iterable[tuple[Any, ...]]:
        """Every row of every table, in order."""
        for table in ("done", "read"):
            found = rows.execute(f"SELECT * FROM reflection_{table}")  # noqa: S608 - constant
            yield from sorted((table, *row) for row in found)


def _fold(rows: Rows, event: Event) -> None:
    body: Reflected = event.body
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
        [(seq, event.seq, body.sort.value) for seq in (*event.caused(Role.FROM), *event.caused(Role.SHOWN))],
    )
