"""Abandonment: a question dropped without an answer. Leaving with thanks, or with an answer, is none."""

from __future__ import annotations

from typing import Final

from innerlife.learning.cue import all_cues
from innerlife.learning.likeness import content, plain, shared, told
from innerlife.learning.policy import LearningPolicy
from innerlife.learning.requests import kind_of
from innerlife.learning.terms import Sort
from innerlife.learning.turns import Detection, Followed, Window, evidence_of

SORT = Sort.ABANDONMENT

_SAID: Final = 0.85
_TURNED: Final = 0.7
_LEFT: Final = 0.55
_LONGEST: Final = 80
"""Characters of a message that drops something; a longer one says more than that."""

_SAME_SUBJECT: Final = 0.5
"""Calibrated nearness from which two messages are about one subject: half of the way from near to the same."""

_LONGEST_EXCUSE: Final = 300
"""Characters of an answer that says it has none. A longer one may say so of a part, and answer the rest."""


def detect(window: Window, policy: LearningPolicy) -> Detection | None:
    """The last question was given up, left for another topic, or left alone."""
    sure = _sure(window, policy)
    if not sure:
        return None
    return Detection(SORT, sure, evidence_of(window), (), kind_of([turn.said for turn in window.turns]))


def _sure(window: Window, policy: LearningPolicy) -> float:
    match window.followed:
        case Followed.NOTHING:
            return _LEFT if _unanswered(window) and not _ends_well(window.judged.said) else 0.0
        case Followed.MESSAGE if window.next is not None:
            text = told(window.next.said)
            if len(text) <= _LONGEST and any(cues.gives_up.search(text) for cues in all_cues()):
                return _SAID
            return _TURNED if _unanswered(window) and _turns_away(window, text, policy) else 0.0
        case _:
            return 0.0


def _unanswered(window: Window) -> bool:
    """Whether the answer said that it is none."""
    answer = plain(window.judged.answer).strip()
    if not answer:
        return True
    return len(answer) <= _LONGEST_EXCUSE and any(cues.helpless.search(answer) for cues in all_cues())


def _ends_well(said: str) -> bool:
    """Whether a message only thanks: it left nothing open."""
    text = told(said)
    return len(content(text)) <= 3 and any(cues.thanks.search(text) for cues in all_cues())


def _turns_away(window: Window, text: str, policy: LearningPolicy) -> bool:
    """Whether the next message asks for something else."""
    asks = "?" in text or any(cues.asks.match(text) for cues in all_cues())
    if not asks or not content(text) or any(cues.asks_on.match(text) for cues in all_cues()):
        return False
    if any(cues.missed.search(text) for cues in all_cues()):
        return False
    recent = window.turns[-2:]
    if any(
        shared(turn.said, text) > policy.another_topic or _near(window, turn.said, text) for turn in recent
    ):
        return False
    return shared(window.judged.answer, text) <= policy.another_topic


def _near(window: Window, said: str, text: str) -> bool:
    near = window.near(said, text)
    return near is not None and near >= _SAME_SUBJECT
