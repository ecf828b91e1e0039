"""SQLCipher connections, and the one place where database errors become ours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.pool import QueuePool
from sqlcipher3 import dbapi2 as sqlcipher

from innerlife.adapters.files import told
from innerlife.errors import CoreCorrupted, DiskFull, HomeBusy, ReadOnlyHome, StorageFailed, ViewsCorrupted

T = TypeVar("T")

BUSY_SECONDS = 10.0
"""How long a statement waits for another process's transaction; ours last milliseconds."""

CORE = "core.db"
"""The file that is never made again; every other database here is."""

_MANY = 30_000
"""Parameters in one statement; SQLite's own limit is far above."""

_READS = 8
"""Connections kept open per database: enough for the web server's worker threads."""


def open_engine(path: Path, key: bytes, *, durable: bool, look: bool = False) -> sa.Engine:
    """An engine on the encrypted database at `path` (made when absent).

    `key` is 32 raw bytes: a text key would cost 120 ms for each connection (design §4). `durable` chooses
    `synchronous=FULL` (an acknowledged commit survives a power cut) over `NORMAL`. `look` opens what is there to be
    read only: nothing is made and no byte is written.
    """
    pragmas = (
        # Its own log would put lines of hexadecimal on the person's screen; what is wrong is said by our errors.
        "PRAGMA cipher_log_level = NONE",
        f"PRAGMA key = \"x'{key.hex()}'\"",
        "PRAGMA cipher_memory_security = OFF",
        *(() if look else ("PRAGMA journal_mode = WAL",)),
        f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}",
        "PRAGMA foreign_keys = ON",
        "PRAGMA secure_delete = ON",
        "PRAGMA temp_store = MEMORY",
        "PRAGMA cache_size = -8000",
    )

    def connect() -> Any:
        raw = sqlcipher.connect(
            _read_only(path) if look else str(path),
            timeout=BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
            uri=look,
        )
        try:
            for pragma in pragmas:
                raw.execute(pragma)
        except sqlcipher.Error:
            raw.close()
            raise
        return raw

    engine = sa.create_engine(
        "sqlite://",
        module=sqlcipher,
        creator=connect,
        poolclass=QueuePool,
        # The last one given back comes first: it holds the pages read a moment ago, and the others stay small.
        pool_use_lifo=True,
        pool_size=_READS,
        # No limit: a forgetting looks through a second connection while writers wait for the first one's lock.
        max_overflow=-1,
    )
    sa.event.listen(engine, "begin", _begin)
    return engine


def _read_only(path: Path) -> str:
    # Without a journal nobody has it open, and reading it as unchangeable makes none.
    journal = path.with_name(f"{path.name}-wal")
    return f"{path.absolute().as_uri()}?{'mode=ro' if journal.exists() else 'immutable=1'}"


def complaints(engine: sa.Engine, path: Path) -> list[str]:
    """Complaints of the cipher's own check of every page, then of the database's; empty when sound.

    Raises StorageFailed where it cannot be read for another reason than damage.
    """
    found: list[str] = []
    try:
        with raw(engine, path) as connection:
            found += [row[0] for row in connection.execute("PRAGMA cipher_integrity_check")]
            found += [row[0] for row in connection.execute("PRAGMA quick_check") if row[0] != "ok"]
    except (CoreCorrupted, ViewsCorrupted) as error:
        found.append(error.message)
    return found


def _begin(connection: sa.Connection) -> None:
    connection.exec_driver_sql(f"BEGIN {connection.get_execution_options().get('begin', 'DEFERRED')}")


@contextmanager
def reading(engine: sa.Engine, path: Path) -> Iterator[sa.Connection]:
    """A read transaction: one snapshot. Raises StorageFailed."""
    with translated(path), engine.connect() as connection, connection.begin():
        yield connection


@contextmanager
def writing(engine: sa.Engine, path: Path) -> Iterator[sa.Connection]:
    """A write transaction, begun at once so that it cannot fail half-way for a lock. Raises StorageFailed."""
    with translated(path), engine.connect() as plain:
        connection = plain.execution_options(begin="IMMEDIATE")
        with connection.begin():
            yield connection


def snapshot(engine: sa.Engine, path: Path) -> AbstractContextManager[Any]:
    """A DB-API connection in a read transaction, for what is on the path of an answer. Raises StorageFailed."""
    return _begun(engine, path, "BEGIN")


def transaction(engine: sa.Engine, path: Path) -> AbstractContextManager[Any]:
    """A DB-API connection in a write transaction, begun at once like `writing`. Raises StorageFailed."""
    return _begun(engine, path, "BEGIN IMMEDIATE")


@contextmanager
def _begun(engine: sa.Engine, path: Path, begin: str) -> Iterator[Any]:
    with raw(engine, path) as connection:
        connection.execute(begin)
        yield connection
        # Where the block raised, the pool rolls back what is given back to it.
        connection.commit()


@contextmanager
def raw(engine: sa.Engine, path: Path) -> Iterator[Any]:
    """A DB-API connection outside any transaction: for one statement, and for those that refuse one (VACUUM)."""
    with translated(path):
        pooled = engine.raw_connection()
        try:
            yield pooled.driver_connection
        finally:
            pooled.close()


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn errors of the driver and of the file system into the error tree."""
    try:
        with told(path):
            yield
    except sa.exc.DBAPIError as error:
        raise _ours(error.orig or error, path) from error
    except sqlcipher.Error as error:
        raise _ours(error, path) from error


def _ours(error: BaseException, path: Path) -> StorageFailed:
    text = str(error)
    if "disk is full" in text:
        return DiskFull(
            f"The disk is full: {path.parent}", "Free some space; nothing already recorded is lost."
        )
    if "readonly" in text or "unable to open" in text:
        return ReadOnlyHome(f"Innerlife cannot write to {path}", "Check the folder's owner and permissions.")
    if "locked" in text or "busy" in text:
        return HomeBusy(f"Another process is holding {path.name}", "Try again, or stop the other Innerlife.")
    if "not a database" in text or "malformed" in text:
        if path.name == CORE:
            return CoreCorrupted(f"{path} is damaged and was left as it is", "Restore it from a backup.")
        return views_corrupted(path)
    return StorageFailed(f"{path.name} could not be used: {text}")


def views_corrupted(path: Path) -> ViewsCorrupted:
    """What is said of a damaged database of views."""
    return ViewsCorrupted(f"{path} is damaged", "`innerlife rebuild` makes it again from the Core.")


def is_foreign_key_failure(error: BaseException) -> bool:
    """Whether an integrity error says that a cause does not exist."""
    return "FOREIGN KEY" in str(error)


def parts(values: Iterable[T]) -> Iterable[list[T]]:
    """`values` in lists short enough for one statement."""
    every = list(values)
    return (every[start : start + _MANY] for start in range(0, len(every), _MANY))
