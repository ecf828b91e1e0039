"""What the ledger does for a forgetting: rows, causes, vectors and citations go, and an intent with ids only stays."""

from __future__ import annotations

import json
import random
from collections.abc import Collection, Sequence

import sqlalchemy as sa

from innerlife.adapters.sqlite.connection import parts
from innerlife.adapters.sqlite.schema import blob_citation, cause, event, intent, meta, vector, vector_source
from innerlife.ledger.store import Intent

_EPOCH_STEP = 1 << 16
"""The epoch is raised by 1 to this."""


def blobs_only_in(connection: sa.Connection, seqs: Collection[int]) -> list[str]:
    """Blobs that no event outside `seqs` cites."""
    inside: dict[str, int] = {}
    for part in parts(seqs):
        cited = sa.select(blob_citation.c.blob, sa.func.count()).where(blob_citation.c.event.in_(part))
        for name, times in connection.execute(cited.group_by(blob_citation.c.blob)):
            inside[name] = inside.get(name, 0) + times
    everywhere = sa.select(sa.func.count()).select_from(blob_citation)
    return sorted(
        name
        for name, times in inside.items()
        if connection.execute(everywhere.where(blob_citation.c.blob == name)).scalar_one() == times
    )


def cited_blobs(connection: sa.Connection) -> set[str]:
    """Every blob that an event cites."""
    return set(connection.execute(sa.select(blob_citation.c.blob).distinct()).scalars())


def epoch_of(connection: sa.Connection) -> int:
    """Raised by every forgetting."""
    return int(connection.execute(sa.select(meta.c.value).where(meta.c.name == "epoch")).scalar_one())


def delete(connection: sa.Connection, planned: Intent) -> None:
    """Delete what is planned, keep its intent, raise the epoch."""
    _delete_events(connection, planned.seqs)
    raised = epoch_of(connection) + random.SystemRandom().randint(1, _EPOCH_STEP)
    connection.execute(meta.update().where(meta.c.name == "epoch").values(value=str(raised)))
    connection.execute(
        intent.insert().values(id=planned.id, seqs=json.dumps(planned.seqs), blobs=json.dumps(planned.blobs))
    )


def intents(connection: sa.Connection) -> list[Intent]:
    """Forgettings that are not finished."""
    rows = connection.execute(sa.select(intent).order_by(intent.c.id)).all()
    return [Intent(row.id, tuple(json.loads(row.seqs)), tuple(json.loads(row.blobs))) for row in rows]


def drop_intent(connection: sa.Connection, planned: Intent) -> None:
    """Nothing says any more that this was forgotten."""
    connection.execute(intent.delete().where(intent.c.id == planned.id))


def _delete_events(connection: sa.Connection, seqs: Sequence[int]) -> None:
    for part in parts(seqs):
        _delete_vectors(connection, part)
        connection.execute(cause.delete().where(cause.c.event.in_(part)))
        connection.execute(cause.delete().where(cause.c.cause.in_(part)))
        connection.execute(blob_citation.delete().where(blob_citation.c.event.in_(part)))
    for part in parts(seqs):
        connection.execute(event.delete().where(event.c.seq.in_(part)))


def _delete_vectors(connection: sa.Connection, seqs: Sequence[int]) -> None:
    # A vector goes when any of its sources goes: its neighbours' words are in it too.
    touched = sa.select(vector_source.c.subject, vector_source.c.model).where(
        vector_source.c.source.in_(seqs)
    )
    gone = [(row.subject, row.model) for row in connection.execute(touched)]
    gone += [
        (row.subject, row.model)
        for row in connection.execute(
            sa.select(vector.c.subject, vector.c.model).where(vector.c.subject.in_(seqs))
        )
    ]
    for subject, model in sorted(set(gone)):
        connection.execute(vector.delete().where(vector.c.subject == subject, vector.c.model == model))
        sources = vector_source.c
        connection.execute(vector_source.delete().where(sources.subject == subject, sources.model == model))
