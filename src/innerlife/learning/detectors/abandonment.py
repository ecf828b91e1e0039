"""Abandonment: a question dropped without an answer. Leaving with thanks, or with an answer, is none."""

from __future__ import annotations

from innerlife.learning.cued.abandonment import ends_well
from innerlife.learning.detectors.correction import SUREST
from innerlife.learning.policy import LearningPolicy
from innerlife.learning.requests import kind_of
from innerlife.learning.terms import Sort
from innerlife.learning.turns import Detection, Followed, Window, evidence_of

SORT = Sort.ABANDONMENT


def detect(window: Window, policy: LearningPolicy) -> Detection | None:
    """The last question was given up, left for another topic, or left alone after an answer that passed it by."""
    least = {Followed.MESSAGE: policy.likely_abandonment, Followed.NOTHING: policy.likely_left}
    if window.followed not in least or not window.judged.answer_seq:
        return None
    reading = window.read(window, policy)
    likely = reading.likely.get(SORT, 0.0) if reading else 0.0
    if likely < least[window.followed] or (window.next is None and ends_well(window.judged.said)):
        return None
    kind = kind_of([turn.said for turn in window.turns])
    return Detection(SORT, min(likely, SUREST), evidence_of(window), (), kind)
