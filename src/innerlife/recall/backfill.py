"""The backlog of embedding: a query, not a queue (promise R5). What has no vector of the present model is missing."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from innerlife.errors import ModelUnavailable
from innerlife.ports import Embedder, Runtime, StoredVector, VectorStore
from innerlife.recall import table
from innerlife.recall.vectors import packed

BATCH = 8
"""Texts embedded in one step: a tenth of a second, so that an answer never waits long for the processor."""

FIRST_WAIT_S = 60.0
LONGEST_WAIT_S = 3_600.0
"""What failed is tried again after so many seconds, then after twice as many each time. Our choice."""

_PLAIN = "Good morning."
"""What any model that works can embed."""


@dataclass(frozen=True, slots=True)
class _Failure:
    times: int
    due: float
    message: str


class Backfill:
    """Embeds what is missing, newest first, a few texts at a time. `clock` gives seconds that only grow."""

    def __init__(
        self,
        runtime: Runtime,
        vectors: VectorStore,
        embedder: Embedder,
        kinds: Collection[str],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._runtime = runtime
        self._vectors = vectors
        self._embedder = embedder
        self._kinds = frozenset(kinds)
        self._clock = clock
        self._failures: dict[int, _Failure] = {}
        self._down: _Failure | None = None
        # Up to this seq nothing is missing, as long as nothing is forgotten: (epoch, seq).
        self._complete = (-1, 0)

    @property
    def failed(self) -> int:
        """How many texts could not be embedded; each is tried again, later and later."""
        return len(self._failures)

    @property
    def down(self) -> bool:
        """Whether the model itself fails: then nothing is tried for a while."""
        return self._down is not None

    @property
    def trouble(self) -> str:
        """Why the model fails, or the last of the texts that failed, or empty."""
        if self._down:
            return self._down.message
        return next(reversed(self._failures.values())).message if self._failures else ""

    def backlog(self) -> int:
        """How many texts have no vector of the present model. Raises StorageFailed."""
        return self._vectors.backlog(self._embedder.model, self._kinds)

    def step(self) -> int:
        """Embed one batch. Returns how many events were settled or tried; 0: nothing to do. Raises StorageFailed."""
        now = self._clock()
        if self._down and now < self._down.due:
            return 0
        waiting = {seq for seq, failure in self._failures.items() if now < failure.due}
        epoch = self._vectors.epoch()
        after = self._complete[1] if self._complete[0] == epoch else 0
        with self._runtime.reading() as rows:
            folded = table.position(rows)
        missing = self._vectors.missing(self._embedder.model, self._kinds, BATCH + len(waiting), after)
        if not missing:
            # Looking through a hundred thousand events at each wake-up would cost a fifth of a core.
            self._complete = (epoch, folded)
        wanted = [seq for seq in missing if seq not in waiting][:BATCH]
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
        return len(empty) if self._down else len(ready) + len(empty)

    def _embedded(self, seqs: Sequence[int], texts: Sequence[str]) -> list[StoredVector]:
        if not seqs:
            return []
        try:
            pairs = packed(self._embedder.embed_passages(texts))
        except ModelUnavailable as error:
            if self._is_down():
                return []
            if len(seqs) == 1:
                self._failures[seqs[0]] = self._again(self._failures.pop(seqs[0], None), error.message)
                return []
            # One text must not keep its neighbours from being embedded.
            return [v for seq, text in zip(seqs, texts, strict=True) for v in self._embedded([seq], [text])]
        self._down = None
        for seq in seqs:
            self._failures.pop(seq, None)
        return [
            StoredVector(seq, (seq,), data, scale) for seq, (data, scale) in zip(seqs, pairs, strict=True)
        ]

    def _is_down(self) -> bool:
        try:
            self._embedder.embed_passages([_PLAIN])
        except ModelUnavailable as error:
            self._down = self._again(self._down, error.message)
            return True
        self._down = None
        return False

    def _again(self, before: _Failure | None, message: str) -> _Failure:
        times = before.times + 1 if before else 1
        wait = min(FIRST_WAIT_S * 2.0 ** min(times - 1, 20), LONGEST_WAIT_S)
        return _Failure(times, self._clock() + wait, message)
