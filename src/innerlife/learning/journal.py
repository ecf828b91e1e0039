"""The view of this room: every event as a row; what stands is folded from rows when it is read.

Trials come with every exchange; all else is rare. So they are read apart, the newest ones alone: of now, or of the
day that is asked about.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from innerlife.kernel.moments import from_micros, to_micros
from innerlife.learning.bodies import TRIAL
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

_TOLD = KINDS_HERE - {TRIAL}
_FOREVER = 1 << 62

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

    def epoch(self) -> int:
        """Raised by every forgetting: what was kept of rows read before it is dropped."""
        return self._ledger.epoch()

    def rows(self, until: datetime | None = None) -> list[Row]:
        """All rows recorded up to `until`, in order; of trials the newest alone."""
        return sorted((*self.told(until=until), *self.trials(until=until)), key=_seq)

    def told(self, after: int = 0, until: datetime | None = None) -> list[Row]:
        """Feedback and decisions after a seq, recorded up to `until`, in order."""
        return self._rows("what <> ?", _TOLD, after, until)

    def trials(self, after: int = 0, until: datetime | None = None) -> list[Row]:
        """The newest trials after a seq that were recorded up to `until`, in order."""
        return self._rows("what = ?", {TRIAL}, after, until, TRIALS)[-TRIALS:]

    def _rows(
        self, which: str, kinds: Collection[str], after: int, until: datetime | None, most: int = -1
    ) -> list[Row]:
        # Between the two steps of a forgetting the view still holds what the ledger has lost.
        gone = self._ledger.leaving()
        last = _FOREVER if until is None else to_micros(until)
        with self._runtime.reading() as rows:
            position = position_of(rows, "learning_row")
            found = [] if position is None else _read(rows, which, (after, last, most))
        unread = self._ledger.read(max(position or 0, after), _TAIL, kinds)
        fresh = [row for row in map(row_of, unread) if until is None or row.at <= until]
        return [row for row in (*found, *fresh) if row.seq not in gone]


def _read(rows: Rows, which: str, bounds: tuple[int, int, int]) -> list[Row]:
    """Rows of the view after a seq and up to a time, the newest so many of them, in order."""
    found = rows.execute(
        f"""SELECT {_COLUMNS} FROM learning_row WHERE {which} AND seq > ? AND at <= ?
            ORDER BY seq DESC LIMIT ?""",  # noqa: S608 - constants
        (What.TRIAL.value, *bounds),
    ).fetchall()
    return [_row(row) for row in reversed(found)]


def _seq(row: Row) -> int:
    return row.seq


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
