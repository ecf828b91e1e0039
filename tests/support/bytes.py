"""Looks for planted words in everything that lies in a folder, decrypted where it is encrypted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from innerlife.adapters.sqlite.blobs import BlobFolder
from innerlife.adapters.sqlite.keys import Keys
from innerlife.adapters.sqlite.pages import decrypted_pages
from innerlife.errors import CoreCorrupted, NotFound


def planted_in(folder: Path, keys: Keys, words: Sequence[str]) -> dict[str, set[str]]:
    """Which words stand where: relative path -> words. Files are read raw, and decrypted page by page or whole."""
    found: dict[str, set[str]] = {}
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        data = path.read_bytes() + _decrypted(path, folder, keys)
        here = {word for word in words if word.encode() in data}
        if here:
            found[str(path.relative_to(folder))] = here
    return found


def raw_in(folder: Path, words: Sequence[str]) -> dict[str, set[str]]:
    """Which words stand in the clear in any file, in any of the usual encodings."""
    found: dict[str, set[str]] = {}
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        data = path.read_bytes()
        here = {w for w in words if w.encode() in data or w.encode("utf-16-le") in data}
        if here:
            found[str(path.relative_to(folder))] = here
    return found


def snapshot(folder: Path) -> dict[str, bytes]:
    """Every file with its bytes; the lock and SQLite's shared index are no content."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix != ".lock" and not path.name.endswith("-shm")
    }


def _decrypted(path: Path, folder: Path, keys: Keys) -> bytes:
    name = path.name
    if ".db" in name and not name.endswith(("-shm", "-wal", "-journal")):
        return b"".join(decrypted_pages(path, keys.database))
    if "blobs" in path.relative_to(folder).parts:
        try:
            return BlobFolder(path.parent.parent, keys.blobs, keys.blob_names).get(name)
        except (CoreCorrupted, NotFound):
            return b""
    return b""
