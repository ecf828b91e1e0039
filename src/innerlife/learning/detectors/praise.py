"""Praise: the answer was right, said in more than thanks. What was right about it strengthens, or speaks against."""

from __future__ import annotations

from innerlife.learning.cued.praise import HEAD
from innerlife.learning.detectors.correction import SUREST
from innerlife.learning.likeness import told
from innerlife.learning.policy import LearningPolicy
from innerlife.learning.requests import kind_of, liked
from innerlife.learning.terms import Sort
from innerlife.learning.turns import Detection, Followed, Window, evidence_of

SORT = Sort.PRAISE


def detect(window: Window, policy: LearningPolicy) -> Detection | None:
    """Approval of the last answer, with the respects that its words name."""
    if window.followed is not Followed.MESSAGE or window.next is None or not window.judged.answer_seq:
        return None
    reading = window.read(window, policy)
    likely = reading.likely.get(SORT, 0.0) if reading else 0.0
    if likely < policy.likely_praise:
        return None
    aspects = liked(told(window.next.said)[:HEAD])
    kind = kind_of([turn.said for turn in window.turns])
    return Detection(SORT, min(likely, SUREST), evidence_of(window), aspects, kind)
