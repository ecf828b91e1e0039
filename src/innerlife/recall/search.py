"""The use-case: both arms at once, fused, weighed by salience (promises R1, R2, R7)."""

from __future__ import annotations

import math
import time
from collections.abc import Collection
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TookTooLong
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from innerlife.errors import InnerlifeError
from innerlife.kernel.moments import from_micros
from innerlife.ports import Embedder, Runtime, VectorStore
from innerlife.recall import table
from innerlife.recall.evidence import Candidates, by_words
from innerlife.recall.fusion import Evidence, Weights
from innerlife.recall.lexical import asking, pool
from innerlife.recall.policy import RecallPolicy
from innerlife.recall.salience import salience, weighed
from innerlife.recall.semantic import Meaning, Near

FRESHEN_SECONDS = 2.0
"""How often what was embedded meanwhile is taken in."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found. `score` is positive and relative to the best of its search, which is near 1."""

    source: int
    score: float
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Found:
    """Hits, best first. `degraded` says in a few words what was missing, or is empty.

    `lexical` and `semantic` are what each arm alone would have answered, best first.
    """

    hits: tuple[Hit, ...]
    degraded: str = ""
    lexical: tuple[int, ...] = ()
    semantic: tuple[int, ...] = ()


class Recall:
    """Finds what is remembered. Safe to use from any thread."""

    def __init__(
        self,
        runtime: Runtime,
        vectors: VectorStore,
        embedder: Embedder | None,
        policy: RecallPolicy | None = None,
        weights: Weights | None = None,
    ) -> None:
        self._runtime = runtime
        self._vectors = vectors
        self._policy = policy or RecallPolicy()
        self._weights = weights or Weights()
        self._meaning = Meaning(runtime, vectors, embedder, self._policy) if embedder else None
        self._beside = ThreadPoolExecutor(2, thread_name_prefix="meaning")
        self._freshened = 0.0

    def search(self, text: str, now: datetime, wanted: int | None = None) -> Found:
        """What a message brings to mind, at most `wanted` passages. Raises StorageFailed."""
        deadline = time.monotonic() + self._policy.meaning_seconds
        meaning = self._meaning
        waiting = self._beside.submit(meaning.nearest, text) if meaning else None
        with self._runtime.reading() as rows:
            asked = asking(rows, text, self._policy)
            briefs = table.briefs(rows, pool(rows, asked, self._policy))
            near, degraded = _awaited(waiting, deadline)
            if near:
                briefs += table.briefs(rows, near.cosines.keys() - {brief.source for brief in briefs})
        if not briefs:
            self._freshen()
            return Found((), degraded)
        most = (wanted or self._policy.wanted) * self._policy.per_arm
        known = by_words(briefs, asked)
        lexical = self._lexical(known)[:most]
        present = set(known.ids.tolist())
        semantic = [i for i in near.cosines if i in present][:most] if near else []
        if meaning and near:
            cosines = near.cosines | meaning.cosines(near.query, set(lexical) - near.cosines.keys())
            known = known.with_meaning({i: near.spread.standing(c) for i, c in cosines.items()})
        # Only now, since it holds what the cosines need.
        self._freshen()
        # By words alone whatever shares one is kept: what the others mean is not known.
        floor = self._policy.least_odds if near else -math.inf
        hits = self._hits(known, {*lexical, *semantic}, now, wanted or self._policy.wanted, floor)
        return Found(tuple(hits), degraded, tuple(lexical), tuple(semantic))

    def use(self, embedder: Embedder) -> None:
        """Search by this model's vectors from now on; they are read first, and until then the old ones answer.

        Raises StorageFailed.
        """
        meaning = Meaning(self._runtime, self._vectors, embedder, self._policy)
        meaning.freshen()
        self._meaning = meaning

    def freshen(self) -> None:
        """Take in at once what was embedded since the last search. Raises StorageFailed."""
        if self._meaning:
            self._meaning.freshen()

    def close(self) -> None:
        """Wait for what runs beside; no search may follow."""
        self._beside.shutdown(cancel_futures=True)

    def warm(self) -> None:
        """Load model and codes in the background, so that the first search finds them ready."""
        if self._meaning:
            self._beside.submit(self._meaning.nearest, "")

    def _lexical(self, known: Candidates) -> list[int]:
        """Those that share words with the question, best first by words alone."""
        shared = np.flatnonzero(known.covered)
        order = np.lexsort((-known.ids[shared], -known.scores(self._weights)[shared]))
        return [int(i) for i in known.ids[shared[order]]]

    def _hits(
        self, known: Candidates, handed: Collection[int], now: datetime, wanted: int, floor: float
    ) -> list[Hit]:
        """The best of what the arms handed over, of those that have to do with the question."""
        places = np.flatnonzero(np.isin(known.ids, list(handed))).tolist()
        logs = known.scores(self._weights)
        best = max((logs[place] for place in places), default=0.0)
        least = best + math.log(self._policy.least_share)
        topical = known.on_topic(self._weights)
        scored: list[tuple[float, int, int]] = []
        for place in places:
            if logs[place] < least or topical[place] < floor:
                continue
            at = from_micros(int(known.micros[place]))
            present = salience(float(known.importance[place]), at, now, self._policy)
            score = weighed(math.exp(logs[place] - best), present, self._policy)
            scored.append((-score, -int(known.ids[place]), place))
        return [
            Hit(-source, -score, known.evidence(place)) for score, source, place in sorted(scored)[:wanted]
        ]

    def _freshen(self) -> None:
        now = time.monotonic()
        if self._meaning and now - self._freshened > FRESHEN_SECONDS:
            self._freshened = now
            self._beside.submit(self._meaning.freshen)


def _awaited(waiting: Future[Near] | None, deadline: float) -> tuple[Near | None, str]:
    if waiting is None:
        return None, ""
    try:
        return waiting.result(max(deadline - time.monotonic(), 0.0)), ""
    except TookTooLong:
        waiting.cancel()
        return None, "meaning was not ready in time, so memory was searched by words alone"
    except InnerlifeError as error:
        return None, f"memory was searched by words alone: {error.message}"
