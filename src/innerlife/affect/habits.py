"""How this person usually writes, so that only what is unusual for them stands out (promise A6). Pure.

Median and median absolute deviation of their newest messages: by band of the week where there are enough, else of
all. A message long ago counts no more than its place among the newest allows; one odd message moves a median little.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import isfinite, log1p
from statistics import median
from typing import Final

from innerlife.affect.features import Features
from innerlife.affect.reading_policy import ReadingPolicy

_TO_DEVIATION: Final = 1.4826
"""Median absolute deviation of a normal distribution to its standard deviation."""


class Measure(StrEnum):
    """What is compared with the person's habit."""

    LENGTH = "length"
    PACE = "pace"
    EXCLAMATIONS = "exclamations"
    MARKS = "marks"
    CAPITALS = "capitals"
    DRAWN_OUT = "drawn_out"
    REPEATED = "repeated"
    ELLIPSES = "ellipses"
    EMOJI = "emoji"
    SWITCHES = "switches"
    SITTING = "sitting"
    SPEECH_RATE = "speech_rate"
    PAUSES = "pauses"


_LEAST_SPREAD: Final[Mapping[Measure, float]] = {
    Measure.LENGTH: 0.35,
    Measure.PACE: 0.4,
    Measure.EXCLAMATIONS: 0.35,
    Measure.MARKS: 0.35,
    Measure.CAPITALS: 0.12,
    Measure.DRAWN_OUT: 0.25,
    Measure.REPEATED: 0.25,
    Measure.ELLIPSES: 0.35,
    Measure.EMOJI: 0.35,
    Measure.SWITCHES: 0.25,
    Measure.SITTING: 0.4,
    Measure.SPEECH_RATE: 0.15,
    Measure.PAUSES: 0.1,
}
"""A spread is never taken for smaller: who never varies would else stand out by a hair. Counts and times are in
logarithms.

Our choice: one word, mark or minute more is nothing; twice or three times as many is something.
"""

Row = tuple[float | None, ...]
"""One message: its value for each Measure, in their order."""


@dataclass(frozen=True, slots=True)
class Usual:
    """Middle and spread of a measure, and the values they come from, ascending."""

    middle: float
    spread: float
    values: tuple[float, ...]

    def distance(self, value: float) -> float:
        """How many spreads above the middle `value` lies, negative below it."""
        return (value - self.middle) / self.spread

    def share_as_far(self, value: float) -> float:
        """Share of the values that go at least as far to that side, in [0, 1]."""
        far = (
            sum(one >= value for one in self.values)
            if value >= self.middle
            else sum(one <= value for one in self.values)
        )
        return far / len(self.values)


@dataclass(frozen=True, slots=True)
class Habits:
    """The newest messages of the person as numbers; their words are not in it. `seen` counts all there were.

    `newest` rows and those of each band are oldest first and at most as many as the policy keeps; `hours` are the hours
    of the day at which the newest were written.
    """

    seen: int = 0
    newest: tuple[Row, ...] = ()
    hours: tuple[int, ...] = ()
    bands: Mapping[str, tuple[Row, ...]] = field(default_factory=dict)

    def known(self, policy: ReadingPolicy) -> bool:
        """Whether enough messages were seen to speak of habits at all."""
        return len(self.newest) >= policy.known_from

    def usual(self, measure: Measure, band: str, policy: ReadingPolicy) -> Usual | None:
        """What is usual in a band, or of all where the band has too little; None while it is not known yet."""
        place = list(Measure).index(measure)
        for rows, least in ((self.bands.get(band, ()), policy.band_from), (self.newest, policy.known_from)):
            values = sorted(value for row in rows if (value := row[place]) is not None)
            if len(values) >= least:
                return _usual(values, _LEAST_SPREAD[measure])
        return None

    def hour_share(self, hour: int) -> float:
        """Share of the newest messages that were written within an hour of `hour`, around midnight too."""
        near = sum((one - hour) % 24 in {0, 1, 23} for one in self.hours)
        return near / max(len(self.hours), 1)


def learned(habits: Habits, features: Features, policy: ReadingPolicy) -> Habits:
    """Habits with one more message. Bounded: the oldest goes when there are as many as are kept."""
    row = tuple(values_of(features).values())
    band = band_of(features)
    bands = {**habits.bands, band: (*habits.bands.get(band, ()), row)[-policy.kept_in_band :]}
    newest = (*habits.newest, row)[-policy.kept :]
    return Habits(habits.seen + 1, newest, (*habits.hours, features.hour)[-policy.kept :], bands)


def values_of(features: Features) -> dict[Measure, float | None]:
    """The measures of a message, counts and times as logarithms; what is no finite number is left out."""
    found: dict[Measure, float | None] = {
        Measure.LENGTH: log1p(features.words),
        Measure.PACE: None if features.pace_s is None else log1p(features.pace_s),
        Measure.EXCLAMATIONS: log1p(features.exclamations),
        Measure.MARKS: log1p(features.marks),
        Measure.CAPITALS: features.capitals,
        Measure.DRAWN_OUT: log1p(features.drawn_out),
        Measure.REPEATED: log1p(features.repeated),
        Measure.ELLIPSES: log1p(features.ellipses),
        Measure.EMOJI: log1p(features.emoji),
        Measure.SWITCHES: features.switches,
        Measure.SITTING: log1p(max(features.sitting_minutes, 0.0)),
        Measure.SPEECH_RATE: None if features.speech_rate is None else log1p(features.speech_rate),
        Measure.PAUSES: features.pause_share,
    }
    return {measure: value if value is None or isfinite(value) else None for measure, value in found.items()}


def band_of(features: Features) -> str:
    """The band of the week a message falls in: a part of the day, on a working day or at the weekend."""
    part = ("night", "morning", "afternoon", "evening")[features.hour // 6]
    return f"{'weekend' if features.weekday >= 5 else 'week'} {part}"


def _usual(values: Sequence[float], least: float) -> Usual:
    middle = median(values)
    spread = _TO_DEVIATION * median(abs(value - middle) for value in values)
    return Usual(middle, max(spread, least), tuple(values))
