"""The semantic arm: the question's vector, the nearest codes, their cosines."""

from __future__ import annotations

import threading
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from innerlife.ports import Embedder, Runtime, Vector, VectorStore
from innerlife.recall import table
from innerlife.recall.policy import RecallPolicy
from innerlife.recall.vectors import Codes, cosines, unpacked

_PROBE = 256
"""Texts without a code that are looked up at once when the cache is freshened."""

_SAMPLE = 200
"""Vectors, spread over all, that show how near to a question a text is by chance."""

_FEWEST = 24
"""Vectors below which that is not measured, but taken as `UNKNOWN_SPREAD`."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean and standard deviation of the cosines of one question to any passage.

    Models and questions differ widely in both, so that a bare cosine says little.
    """

    mean: float
    deviation: float

    def standing(self, cosine: float) -> float:
        """A cosine in standard deviations above the mean."""
        return (cosine - self.mean) / self.deviation


UNKNOWN_SPREAD = Spread(0.13, 0.11)
"""That of all-MiniLM-L6-v2 on dialogue."""


@dataclass(frozen=True, slots=True)
class Near:
    """What the arm found: the question's vector, and cosines by subject, best first."""

    query: Vector
    cosines: dict[int, float]
    spread: Spread


class Meaning:
    """Nearest passages by meaning. Holds a cache of one-bit codes, dropped whenever the Core's epoch changes."""

    def __init__(
        self, runtime: Runtime, vectors: VectorStore, embedder: Embedder, policy: RecallPolicy
    ) -> None:
        self._runtime = runtime
        self._vectors = vectors
        self._embedder = embedder
        self._policy = policy
        self._lock = threading.Lock()
        self._codes = Codes(embedder.dimension, policy.codes)
        self._state: tuple[int, str] | None = None
        self._last = 0
        self._pending: list[int] = []
        self._turn = 0
        self._sample: Vector = np.empty((0, embedder.dimension), np.float32)
        self._sampled = 0

    def nearest(self, text: str) -> Near:
        """Cosines of the passages nearest to a question. Raises StorageFailed, ModelUnavailable."""
        query = self._embedder.embed_query(text)
        with self._lock:
            self._load()
            subjects = self._codes.nearest(query, self._policy.rescored)[: self._policy.rescored]
            spread = self._spread(query)
        found = self.cosines(query, subjects)
        ordered = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
        return Near(query, dict(ordered), spread)

    def cosines(self, query: Vector, subjects: Collection[int]) -> dict[int, float]:
        """Cosines of these subjects, where they have a vector."""
        with self._lock:
            found = self._codes.cosines(query, subjects)
        absent = [subject for subject in subjects if subject not in found]
        stored = self._vectors.fetch(self._embedder.model, absent) if absent else {}
        data = {subject: data for subject, (data, _) in stored.items() if data}
        if data:
            matrix = np.frombuffer(b"".join(data.values()), np.int8).reshape(len(data), -1)
            found |= zip(data, cosines(query, matrix).tolist(), strict=True)
        return found

    def freshen(self) -> int:
        """Take in what was embedded since; cheap, off the answer's path. Returns how many codes came in."""
        with self._lock:
            self._load()
            with self._runtime.reading() as rows:
                newer = table.newer(rows, self._last).tolist()
            self._last = newer[-1] if newer else self._last
            self._pending.extend(newer)
            added = self._probe(self._pending[-_PROBE:])
            # What failed to embed stays at the newest end; the others get their turn one slice after another.
            self._turn = (self._turn + _PROBE) % max(len(self._pending), 1)
            added += self._probe(self._pending[self._turn : self._turn + _PROBE])
            self._draw_sample()
            return added

    def _probe(self, subjects: list[int]) -> int:
        stored = self._vectors.fetch(self._embedder.model, subjects) if subjects else {}
        found = {subject: data for subject, (data, _) in stored.items() if data}
        self._codes.add(list(found), list(found.values()))
        if stored:
            self._pending = [subject for subject in self._pending if subject not in stored]
        return len(found)

    def _load(self) -> None:
        """Begin anew when something was forgotten or the views were replaced."""
        state = (self._vectors.epoch(), self._runtime.generation())
        if state == self._state:
            return
        self._codes = Codes(self._embedder.dimension, self._policy.codes, self._policy.held)
        for batch in self._vectors.scan(self._embedder.model):
            self._codes.add([subject for subject, _ in batch], [data for _, data in batch])
        with self._runtime.reading() as rows:
            every = table.newer(rows, 0)
        self._last = int(every[-1]) if len(every) else 0
        self._pending = np.setdiff1d(every, self._codes.subjects).tolist()
        self._sampled = 0
        self._draw_sample()
        self._state = state

    def _spread(self, query: Vector) -> Spread:
        if len(self._sample) < _FEWEST:
            return UNKNOWN_SPREAD
        cosines = self._sample @ query
        return Spread(float(cosines.mean()), max(float(cosines.std()), 1e-3))

    def _draw_sample(self) -> None:
        """Draw the sample anew once there are twice as many vectors as the last time."""
        if len(self._codes) < max(_FEWEST, 2 * self._sampled):
            return
        self._sampled = len(self._codes)
        step = max(len(self._codes) // _SAMPLE, 1)
        chosen = [int(subject) for subject in np.sort(self._codes.subjects)[::step][:_SAMPLE]]
        stored = self._vectors.fetch(self._embedder.model, chosen)
        found = [unpacked(data) for data, _ in stored.values() if data]
        self._sample = np.stack(found) if found else self._sample[:0]
