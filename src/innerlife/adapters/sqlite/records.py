"""How a record of the ledger lies in its tables."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import sqlalchemy as sa

from innerlife.adapters.sqlite.connection import parts
from innerlife.adapters.sqlite.schema import cause
from innerlife.kernel.moments import Moment, Precision, from_micros, to_micros
from innerlife.ledger.envelope import Actor, Cause, Derivation, Role, Trust
from innerlife.ledger.store import Record


def row_of(record: Record) -> dict[str, Any]:
    """The columns of a record; its causes and citations are rows of their own."""
    return {
        "seq": record.seq,
        "id": record.id,
        "kind": record.kind,
        "version": record.version,
        "recorded_at": to_micros(record.recorded_at),
        "happened_at": to_micros(record.happened.at),
        "zone": record.happened.zone,
        "precision": record.happened.precision.value,
        "actor": record.actor.value,
        "trust": record.trust.value,
        "stream": record.stream,
        "key": record.key,
        "handle": record.handle,
        "derivation": None if record.derivation is None else json.dumps(asdict(record.derivation)),
        "payload": record.payload,
    }


def with_causes(connection: sa.Connection, rows: Sequence[Any]) -> list[Record]:
    """The records of these rows, each with its causes."""
    causes: dict[int, list[Cause]] = {}
    for part in parts([row.seq for row in rows]):
        for found in connection.execute(sa.select(cause).where(cause.c.event.in_(part))):
            causes.setdefault(found.event, []).append(Cause(found.cause, Role(found.role)))
    return [_record(row, tuple(causes.get(row.seq, ()))) for row in rows]


def _record(row: Any, causes: tuple[Cause, ...]) -> Record:
    return Record(
        seq=row.seq,
        id=row.id,
        kind=row.kind,
        version=row.version,
        recorded_at=from_micros(row.recorded_at),
        happened=Moment(from_micros(row.happened_at), row.zone, Precision(row.precision)),
        actor=Actor(row.actor),
        trust=Trust(row.trust),
        payload=row.payload,
        stream=row.stream,
        key=row.key,
        handle=row.handle,
        derivation=None if row.derivation is None else Derivation(**json.loads(row.derivation)),
        causes=causes,
    )
