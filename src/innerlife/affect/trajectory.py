"""Where it is heading: escalating, de-escalating, stable or shifted, over turns and over days (anima §4.2).

One odd reading among the others changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from enum import StrEnum
from itertools import pairwise
from statistics import median

from innerlife.affect.policy import AffectPolicy

_FEW = 5
"""From so many readings on, the middle of all slopes is untouched by one odd reading: it has four of ten."""


class Trajectory(StrEnum):
    """The direction of a course; UNKNOWN where it is too short to tell."""

    ESCALATING = "escalating"
    DE_ESCALATING = "de-escalating"
    STABLE = "stable"
    SHIFTED = "shifted"
    UNKNOWN = "unknown"


def trajectory(strains: Sequence[float], policy: AffectPolicy) -> Trajectory:
    """The direction of strains in [-1, 1], oldest first.

    SHIFTED: the two newest stand clearly on the other side than the middle of those before. Else the middle of all
    slopes (Theil 1950, Sen 1968) times the length of the course; below five readings, two steps one way and none back.
    """
    if len(strains) < 3:
        return Trajectory.UNKNOWN
    if _shifted(strains, policy.felt):
        return Trajectory.SHIFTED
    change = _change(strains, policy.change / 2)
    if change >= policy.change:
        return Trajectory.ESCALATING
    return Trajectory.DE_ESCALATING if change <= -policy.change else Trajectory.STABLE


def by_day(readings: Sequence[tuple[date, float]]) -> list[tuple[date, float]]:
    """The middle strain of each day that has one, oldest first."""
    days: dict[date, list[float]] = {}
    for day, value in readings:
        days.setdefault(day, []).append(value)
    return [(day, median(values)) for day, values in sorted(days.items())]


def _shifted(strains: Sequence[float], side: float) -> bool:
    newest, before = strains[-2:], strains[:-2]
    if len(before) < 2:
        return False
    # At least two on either side: one odd reading is no side.
    was, hard, easy = median(before), sum(x >= side for x in before), sum(x <= -side for x in before)
    return (was >= side and hard >= 2 and max(newest) <= -side) or (
        was <= -side and easy >= 2 and min(newest) >= side
    )


def _change(strains: Sequence[float], step: float) -> float:
    """How much was gained over the whole course, negative where it was lost; 0 where it is not clear."""
    if len(strains) >= _FEW:
        slopes = [
            (later - earlier) / (right - left)
            for left, earlier in enumerate(strains)
            for right, later in enumerate(strains)
            if right > left
        ]
        return median(slopes) * (len(strains) - 1)
    steps = [later - earlier for earlier, later in pairwise(strains)]
    up, down = sum(one >= step for one in steps), sum(one <= -step for one in steps)
    return strains[-1] - strains[0] if (up >= 2 and not down) or (down >= 2 and not up) else 0.0
