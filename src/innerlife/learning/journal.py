"""The view of this room: every event as a row; what stands is folded from rows when it is read.

Trials come with every exchange; all else is rare. So they are read apart, the newest ones alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

from innerlife.kernel.moments import from_micros, to_micros
from innerlife.learning.rows import KINDS_HERE, Row, What, read_body, row_of, written
from innerlife.ledger.envelope import Event
from innerlife.ledger.ledger import Ledger
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


class LearningView:
    """Rows of feedback, trials, rules and skills."""

    name = "learning"
    version = 1
    kinds = KINDS_HERE

    def create(self, rows: Rows) -> None:
        """Make the empty table."""
        for statement in _TABLES:
            rows.execute(statement)

    def fold(self, rows: Rows, events: Iterable[Event]) -> None:
        """Apply a slice of events."""
        rows.executemany(
            f"INSERT INTO learning_row ({_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?)",  # noqa: S608 - constant
            [_stored(row_of(event)) for event in events],
        )

    def purge(self, rows: Rows, seqs: Collection[int]) -> None:
        """Remove the rows of these events. What rests on them goes by its causes."""
        rows.executemany("DELETE FROM learning_row WHERE seq = ?", [(seq,) for seq in seqs])

    def dump(self, rows: Rows) -> Iterable[tuple[Any, ...]]:
        """Every row, in order."""
        yield from rows.execute(f"SELECT {_COLUMNS} FROM learning_row ORDER BY seq")  # noqa: S608 - constant


class Journal:
    """The rows as they stand now: the view, and what the ledger holds beyond it. Raises StorageFailed."""

    def __init__(self, ledger: Ledger, runtime: Runtime) -> None:
        self._ledger = ledger
        self._runtime = runtime

    def rows(self, until: datetime | None = None, *, trials: bool = True) -> list[Row]:
        """Rows recorded up to `until`, in order; of trials the newest alone, or none."""
        with self._runtime.reading() as rows:
            position = _position(rows)
            known = _read(rows, trials=trials) if position is not None else []
        unread = [row_of(event) for event in self._ledger.read(position or 0, _TAIL, KINDS_HERE)]
        fresh = [row for row in unread if trials or row.what is not What.TRIAL]
        return [row for row in (*known, *fresh) if until is None or row.at <= until]

    def newest(self) -> tuple[int, int, int]:
        """Changes with every row but trials, and with every forgetting: the key of what is kept from them."""
        with self._runtime.reading() as rows:
            position = _position(rows)
            last = _last(rows) if position is not None else 0
        fresh = self._ledger.read(position or 0, _TAIL, KINDS_HERE)
        told = [event.seq for event in fresh if row_of(event).what is not What.TRIAL]
        return self._ledger.epoch(), last, max(told, default=0)


def _position(rows: Rows) -> int | None:
    there = rows.execute(
        "SELECT COUNT(*) FROM sqlite_master WHERE name IN ('projection', 'learning_row')"
    ).fetchone()[0]
    return int(rows.execute("SELECT position FROM projection").fetchone()[0]) if there == 2 else None


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
        int(row.by_user), ",".join(map(str, row.evidence)),
    )  # fmt: skip


def _row(row: Sequence[Any]) -> Row:
    seq, ident, what, body, stream, at, zone, by_user, evidence = row
    numbers = tuple(map(int, evidence.split(","))) if evidence else ()
    read = read_body(What(what), body)
    return Row(seq, ident, What(what), read, stream, from_micros(at), zone, bool(by_user), numbers)
