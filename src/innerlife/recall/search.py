"""The use-case: both arms at once, fused, weighed by salience (promises R1, R2, R7)."""

from __future__ import annotations

import math
import time
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TookTooLong
from dataclasses import dataclass
from datetime import datetime

from innerlife.errors import InnerlifeError
from innerlife.kernel.moments import from_micros
from innerlife.ports import Embedder, Runtime, VectorStore
from innerlife.recall import table
from innerlife.recall.evidence import by_words, with_meaning
from innerlife.recall.fusion import Evidence, Weights, fused
from innerlife.recall.lexical import asking, pool
from innerlife.recall.policy import RecallPolicy
from innerlife.recall.salience import salience, weighed
from innerlife.recall.semantic import Meaning, Near
from innerlife.recall.table import Candidate

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
            known = table.candidates(rows, pool(rows, asked, self._policy))
            near, degraded = _awaited(waiting, deadline)
            if near:
                known |= table.candidates(rows, near.cosines.keys() - known.keys())
        self._freshen()
        most = (wanted or self._policy.wanted) * self._policy.per_arm
        evidence = by_words(known, asked)
        lexical = self._lexical(evidence)[:most]
        semantic = [i for i in near.cosines if i in known][:most] if near else []
        candidates = {i: evidence[i] for i in {*lexical, *semantic}}
        if meaning and near:
            cosines = near.cosines | meaning.cosines(near.query, set(lexical) - near.cosines.keys())
            meanings = {i: near.spread.standing(c) for i, c in cosines.items() if i in known}
            candidates = with_meaning(candidates, known, meanings)
        hits = self._hits(candidates, known, now)[: wanted or self._policy.wanted]
        return Found(tuple(hits), degraded, tuple(lexical), tuple(semantic))

    def freshen(self) -> None:
        """Take in at once what was embedded since the last search. Raises StorageFailed."""
        if self._meaning:
            self._meaning.freshen()

    def warm(self) -> None:
        """Load model and codes in the background, so that the first search finds them ready."""
        if self._meaning:
            self._beside.submit(self._meaning.nearest, "")

    def _lexical(self, evidence: dict[int, Evidence]) -> list[int]:
        """Those that share words with the question, best first by words alone."""
        scores = {i: fused(found, self._weights) for i, found in evidence.items() if found.cover > 0}
        return sorted(scores, key=lambda i: (-scores[i], -i))

    def _hits(self, evidence: dict[int, Evidence], known: dict[int, Candidate], now: datetime) -> list[Hit]:
        scores = {i: fused(found, self._weights) for i, found in evidence.items()}
        best = max(scores.values(), default=0.0)
        hits = []
        for i, score in scores.items():
            present = salience(known[i].importance, from_micros(known[i].micros), now, self._policy)
            hits.append(Hit(i, weighed(math.exp(score - best), present, self._policy), evidence[i]))
        return sorted(hits, key=lambda hit: (-hit.score, -hit.source))

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
