"""Joining what the arms found. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np
from numpy.typing import NDArray

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


def fused(pieces: NDArray[np.float64], weights: Weights) -> NDArray[np.float64]:
    """The log-odds that each passage is what is asked for, up to a constant.

    `pieces` of shape (n, 8) hold the evidence for each, in the order of `Evidence`, which is that of `Weights`.
    """
    found: NDArray[np.float64] = pieces @ np.array(astuple(weights))
    return found


def scene_means(scores: NDArray[np.float64], scenes: NDArray[np.intp]) -> NDArray[np.float64]:
    """For each passage the mean of its scene's best; where fewer are known, the rest count 0. Shapes (n,)."""
    if not len(scores):
        return scores
    counted = np.maximum(scores, 0.0)
    order = np.lexsort((-counted, scenes))
    sorted_scenes = scenes[order]
    first = np.flatnonzero(np.r_[True, sorted_scenes[1:] != sorted_scenes[:-1]])
    rank = np.arange(len(order)) - np.repeat(first, np.diff(np.r_[first, len(order)]))
    best = order[rank < SCENE_BEST]
    return (np.bincount(scenes[best], counted[best]) / SCENE_BEST)[scenes]
