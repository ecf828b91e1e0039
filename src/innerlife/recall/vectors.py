"""Vectors at rest and in memory: signed bytes in the Core, one bit a dimension here (promise R7).

A scan of one-bit codes finds some hundred candidates, whose stored bytes then give the cosine.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from innerlife.ports import Vector

_BLOCK = 65_536
"""Codes compared at once: what fits the processor's cache."""

_HELD_BLOCK = 8_192
"""Vectors kept in one piece of memory, so that more of them never means copying all."""

_WORD = 64


def packed(vectors: Vector) -> list[tuple[bytes, float]]:
    """Vectors of shape (n, d) as signed bytes with the factor that restores them; 0.4 % of a component at worst."""
    found: list[tuple[bytes, float]] = []
    for vector in vectors:
        scale = float(np.abs(vector).max()) / 127.0 or 1.0
        found.append((np.round(vector / scale).astype(np.int8).tobytes(), scale))
    return found


def unpacked(data: bytes) -> Vector:
    """The unit vector of stored bytes, shape (d,)."""
    vector = np.frombuffer(data, np.int8).astype(np.float32)
    return vector / max(float(np.linalg.norm(vector)), 1e-9)


def cosines(query: Vector, stored: NDArray[np.int8]) -> Vector:
    """Cosines of a unit vector to stored bytes of shape (n, d); shape (n,)."""
    vectors = stored.astype(np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    return np.asarray(vectors @ query / np.maximum(lengths, 1e-9), np.float32)


class Codes:
    """One-bit codes of vectors by subject, column after column, so that a scan reads memory in order.

    Keeps at most `most` subjects, the greatest; an eighth is dropped at once when there are more. While there are at
    most `held`, the stored bytes are kept too, so that a cosine needs no reading.
    """

    def __init__(self, dimension: int, most: int, held: int = 0) -> None:
        self._dimension = dimension
        self._most = most
        self._held = min(held, most)
        self._bytes: list[NDArray[np.int8]] | None = []
        self._order: NDArray[np.intp] | None = None
        self._columns = np.empty((-(-dimension // _WORD), 0), np.uint64)
        self._subjects = np.empty(0, np.int64)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def subjects(self) -> NDArray[np.int64]:
        """Whose codes are here, in no order."""
        return self._subjects[: self._count]

    def add(self, subjects: list[int], data: list[bytes]) -> None:
        """Add codes of stored bytes; subjects are new."""
        if not subjects:
            return
        stored = np.frombuffer(b"".join(data), np.int8).reshape(len(data), self._dimension)
        signs = stored > 0
        self._hold(stored)
        self._order = None
        self._reserve(self._count + len(subjects))
        end = self._count + len(subjects)
        self._columns[:, self._count : end] = self._code(signs).T
        self._subjects[self._count : end] = subjects
        self._count = end
        if self._count > self._most:
            self._keep_newest(self._most - self._most // 8)

    def cosines(self, query: Vector, subjects: Collection[int]) -> dict[int, float]:
        """Cosines of those of these subjects whose bytes are kept here."""
        if self._bytes is None or not self._count:
            return {}
        if self._order is None:
            self._order = np.argsort(self.subjects, kind="stable")
        wanted = np.array(list(subjects), np.int64)
        places = np.searchsorted(self.subjects, wanted, sorter=self._order)
        places = self._order[np.minimum(places, self._count - 1)]
        known = self._subjects[places] == wanted
        if not known.any():
            return {}
        rows = [self._bytes[place // _HELD_BLOCK][place % _HELD_BLOCK] for place in places[known].tolist()]
        return dict(zip(wanted[known].tolist(), cosines(query, np.stack(rows)).tolist(), strict=True))

    def nearest(self, query: Vector, most: int) -> list[int]:
        """At least `most` subjects (if there are) whose codes differ least from the query's; ties are included."""
        if not self._count:
            return []
        distances = self._distances(self._code(query[None, :] > 0)[0])
        reached = np.cumsum(np.bincount(distances))
        limit = int(np.searchsorted(reached, min(most, self._count)))
        found = np.flatnonzero(distances <= limit)
        # Ties at the border could be many; nearest first, then cut at twice what was asked.
        order = np.argsort(distances[found], kind="stable")[: 2 * most]
        return [int(subject) for subject in self._subjects[found[order]]]

    def _hold(self, stored: NDArray[np.int8]) -> None:
        if self._bytes is None or self._count + len(stored) > self._held:
            self._bytes = None
            return
        at, start = self._count, 0
        while start < len(stored):
            if at % _HELD_BLOCK == 0:
                self._bytes.append(np.empty((_HELD_BLOCK, self._dimension), np.int8))
            size = min(_HELD_BLOCK - at % _HELD_BLOCK, len(stored) - start)
            self._bytes[-1][at % _HELD_BLOCK :][:size] = stored[start : start + size]
            at, start = at + size, start + size

    def _code(self, signs: NDArray[np.bool_]) -> NDArray[np.uint64]:
        wide = np.zeros((len(signs), len(self._columns) * _WORD), np.bool_)
        wide[:, : self._dimension] = signs
        return np.packbits(wide, axis=1).view(np.uint64)

    def _distances(self, code: NDArray[np.uint64]) -> NDArray[np.uint16]:
        distances = np.empty(self._count, np.uint16)
        differing = np.empty(min(_BLOCK, self._count), np.uint64)
        bits = np.empty(len(differing), np.uint8)
        for start in range(0, self._count, _BLOCK):
            size = min(_BLOCK, self._count - start)
            block = distances[start : start + size]
            block[:] = 0
            for column, word in zip(self._columns, code, strict=True):
                np.bitwise_xor(column[start : start + size], word, out=differing[:size])
                np.bitwise_count(differing[:size], out=bits[:size])
                block += bits[:size]
        return distances

    def _reserve(self, size: int) -> None:
        if size <= len(self._subjects):
            return
        capacity = max(size, 1024, len(self._subjects) * 3 // 2)
        columns = np.empty((len(self._columns), capacity), np.uint64)
        columns[:, : self._count] = self._columns[:, : self._count]
        subjects = np.empty(capacity, np.int64)
        subjects[: self._count] = self._subjects[: self._count]
        self._columns, self._subjects = columns, subjects

    def _keep_newest(self, size: int) -> None:
        kept = np.sort(np.argpartition(self.subjects, self._count - size)[-size:])
        self._columns[:, :size] = self._columns[:, kept]
        self._subjects[:size] = self._subjects[kept]
        self._count = size
