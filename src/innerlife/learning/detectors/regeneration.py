"""Regenerations: the same message was answered once more, although an earlier answer was complete."""

from __future__ import annotations

from typing import Final

from innerlife.learning.policy import LearningPolicy
from innerlife.learning.requests import kind_of
from innerlife.learning.terms import Sort
from innerlife.learning.turns import Detection, Followed, Window, evidence_of

SORT = Sort.REGENERATION

_RECORDED: Final = 0.6
"""That it was asked for is certain; that the answer was at fault is not: some look at two."""


def detect(window: Window, policy: LearningPolicy) -> Detection | None:  # noqa: ARG001 - the shape of all detectors
    """A fact of the recording."""
    if window.followed is not Followed.AGAIN:
        return None
    return Detection(SORT, _RECORDED, evidence_of(window), (), kind_of([turn.said for turn in window.turns]))
