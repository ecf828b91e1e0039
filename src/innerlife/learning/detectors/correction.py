"""Corrections: "No, I meant…", "that's not what I asked", or what the answer should have been ("shorter, please")."""

from __future__ import annotations

from typing import Final

from innerlife.learning.cue import all_cues
from innerlife.learning.likeness import content, shared, told
from innerlife.learning.policy import LearningPolicy
from innerlife.learning.requests import kind_of, wanted
from innerlife.learning.terms import Sort
from innerlife.learning.turns import Detection, Followed, Window, evidence_of

SORT = Sort.CORRECTION

_SAID: Final = 0.9
_NAMED: Final = 0.75
_HEAD: Final = 200
"""Characters in which a correction stands: who corrects does so first, and what follows is the request again."""

_LONGEST: Final = 160
"""Characters of a message that only names what it wants; a longer one asks for something new and says how."""


_SAME: Final = 0.6
"""Share of its words from which what follows a "yes, but" is the question that was passed by."""


def _insists(window: Window, text: str) -> bool:
    """Whether it is a "yes, but…" with the same question: the answer was beside it."""
    return any(cues.yes_but.match(text) for cues in all_cues()) and shared(window.judged.said, text) >= _SAME


def _denied(window: Window, head: str) -> bool:
    """Whether it denies what the answer, and not the person, brought up."""
    brought = content(window.judged.answer) - content(" ".join(turn.said for turn in window.turns))
    found = (one.group(0) for cues in all_cues() for one in cues.denies.finditer(head))
    return "?" not in head and any(content(denied.split()[-1]) & brought for denied in found)


def detect(window: Window, policy: LearningPolicy) -> Detection | None:
    """A correction of the last answer, with the respects that its words name."""
    if window.followed is not Followed.MESSAGE or window.next is None or not window.judged.answer_seq:
        return None
    text = told(window.next.said)
    head = text[:_HEAD]
    if any(cues.turns_round.search(head) or cues.declines.search(head[:40]) for cues in all_cues()):
        return None
    if any(cues.somebody.search(head) for cues in all_cues()):
        return None
    missed = any(cues.missed.search(head) for cues in all_cues()) or _insists(window, text)
    missed = missed or _denied(window, head)
    aspects = wanted(head) if missed or len(text) <= _LONGEST else ()
    if not missed and any(cues.praises.search(head) for cues in all_cues()):
        return None
    reading = window.read(window.judged, window.next)
    likely = reading.likely.get(SORT, 0.0) if reading else 0.0
    sure = _SAID if missed else _NAMED if aspects else likely if likely >= policy.likely_correction else 0.0
    if not sure:
        return None
    if not aspects and reading and reading.aspect:
        aspects = (reading.aspect,)
    return Detection(SORT, sure, evidence_of(window), aspects, kind_of([turn.said for turn in window.turns]))
