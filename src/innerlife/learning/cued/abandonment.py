"""Cues of abandonment: a question dropped in so many words, or left for another topic after an answer that was none."""

from __future__ import annotations

from typing import Final

from innerlife.learning.cue import all_cues
from innerlife.learning.likeness import content, plain, shared, told
from innerlife.learning.policy import LearningPolicy
from innerlife.learning.turns import Window

_LONGEST: Final = 80
"""Characters of a message that drops something; a longer one says more than that."""

_LONGEST_EXCUSE: Final = 300
"""Characters of an answer that says it has none. A longer one may say so of a part, and answer the rest."""


def dropped(window: Window, text: str, policy: LearningPolicy) -> bool:
    """Whether `text`, plain, drops what was asked."""
    if len(text) <= _LONGEST and any(cues.gives_up.search(text) for cues in all_cues()):
        return True
    return excused(window.judged.answer) and _turns_away(window, text, policy)


def excused(answer: str) -> bool:
    """Whether an answer says that it is none."""
    said = plain(answer).strip()
    if not said:
        return True
    return len(said) <= _LONGEST_EXCUSE and any(cues.helpless.search(said) for cues in all_cues())


def ends_well(said: str) -> bool:
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
    if any(shared(turn.said, text) > policy.another_topic for turn in window.turns[-2:]):
        return False
    return shared(window.judged.answer, text) <= policy.another_topic
