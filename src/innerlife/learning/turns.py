"""What a detector looks at: a few turns of one conversation, and what followed them. Plain values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from innerlife.learning.policy import LearningPolicy
from innerlife.learning.terms import Aspect, Sort, Trigger


class Followed(StrEnum):
    """What followed an answer, as it was recorded."""

    MESSAGE = "message"
    EDIT = "edit"
    AGAIN = "again"
    """The same message was answered once more."""
    NOTHING = "nothing"
    """The conversation was left there."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One exchange. `said` are the user's own words, without what they quote; seqs are 0 where nothing is."""

    seq: int
    said: str
    answer: str = ""
    answer_seq: int = 0


Nearness = Callable[[str, str], float | None]
"""How near two texts are in meaning, calibrated: 0 about the same subject, 1 the same; None where nothing measures."""


def unmeasured(_one: str, _other: str) -> None:
    """Where there is no embedding model."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What heads make of what followed an answer: how likely each sort is, and the respect, if it names one."""

    likely: Mapping[Sort, float]
    aspect: Aspect | None = None


Read = Callable[["Window", LearningPolicy], Reading | None]
"""Reads what followed the judged turn; None where no model does, and words alone have to."""


def unread(_window: Window, _policy: LearningPolicy) -> None:
    """Where there is no model with heads."""


@dataclass(frozen=True, slots=True)
class Window:
    """The turns up to the judged one, oldest first, and what followed.

    `followed` by an edit: the last turn is the message that was changed, `next` what it was changed to. `next` is None
    where nothing was said.
    """

    turns: tuple[Turn, ...]
    followed: Followed
    next: Turn | None = None
    near: Nearness = unmeasured
    read: Read = unread

    @property
    def judged(self) -> Turn:
        """The turn whose answer is judged."""
        return self.turns[-1]


@dataclass(frozen=True, slots=True)
class Detection:
    """One piece of feedback. `evidence` are the seqs of the messages it rests on, `confidence` lies in (0, 1]."""

    sort: Sort
    confidence: float
    evidence: tuple[int, ...]
    aspects: tuple[Aspect, ...] = ()
    trigger: Trigger = Trigger.ANY


def evidence_of(window: Window) -> tuple[int, ...]:
    """The judged message with its answer, and what followed."""
    judged = window.judged
    seqs = (judged.seq, judged.answer_seq, window.next.seq if window.next else 0)
    return tuple(seq for seq in seqs if seq)
