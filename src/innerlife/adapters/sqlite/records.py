"""How a record of the ledger lies in its tables, and how it is read from them.

On the path of every answer stand a dozen such reads, so they speak to the driver: the query language costs several
times what the statement does. Each is one statement, which is a snapshot by itself.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import asdict
from typing import Any, Final

from innerlife.kernel.moments import Moment, Precision, from_micros, to_micros
from innerlife.ledger.envelope import Actor, Cause, Derivation, Role, Trust
from innerlife.ledger.store import Record

_COLUMNS: Final = (
    "seq, id, kind, version, recorded_at, happened_at, zone, precision, actor, trust, stream, key, handle, "
    "derivation, payload"
)

# In one statement with the row, so that a row and its causes are of one moment.
_CAUSES: Final = """(SELECT group_concat(cause || ' ' || role) FROM
    (SELECT cause, role FROM cause WHERE cause.event = event.seq ORDER BY cause, role))"""

SELECT: Final = f"SELECT {_COLUMNS}, {_CAUSES} FROM event"  # noqa: S608 - constants
"""The beginning of a statement whose rows `record_of` reads."""

INSERT: Final = f"INSERT INTO event ({_COLUMNS}) VALUES ({','.join('?' * 15)})"  # noqa: S608 - constants
"""Takes `row_of`."""

# Where many rows are read these are looked up for each of them.
_PRECISIONS: Final = {one.value: one for one in Precision}
_ACTORS: Final = {one.value: one for one in Actor}
_TRUSTS: Final = {one.value: one for one in Trust}
_ROLES: Final = {one.value: one for one in Role}


def row_of(record: Record) -> tuple[Any, ...]:
    """The columns of a record; its causes and citations are rows of their own."""
    return (
        record.seq,
        record.id,
        record.kind,
        record.version,
        to_micros(record.recorded_at),
        to_micros(record.happened.at),
        record.happened.zone,
        record.happened.precision.value,
        record.actor.value,
        record.trust.value,
        record.stream,
        record.key,
        record.handle,
        None if record.derivation is None else json.dumps(asdict(record.derivation)),
        record.payload,
    )


def record_of(row: Sequence[Any]) -> Record:
    """The record of a row of `SELECT`."""
    (
        seq, ident, kind, version, recorded, happened, zone, precision, actor, trust, stream, key, handle, derivation,
        payload, causes,
    ) = row  # fmt: skip
    return Record(
        seq=seq,
        id=ident,
        kind=kind,
        version=version,
        recorded_at=from_micros(recorded),
        happened=Moment(from_micros(happened), zone, _PRECISIONS[precision]),
        actor=_ACTORS[actor],
        trust=_TRUSTS[trust],
        payload=payload,
        stream=stream,
        key=key,
        handle=handle,
        derivation=None if derivation is None else Derivation(**json.loads(derivation)),
        causes=tuple(map(_cause, causes.split(","))) if causes else (),
    )


def _cause(text: str) -> Cause:
    seq, _, role = text.partition(" ")
    return Cause(int(seq), _ROLES[role])


def of_kinds(kinds: Collection[str] | None, column: str = "kind") -> tuple[str, list[str]]:
    """(A further condition, its parameters); a parameter for each kind, so that SQLite sees how many there are."""
    if kinds is None:
        return "", []
    return f" AND {column} IN ({','.join('?' * len(kinds))})", sorted(kinds)


def listed(numbers: Collection[int]) -> str:
    """Numbers as one parameter, for `IN (SELECT value FROM json_each(?))`: so every count has the same statement."""
    return json.dumps(sorted(numbers))
