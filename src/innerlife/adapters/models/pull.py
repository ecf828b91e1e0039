"""Fetching a model from the hub: it goes on where it broke off, and is kept only if its checksum is right.

The bytes are fetched here and not by the hub library's `hf_hub_download`, which begins a broken download
again from the start and does not check the sum. No host is asked but the hub and the storage it redirects to
(promise X1).
"""

from __future__ import annotations

import errno
import hashlib
import logging
import os
import shutil
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

import httpx2

from innerlife.adapters.files import held, write_private
from innerlife.adapters.models.catalogue import (
    HubFile,
    LocalModel,
    Origin,
    hub_file,
    origin_path,
    origin_text,
    read_origin,
)
from innerlife.adapters.models.hub import Listing, look_up, refusal
from innerlife.errors import BadInput, DiskFull, HomeBusy, ModelUnavailable, ReadOnlyHome, StorageFailed

Progress = Callable[[int, int], None]
"""Told the bytes on disk and the bytes in all, whenever some came: many times a second."""

_log = logging.getLogger(__name__)

_MAGIC: Final = b"GGUF"
_TIMEOUT: Final = httpx2.Timeout(30.0, connect=10.0)
# Transient: the hub is busy or its storage hiccups.
_AGAIN: Final = frozenset({408, 429, 500, 502, 503, 504})


@dataclass(frozen=True, slots=True)
class PullPolicy:
    """How patient a download is.

    It gives up after `attempts` in a row that brought nothing new, with 1, 2, 4 … seconds between them, at
    most `longest_wait_s`. `headroom_bytes` stay free on the disk, because a full one stops the ledger too.
    """

    attempts: int = 5
    longest_wait_s: float = 30.0
    headroom_bytes: int = 268_435_456


DEFAULT_POLICY: Final = PullPolicy()


def _free_bytes(folder: Path) -> int:
    return shutil.disk_usage(folder).free


def pull(
    reference: str,
    models_dir: Path,
    *,
    endpoint: str | None = None,
    token: str | None = None,
    progress: Progress = lambda _done, _total: None,
    policy: PullPolicy = DEFAULT_POLICY,
    sleep: Callable[[float], None] = time.sleep,
    free_bytes: Callable[[Path], int] = _free_bytes,
) -> LocalModel:
    """Fetch a model (a short name, or owner/repo/file.gguf) into `models_dir`, unless it is there already.

    `endpoint` is the hub's address (default: `HF_ENDPOINT`, else huggingface.co). Blocks until done;
    interrupt it at any time, and the next call goes on from there. Raises BadInput (no such reference, or the
    name is taken), ModelUnavailable (not found, offline, broken off, wrong sum), DiskFull, ReadOnlyHome,
    HomeBusy, StorageFailed.
    """
    wanted = hub_file(reference)
    listing = look_up(wanted, endpoint, token)
    place = models_dir / f"{wanted.name}.gguf"
    # Named by its checksum, so that two versions never mix.
    part = models_dir / ".partial" / f"{listing.sha256}.part"
    try:
        if not _is_here(place, wanted, listing, models_dir):
            with _claimed(part, wanted), part.open("ab") as file:
                _make_sure_of_room(file, listing, models_dir, wanted, policy, free_bytes)
                with _client(token) as client:
                    _fetch(client, listing, wanted, file, progress, policy, sleep)
                _check(part, listing, wanted)
                os.fsync(file.fileno())
                part.replace(place)
        origin = Origin(wanted.repo, wanted.file, listing.revision, listing.sha256, listing.size)
        write_private(origin_path(models_dir, wanted.name), origin_text(origin).encode())
    except OSError as failure:
        raise _storage_error(failure, part, wanted) from failure
    return LocalModel(wanted.name, place, listing.size, "pulled", origin)


