"""What speaks for each passage that was read: first by words, then by meaning."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import replace

from innerlife.kernel.moments import from_micros
from innerlife.recall.fusion import Evidence, by_scene
from innerlife.recall.lexical import Asking, cover
from innerlife.recall.question import closeness
from innerlife.recall.table import Candidate

_DAY = 86_400_000_000

_LONGEST = math.log(61)
"""Beyond 60 terms a longer text is no better an answer."""


def by_words(known: Mapping[int, Candidate], asked: Asking) -> dict[int, Evidence]:
    """The evidence without meaning."""
    covers = {i: cover(row, asked) for i, row in known.items()}
    scene_covers = by_scene(covers, {i: _scene(row) for i, row in known.items()})
    named = asked.question.speakers
    dated = asked.question.date
    return {
        i: Evidence(
            cover=covers[i],
            meaning=0.0,
            scene_cover=scene_covers[_scene(row)],
            scene_meaning=0.0,
            speaker=float(row.speaker in named) if len(named) == 1 else 0.5,
            date=closeness(dated, from_micros(row.micros)) if dated else 0.0,
            timely=float(asked.question.asks_when and row.timely),
            length=min(math.log(1 + row.length), _LONGEST),
        )
        for i, row in known.items()
    }


def with_meaning(
    evidence: Mapping[int, Evidence], known: Mapping[int, Candidate], meanings: Mapping[int, float]
) -> dict[int, Evidence]:
    """The evidence with what is known of meaning; the rest stand where any passage stands, at 0."""
    scenes = by_scene(meanings, {i: _scene(known[i]) for i in meanings})
    return {
        i: replace(found, meaning=meanings.get(i, 0.0), scene_meaning=scenes.get(_scene(known[i]), 0.0))
        for i, found in evidence.items()
    }


def _scene(row: Candidate) -> Hashable:
    """One stream on one day (UTC); a text without a stream is a scene of its own."""
    return (row.stream or row.source, row.micros // _DAY)
