"""Edits: the person changed a message that was answered already, and not only its spelling."""

from __future__ import annotations

from typing import Final

from innerlife.learning.likeness import says_more, told
from innerlife.learning.policy import LearningPolicy
from innerlife.learning.requests import kind_of, wanted
from innerlife.learning.terms import Sort
from innerlife.learning.turns import Detection, Followed, Window, evidence_of

SORT = Sort.EDIT

_CHANGED: Final = 0.7


def detect(window: Window, policy: LearningPolicy) -> Detection | None:  # noqa: ARG001 - the shape of all detectors
    """What was changed says more or less than before; what it now asks of the answer is what was missing."""
    if window.followed is not Followed.EDIT or window.next is None or not window.judged.answer_seq:
        return None
    before, after = window.judged.said, window.next.said
    if not (says_more(before, after) or says_more(after, before)):
        return None
    known = wanted(told(before))
    aspects = tuple(aspect for aspect in wanted(told(after)) if aspect not in known)
    return Detection(
        SORT, _CHANGED, evidence_of(window), aspects, kind_of([turn.said for turn in window.turns])
    )
