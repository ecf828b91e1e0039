"""Joining what the arms found. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

SCENE_BEST = 3
"""A scene is as near to a question as the mean of its three best passages."""


def reciprocal_rank(arms: Sequence[Sequence[int]], k: int) -> list[tuple[int, float]]:
    """Reciprocal rank fusion, the reference: Σ 1 / (k + rank + 1), ranks from 0; best first (promise R1)."""
    scores: dict[int, float] = defaultdict(float)
    for arm in arms:
        for rank, found in enumerate(arm):
            scores[found] += 1.0 / (k + rank + 1)
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for one passage. All are pure numbers.

    `cover`: share of the question's rarity-weighted terms found in it or beside it, about 0 to 1; `meaning`: cosine to
    the question in standard deviations above that of any passage; `scene_cover`, `scene_meaning`: the
    same of the scene it belongs to; `speaker`: 1 said by whom the question names, 0 by another, 0.5 no matter;
    `date`: fit to the date asked for, 0 to 1; `timely`: 1 where the question asks when and the passage speaks of time;
    `length`: ln(1 + terms), at most that of 60 terms.
    """

    cover: float
    meaning: float
    scene_cover: float
    scene_meaning: float
    speaker: float
    date: float
    timely: float
    length: float


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each piece of evidence counts, in log-odds.

    Fitted by a softmax over the candidates of each question on five dialogues, each held out in turn (`bench.recall`
    measures the result); rounded, since the figures move by less than a point when a weight moves by a third.
    """

    cover: float = 5.35
    meaning: float = 0.56
    scene_cover: float = 3.85
    scene_meaning: float = 1.03
    speaker: float = 2.4
    date: float = 5.0
    timely: float = 2.0
    length: float = 0.81


def fused(evidence: Evidence, weights: Weights) -> float:
    """The log-odds that a passage is what is asked for, up to a constant."""
    return (
        weights.cover * evidence.cover
        + weights.meaning * evidence.meaning
        + weights.scene_cover * evidence.scene_cover
        + weights.scene_meaning * evidence.scene_meaning
        + weights.speaker * evidence.speaker
        + weights.date * evidence.date
        + weights.timely * evidence.timely
        + weights.length * evidence.length
    )


def by_scene(scores: Mapping[int, float], scenes: Mapping[int, Hashable]) -> dict[Hashable, float]:
    """Each scene's mean over its best passages; where fewer are known, the rest count 0."""
    grouped: dict[Hashable, list[float]] = defaultdict(list)
    for found, score in scores.items():
        grouped[scenes[found]].append(score)
    return {scene: _best(values) for scene, values in grouped.items()}


def _best(values: Iterable[float]) -> float:
    return sum(sorted((max(value, 0.0) for value in values), reverse=True)[:SCENE_BEST]) / SCENE_BEST
