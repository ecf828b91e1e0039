"""Small files, written whole or not at all, and locks between processes: one way for all of them."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from innerlife.errors import DiskFull, HomeBusy, ReadOnlyHome, StorageFailed


def write_private(path: Path, data: bytes) -> None:
    """Write a file that only its owner can read; on disk when this returns, old or new but never half.

    Raises StorageFailed.
    """
    with told(path):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
        sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """The names in the folder are on disk when this returns."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def held(lock: Path, seconds: float, busy: HomeBusy) -> Iterator[None]:
    """Hold a lock that no other process and no other holder here has until the block ends.

    Waits so many seconds, then raises `busy`. The lock goes with its process; its file stays. Raises StorageFailed.
    """
    one = FileLock(lock)
    with told(lock):
        lock.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            one.acquire(timeout=seconds)
        except Timeout:
            raise busy from None
    try:
        yield
    finally:
        one.release()


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn errors of the file system into the error tree; a file that exists already is the caller's to judge."""
    try:
        yield
    except FileExistsError:
        raise
    except OSError as error:
        raise os_error(error, path) from error


def os_error(error: OSError, path: Path) -> StorageFailed:
    """The error of our tree that says what `error` means for a person."""
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return DiskFull(f"The disk is full: {path.parent}", "Free some space; nothing recorded is lost.")
        case errno.EACCES | errno.EPERM | errno.EROFS:
            return ReadOnlyHome(
                f"Innerlife cannot write to {path}", "Check the folder's owner and permissions."
            )
        case _:
            return StorageFailed(f"{path} could not be used: {error.strerror or error}")
