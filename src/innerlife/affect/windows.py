"""Windows of strong feeling, with which what is captured in them is tagged (promise A8). Pure.

The tag is worked out when something is looked at and stands in no event: what the person says later of how they were
lifts it, and no other room has to know of feelings.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from innerlife.affect.course import Reading
from innerlife.affect.policy import AffectPolicy
from innerlife.affect.signals import size_of


@dataclass(frozen=True, slots=True)
class Windows:
    """The moments of strong feeling, ascending, and how far around each one a window reaches."""

    moments: tuple[datetime, ...]
    around: timedelta

    def hold(self, at: datetime) -> bool:
        """Whether a moment lies in one of them."""
        place = bisect_left(self.moments, at)
        return any(abs(one - at) <= self.around for one in self.moments[max(place - 1, 0) : place + 1])


def windows_of(readings: Sequence[Reading], policy: AffectPolicy) -> Windows:
    """The windows that readings make: strong ones that are sure enough to change manner, not set aside by a word."""
    strong = sorted(
        one.at
        for one in readings
        if not one.overridden and one.confidence >= policy.slight and size_of(one.affect) >= policy.intense
    )
    return Windows(tuple(strong), timedelta(hours=policy.intense_hours))
