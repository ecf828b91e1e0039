"""The backlog of embedding: a query, not a queue (promise R5). What has no vector of the present model is missing."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from innerlife.errors import ModelUnavailable
from innerlife.ports import Embedder, Runtime, StoredVector, VectorStore
from innerlife.recall import table
from innerlife.recall.vectors import packed

BATCH = 8
"""Texts embedded in one step: a tenth of a second, so that an answer never waits long for the processor."""


class Backfill:
    """Embeds what is missing, newest first, a few texts at a time. `failed` counts what could not be embedded."""

    def __init__(
        self, runtime: Runtime, vectors: VectorStore, embedder: Embedder, kinds: Collection[str]
    ) -> None:
        self._runtime = runtime
        self._vectors = vectors
        self._embedder = embedder
        self._kinds = frozenset(kinds)
        self._failures: dict[int, str] = {}

    @property
    def failed(self) -> int:
        """How many texts could not be embedded since the start; they are tried again at the next one."""
        return len(self._failures)

    @property
    def trouble(self) -> str:
        """Why the last of them failed, or empty."""
        return next(reversed(self._failures.values()), "")

    def backlog(self) -> int:
        """How many texts have no vector of the present model. Raises StorageFailed."""
        return self._vectors.backlog(self._embedder.model, self._kinds)

    def step(self) -> int:
        """Embed one batch. Returns how many events were settled; 0 means that nothing is left. Raises StorageFailed."""
        missing = self._vectors.missing(self._embedder.model, self._kinds, BATCH + len(self._failures))
        wanted = [seq for seq in missing if seq not in self._failures][:BATCH]
        if not wanted:
            return 0
        with self._runtime.reading() as rows:
            folded = table.position(rows)
            texts = table.texts(rows, wanted)
        ready = [seq for seq in wanted if seq in texts]
        # An event that was folded and has no row holds nothing to be found; a later one has not been read yet.
        empty = [seq for seq in wanted if seq not in texts and seq <= folded]
        stored = [StoredVector(seq, (seq,), b"", 1.0) for seq in empty]
        stored += self._embedded(ready, [texts[seq] for seq in ready])
        if stored:
            self._vectors.put(self._embedder.model, self._embedder.dimension, stored)
        return len(ready) + len(empty)

    def _embedded(self, seqs: Sequence[int], texts: Sequence[str]) -> list[StoredVector]:
        if not seqs:
            return []
        try:
            pairs = packed(self._embedder.embed_passages(texts))
        except ModelUnavailable as error:
            if len(seqs) == 1:
                self._failures[seqs[0]] = error.message
                return []
            # One text must not keep its neighbours from being embedded.
            return [v for seq, text in zip(seqs, texts, strict=True) for v in self._embedded([seq], [text])]
        return [
            StoredVector(seq, (seq,), data, scale) for seq, (data, scale) in zip(seqs, pairs, strict=True)
        ]
