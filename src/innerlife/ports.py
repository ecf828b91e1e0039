"""Ports over kernel types: what the rooms need of the outside world, in their own words."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]


class Clock(Protocol):
    """Tells the time. Arrives as an argument, so that rules stay pure."""

    def now(self) -> datetime:
        """The present instant, in UTC, with its zone."""
        ...

    def zone(self) -> str:
        """The user's IANA zone name, or an offset such as `+02:00`."""
        ...


class Embedder(Protocol):
    """Turns text into unit vectors whose dot product is the nearness of meaning."""

    @property
    def model(self) -> str:
        """Name and version; vectors of different models are never compared (promise R5)."""
        ...

    @property
    def dimension(self) -> int:
        """Length of every vector."""
        ...

    def embed_query(self, text: str) -> Vector:
        """Unit vector of shape (dimension,) for a question."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> Vector:
        """Unit vectors of shape (len(texts), dimension) for texts to be found."""
        ...


class Rows(Protocol):
    """A database connection inside one transaction, as views see it. SQL is SQLite's."""

    def execute(self, sql: str, parameters: Sequence[Any] | dict[str, Any] = ()) -> Any:
        """Run one statement; returns a DB-API cursor (iterable, `fetchone`, `fetchall`, `rowcount`)."""
        ...

    def executemany(self, sql: str, parameters: Sequence[Sequence[Any]]) -> Any:
        """Run one statement for each row of parameters."""
        ...


class Runtime(Protocol):
    """The database of views. Deleting it is always safe."""

    def reading(self) -> AbstractContextManager[Rows]:
        """A snapshot to read from. Raises StorageFailed."""
        ...

    def writing(self) -> AbstractContextManager[Rows]:
        """A transaction: committed when the block ends, rolled back when it raises. Raises StorageFailed."""
        ...

    def generation(self) -> str:
        """Changes whenever the database was replaced by a new one; caches built from it are then stale."""
        ...


@dataclass(frozen=True, slots=True)
class StoredVector:
    """A vector at rest in the Core: signed bytes and the factor that restores its length.

    `subject` is the seq of the event it stands for; `sources` are the seqs of every event whose words were
    embedded, the subject included. Empty `data` says: there is nothing to embed in this subject.
    """

    subject: int
    sources: tuple[int, ...]
    data: bytes
    scale: float


class VectorStore(Protocol):
    """Vectors in the Core: dear to compute, so not thrown away with the runtime (design §2)."""

    def put(self, model: str, dimension: int, vectors: Sequence[StoredVector]) -> int:
        """Store or replace; a vector whose source was forgotten meanwhile is dropped. Returns how many were kept."""
        ...

    def fetch(self, model: str, subjects: Collection[int]) -> dict[int, tuple[bytes, float]]:
        """`data` and `scale` of those subjects that have a vector of the model."""
        ...

    def scan(self, model: str, after: int = 0, batch: int = 4096) -> Iterator[list[tuple[int, bytes]]]:
        """Batches of (subject, data), subjects ascending and greater than `after`; empty data is left out."""
        ...

    def backlog(self, model: str, kinds: Collection[str]) -> int:
        """How many events of these kinds have no vector of the model yet."""
        ...

    def missing(self, model: str, kinds: Collection[str], limit: int, after: int = 0) -> list[int]:
        """Seqs of such events that are greater than `after`, newest first."""
        ...

    def models(self) -> list[str]:
        """Names of the models that have vectors here."""
        ...

    def drop(self, model: str, most: int) -> int:
        """Delete at most so many vectors of a model. Returns how many went."""
        ...

    def epoch(self) -> int:
        """Raised by every forget; caches made under another epoch are dropped."""
        ...


class Blobs(Protocol):
    """Encrypted files named by a keyed hash of their content."""

    def put(self, data: bytes) -> str:
        """Store durably; the same bytes give the same name. Raises StorageFailed.

        Called before the event that cites it is appended, and once more afterwards: what nothing cites may be removed.
        """
        ...

    def get(self, name: str) -> bytes:
        """The bytes. Raises NotFound, StorageFailed."""
        ...
