"""Guidance on manner, from what counts now (promise A3): a few fixed sentences, and never what was read.

The rule names how to answer, not how anybody is: no sentence here has a word of feeling, and none tells that anything
was noticed. Where it is not sure, it says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from statistics import median
from typing import Final

from innerlife.affect.course import Reading
from innerlife.affect.cues import Affect, CueKind
from innerlife.affect.events import Aim, Level, Point
from innerlife.affect.policy import AffectPolicy
from innerlife.affect.signals import DIMENSIONS, cap_of, faded, strain, sure_together
from innerlife.affect.trajectory import Trajectory, by_day, trajectory

DayOf = Callable[[datetime, str], date]
"""The local day of an instant, where a zone is."""

SENTENCES: Final[dict[tuple[Aim, Level], str]] = {
    (Aim.CHECK_IN, Level.SLIGHT): "If there is room for it, I ask once how things went since yesterday.",
    (Aim.CHECK_IN, Level.CLEAR): "I ask once, in passing, how things went since yesterday, and leave it at that.",
    (Aim.LISTEN, Level.SLIGHT): "I leave room for more to be said, and ask rather than advise.",
    (Aim.LISTEN, Level.CLEAR): "I take what was said at its word, offer to listen, and ask whether somebody is near.",
    (Aim.ANSWER_FIRST, Level.SLIGHT): "I come to the answer a little sooner than usual.",
    (Aim.ANSWER_FIRST, Level.CLEAR): "I answer first, without preamble, and explain only what is needed.",
    (Aim.ONE_STEP, Level.SLIGHT): "I put what matters most in front.",
    (Aim.ONE_STEP, Level.CLEAR): "I give one next step, not a list, and leave the rest for later.",
    (Aim.GENTLER, Level.SLIGHT): "I speak a little more softly than usual.",
    (Aim.GENTLER, Level.CLEAR): "I speak softly, leave jokes out, and let wait what can wait.",
    (Aim.SHORTER, Level.SLIGHT): "I keep it somewhat shorter than usual.",
    (Aim.SHORTER, Level.CLEAR): "I keep it short and plain.",
    (Aim.PATIENT, Level.SLIGHT): "I keep to this manner for now and bring up nothing new.",
    (Aim.PATIENT, Level.CLEAR): "I keep to this manner over the coming days and ask for little.",
    (Aim.LIVELY, Level.SLIGHT): "I may be a little livelier than usual.",
    (Aim.LIVELY, Level.CLEAR): "I answer with energy of my own, lively and playful.",
    (Aim.LIGHT, Level.SLIGHT): "I keep the tone light.",
    (Aim.LIGHT, Level.CLEAR): "I keep a light tone, with room for humour.",
}  # fmt: skip
"""Everything that this room can ever say in a prompt."""


@dataclass(frozen=True, slots=True)
class State:
    """What counts now: a point, how certain it is, in [0, 1], and the readings that it rests on."""

    affect: Affect
    certainty: float
    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class Guidance:
    """One adjustment as it is given, with the seqs of the events behind it."""

    point: Point
    text: str
    evidence: tuple[int, ...]


def sentence(point: Point) -> str:
    """An adjustment in words."""
    return SENTENCES[point.aim, point.level]


def state_of(readings: Sequence[Reading], now: datetime, policy: AffectPolicy) -> State | None:
    """What the readings (in order) come to at `now`; None where nothing is left of them.

    Each counts as it has faded, and in the newest sitting less with every newer one; context alone never counts.
    """
    back = now - timedelta(days=policy.back_days)
    counting = [
        one for one in readings if one.moves and one.kind is not CueKind.CONTEXTUAL and one.at >= back
    ]
    if not counting:
        return None
    weights = [_weight(place, counting, now, policy) for place in range(len(counting))]
    affect = Affect(*(_mean(counting, weights, pick) for pick in DIMENSIONS))
    hard = strain(affect)
    pulls = [weight * (strain(one.affect) or 0.0) for one, weight in zip(counting, weights, strict=True)]
    with_it = [
        (one, weight)
        for one, weight, pull in zip(counting, weights, pulls, strict=True)
        if hard is None or pull * hard >= 0
    ]
    most = max((cap_of(one.kind, policy) for one, _ in with_it), default=0.0)
    whole = sum(map(abs, pulls))
    agreement = abs(sum(pulls)) / whole if whole else 1.0
    certainty = min(sure_together([weight for _, weight in with_it]), most) * agreement
    heaviest = max((weight for _, weight in with_it), default=0.0)
    behind = tuple(one for one, weight in with_it if weight >= 0.1 * heaviest)
    return State(affect, certainty, behind)


def guidance(
    readings: Sequence[Reading],
    now: datetime,
    zone: str,
    policy: AffectPolicy,
    day_of: DayOf,
    *,
    first_today: bool = False,
) -> tuple[Guidance, ...]:
    """How to answer now, at most `most_sentences`; nothing where it is not certain enough.

    `first_today`: nothing was said yet on this local day, so that the day after a hard one begins with one question.
    """
    state = state_of(readings, now, policy)
    found: list[tuple[Point, tuple[Reading, ...]]] = []
    if first_today:
        found += _check_in(readings, now, zone, policy, day_of)
    if state is not None and state.certainty >= policy.slight:
        level = Level.CLEAR if state.certainty >= policy.clear else Level.SLIGHT
        if _to_be_listened_to(state, policy):
            aims: tuple[Aim, ...] = (Aim.LISTEN, Aim.GENTLER)
        else:
            aims = _aims(state.affect, level, policy, growing=_growing(readings, now, policy))
        if aims and _lasting(readings, zone, policy, day_of) and Aim.GENTLER in aims:
            aims = (*aims[:2], Aim.PATIENT)
        found += [(Point(aim, level), state.readings) for aim in aims]
    return tuple(
        Guidance(point, sentence(point), tuple(sorted({seq for one in behind for seq in one.evidence})))
        for point, behind in found[: policy.most_sentences]
    )


def _aims(affect: Affect, level: Level, policy: AffectPolicy, *, growing: bool) -> tuple[Aim, ...]:
    """What serves in such a state, what matters most first.

    `growing`: it has become harder from turn to turn. Then what was given did not serve: sooner, and shorter.
    """
    hard, (_, arousal, dominance) = strain(affect), (pick(affect) for pick in DIMENSIONS)
    if hard is not None and hard >= policy.felt:
        lost = dominance is not None and dominance <= -policy.overwhelmed
        if growing:
            aims = (Aim.ONE_STEP if lost else Aim.ANSWER_FIRST, Aim.SHORTER, Aim.GENTLER)
        elif lost:
            aims = (Aim.ONE_STEP, Aim.GENTLER, Aim.SHORTER)
        elif arousal is not None and arousal <= -policy.felt:
            aims = (Aim.GENTLER, Aim.SHORTER, Aim.ONE_STEP)
        else:
            aims = (Aim.ANSWER_FIRST, Aim.GENTLER, Aim.SHORTER)
        return aims if level is Level.CLEAR else aims[:2]
    if affect.valence is None or affect.valence < policy.felt:
        return ()
    if arousal is not None and arousal >= policy.stirred:
        return (Aim.LIVELY,)
    # Pleasant words are most often about some thing: a little of them is no reason to say anything.
    return (Aim.LIGHT,) if level is Level.CLEAR else ()


def _to_be_listened_to(state: State, policy: AffectPolicy) -> bool:
    """Whether what weighs on somebody comes before whatever they ask."""
    worst = min(
        (one.affect.valence or 0.0 for one in state.readings if one.kind is CueKind.EXPLICIT), default=0.0
    )
    return (state.affect.valence or 0.0) <= -policy.listened_to or worst <= -policy.grave


def _check_in(
    readings: Sequence[Reading], now: datetime, zone: str, policy: AffectPolicy, day_of: DayOf
) -> list[tuple[Point, tuple[Reading, ...]]]:
    """A question on the day after a hard day, unless the person has said that all is well."""
    yesterday = day_of(now, zone) - timedelta(days=1)
    of_it = tuple(
        one
        for one in readings
        if one.moves and one.kind is not CueKind.CONTEXTUAL and day_of(one.at, one.zone) == yesterday
    )
    strains = [value for one in of_it if (value := strain(one.affect)) is not None]
    if not strains or median(strains) < policy.hard_day:
        return []
    most = max(cap_of(one.kind, policy) for one in of_it)
    certainty = min(sure_together([one.confidence for one in of_it]), most)
    if certainty < policy.slight:
        return []
    level = Level.CLEAR if certainty >= policy.clear else Level.SLIGHT
    return [(Point(Aim.CHECK_IN, level), of_it)]


def _lasting(readings: Sequence[Reading], zone: str, policy: AffectPolicy, day_of: DayOf) -> bool:
    """Whether it has become harder over days."""
    return days_trajectory(readings, zone, policy, day_of) is Trajectory.ESCALATING


def _growing(readings: Sequence[Reading], now: datetime, policy: AffectPolicy) -> bool:
    """Whether it has become harder over the turns of a sitting that still goes on; context alone tells nothing."""
    told = [one for one in readings if one.kind is not CueKind.CONTEXTUAL]
    goes_on = bool(told) and now - told[-1].at <= timedelta(hours=policy.sitting_hours)
    return goes_on and turns_trajectory(told, policy) is Trajectory.ESCALATING


def days_trajectory(
    readings: Sequence[Reading], zone: str, policy: AffectPolicy, day_of: DayOf
) -> Trajectory:
    """The direction over the days that these readings (in order) were of."""
    known = [
        (day_of(one.at, one.zone or zone), value)
        for one in readings
        if not one.overridden and (value := strain(one.affect)) is not None
    ]
    return trajectory([value for _, value in by_day(known)], policy)


def turns_trajectory(readings: Sequence[Reading], policy: AffectPolicy) -> Trajectory:
    """The direction over the turns of the newest sitting."""
    newest = readings[-1].sitting if readings else 0
    strains = [strain(one.affect) for one in readings if one.sitting == newest and not one.overridden]
    return trajectory([value for value in strains if value is not None], policy)


def _weight(place: int, readings: Sequence[Reading], now: datetime, policy: AffectPolicy) -> float:
    """What a reading counts: as it has faded, and by how many newer ones the same sitting has."""
    one, newest = readings[place], readings[-1]
    newer = len(readings) - 1 - place if one.sitting == newest.sitting else 0
    return faded(one.confidence, one.at, now, policy) * float(0.5 ** (newer / policy.half_life_turns))


def _mean(
    readings: Sequence[Reading], weights: Sequence[float], pick: Callable[[Affect], float | None]
) -> float | None:
    known = [
        (value, weight)
        for one, weight in zip(readings, weights, strict=True)
        if (value := pick(one.affect)) is not None
    ]
    total = sum(weight for _, weight in known)
    return sum(value * weight for value, weight in known) / total if total else None
