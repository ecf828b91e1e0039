"""The self-model's view: every event of this room as a row, and what stands is folded from rows when it is read.

The events of a life are few here (thousands), so a fold is cheap, and any moment of the past is the fold of the rows
up to then (promise C10). One row has the same shape whatever it tells; each noun reads its own.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from innerlife.kernel.moments import from_micros, to_micros
from innerlife.ledger.envelope import Event
from innerlife.ledger.views import EventRows, joined, numbers_in
from innerlife.ports import Rows
from innerlife.selfmodel.rows import KINDS_HERE, Noun, Row, row_of

_COLUMNS = "seq, id, noun, what, thing, text, before, note, extra, at, zone, by_user, evidence"
_TABLES = (
    """CREATE TABLE selfmodel_row (
        seq INTEGER PRIMARY KEY, id TEXT NOT NULL, noun TEXT NOT NULL, what TEXT NOT NULL, thing INTEGER NOT NULL,
        text TEXT NOT NULL, before TEXT NOT NULL, note TEXT NOT NULL, extra TEXT NOT NULL, at INTEGER NOT NULL,
        zone TEXT NOT NULL, by_user INTEGER NOT NULL, evidence TEXT NOT NULL)""",
    "CREATE INDEX selfmodel_row_noun ON selfmodel_row (noun, seq)",
    "CREATE INDEX selfmodel_row_thing ON selfmodel_row (thing)",
)


class SelfModelView(EventRows):
    """Rows of all nouns."""

    name = "selfmodel"
    version = 1
    kinds = KINDS_HERE
    tables = _TABLES
    columns = _COLUMNS
    about = ("thing",)

    def stored(self, event: Event) -> tuple[Any, ...]:
        """The row of an event."""
        return _stored(row_of(event))


_NEWEST_ALONE = frozenset({Noun.INNER_STATE})
"""Of these only the newest row counts for what stands now, and there are as many as exchanges."""


def newest_of_each(rows: Rows) -> dict[Noun, int]:
    """The seq of the newest row of each noun that has one."""
    query = """SELECT value, (SELECT MAX(seq) FROM selfmodel_row WHERE noun = asked.value)
        FROM json_each(?) AS asked"""
    found = rows.execute(query, (json.dumps([noun.value for noun in Noun]),)).fetchall()
    return {Noun(noun): seq for noun, seq in found if seq is not None}


def all_standing(rows: Rows, nouns: Collection[Noun]) -> list[Row]:
    """The same of several nouns, in the order of events."""
    return sorted((row for noun in nouns for row in standing(rows, noun)), key=lambda row: row.seq)


def standing(rows: Rows, noun: Noun) -> list[Row]:
    """The rows of a noun that what stands now is folded from, in order."""
    if noun not in _NEWEST_ALONE:
        return read(rows, [noun])
    found = rows.execute(
        f"SELECT {_COLUMNS} FROM selfmodel_row WHERE noun = ? ORDER BY seq DESC LIMIT 1",  # noqa: S608 - constant
        (noun.value,),
    )
    return [_read(row) for row in found.fetchall()]


def read(rows: Rows, nouns: Collection[Noun], until: datetime | None = None) -> list[Row]:
    """Rows of some nouns in order, those recorded up to `until` where it is given."""
    marks = ",".join("?" * len(nouns))
    last = to_micros(until) if until else 1 << 62
    found = rows.execute(
        f"SELECT {_COLUMNS} FROM selfmodel_row WHERE noun IN ({marks}) AND at <= ? ORDER BY seq",  # noqa: S608 - marks
        (*(noun.value for noun in nouns), last),
    )
    return [_read(row) for row in found.fetchall()]


def _stored(row: Row) -> tuple[Any, ...]:
    return (
        row.seq, row.id, row.noun.value, row.what, row.thing, row.text, row.before, row.note, row.extra,
        to_micros(row.at), row.zone, int(row.by_user), joined(row.evidence),
    )  # fmt: skip


def _read(row: Sequence[Any]) -> Row:
    seq, ident, noun, what, thing, text, before, note, extra, at, zone, by_user, evidence = row
    return Row(
        seq, ident, Noun(noun), what, thing, text, before, note, extra, from_micros(at), zone,
        bool(by_user), numbers_in(evidence),
    )  # fmt: skip
