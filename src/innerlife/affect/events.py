"""Events of affect, a closed union. None of them travels into the self-model, and no body names another event.

A signal rests on its message (`from`) and goes with it. A correction and a drop are about a signal (`trigger` and
`from`). What the person says of how they are rests on the message in which they say it. Spans count characters of the
message's own words.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from innerlife.affect.cues import Affect, Cue, CueKind, Say, Span
from innerlife.ledger.registry import Kind, Retention


@dataclass(frozen=True, slots=True)
class SignalRead:
    """One reading of one message, with its evidence."""

    affect: Affect
    confidence: float
    kind: CueKind
    cues: tuple[Cue, ...] = ()


@dataclass(frozen=True, slots=True)
class StateSaid:
    """What the person said of how they are, in a message: it overrides what was read."""

    say: Say
    affect: Affect
    span: Span


@dataclass(frozen=True, slots=True)
class SignalCorrected:
    """The person says how it was; `affect` is what their words name, without values where they name nothing."""

    words: str
    affect: Affect = field(default_factory=Affect)


@dataclass(frozen=True, slots=True)
class SignalDropped:
    """The person does not want the reading of that message: nothing rests on it any more."""


class Aim(StrEnum):
    """One way of adjusting."""

    CHECK_IN = "check_in"
    LISTEN = "listen"
    ANSWER_FIRST = "answer_first"
    ONE_STEP = "one_step"
    GENTLER = "gentler"
    SHORTER = "shorter"
    PATIENT = "patient"
    LIVELY = "lively"
    LIGHT = "light"


class Level(StrEnum):
    """How far."""

    SLIGHT = "slight"
    CLEAR = "clear"


@dataclass(frozen=True, slots=True)
class Point:
    """One adjustment, and how far it goes."""

    aim: Aim
    level: Level


@dataclass(frozen=True, slots=True)
class MannerChosen:
    """How a message was to be answered; rests on the message and on the signals behind it."""

    points: tuple[Point, ...]


AffectEvent = SignalRead | StateSaid | SignalCorrected | SignalDropped | MannerChosen

SIGNAL = "affect.signal"
SAID = "affect.said"
CORRECTED = "affect.corrected"
DROPPED = "affect.dropped"
MANNER = "affect.manner"


def _told_of_signal(signal: SignalRead) -> str:
    seen = ", ".join(dict.fromkeys(cue.name for cue in signal.cues))
    return f"Read a message of yours ({signal.kind.value}: {seen})"


def _told_of_state(said: StateSaid) -> str:
    return {
        Say.FEELS: "Took your word for how you are",
        Say.FINE: "Took your word that all is well",
        Say.DENIES: "Took your word that it is not so",
    }[said.say]


def _told_of_manner(manner: MannerChosen) -> str:
    aims = ", ".join(point.aim.value.replace("_", " ") for point in manner.points)
    return f"Chose how to answer: {aims}"


KINDS = (
    Kind(SIGNAL, SignalRead, Retention.ARCHIVE, tells=_told_of_signal),
    Kind(SAID, StateSaid, Retention.ARCHIVE, tells=_told_of_state),
    Kind(
        CORRECTED,
        SignalCorrected,
        Retention.ARCHIVE,
        tells=lambda said: f"You corrected a reading: {said.words}",
    ),
    Kind(DROPPED, SignalDropped, Retention.ARCHIVE, tells=lambda _: "You dropped a reading"),
    Kind(MANNER, MannerChosen, Retention.ARCHIVE, tells=_told_of_manner),
)
"""Kinds this room registers."""
