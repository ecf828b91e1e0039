"""From cues to a signal: one reading of one message, believed as far as its kind allows, and fading (A1, A2)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import isfinite
from typing import assert_never

from innerlife.affect.cues import Affect, Cue, CueKind, Say, Span, Statement
from innerlife.affect.policy import AffectPolicy

_SAID = 0.9
"""How sure a statement about oneself is, before its cap: the person is the authority (anima §4.5)."""

_ORDER = (CueKind.EXPLICIT, CueKind.LINGUISTIC, CueKind.BEHAVIOURAL, CueKind.CONTEXTUAL)


@dataclass(frozen=True, slots=True)
class Glimpse:
    """What one message told: cues, and what the person said of how they are, in the order of the message."""

    cues: tuple[Cue, ...] = ()
    statements: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class Signal:
    """One reading of one message. `kind` is the strongest that it rests on; `cues` are its evidence."""

    affect: Affect
    confidence: float
    kind: CueKind
    cues: tuple[Cue, ...]


def cap_of(kind: CueKind, policy: AffectPolicy) -> float:
    """The most that a cue of this kind may be believed."""
    match kind:
        case CueKind.EXPLICIT:
            return policy.explicit_cap
        case CueKind.LINGUISTIC:
            return policy.linguistic_cap
        case CueKind.BEHAVIOURAL:
            return policy.behavioural_cap
        case CueKind.CONTEXTUAL:
            return policy.contextual_cap
        case _:
            assert_never(kind)


def signal_of(glimpse: Glimpse, policy: AffectPolicy) -> Signal | None:
    """The signal of what was seen; None where nothing stands out.

    Where the person said how they are, in a dimension, nothing else counts there. Cues that agree strengthen one
    another up to the cap of the strongest kind among them; cues that pull apart weaken the whole.
    """
    cues = _each_once((*glimpse.cues, *_cues_of(glimpse.statements)), policy)
    if not cues:
        return None
    kind = next(kind for kind in _ORDER if any(cue.kind is kind for cue in cues))
    weighed = [cue for cue in cues if _grave(cue, policy)] or cues
    affect = Affect(*(_together(weighed, pick) for pick in DIMENSIONS))
    counting = [cue for cue in weighed if cue.kind is kind] if kind is CueKind.EXPLICIT else weighed
    confidence = min(sure_together([cue.confidence for cue in counting]), cap_of(kind, policy))
    confidence *= _agreement(counting)
    if confidence < policy.floor or size_of(affect) < policy.felt:
        return None
    return Signal(affect, confidence, kind, tuple(cues))


def faded(confidence: float, at: datetime, now: datetime, policy: AffectPolicy) -> float:
    """What is left of a confidence after a time: half after each half-life, all of it before it is a moment old."""
    age = max(now - at, timedelta()) / timedelta(hours=1)
    return float(confidence * 0.5 ** (age / policy.half_life_hours))


def sure_together(confidences: Collection[float]) -> float:
    """How sure several independent signs make one: 1 - Π(1 - c), in [0, 1]."""
    doubt = 1.0
    for one in confidences:
        doubt *= 1.0 - min(max(one, 0.0), 1.0)
    return 1.0 - doubt


def size_of(affect: Affect) -> float:
    """How far from the middle a point is, in the dimension in which it is farthest; 0 where nothing is known."""
    return max(abs(pick(affect) or 0.0) for pick in DIMENSIONS)


def strain(affect: Affect) -> float | None:
    """How hard things are, in [-1, 1], None where neither valence nor dominance is known.

    Unpleasant is hard; being stirred up, or overwhelmed, makes it harder (anima §4.5: dimensions, no categories).
    """
    valence, arousal, dominance = (pick(affect) for pick in DIMENSIONS)
    if valence is None:
        return None if dominance is None else -dominance
    harder = 0.25 * ((arousal or 0.0) - (dominance or 0.0)) if valence < 0 else 0.0
    return min(max(harder - valence, -1.0), 1.0)


DIMENSIONS: tuple[Callable[[Affect], float | None], ...] = (
    lambda affect: affect.valence,
    lambda affect: affect.arousal,
    lambda affect: affect.dominance,
)
"""Valence, arousal, dominance of a point, in this order."""


def _each_once(cues: Sequence[Cue], policy: AffectPolicy) -> list[Cue]:
    """Every sign once, at most as sure as its kind allows, in an order of their own; what says nothing is left out."""
    found: dict[tuple[CueKind, str, Span | None], Cue] = {}
    for cue in sorted((_capped(cue, policy) for cue in cues if _says_something(cue)), key=_rank):
        # The same words are one statement, however many readers named them.
        name = "" if cue.kind is CueKind.EXPLICIT and cue.span else cue.name
        found.setdefault((cue.kind, name, cue.span), cue)
    return list(found.values())


def _grave(cue: Cue, policy: AffectPolicy) -> bool:
    return cue.kind is CueKind.EXPLICIT and (cue.affect.valence or 0.0) <= -policy.grave


def _says_something(cue: Cue) -> bool:
    values = _values(cue)
    return all(isfinite(value) for value in (cue.confidence, *values)) and cue.confidence > 0 and any(values)


def _capped(cue: Cue, policy: AffectPolicy) -> Cue:
    values = [None if (v := pick(cue.affect)) is None else min(max(v, -1.0), 1.0) for pick in DIMENSIONS]
    return replace(cue, affect=Affect(*values), confidence=min(cue.confidence, cap_of(cue.kind, policy)))


def _rank(cue: Cue) -> tuple[object, ...]:
    """The surest first; the rest only makes the order the same every time."""
    values = [pick(cue.affect) for pick in DIMENSIONS]
    known = tuple((value is not None, value or 0.0) for value in values)
    return -cue.confidence, _ORDER.index(cue.kind), cue.name, cue.span or (-1, -1), known


def _values(cue: Cue) -> list[float]:
    return [value for pick in DIMENSIONS if (value := pick(cue.affect)) is not None]


def _cues_of(statements: Sequence[Statement]) -> list[Cue]:
    """What the person said they feel, as cues."""
    return [
        Cue(CueKind.EXPLICIT, "said so", one.affect, _SAID, one.span)
        for one in statements
        if one.say is Say.FEELS
    ]


def _together(cues: Sequence[Cue], pick: Callable[[Affect], float | None]) -> float | None:
    """The mean of one dimension, weighted by confidence; of the person's own statements alone where there are any."""
    spoken = [cue for cue in cues if cue.kind is CueKind.EXPLICIT and pick(cue.affect) is not None]
    among = [cue for cue in spoken or cues if pick(cue.affect) is not None]
    total = sum(cue.confidence for cue in among)
    return sum(cue.confidence * (pick(cue.affect) or 0.0) for cue in among) / total if total else None


def _agreement(cues: Sequence[Cue]) -> float:
    """How far the signs point the same way, in [0, 1]; 1 where they say nothing of direction."""
    pulls = [cue.confidence * value for cue in cues if (value := strain(cue.affect)) is not None]
    whole = sum(map(abs, pulls))
    return abs(sum(pulls)) / whole if whole else 1.0
