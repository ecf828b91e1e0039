"""What speaks for each passage that was read: first by words, then by meaning.

Columns instead of objects, since it is on the path of every answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from innerlife.kernel.moments import from_micros
from innerlife.recall.fusion import Evidence, Weights, fused, scene_means
from innerlife.recall.imprint import covers
from innerlife.recall.lexical import Asking
from innerlife.recall.question import closeness
from innerlife.recall.table import Brief

_DAY = 86_400_000_000

_LONGEST = 60
"""A text with more terms is no better an answer."""

_PIECES = {field.name: index for index, field in enumerate(fields(Evidence))}


@dataclass(frozen=True, slots=True)
class Candidates:
    """Passages side by side, n of them.

    `ids`, `importance` and `micros` have shape (n,); `scenes` too: equal numbers are one scene, a stream on one day
    (UTC), or a text without a stream by itself; `pieces` has shape (n, 8), in the order of `Evidence`.
    """

    ids: NDArray[np.int64]
    importance: NDArray[np.float64]
    micros: NDArray[np.int64]
    scenes: NDArray[np.intp]
    pieces: NDArray[np.float64]

    @property
    def covered(self) -> NDArray[np.bool_]:
        """Which of them share words with the question; shape (n,)."""
        shared: NDArray[np.bool_] = self.pieces[:, _PIECES["cover"]] > 0
        return shared

    def scores(self, weights: Weights) -> NDArray[np.float64]:
        """The log-odds of each, up to a constant; shape (n,)."""
        return fused(self.pieces, weights)

    def on_topic(self, weights: Weights) -> NDArray[np.float64]:
        """The part of them that words, meaning and time give; who speaks and how long says nothing of the topic."""
        pieces = self.pieces.copy()
        pieces[:, [_PIECES["speaker"], _PIECES["length"]]] = 0.0
        return fused(pieces, weights)

    def evidence(self, place: int) -> Evidence:
        """What speaks for one of them."""
        return Evidence(*map(float, self.pieces[place]))

    def with_meaning(self, meanings: Mapping[int, float]) -> Candidates:
        """The same with what is known of meaning; the rest stand where any passage stands, at 0."""
        found = np.array([meanings.get(i, 0.0) for i in self.ids.tolist()])
        pieces = self.pieces.copy()
        pieces[:, _PIECES["meaning"]] = found
        pieces[:, _PIECES["scene_meaning"]] = scene_means(found, self.scenes)
        return Candidates(self.ids, self.importance, self.micros, self.scenes, pieces)


def by_words(briefs: Sequence[Brief], asked: Asking) -> Candidates:
    """The evidence without meaning."""
    named, dated = asked.question.speakers, asked.question.date
    micros = np.array([one.micros for one in briefs], np.int64)
    scenes = _scenes(briefs)
    pieces = np.zeros((len(briefs), len(_PIECES)))
    columns = dict(zip(_PIECES, pieces.T, strict=True))
    columns["cover"][:] = covers([one.imprint for one in briefs], asked.rarity, asked.whole)
    columns["scene_cover"][:] = scene_means(columns["cover"], scenes)
    columns["speaker"][:] = [one.speaker in named for one in briefs] if len(named) == 1 else 0.5
    if dated:
        columns["date"][:] = [closeness(dated, from_micros(one.micros)) for one in briefs]
    if asked.question.asks_when:
        columns["timely"][:] = [one.timely for one in briefs]
    columns["length"][:] = np.log1p(np.minimum([one.length for one in briefs], _LONGEST))
    ids = np.array([one.source for one in briefs], np.int64)
    return Candidates(ids, np.array([one.importance for one in briefs]), micros, scenes, pieces)


def _scenes(briefs: Sequence[Brief]) -> NDArray[np.intp]:
    numbers: dict[tuple[str | int, int], int] = {}
    found = [
        numbers.setdefault((one.stream or one.source, one.micros // _DAY), len(numbers)) for one in briefs
    ]
    return np.array(found, np.intp)
