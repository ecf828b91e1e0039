"""How a course is shown to the person: by day or week, with a word for a point that is derived for display alone.

A category is never stored and never decides anything (anima §4.5: a label for communication, no primitive).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from statistics import median
from typing import Final

from innerlife.affect.course import Reading
from innerlife.affect.cues import Affect
from innerlife.affect.manner import DayOf
from innerlife.affect.signals import DIMENSIONS, strain

_CLEAR: Final = 0.2
"""How far from the middle a dimension has to be for a word that names it."""

_LOST: Final = -0.4
"""Dominance below which things are too much."""


@dataclass(frozen=True, slots=True)
class Period:
    """A day, or a week from its Monday on. `ease` is the middle of it from hard (-1) to easy (1), None without one.

    `readings` counted in it, `aside` were set aside by the person's word.
    """

    first: date
    ease: float | None
    affect: Affect
    readings: int
    aside: int

    @property
    def word(self) -> str:
        """A word for it, empty where nothing was read."""
        return word_for(self.affect) if self.readings else ""


def periods_of(readings: Sequence[Reading], day_of: DayOf, *, weeks: bool = False) -> list[Period]:
    """Every day (or week) from the first reading to the last, those without one too."""
    found: dict[date, list[Reading]] = {}
    for one in readings:
        found.setdefault(_first_of(day_of(one.at, one.zone), weeks=weeks), []).append(one)
    if not found:
        return []
    day, last, step = min(found), max(found), timedelta(days=7 if weeks else 1)
    periods = []
    while day <= last:
        periods.append(_period(day, found.get(day, [])))
        day += step
    return periods


def word_for(affect: Affect) -> str:
    """A plain word for a point: derived, for showing only."""
    valence, arousal, dominance = (pick(affect) or 0.0 for pick in DIMENSIONS)
    if dominance <= _LOST and valence < _CLEAR:
        return "too much at once"
    if valence <= -_CLEAR:
        return "tense" if arousal >= _CLEAR else "low" if arousal <= -_CLEAR else "unpleasant"
    if valence >= _CLEAR:
        return "lively" if arousal >= _CLEAR else "at ease" if arousal <= -_CLEAR else "pleasant"
    return "stirred" if arousal >= _CLEAR else "quiet" if arousal <= -_CLEAR else "even"


def _first_of(day: date, *, weeks: bool) -> date:
    return day - timedelta(days=day.weekday()) if weeks else day


def _period(first: date, readings: Sequence[Reading]) -> Period:
    counting = [one for one in readings if not one.overridden]
    strains = [value for one in counting if (value := strain(one.affect)) is not None]
    middle = Affect(*(_middle([pick(one.affect) for one in counting]) for pick in DIMENSIONS))
    ease = -median(strains) if strains else None
    return Period(first, ease, middle, len(counting), len(readings) - len(counting))


def _middle(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return median(known) if known else None
