"""The view of this room: every event as a row; what stands is folded from rows when it is read.

Trials come with every exchange; all else is rare. So they are read apart, the newest ones alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from innerlife.kernel.moments import from_micros, to_micros
from innerlife.learning.rows import KINDS_HERE, Row, What, read_body, row_of, written
from innerlife.ledger.envelope import Event
from innerlife.ledger.ledger import Ledger
from innerlife.ledger.views import EventRows, joined, numbers_in, position_of
from innerlife.ports import Rows, Runtime

_COLUMNS = "seq, id, what, body, stream, at, zone, by_user, evidence"
_TABLES = (
    """CREATE TABLE learning_row (
        seq INTEGER PRIMARY KEY, id TEXT NOT NULL, what TEXT NOT NULL, body TEXT NOT NULL, stream TEXT NOT NULL,
        at INTEGER NOT NULL, zone TEXT NOT NULL, by_user INTEGER NOT NULL, evidence TEXT NOT NULL)""",
    "CREATE INDEX learning_row_what ON learning_row (what, seq)",
)

TRIALS = 2_000
"""Newest trials that are looked at: a rule that is used daily has proved itself, or not, long before them."""

_TAIL = 100_000
"""Events that the view may lag behind; more of this room's kinds do not wait unread."""


class LearningView(EventRows):
    """Rows of feedback, trials, rules and skills."""

    name = "learning"
    version = 1
    kinds = KINDS_HERE
    tables = _TABLES
    columns = _COLUMNS

    def stored(self, event: Event) -> tuple[Any, ...]:
        """The row of an event."""
        return _stored(row_of(event))


class Journal:
    """The rows as they stand now: the view, and what the ledger holds beyond it. Raises StorageFailed."""

    def __init__(self, ledger: Ledger, runtime: Runtime) -> None:
        self._ledger = ledger
        self._runtime = runtime

    def rows(self, until: datetime | None = None, *, trials: bool = True) -> list[Row]:
        """Rows recorded up to `until`, in order; of trials the newest alone, or none."""
        with self._runtime.reading() as rows:
            position = position_of(rows, "learning_row")
            known = _read(rows, trials=trials) if position is not None else []
        unread = [row_of(event) for event in self._ledger.read(position or 0, _TAIL, KINDS_HERE)]
        fresh = [row for row in unread if trials or row.what is not What.TRIAL]
        return [row for row in (*known, *fresh) if until is None or row.at <= until]

    def newest(self) -> tuple[int, int, int]:
        """Changes with every row but trials, and with every forgetting: the key of what is kept from them."""
        with self._runtime.reading() as rows:
            position = position_of(rows, "learning_row")
            last = _last(rows) if position is not None else 0
        fresh = self._ledger.read(position or 0, _TAIL, KINDS_HERE)
        told = [event.seq for event in fresh if row_of(event).what is not What.TRIAL]
        return self._ledger.epoch(), last, max(told, default=0)


def _last(rows: Rows) -> int:
    found = rows.execute("SELECT MAX(seq) FROM learning_row WHERE what <> ?", (What.TRIAL.value,)).fetchone()
    return int(found[0] or 0)


def _read(rows: Rows, *, trials: bool) -> list[Row]:
    found = rows.execute(
        f"SELECT {_COLUMNS} FROM learning_row WHERE what <> ? ORDER BY seq",  # noqa: S608 - constant
        (What.TRIAL.value,),
    ).fetchall()
    if trials:
        found += rows.execute(
            f"SELECT {_COLUMNS} FROM learning_row WHERE what = ? ORDER BY seq DESC LIMIT ?",  # noqa: S608 - constant
            (What.TRIAL.value, TRIALS),
        ).fetchall()
    return sorted(map(_row, found), key=lambda row: row.seq)


def _stored(row: Row) -> tuple[Any, ...]:
    return (
        row.seq, row.id, row.what.value, written(row.body), row.stream, to_micros(row.at), row.zone,
        int(row.by_user), joined(row.evidence),
    )  # fmt: skip


def _row(row: Sequence[Any]) -> Row:
    seq, ident, what, body, stream, at, zone, by_user, evidence = row
    read = read_body(What(what), body)
    return Row(
        seq, ident, What(what), read, stream, from_micros(at), zone, bool(by_user), numbers_in(evidence)
    )
