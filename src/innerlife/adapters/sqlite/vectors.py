"""Vectors in the Core (port `VectorStore`)."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

import sqlalchemy as sa

from innerlife.adapters.sqlite import connection as db
from innerlife.adapters.sqlite.core import SqliteCore
from innerlife.adapters.sqlite.schema import event, vector, vector_source
from innerlife.ports import Rows, StoredVector


class SqliteVectors:
    """The vectors of one Core."""

    def __init__(self, core: SqliteCore) -> None:
        self._core = core

    def put(self, model: str, dimension: int, vectors: Sequence[StoredVector]) -> int:
        """Store or replace; drops a vector whose source was forgotten meanwhile."""
        core = self._core
        with db.writing(core.engine, core.path) as connection:
            wanted = {seq for stored in vectors for seq in stored.sources}
            alive = set(connection.execute(sa.select(event.c.seq).where(event.c.seq.in_(wanted))).scalars())
            kept = [stored for stored in vectors if alive.issuperset(stored.sources)]
            subjects = [stored.subject for stored in kept]
            sources = vector_source.c
            connection.execute(vector.delete().where(vector.c.model == model, vector.c.subject.in_(subjects)))
            connection.execute(
                vector_source.delete().where(sources.model == model, sources.subject.in_(subjects))
            )
            if kept:
                connection.execute(
                    vector.insert(),
                    [
                        {
                            "subject": s.subject,
                            "model": model,
                            "dimension": dimension,
                            "scale": s.scale,
                            "data": s.data,
                        }
                        for s in kept
                    ],
                )
                connection.execute(
                    vector_source.insert(),
                    [
                        {"source": source, "subject": s.subject, "model": model}
                        for s in kept
                        for source in sorted(set(s.sources))
                    ],
                )
            return len(kept)

    def fetch(self, model: str, subjects: Collection[int]) -> dict[int, tuple[bytes, float]]:
        """`data` and `scale` of those that have a vector."""
        # On the path of every answer, so without the query language, which costs as much as the query.
        query = """SELECT subject, data, scale FROM vector
            WHERE model = ? AND subject IN (SELECT value FROM json_each(?)) ORDER BY subject"""
        with self._reading() as rows:
            found = rows.execute(query, (model, json.dumps(sorted(subjects))))
            return {subject: (data, scale) for subject, data, scale in found}

    def scan(self, model: str, after: int = 0, batch: int = 4096) -> Iterator[list[tuple[int, bytes]]]:
        """Batches of (subject, data), ascending."""
        query = "SELECT subject, data FROM vector WHERE model = ? AND subject > ? ORDER BY subject LIMIT ?"
        while True:
            with self._reading() as rows:
                found = rows.execute(query, (model, after, batch)).fetchall()
            if not found:
                return
            yield [(subject, data) for subject, data in found if data]
            after = found[-1][0]

    @contextmanager
    def _reading(self) -> Iterator[Rows]:
        with db.snapshot(self._core.engine, self._core.path) as connection:
            yield cast("Rows", connection)

    def backlog(self, model: str, kinds: Collection[str]) -> int:
        """How many events of these kinds have no vector yet."""
        with db.reading(self._core.engine, self._core.path) as connection:
            return int(connection.execute(_without(model, kinds, sa.func.count())).scalar_one())

    def missing(self, model: str, kinds: Collection[str], limit: int, after: int = 0) -> list[int]:
        """Their seqs, newest first."""
        query = _without(model, kinds, event.c.seq).where(event.c.seq > after)
        query = query.order_by(event.c.seq.desc()).limit(limit)
        with db.reading(self._core.engine, self._core.path) as connection:
            return list(connection.execute(query).scalars())

    def models(self) -> list[str]:
        """Names of the models that have vectors here."""
        found: list[str] = []
        with self._reading() as rows:
            # From one name to the next: reading each row for its name would take a second for a million.
            while name := rows.execute(
                "SELECT min(model) FROM vector WHERE model > ?", (found[-1] if found else "",)
            ).fetchone()[0]:
                found.append(name)
        return found

    def drop(self, model: str, most: int) -> int:
        """Delete at most so many vectors of a model."""
        core = self._core
        chosen = sa.select(vector.c.subject).where(vector.c.model == model).limit(most)
        with db.writing(core.engine, core.path) as connection:
            subjects = list(connection.execute(chosen).scalars())
            for table in (vector, vector_source):
                connection.execute(
                    table.delete().where(table.c.model == model, table.c.subject.in_(subjects))
                )
        return len(subjects)

    def epoch(self) -> int:
        """Raised by every forget."""
        return self._core.epoch()


def _without(model: str, kinds: Collection[str], column: Any) -> sa.Select[Any]:
    has = sa.exists().where(vector.c.model == model, vector.c.subject == event.c.seq)
    return sa.select(column).select_from(event).where(event.c.kind.in_(sorted(kinds)), ~has)
