"""Opening a Core from its folder: key record, databases, blobs."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from innerlife.adapters.sqlite import keys as keyring
from innerlife.adapters.sqlite.blobs import BlobFolder
from innerlife.adapters.sqlite.connection import CORE, translated
from innerlife.adapters.sqlite.core import SqliteCore
from innerlife.adapters.sqlite.runtime import SqliteRuntime
from innerlife.errors import CoreCorrupted, ViewsCorrupted
from innerlife.kernel.ids import new_id

KEYS = "core.keys"
RUNTIME = "runtime.db"
BLOBS = "blobs"
LOCK = "alone.lock"


@dataclass(frozen=True)
class OpenCore:
    """An open Core. `handle` is the keyed hash under which texts are found again."""

    folder: Path
    record: keyring.KeyRecord
    keys: keyring.Keys
    core: SqliteCore
    runtime: SqliteRuntime
    blobs: BlobFolder
    fresh: bool
    notices: list[str] = field(default_factory=list)

    def handle(self, text: str) -> str:
        """HMAC-SHA256 of a text, in hex."""
        return hmac.new(self.keys.handles, text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()

    def close(self) -> None:
        """Close the databases."""
        self.core.close()
        self.runtime.close()


def open_core(
    folder: Path, config: Path, method: keyring.Method, passphrase: str | None, now: Callable[[], datetime]
) -> OpenCore:
    """Open the Core in `folder`, made when there is none.

    Raises KeyFailed, CoreCorrupted, CoreTooNew, StorageFailed; then nothing was changed.
    """
    with translated(folder):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = not (folder / KEYS).exists()
    if fresh:
        if (folder / CORE).exists():
            raise CoreCorrupted(
                f"{folder / KEYS} is missing, and without it {CORE} cannot be opened",
                "Restore it from a backup.",
            )
        _make_keys(folder, config, method, passphrase, now())
    record = keyring.read_record(folder / KEYS)
    keys = keyring.keys_of(keyring.unwrap(record, config, passphrase))
    _check_present(folder)
    core = SqliteCore(folder / CORE, keys.database)
    notices: list[str] = []
    try:
        runtime = _open_runtime(folder / RUNTIME, keys.database, notices)
    except BaseException:
        core.close()
        raise
    blobs = BlobFolder(folder / BLOBS, keys.blobs, keys.blob_names)
    return OpenCore(folder, record, keys, core, runtime, blobs, fresh, notices)


def _check_present(folder: Path) -> None:
    # Views are made after the ledger. SQLite would take an absent or empty ledger for a new one, without a word.
    core = folder / CORE
    if (folder / RUNTIME).exists() and not (core.exists() and core.stat().st_size):
        raise CoreCorrupted(f"{core} is missing or empty", "Restore it from a backup.")


def _make_keys(
    folder: Path, config: Path, method: keyring.Method, passphrase: str | None, now: datetime
) -> None:
    record, _ = keyring.create(new_id(now), method, config, passphrase)
    try:
        record.save(folder / KEYS, exclusive=True)
    except FileExistsError:
        # Another process made this Core a moment ago: its key counts, ours opens nothing.
        keyring.key_file(config, record.core_id).unlink(missing_ok=True)


def _open_runtime(path: Path, key: bytes, notices: list[str]) -> SqliteRuntime:
    try:
        return _checked_runtime(path, key)
    except ViewsCorrupted:
        # It holds views only, nothing that cannot be made again; the person is told all the same.
        notices.append(f"{path.name} was damaged. It holds only what can be derived, and is being rebuilt.")
        SqliteRuntime(path, key).discard()
        return _checked_runtime(path, key)


def _checked_runtime(path: Path, key: bytes) -> SqliteRuntime:
    runtime = SqliteRuntime(path, key)
    try:
        with runtime.reading() as rows:
            rows.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
    except BaseException:
        runtime.close()
        raise
    return runtime
