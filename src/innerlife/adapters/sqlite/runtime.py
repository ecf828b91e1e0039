"""The database of views, `runtime.db`: encrypted with the Core's key, thrown away and rebuilt at will (design §4)."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import sqlalchemy as sa
from sqlcipher3 import dbapi2 as sqlcipher

from innerlife.adapters.sqlite import connection as db
from innerlife.adapters.sqlite.core import truncate_journal
from innerlife.ports import Rows


class SqliteRuntime:
    """One runtime database. Safe to use from any thread and any number of processes."""

    def __init__(self, path: Path, key: bytes, *, look: bool = False) -> None:
        self.path = path
        self._key = key
        self._engine = db.open_engine(path, key, durable=False, look=look)
        self._file = _file_number(path)
        self._lock = threading.Lock()

    @property
    def engine(self) -> sa.Engine:
        """Connections to the file that is there now: a person or another process may have removed the one before."""
        if (number := _file_number(self.path)) != self._file:
            with self._lock:
                self._file = number
                self._engine.dispose()
        return self._engine

    def close(self) -> None:
        """Close every connection."""
        self._engine.dispose()

    def discard(self) -> None:
        """Throw a damaged database away; the next connection makes an empty one."""
        self._engine.dispose()
        remove(self.path)

    @contextmanager
    def reading(self) -> Iterator[Rows]:
        """A snapshot to read from."""
        with db.snapshot(self.engine, self.path) as connection:
            yield cast("Rows", connection)

    @contextmanager
    def writing(self) -> Iterator[Rows]:
        """A transaction."""
        with db.transaction(self.engine, self.path) as connection:
            yield cast("Rows", connection)

    def generation(self) -> str:
        """Changes whenever the database was replaced."""
        with self.reading() as rows:
            return str(rows.execute("PRAGMA user_version").fetchone()[0])

    @contextmanager
    def replacement(self, settle: Callable[[Rows], None] | None = None) -> Iterator[SqliteRuntime]:
        """An empty runtime beside this one; when the block ends, its content replaces this one's, at once for all.

        Copying pages through SQLite's own backup keeps every open connection, in any process, on the new content.
        `settle` has the last word on the new content, when nobody can write to the old one any more.
        """
        beside = self.path.with_name(f"{self.path.name}.new")
        remove(beside)
        fresh = SqliteRuntime(beside, self._key)
        try:
            yield fresh
            with db.raw(fresh.engine, beside) as source, db.raw(self.engine, self.path) as target:
                source.execute(f"PRAGMA user_version = {secrets.randbits(30) + 1}")
                with db.translated(self.path), _undecryptable(self.path):
                    # One page a step: the first step locks the target, and only then is `settle` asked.
                    source.backup(target, pages=1, progress=_once(lambda: _settled(fresh, settle)))
                truncate_journal(target)
        finally:
            fresh.close()
            remove(beside)

    def scrub(self) -> None:
        """Leave no deleted byte in the file or its journal."""
        with db.raw(self.engine, self.path) as raw:
            raw.execute("VACUUM")
            truncate_journal(raw)


@contextmanager
def _undecryptable(path: Path) -> Iterator[None]:
    try:
        yield
    except MemoryError as error:
        # So the driver reports a page of the target that cannot be decrypted; a real lack fails again at once.
        raise db.views_corrupted(path) from error
    except sqlcipher.OperationalError as error:
        # And so a first page that cannot be. A home that cannot be written to has refused the new file before this.
        if "readonly" in str(error):
            raise db.views_corrupted(path) from error
        raise


def _file_number(path: Path) -> int:
    try:
        return path.stat().st_ino
    except OSError:
        return 0


def _once(act: Callable[[], None]) -> Callable[[int, int, int], None]:
    done = False

    def progress(_status: int, _remaining: int, _total: int) -> None:
        nonlocal done
        if not done:
            done = True
            act()

    return progress


def _settled(fresh: SqliteRuntime, settle: Callable[[Rows], None] | None) -> None:
    if settle is not None:
        with fresh.writing() as rows:
            settle(rows)


def remove(path: Path) -> None:
    """Remove a database with its journal files."""
    with db.translated(path):
        for suffix in ("", "-wal", "-shm", "-journal"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
