"""Behavioural and contextual cues: what in a message is unusual for this very person (promises A1, A6). Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from innerlife.affect.cues import Affect, Cue, CueKind
from innerlife.affect.features import Features
from innerlife.affect.habits import Habits, Measure, band_of, values_of
from innerlife.affect.reading_policy import ReadingPolicy


@dataclass(frozen=True, slots=True)
class Sign:
    """What it may mean that a measure is unusually high, or unusually low where `low`.

    `weight` is the share of the cap that it can reach.
    """

    measure: Measure
    name: str
    affect: Affect
    kind: CueKind = CueKind.BEHAVIOURAL
    low: bool = False
    weight: float = 1.0


_SIGNS: Final = (
    Sign(Measure.LENGTH, "shorter than usual", Affect(-0.3, 0.1, -0.1), low=True),
    Sign(Measure.LENGTH, "longer than usual", Affect(None, 0.3, None), weight=0.6),
    Sign(Measure.PACE, "answered faster than usual", Affect(None, 0.4, None), low=True, weight=0.6),
    Sign(Measure.EXCLAMATIONS, "more exclamation marks than usual", Affect(None, 0.5, None)),
    Sign(Measure.MARKS, "more marks in a row than usual", Affect(None, 0.5, None)),
    Sign(Measure.CAPITALS, "more capital letters than usual", Affect(None, 0.6, 0.1)),
    Sign(Measure.DRAWN_OUT, "letters drawn out more than usual", Affect(None, 0.4, None), weight=0.8),
    Sign(Measure.REPEATED, "words said twice more than usual", Affect(None, 0.3, -0.1), weight=0.6),
    Sign(Measure.ELLIPSES, "trailing off more than usual", Affect(-0.2, -0.2, -0.2), weight=0.6),
    Sign(Measure.EMOJI, "more emoji than usual", Affect(None, 0.3, None), weight=0.6),
    Sign(Measure.SWITCHES, "changing the topic more than usual", Affect(-0.2, 0.3, -0.3), weight=0.8),
    Sign(Measure.SPEECH_RATE, "spoken faster than usual", Affect(None, 0.4, None), weight=0.8),
    Sign(Measure.SPEECH_RATE, "spoken slower than usual", Affect(-0.1, -0.4, -0.1), low=True, weight=0.8),
    Sign(Measure.PAUSES, "more pauses than usual", Affect(-0.2, -0.2, -0.2), weight=0.8),
    Sign(Measure.SITTING, "here for longer than usual", Affect(None, -0.2, -0.1), CueKind.CONTEXTUAL),
)
"""Which behaviour is a sign of what. Source for shorter messages and changes of topic: anima §4.2; the rest by choice:
marks, capitals and speed tell of arousal and of nothing else."""

_ODD_HOUR: Final = Affect(-0.1, None, -0.1)


def behaviour(features: Features, habits: Habits, policy: ReadingPolicy) -> tuple[Cue, ...]:
    """What is unusual for the person in a message; nothing while their habits are not known."""
    if not habits.known(policy):
        return ()
    return (*_unusual(features, habits, policy), *_hour(features, habits, policy))


def _unusual(features: Features, habits: Habits, policy: ReadingPolicy) -> Iterator[Cue]:
    band, values = band_of(features), values_of(features)
    for sign in _SIGNS:
        value = values[sign.measure]
        usual = None if value is None else habits.usual(sign.measure, band, policy)
        if value is None or usual is None:
            continue
        distance = usual.distance(value) * (-1 if sign.low else 1)
        if distance < policy.unusual or usual.share_as_far(value) > policy.rare_share:
            continue
        cap = policy.contextual_cap if sign.kind is CueKind.CONTEXTUAL else policy.behavioural_cap
        sure = cap * sign.weight * min(distance / policy.surely_unusual, 1.0)
        yield Cue(sign.kind, sign.name, sign.affect, round(sure, 3))


def _hour(features: Features, habits: Habits, policy: ReadingPolicy) -> Iterator[Cue]:
    """An hour at which this person hardly ever writes."""
    if habits.hour_share(features.hour) <= policy.rare_hour_share:
        yield Cue(CueKind.CONTEXTUAL, "at an unusual hour", _ODD_HOUR, round(policy.contextual_cap / 2, 3))
