"""Re-asks: the same question in other words, because the answer passed it by. A question that goes on is none."""

from __future__ import annotations

from typing import Final

from innerlife.learning.cued.reask import asked_before, goes_on
from innerlife.learning.detectors.correction import SUREST
from innerlife.learning.policy import LearningPolicy
from innerlife.learning.requests import kind_of
from innerlife.learning.terms import Sort
from innerlife.learning.turns import Detection, Followed, Turn, Window, evidence_of

SORT = Sort.REASK

_GOES_ON: Final = 0.75
"""How likely a re-ask must be that begins as what goes on from an answer does ("and…") and takes up no word."""


def detect(window: Window, policy: LearningPolicy) -> Detection | None:
    """The newest message asks what the last one asked, or, by its words, what one shortly before it did."""
    if window.followed is not Followed.MESSAGE or window.next is None:
        return None
    reading = window.read(window, policy) if window.judged.answer_seq else None
    least = _GOES_ON if goes_on(window, window.next.said) else policy.likely_reask
    if reading is not None and reading.likely.get(SORT, 0.0) >= least:
        return _found(window, window.judged, min(reading.likely[SORT], SUREST))
    earlier = asked_before(window, window.next.said, policy, window.near)
    if earlier is None or (reading is not None and earlier[0] is window.judged):
        return None
    return _found(window, *earlier)


def _found(window: Window, turn: Turn, sure: float) -> Detection:
    evidence = tuple(dict.fromkeys((turn.seq, *evidence_of(window))))
    return Detection(SORT, sure, evidence, (), kind_of([one.said for one in window.turns]))
