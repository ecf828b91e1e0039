"""Praise: the answer was right, said in more than thanks. What was right about it strengthens, or speaks against."""

from __future__ import annotations

import re
from typing import Final

from innerlife.learning.cue import all_cues
from innerlife.learning.likeness import told
from innerlife.learning.policy import LearningPolicy
from innerlife.learning.requests import kind_of, liked
from innerlife.learning.terms import Sort
from innerlife.learning.turns import Detection, Followed, Window, evidence_of

SORT = Sort.PRAISE

_SAID: Final = 0.8
_HEAD: Final = 160
_SENTENCE: Final = re.compile(r"[^.!?\n]+[.!?]*")
_OUTCRY: Final = re.compile(r"\w+,(?= )")
"""The word that a message begins with and that stands alone: it approves also where a question follows."""


def detect(window: Window, policy: LearningPolicy) -> Detection | None:  # noqa: ARG001 - the shape of all detectors
    """Approval of the last answer, with the respects that its words name."""
    if window.followed is not Followed.MESSAGE or window.next is None or not window.judged.answer_seq:
        return None
    text = told(window.next.said)[:_HEAD]
    # "Is it perfect?" asks; it approves of nothing.
    sentences = [one.strip() for one in _SENTENCE.findall(text) if not one.rstrip().endswith("?")]
    if (outcry := _OUTCRY.match(text)) is not None:
        sentences.append(outcry.group())
    praised = any(cues.praises.search(one) for one in sentences for cues in all_cues())
    turned = any(cues.turns_round.search(text) for cues in all_cues())
    if not praised and not turned:
        return None
    if not turned and any(cues.spoils.search(text) or cues.somebody.search(text) for cues in all_cues()):
        return None
    return Detection(
        SORT, _SAID, evidence_of(window), liked(text), kind_of([turn.said for turn in window.turns])
    )
