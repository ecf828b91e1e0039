"""The ledger's store on SQLCipher: `core.db` (design §3, §4)."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlcipher3 import dbapi2 as sqlcipher

from innerlife.adapters.sqlite import connection as db
from innerlife.adapters.sqlite import forgetting
from innerlife.adapters.sqlite.records import INSERT, SELECT, listed, of_kinds, record_of, row_of
from innerlife.adapters.sqlite.schema import is_current, meta, migrate
from innerlife.errors import CauseGone, HomeBusy, StorageFailed
from innerlife.ledger.envelope import Role
from innerlife.ledger.store import Effect, Intent, Record

T = TypeVar("T")

# AUTOINCREMENT's own memory, so that a seq is not given twice when the newest events were forgotten.
_ALLOTTED = "SELECT seq FROM sqlite_sequence WHERE name = 'event'"

_NO_SEQ = (1 << 63) - 1
"""Above every seq."""

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
        with db.transaction(self.engine, self.path) as connection:
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
                connection.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = 'event'", (seq,))
            return results

    # --- reading ---------------------------------------------------------------------------------------------

    def head(self) -> int:
        """The greatest seq, or 0."""
        return int(self._one("SELECT max(seq) FROM event") or 0)

    def allotted(self) -> int:
        """No seq above this was ever given."""
        return int(self._one(_ALLOTTED) or 0)

    def count(self, kinds: Collection[str] | None = None, after: int = 0) -> int:
        """How many events there are."""
        of, names = of_kinds(kinds)
        return int(self._one(f"SELECT count(*) FROM event WHERE seq > ?{of}", after, *names))  # noqa: S608 - marks

    def epoch(self) -> int:
        """Raised by every forget."""
        return int(self._one("SELECT value FROM meta WHERE name = 'epoch'"))

    def read(self, after: int, limit: int, kinds: Collection[str] | None = None) -> list[Record]:
        """Records after a seq, ascending."""
        of, names = of_kinds(kinds)
        return self._records(f"WHERE seq > ?{of} ORDER BY seq LIMIT ?", after, *names, limit)

    def newest(
        self, limit: int, kinds: Collection[str] | None = None, before: int | None = None
    ) -> list[Record]:
        """The last records, newest first (those before a seq)."""
        if before is None:
            of, names = of_kinds(kinds)
            return self._records(f"WHERE TRUE{of} ORDER BY seq DESC LIMIT ?", *names, limit)
        # The plus keeps SQLite from the index of kinds, by which it would read nearly everything and sort it.
        of, names = of_kinds(kinds, "+kind")
        return self._records(f"WHERE seq < ?{of} ORDER BY seq DESC LIMIT ?", before, *names, limit)

    def get(self, seqs: Collection[int]) -> list[Record]:
        """Those that exist, ascending."""
        if not seqs:
            return []
        return self._records("WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY seq", listed(seqs))

    def by_id(self, prefix: str) -> list[Record]:
        """Records whose id begins so."""
        # As people type them: small letters are the same. What would be a pattern in a prefix is none.
        pattern = re.sub(r"([/%_])", r"/\1", prefix) + "%"
        return self._records("WHERE id LIKE ? ESCAPE '/' LIMIT 10", pattern)

    def by_key(self, key: str) -> Record | None:
        """The record appended under this key."""
        found = self._records("WHERE key = ?", key)
        return found[0] if found else None

    def by_handle(self, handle: str, limit: int) -> list[Record]:
        """Records with this handle, newest first."""
        return self._records("WHERE handle = ? ORDER BY seq DESC LIMIT ?", handle, limit)

    def by_stream(
        self, stream: str, limit: int, kinds: Collection[str] | None = None, before: int | None = None
    ) -> list[Record]:
        """Records of one stream, newest first (those before a seq)."""
        # The plus keeps SQLite to the stream's index: it takes that of a single kind, and reads nearly everything.
        of, names = of_kinds(kinds, "+kind")
        query = f"WHERE stream = ? AND seq < ?{of} ORDER BY seq DESC LIMIT ?"
        return self._records(query, stream, _NO_SEQ if before is None else before, *names, limit)

    def effects(self, seqs: Collection[int]) -> list[Effect]:
        """What rests directly on any of these."""
        if not seqs:
            return []
        query = "SELECT cause, event, role FROM cause WHERE cause IN (SELECT value FROM json_each(?))"
        with db.raw(self.engine, self.path) as connection:
            rows = connection.execute(query, (listed(seqs),)).fetchall()
        return [Effect(of, effect, Role(role)) for of, effect, role in rows]

    def _records(self, which: str, *parameters: object) -> list[Record]:
        with db.raw(self.engine, self.path) as connection:
            rows = connection.execute(f"{SELECT} {which}", parameters).fetchall()
        return [record_of(row) for row in rows]

    def _one(self, query: str, *parameters: object) -> Any:
        with db.raw(self.engine, self.path) as connection:
            # All of it is read: a statement left open holds its snapshot.
            return next(iter(connection.execute(query, parameters).fetchall()), (None,))[0]

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
        # Asked in every turn, and there is hardly ever one.
        if not self._one("SELECT count(*) FROM intent"):
            return []
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


def _last_seq(connection: Any) -> int:
    return int((connection.execute(_ALLOTTED).fetchone() or (0,))[0])


def _known_keys(connection: Any, keys: Sequence[str]) -> dict[str, Record]:
    if not keys:
        return {}
    query = f"{SELECT} WHERE key IN (SELECT value FROM json_each(?))"  # noqa: S608 - constants
    found = map(record_of, connection.execute(query, (json.dumps(keys),)))
    return {str(record.key): record for record in found}


def _insert(connection: Any, records: Sequence[Record]) -> None:
    connection.executemany(INSERT, [row_of(record) for record in records])
    causes = [
        (r.seq, seq, role) for r in records for seq, role in sorted({(c.seq, c.role.value) for c in r.causes})
    ]
    try:
        if causes:
            connection.executemany("INSERT INTO cause (event, cause, role) VALUES (?,?,?)", causes)
    except sqlcipher.IntegrityError as error:
        if db.is_foreign_key_failure(error):
            raise CauseGone("What this rested on was forgotten meanwhile") from error
        raise
    blobs = [(r.seq, name) for r in records for name in sorted(set(r.blobs))]
    if blobs:
        connection.executemany("INSERT INTO blob_citation (event, blob) VALUES (?,?)", blobs)
