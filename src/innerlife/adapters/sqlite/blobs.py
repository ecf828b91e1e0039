"""Blobs: encrypted files named by a keyed hash of their content (design §4)."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import time
from collections.abc import Collection
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from innerlife.adapters.files import told, write_private
from innerlife.errors import CoreCorrupted, NotFound

ORPHAN_SECONDS = 3600.0
"""A file that no event cites is removed after an hour: its event was never appended (a crash in between)."""


class BlobFolder:
    """Blobs of one Core, in `blobs/`: sealed with one key, named by another."""

    def __init__(self, folder: Path, key: bytes, naming: bytes) -> None:
        self._folder = folder
        self._key = key
        self._naming = naming

    def put(self, data: bytes) -> str:
        """Store durably; the same bytes give the same name (see `ports.Blobs.put`)."""
        name = hmac.new(self._naming, data, hashlib.sha256).hexdigest()
        path = self._path(name)
        if not _made_young(path):
            nonce = secrets.token_bytes(12)
            write_private(path, nonce + AESGCM(self._key).encrypt(nonce, data, name.encode()))
        return name

    def get(self, name: str) -> bytes:
        """The bytes."""
        path = self._path(name)
        with told(path):
            try:
                sealed = path.read_bytes()
            except FileNotFoundError:
                raise NotFound(f"The attachment {name[:12]} is not here") from None
        try:
            return AESGCM(self._key).decrypt(sealed[:12], sealed[12:], name.encode())
        except (InvalidTag, ValueError):
            raise CoreCorrupted(f"The attachment {path} is damaged and was left as it is") from None

    def remove(self, names: Collection[str]) -> None:
        """Remove blobs that nothing cites any more, and what a crash left of them half written."""
        for name in names:
            path = self._path(name)
            with told(path):
                path.unlink(missing_ok=True)
                for half in path.parent.glob(f".{name}.*"):
                    half.unlink(missing_ok=True)

    def names(self) -> list[str]:
        """Names of all blobs at rest."""
        return sorted(path.name for path in self._folder.glob("??/*") if not path.name.startswith("."))

    def sweep(self, cited: Collection[str]) -> int:
        """Remove old files that no event cites, and half-written ones. Returns how many."""
        limit = time.time() - ORPHAN_SECONDS
        swept = 0
        for path in self._folder.glob("??/*"):
            with told(path):
                if path.name not in cited and path.stat().st_mtime < limit:
                    path.unlink(missing_ok=True)
                    swept += 1
        return swept

    def _path(self, name: str) -> Path:
        return self._folder / name[:2] / name


def _made_young(path: Path) -> bool:
    """Whether the file is there; then a sweep takes it for a new one, as its event may be about to be appended."""
    with told(path):
        try:
            os.utime(path)
        except FileNotFoundError:
            return False
    return True
