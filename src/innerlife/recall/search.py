"""The use-case: both arms at once, fused, weighed by salience (promises R1, R2, R7)."""

from __future__ import annotations

import math
import time
from collections.abc import Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TookTooLong
from dataclasses import dataclass
from datetime import datetime

from innerlife.errors import InnerlifeError
from innerlife.kernel.moments import from_micros
from innerlife.ports import Embedder, Runtime, VectorStore
from innerlife.recall import table
from innerlife.recall.fusion import Evidence, Weights, by_scene, fused
from innerlife.recall.lexical import Asking, asking, cover, pool
from innerlife.recall.policy import RecallPolicy
from innerlife.recall.question import closeness
from innerlife.recall.salience import salience, weighed
from innerlife.recall.semantic import Meaning, Near
from innerlife.recall.table import Candidate

FRESHEN_SECONDS = 2.0
"""How often what was embedded meanwhile is taken in."""

_DAY = 86_400_000_000

_LONGEST = math.log(61)
"""Beyond 60 terms a longer text is no better an answer."""


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
            cosines = dict(near.cosines) if near else {}
            known |= table.candidates(rows, cosines.keys() - known.keys())
        if meaning and near:
            cosines |= meaning.cosines(near.query, known.keys() - cosines.keys())
        self._freshen()
        return self._ranked(known, asked, near, cosines, now, wanted or self._policy.wanted, degraded)

    def freshen(self) -> None:
        """Take in at once what was embedded since the last search. Raises StorageFailed."""
        if self._meaning:
            self._meaning.freshen()

    def warm(self) -> None:
        """Load model and codes in the background, so that the first search finds them ready."""
        if self._meaning:
            self._beside.submit(self._meaning.nearest, "")

    def _ranked(
        self,
        known: dict[int, Candidate],
        asked: Asking,
        near: Near | None,
        cosines: dict[int, float],
        now: datetime,
        wanted: int,
        degraded: str,
    ) -> Found:
        evidence = _evidence(known, asked, near, cosines)
        most = wanted * self._policy.per_arm
        words_alone = {i: fused(_wordly(e), self._weights) for i, e in evidence.items() if e.cover > 0}
        lexical = sorted(words_alone, key=lambda i: (-words_alone[i], -i))[:most]
        semantic = [i for i in near.cosines if i in known][:most] if near else []
        scores = {i: fused(evidence[i], self._weights) for i in {*lexical, *semantic}}
        best = max(scores.values(), default=0.0)
        hits = [
            Hit(
                i,
                weighed(
                    math.exp(score - best),
                    salience(known[i].importance, from_micros(known[i].micros), now, self._policy),
                    self._policy,
                ),
                evidence[i],
            )
            for i, score in scores.items()
        ]
        hits.sort(key=lambda hit: (-hit.score, -hit.source))
        return Found(tuple(hits[:wanted]), degraded, tuple(lexical), tuple(semantic))

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


def _evidence(
    known: dict[int, Candidate], asked: Asking, near: Near | None, cosines: dict[int, float]
) -> dict[int, Evidence]:
    """What speaks for each known row."""
    scenes: dict[int, Hashable] = {i: (row.stream or i, row.micros // _DAY) for i, row in known.items()}
    covers = {i: cover(row, asked) for i, row in known.items()}
    meanings = {i: near.spread.standing(cosines[i]) if near and i in cosines else 0.0 for i in known}
    scene_covers, scene_meanings = by_scene(covers, scenes), by_scene(meanings, scenes)
    speakers = asked.question.speakers
    return {
        i: Evidence(
            cover=covers[i],
            meaning=meanings[i],
            scene_cover=scene_covers[scenes[i]],
            scene_meaning=scene_meanings[scenes[i]],
            speaker=float(row.speaker in speakers) if len(speakers) == 1 else 0.5,
            date=closeness(asked.question.date, from_micros(row.micros)),
            timely=float(asked.question.asks_when and row.timely),
            length=min(math.log(1 + row.length), _LONGEST),
        )
        for i, row in known.items()
    }


def _wordly(evidence: Evidence) -> Evidence:
    """The same without meaning: what the lexical arm knows."""
    return Evidence(
        evidence.cover,
        0.0,
        evidence.scene_cover,
        0.0,
        evidence.speaker,
        evidence.date,
        evidence.timely,
        evidence.length,
    )
