"""The ledger's store on SQLCipher: `core.db` (design §3, §4)."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa

from innerlife.adapters.sqlite import connection as db
from innerlife.adapters.sqlite import forgetting
from innerlife.adapters.sqlite.records import row_of, with_causes
from innerlife.adapters.sqlite.schema import (
    blob_citation,
    cause,
    event,
    is_current,
    meta,
    migrate,
)
from innerlife.errors import CauseGone, HomeBusy, StorageFailed
from innerlife.ledger.envelope import Role
from innerlife.ledger.store import Effect, Intent, Record

T = TypeVar("T")

LONGEST_STRIDE = 1 << 20
"""A new seq is at least 1 above the last, and with chance 1/n at least n above, up to this: a hole of any size is
common enough to say nothing about what was forgotten. 2^63 seqs last for more events than anyone can live through."""


class SqliteCore:
    """One Core's ledger. Safe to use from any thread and any number of processes.

    One that is only looked at (`look`) is not migrated, and cannot be written to.
    """

    def __init__(
        self, path: Path, key: bytes, stride: Callable[[], int] | None = None, *, look: bool = False
    ) -> None:
        self.path = path
        self.engine = db.open_engine(path, key, durable=True, look=look)
        self._stride = stride or _random_stride
        try:
            # Looked at before anything is written: a damaged or newer Core is left as it is, byte for byte.
            with db.reading(self.engine, path) as connection:
                current = is_current(connection)
            if not current:
                self._bring_up_to_date(look=look)
        except BaseException:
            self.close()
            raise

    def _bring_up_to_date(self, *, look: bool) -> None:
        if look:
            raise StorageFailed(
                "This Core has the format of an older Innerlife", "The next start brings it up to date."
            )
        with db.writing(self.engine, self.path) as connection:
            migrate(connection)

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()

    # --- appending -------------------------------------------------------------------------------------------

    def append(self, records: Sequence[Record]) -> list[Record]:
        """Durable on return, all or nothing (see `LedgerStore.append`)."""
        with db.writing(self.engine, self.path) as connection:
            known = _known_keys(connection, [r.key for r in records if r.key is not None])
            fresh: list[Record] = []
            results: list[Record] = []
            seq = _last_seq(connection)
            for record in records:
                if record.key is not None and record.key in known:
                    results.append(known[record.key])
                    continue
                allotted = replace(record, seq=seq + 1)
                # The stride comes after the event: were the mark at the last event, one beyond it would tell that the
                # last one was forgotten.
                seq += self._stride()
                fresh.append(allotted)
                results.append(allotted)
                if record.key is not None:
                    known[record.key] = allotted
            if fresh:
                _insert(connection, fresh)
                connection.exec_driver_sql("UPDATE sqlite_sequence SET seq = ? WHERE name = 'event'", (seq,))
            return results

    # --- reading ---------------------------------------------------------------------------------------------

    def head(self) -> int:
        """The greatest seq, or 0."""
        with db.reading(self.engine, self.path) as connection:
            return int(connection.execute(sa.select(sa.func.max(event.c.seq))).scalar() or 0)

    def allotted(self) -> int:
        """No seq above this was ever given."""
        with db.reading(self.engine, self.path) as connection:
            return _last_seq(connection)

    def count(self, kinds: Collection[str] | None = None, after: int = 0) -> int:
        """How many events there are."""
        query = sa.select(sa.func.count()).select_from(event).where(event.c.seq > after)
        with db.reading(self.engine, self.path) as connection:
            return int(connection.execute(_of_kinds(query, kinds)).scalar_one())

    def epoch(self) -> int:
        """Raised by every forget."""
        with db.reading(self.engine, self.path) as connection:
            return forgetting.epoch_of(connection)

    def read(self, after: int, limit: int, kinds: Collection[str] | None = None) -> list[Record]:
        """Records after a seq, ascending."""
        query = sa.select(event).where(event.c.seq > after).order_by(event.c.seq).limit(limit)
        return self._records(_of_kinds(query, kinds))

    def newest(
        self, limit: int, kinds: Collection[str] | None = None, before: int | None = None
    ) -> list[Record]:
        """The last records, newest first (those before a seq)."""
        query = sa.select(event).order_by(event.c.seq.desc()).limit(limit)
        if before is None:
            return self._records(_of_kinds(query, kinds))
        return self._records(_beside_index(query.where(event.c.seq < before), kinds))

    def get(self, seqs: Collection[int]) -> list[Record]:
        """Those that exist, ascending."""
        found: list[Record] = []
        for part in db.parts(seqs):
            found += self._records(sa.select(event).where(event.c.seq.in_(part)).order_by(event.c.seq))
        return found

    def by_id(self, prefix: str) -> list[Record]:
        """Records whose id begins so."""
        return self._records(sa.select(event).where(event.c.id.startswith(prefix, autoescape=True)).limit(10))

    def by_key(self, key: str) -> Record | None:
        """The record appended under this key."""
        found = self._records(sa.select(event).where(event.c.key == key))
        return found[0] if found else None

    def by_handle(self, handle: str, limit: int) -> list[Record]:
        """Records with this handle, newest first."""
        query = sa.select(event).where(event.c.handle == handle).order_by(event.c.seq.desc()).limit(limit)
        return self._records(query)

    def by_stream(
        self, stream: str, limit: int, kinds: Collection[str] | None = None, before: int | None = None
    ) -> list[Record]:
        """Records of one stream, newest first (those before a seq)."""
        query = sa.select(event).where(event.c.stream == stream).order_by(event.c.seq.desc()).limit(limit)
        if before is not None:
            query = query.where(event.c.seq < before)
        return self._records(_beside_index(query, kinds))

    def effects(self, seqs: Collection[int]) -> list[Effect]:
        """What rests directly on any of these."""
        found: list[Effect] = []
        with db.reading(self.engine, self.path) as connection:
            for part in db.parts(seqs):
                rows = connection.execute(sa.select(cause).where(cause.c.cause.in_(part)))
                found += [Effect(row.cause, row.event, Role(row.role)) for row in rows]
        return found

    def _records(self, query: sa.Select[Any]) -> list[Record]:
        with db.reading(self.engine, self.path) as connection:
            return with_causes(connection, connection.execute(query).all())

    # --- forgetting ------------------------------------------------------------------------------------------

    def blobs_only_in(self, seqs: Collection[int]) -> list[str]:
        """Blobs that no event outside `seqs` cites."""
        with db.reading(self.engine, self.path) as connection:
            return forgetting.blobs_only_in(connection, seqs)

    @contextmanager
    def citations(self) -> Iterator[set[str]]:
        """Every blob that an event cites; nothing can be appended, so none more is cited, until the block ends."""
        with db.writing(self.engine, self.path) as connection:
            yield forgetting.cited_blobs(connection)

    def forget(self, plan: Callable[[], Intent]) -> Intent:
        """Delete what `plan` names and keep its intent, in one transaction (see `LedgerStore.forget`)."""
        with db.writing(self.engine, self.path) as connection:
            planned = plan()
            forgetting.delete(connection, planned)
        return planned

    def intents(self) -> list[Intent]:
        """Forgettings that are not finished."""
        with db.reading(self.engine, self.path) as connection:
            return forgetting.intents(connection)

    def scrub(self) -> None:
        """Vacuum and truncate the journal, so that no deleted byte stays in the file."""
        with db.raw(self.engine, self.path) as raw:
            raw.execute("VACUUM")
            truncate_journal(raw)

    def drop_intent(self, planned: Intent) -> None:
        """The forgetting is finished: nothing says that it was."""
        with db.writing(self.engine, self.path) as connection:
            forgetting.drop_intent(connection, planned)
        with db.raw(self.engine, self.path) as raw:
            truncate_journal(raw)

    # --- facts about the Core --------------------------------------------------------------------------------

    def fact(self, name: str) -> str | None:
        """A named fact about this Core (its birth date, say)."""
        with db.reading(self.engine, self.path) as connection:
            return connection.execute(sa.select(meta.c.value).where(meta.c.name == name)).scalar()

    def set_fact(self, name: str, value: str) -> None:
        """Write a named fact."""
        with db.writing(self.engine, self.path) as connection:
            connection.execute(meta.delete().where(meta.c.name == name))
            connection.execute(meta.insert().values(name=name, value=value))

    def check(self) -> list[str]:
        """Complaints of the database's own integrity check and of the cipher's; empty when sound."""
        return db.complaints(self.engine, self.path)


def truncate_journal(raw: Any, attempts: int = 3) -> None:
    """Truncate the write-ahead log, again while a reader keeps it busy. The busy timeout paces the attempts.

    Raises HomeBusy: then deleted words may still stand in it, and nobody may say that they are gone.
    """
    for _ in range(attempts):
        busy, _log, _done = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if not busy:
            return
    raise HomeBusy(
        "Another process reads this Core without a pause", "Try again, or stop the other Innerlife."
    )


def _random_stride() -> int:
    return min(int(1 / (1 - random.SystemRandom().random())), LONGEST_STRIDE)


def _last_seq(connection: sa.Connection) -> int:
    # AUTOINCREMENT's own memory, so that a seq is not given twice when the newest events were forgotten.
    found = connection.exec_driver_sql("SELECT seq FROM sqlite_sequence WHERE name = 'event'").scalar()
    return int(found or 0)


def _known_keys(connection: sa.Connection, keys: Sequence[str]) -> dict[str, Record]:
    known: dict[str, Record] = {}
    for part in db.parts(keys):
        rows = connection.execute(sa.select(event).where(event.c.key.in_(part))).all()
        for record in with_causes(connection, rows):
            known[str(record.key)] = record
    return known


def _insert(connection: sa.Connection, records: Sequence[Record]) -> None:
    connection.execute(event.insert(), [row_of(record) for record in records])
    causes = [
        {"event": r.seq, "cause": seq, "role": role}
        for r in records
        for seq, role in sorted({(c.seq, c.role.value) for c in r.causes})
    ]
    try:
        if causes:
            connection.execute(cause.insert(), causes)
    except sa.exc.IntegrityError as error:
        if db.is_foreign_key_failure(error):
            raise CauseGone("What this rested on was forgotten meanwhile") from error
        raise
    blobs = [{"event": r.seq, "blob": name} for r in records for name in sorted(set(r.blobs))]
    if blobs:
        connection.execute(blob_citation.insert(), blobs)


def _of_kinds(query: sa.Select[Any], kinds: Collection[str] | None) -> sa.Select[Any]:
    return query if kinds is None else query.where(event.c.kind.in_(sorted(kinds)))


def _beside_index(query: sa.Select[Any], kinds: Collection[str] | None) -> sa.Select[Any]:
    """Of these kinds, told from the rows: by the index of kinds SQLite would read nearly everything and sort it."""
    # The plus keeps SQLite from that index.
    return query if kinds is None else query.where(sa.literal_column("+kind").in_(sorted(kinds)))
