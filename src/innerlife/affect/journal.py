"""The view of affect: every event of this room as a row. What counts now is folded from rows when it is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from innerlife.affect.events import KINDS, AffectEvent
from innerlife.kernel.moments import Moment, from_micros, to_micros
from innerlife.ledger.envelope import Cause, Draft, Event, Role
from innerlife.ledger.views import EventRows, joined
from innerlife.ports import Rows

_BY_NAME: Final = {kind.name: kind for kind in KINDS}
KINDS_HERE: Final = frozenset(_BY_NAME)

_COLUMNS = "seq, id, kind, thing, stream, at, zone, recorded, stage, evidence, version, body"
_TABLES = (
    """CREATE TABLE affect_row (
        seq INTEGER PRIMARY KEY, id TEXT NOT NULL, kind TEXT NOT NULL, thing INTEGER NOT NULL, stream TEXT NOT NULL,
        at INTEGER NOT NULL, zone TEXT NOT NULL, recorded INTEGER NOT NULL, stage TEXT NOT NULL,
        evidence TEXT NOT NULL, version INTEGER NOT NULL, body TEXT NOT NULL)""",
    "CREATE INDEX affect_row_at ON affect_row (at)",
    "CREATE INDEX affect_row_thing ON affect_row (thing)",
)


@dataclass(frozen=True, slots=True)
class Row:
    """One event as this room reads it.

    `thing` is the seq of what it is about: the message of a signal, of what was said or of a manner, the signal of a
    correction or drop. `at` is when it happened (a signal's when its message was sent), `recorded` when it was
    written down; `evidence` are the seqs of what it rests on beside `thing`; `stage` names what read it.
    """

    seq: int
    id: str
    kind: str
    thing: int
    stream: str
    at: datetime
    zone: str
    recorded: datetime
    stage: str
    evidence: tuple[int, ...]
    body: AffectEvent


def about(seq: int) -> tuple[Cause, Cause]:
    """The causes that make an event one about an earlier event, with which it goes."""
    return Cause(seq, Role.TRIGGER), Cause(seq, Role.FROM)


def row_of(event: Event) -> Row:
    """An event of this room as a row. Pure; the same from the ledger as from the view."""
    thing = next(iter(event.caused(Role.TRIGGER)), event.seq)
    evidence = tuple(seq for seq in event.caused(Role.FROM) if seq != thing)
    stage = event.derivation.stage if event.derivation else ""
    happened = event.happened
    return Row(
        event.seq, event.id, event.kind, thing, event.stream, happened.at, happened.zone, event.recorded_at, stage,
        evidence, event.body,
    )  # fmt: skip


def row_to_be(draft: Draft, seq: int, now: datetime) -> Row:
    """An event that is not recorded, as the row that it would make."""
    thing = next((cause.seq for cause in draft.causes if cause.role is Role.TRIGGER), seq)
    happened = draft.happened or Moment(now)
    kind = next(kind.name for kind in KINDS if kind.body is type(draft.body))
    body: Any = draft.body
    return Row(seq, "", kind, thing, draft.stream, happened.at, happened.zone, now, "", (), body)


class AffectView(EventRows):
    """Rows of all kinds of this room."""

    name = "affect"
    version = 1
    kinds = KINDS_HERE
    tables = _TABLES
    columns = _COLUMNS
    about = ("thing",)

    def stored(self, event: Event) -> tuple[Any, ...]:
        """The row of an event."""
        return _stored(row_of(event))


def read(rows: Rows, since: datetime | None = None) -> list[Row]:
    """All rows in order, those of what happened from `since` on where it is given."""
    found = rows.execute(
        f"SELECT {_COLUMNS} FROM affect_row WHERE at >= ? ORDER BY seq",  # noqa: S608 - constant
        (to_micros(since) if since else -(1 << 62),),
    )
    return [_read(row) for row in found.fetchall()]


def last(rows: Rows) -> int:
    """The seq of the newest row, 0 where there is none."""
    return int(rows.execute("SELECT MAX(seq) FROM affect_row").fetchone()[0] or 0)


def _stored(row: Row) -> tuple[Any, ...]:
    kind = _BY_NAME[row.kind]
    return (
        row.seq, row.id, row.kind, row.thing, row.stream, to_micros(row.at), row.zone, to_micros(row.recorded),
        row.stage, joined(row.evidence), kind.version, kind.encode(row.body),
    )  # fmt: skip


def _read(row: Sequence[Any]) -> Row:
    seq, ident, kind, thing, stream, at, zone, recorded, stage, evidence, version, body = row
    return Row(
        seq, ident, kind, thing, stream, from_micros(at), zone, from_micros(recorded), stage,
        tuple(map(int, evidence.split(","))) if evidence else (), _BY_NAME[kind].decode(version, body),
    )  # fmt: skip
