"""Corrections: "No, I meant…", "that's not what I asked", or what the answer should have been ("shorter, please")."""

from __future__ import annotations

from typing import Final

from innerlife.learning.cued.correction import complained, named, others_say, politely_no
from innerlife.learning.likeness import told
from innerlife.learning.policy import LearningPolicy
from innerlife.learning.requests import kind_of
from innerlife.learning.terms import Sort
from innerlife.learning.turns import Detection, Followed, Window, evidence_of

SORT = Sort.CORRECTION

SUREST: Final = 0.95
"""A reading is never surer than this: one message in twenty is read wrongly by people too."""

_OUTRIGHT: Final = 0.15
"""How likely a correction must be that its words say outright ("too long"): cues seldom err on ordinary messages."""

_OUTRIGHT_SURE: Final = 0.7
"""How sure such a one is at least."""


def detect(window: Window, policy: LearningPolicy) -> Detection | None:
    """A correction of the last answer, with the respects that its words name, or else the one that is read in it."""
    if window.followed is not Followed.MESSAGE or window.next is None or not window.judged.answer_seq:
        return None
    reading = window.read(window, policy)
    likely = reading.likely.get(SORT, 0.0) if reading else 0.0
    text = told(window.next.said)
    if reading is None or politely_no(text) or others_say(text):
        return None
    if likely >= _OUTRIGHT and complained(window, text):
        likely = max(likely, _OUTRIGHT_SURE)
    if likely < policy.likely_correction:
        return None
    aspects = named(window, text) or ((reading.aspect,) if reading.aspect else ())
    kind = kind_of([turn.said for turn in window.turns])
    return Detection(SORT, min(likely, SUREST), evidence_of(window), aspects, kind)