def _client(token: str | None) -> httpx2.Client:
    """A client that drops the authorization by itself when it is redirected to another host."""
    headers = {"Accept-Encoding": "identity", "User-Agent": "innerlife"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    return httpx2.Client(timeout=_TIMEOUT, follow_redirects=True, headers=headers)


def _is_here(place: Path, wanted: HubFile, listing: Listing, models_dir: Path) -> bool:
    """True when the very same file is in place. Raises BadInput when the name belongs to something else."""
    if not place.is_file():
        return False
    origin = read_origin(models_dir, wanted.name)
    if origin is not None and (origin.repo, origin.file) == (wanted.repo, wanted.file):
        return origin.sha256 == listing.sha256 and place.stat().st_size == listing.size
    if _sha256(place) == listing.sha256:
        return True
    raise BadInput(f"{place} is already there and comes from elsewhere", "Rename or delete it first")


def _claimed(part: Path, wanted: HubFile) -> AbstractContextManager[None]:
    busy = HomeBusy(f"{wanted.name} is being fetched by another process", "Wait for it")
    return held(part.with_suffix(".lock"), 0, busy)


def _make_sure_of_room(
    file: BinaryIO,
    listing: Listing,
    models_dir: Path,
    wanted: HubFile,
    policy: PullPolicy,
    free_bytes: Callable[[Path], int],
) -> None:
    missing = listing.size - min(file.tell(), listing.size)
    free = free_bytes(models_dir)
    if missing and free < missing + policy.headroom_bytes:
        raise DiskFull(
            f"{wanted.name} needs {_gb(missing + policy.headroom_bytes)} more on the disk of {models_dir}, "
            f"and {_gb(free)} are free",
            "Free some space or take a smaller model",
        )


def _fetch(
    client: httpx2.Client,
    listing: Listing,
    wanted: HubFile,
    file: BinaryIO,
    progress: Progress,
    policy: PullPolicy,
    sleep: Callable[[float], None],
) -> None:
    """Bring the file to its full size, going on after every interruption."""
    _log.info("fetching %s from %s", wanted.file, listing.url)
    idle, farthest = 0, file.tell()
    while (have := file.tell()) < listing.size:
        broken: httpx2.TransportError | None = None
        try:
            _stream(client, listing, wanted, file, progress)
        except httpx2.TransportError as failure:
            broken = failure
        # Only what was never reached before counts: a range refused begins again from nothing.
        idle = 0 if file.tell() > farthest else idle + 1
        farthest = max(farthest, file.tell())
        if idle >= policy.attempts:
            raise ModelUnavailable(
                f"the download of {wanted.name} broke off at {_gb(have)} of {_gb(listing.size)}",
                "The same command goes on from there",
            ) from broken
        if file.tell() < listing.size:
            sleep(min(policy.longest_wait_s, 2.0**idle))


def _stream(
    client: httpx2.Client, listing: Listing, wanted: HubFile, file: BinaryIO, progress: Progress
) -> None:
    """One request for what is missing. Raises httpx2.TransportError when it is worth trying again."""
    have = file.tell()
    asked = {"Range": f"bytes={have}-"} if have else {}
    with client.stream("GET", listing.url, headers=asked) as response:
        if response.status_code in _AGAIN:
            raise httpx2.RemoteProtocolError(f"status {response.status_code}")
        resumed = response.headers.get("Content-Range", "").startswith(f"bytes {have}-")
        if response.status_code == 416 or (have and not resumed):
            file.seek(0)
            file.truncate()
        if response.status_code == 416:
            raise httpx2.RemoteProtocolError("the range was refused")
        if response.is_error:
            raise refusal(response.status_code, f"{wanted.repo}/{wanted.file}")
        # No chunk size: what came of a chunk that is cut short would be lost.
        for chunk in response.iter_bytes():
            file.write(chunk)
            # Flushed at once: an interrupted process then has lost nothing that came.
            file.flush()
            progress(min(file.tell(), listing.size), listing.size)
            if file.tell() > listing.size:
                return


def _check(part: Path, listing: Listing, wanted: HubFile) -> None:
    """Raises ModelUnavailable, having removed the file, when it is not what the hub announced."""
    if part.stat().st_size != listing.size:
        wrong = "size"
    elif _sha256(part) != listing.sha256:
        wrong = "checksum"
    elif not _is_gguf(part):
        wrong = "format"
    else:
        return
    part.unlink()
    raise ModelUnavailable(
        f"what came for {wanted.name} has the wrong {wrong}, so it was not kept",
        "Try again; if it happens again, something between here and the hub changes the file",
    )


def _is_gguf(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _storage_error(failure: OSError, part: Path, wanted: HubFile) -> StorageFailed:
    folder = part.parents[1]
    match failure.errno:
        case errno.ENOSPC | errno.EDQUOT:
            # What came so far would leave the ledger without room as well.
            part.unlink(missing_ok=True)
            return DiskFull(
                f"the disk became full while {wanted.name} was fetched, and nothing of it was kept",
                "Free some space or take a smaller model",
            )
        case errno.EROFS | errno.EACCES | errno.EPERM:
            return ReadOnlyHome(f"the folder {folder} cannot be written to", "Change its permissions")
        case _:
            reason = failure.strerror or failure
            return StorageFailed(f"{wanted.name} could not be stored in {folder} ({reason})")


def _gb(size: int) -> str:
    return f"{size / 1e9:.2f} GB"
