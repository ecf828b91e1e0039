"""What a message tells of how its author is: cues, each with its kind, its evidence and a confidence capped by kind.

Dimensions over categories (anima §4.5, after Barrett's theory of constructed emotion): valence, arousal, dominance.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

Span = tuple[int, int]
"""Start and end (exclusive) in characters of the user's own words."""


class CueKind(StrEnum):
    """What a cue rests on; the kind caps its confidence (promise A1)."""

    EXPLICIT = "explicit"
    LINGUISTIC = "linguistic"
    BEHAVIOURAL = "behavioural"
    CONTEXTUAL = "contextual"


@dataclass(frozen=True, slots=True)
class Affect:
    """A point in three dimensions, each in [-1, 1] or None where nothing is said of it.

    `valence`: unpleasant to pleasant; `arousal`: calm to stirred; `dominance`: overwhelmed to in control.
    """

    valence: float | None = None
    arousal: float | None = None
    dominance: float | None = None


@dataclass(frozen=True, slots=True)
class Cue:
    """One piece of evidence in one message.

    `name` says in plain words what was seen ("shorter than usual"); `confidence` lies in [0, 1]; `span` is where in
    the user's own words it stands, None where it is no place in them.
    """

    kind: CueKind
    name: str
    affect: Affect
    confidence: float
    span: Span | None = None


class Say(StrEnum):
    """What an explicit statement about oneself does."""

    FEELS = "feels"
    """It names how the person is now ("I'm frustrated")."""
    FINE = "fine"
    """It says that all is well ("I'm fine"): accepted, and overrides (promise A5)."""
    DENIES = "denies"
    """It says that a feeling is not there ("I'm not angry"): a correction of whatever was read."""


@dataclass(frozen=True, slots=True)
class Statement:
    """What the person says of how they are now, in their words; `feeling` is the word itself, "" for FINE."""

    say: Say
    feeling: str
    affect: Affect
    span: Span
