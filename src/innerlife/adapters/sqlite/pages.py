"""Decrypted pages of a SQLCipher 4 database, free pages and journal frames included: the proof that bytes are gone.

SQLCipher 4 with a raw key: AES-256-CBC for each page, the last 80 bytes hold the IV (16) and the HMAC-SHA512 (64),
the first 16 bytes of page 1 are the salt in the clear.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CBC

PAGE = 4096
RESERVE = 80
SALT = 16
WAL_HEADER = 32
FRAME_HEADER = 24


def decrypted_pages(path: Path, key: bytes) -> Iterator[bytes]:
    """Every page of the database file and every frame of its write-ahead log, in the clear."""
    if path.exists():
        with path.open("rb") as file:
            first = True
            while page := file.read(PAGE):
                if len(page) == PAGE:
                    yield _decrypt(page, key, SALT if first else 0)
                first = False
    journal = path.with_name(path.name + "-wal")
    if journal.exists():
        yield from _frames(journal, key)


def _frames(journal: Path, key: bytes) -> Iterator[bytes]:
    with journal.open("rb") as file:
        file.read(WAL_HEADER)
        while len(header := file.read(FRAME_HEADER)) == FRAME_HEADER:
            page = file.read(PAGE)
            if len(page) == PAGE:
                yield _decrypt(page, key, SALT if int.from_bytes(header[:4], "big") == 1 else 0)


def _decrypt(page: bytes, key: bytes, skip: int) -> bytes:
    body = page[skip : PAGE - RESERVE]
    initial = page[PAGE - RESERVE : PAGE - RESERVE + 16]
    decryptor = Cipher(AES(key), CBC(initial)).decryptor()
    return decryptor.update(body) + decryptor.finalize()


def contains(path: Path, key: bytes, needles: list[bytes]) -> set[bytes]:
    """Which of the needles stand in any page, also across the border of two consecutive pages' contents."""
    found: set[bytes] = set()
    longest = max(map(len, needles), default=0)
    tail = b""
    for page in decrypted_pages(path, key):
        window = tail + page
        found.update(needle for needle in needles if needle in window)
        tail = page[-longest:] if longest else b""
    return found
