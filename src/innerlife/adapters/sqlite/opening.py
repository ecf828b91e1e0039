"""Opening a Core from its folder: key record, databases, blobs."""

from __future__ import annotations

import errno
import hashlib
import hmac
import secrets
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from innerlife.adapters.files import sync_folder, told
from innerlife.adapters.profiles import KEYS
from innerlife.adapters.sqlite import keys as keyring
from innerlife.adapters.sqlite.blobs import BlobFolder
from innerlife.adapters.sqlite.connection import CORE
from innerlife.adapters.sqlite.core import SqliteCore
from innerlife.adapters.sqlite.runtime import SqliteRuntime
from innerlife.errors import CoreCorrupted, StorageFailed, ViewsCorrupted
from innerlife.kernel.ids import new_id

RUNTIME = "runtime.db"
BLOBS = "blobs"
LOCK = "alone.lock"


@dataclass(frozen=True)
class OpenCore:
    """An open Core. `handle` is the keyed hash under which texts are found again."""

    folder: Path
    keys: keyring.Keys
    core: SqliteCore
    runtime: SqliteRuntime
    blobs: BlobFolder
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

    Raises KeyFailed, CoreCorrupted, CoreTooNew, StorageFailed; then nothing was changed, and no profile was made.
    """
    check_present(folder)
    if not (folder / KEYS).exists():
        _make(folder, config, method, passphrase, now())
    record = keyring.read_record(folder / KEYS)
    keys = keyring.keys_of(keyring.unwrap(record, config, passphrase))
    core = SqliteCore(folder / CORE, keys.database)
    notices: list[str] = []
    try:
        runtime = _open_runtime(folder / RUNTIME, keys.database, notices)
    except BaseException:
        core.close()
        raise
    blobs = BlobFolder(folder / BLOBS, keys.blobs, keys.blob_names)
    return OpenCore(folder, keys, core, runtime, blobs, notices)


def check_present(folder: Path) -> None:
    """Raises CoreCorrupted where something is missing that cannot be made again. Nothing is changed before this."""
    core = folder / CORE
    if not (folder / KEYS).exists():
        for left in (CORE, RUNTIME, BLOBS):
            # Looked at again: another process may be making this Core, and keys come first or with the rest.
            if (folder / left).exists() and not (folder / KEYS).exists():
                raise CoreCorrupted(
                    f"{folder / KEYS} is missing, and without it {left} cannot be opened",
                    "Restore it from a backup.",
                )
    # Views are made after the ledger. SQLite would take an absent or empty ledger for a new one, without a word.
    elif (folder / RUNTIME).exists() and not (core.exists() and core.stat().st_size):
        raise CoreCorrupted(f"{core} is missing or empty", "Restore it from a backup.")


def _make(folder: Path, config: Path, method: keyring.Method, passphrase: str | None, now: datetime) -> None:
    """Make a Core's folder, with keys and an empty ledger, whole or not at all, unless another process was first.

    It is made under another name first, so that what fails leaves no profile behind.
    """
    beside = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}")
    record, data_key = keyring.create(new_id(now), method, config, passphrase)
    made = False
    try:
        record.save(beside / KEYS)
        SqliteCore(beside / CORE, keyring.keys_of(data_key).database).close()
        made = _placed(beside, folder)
    except StorageFailed as error:
        raise type(error)(error.message.replace(beside.name, folder.name), error.hint) from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)
        if not made:
            # Another process made this Core a moment ago, or it could not be made: this key opens nothing.
            keyring.discard(record, config)


def _placed(beside: Path, folder: Path) -> bool:
    """Give a new Core's folder its name. False where there is a Core already."""
    with told(folder):
        try:
            beside.rename(folder)
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise
        else:
            sync_folder(folder.parent)
            return True
        # There is a folder with something else in it. The ledger is made at the opening then, as after a cut-off one.
        try:
            (folder / KEYS).hardlink_to(beside / KEYS)
        except FileExistsError:
            return False
        sync_folder(folder)
    return True


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
