"""What counts: one reading a message, with the person's own word over all of it (promises A2, A5).

Folded from rows, so that any day of the past is the fold of the rows up to then, and nothing fades in what is stored.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import accumulate
from typing import Final, assert_never

from innerlife.affect.cues import Affect, Cue, CueKind, Say, Span
from innerlife.affect.events import (
    MannerChosen,
    Point,
    SignalCorrected,
    SignalDropped,
    SignalRead,
    StateSaid,
)
from innerlife.affect.journal import Row
from innerlife.affect.policy import AffectPolicy
from innerlife.affect.signals import size_of, strain


@dataclass(frozen=True, slots=True)
class Reading:
    """What counts for one message.

    `sitting` numbers the sittings of the course. `corrected` are the person's words where they corrected it.
    `overridden`: their word in the same sitting stands against it, so that it was never so; `moves`: it may still
    change manner. `evidence` are the events it rests on: the signal, and the correction.
    """

    seq: int
    id: str
    message: int
    conversation: str
    at: datetime
    zone: str
    sitting: int
    affect: Affect
    confidence: float
    kind: CueKind
    cues: tuple[Cue, ...]
    stage: str
    evidence: tuple[int, ...]
    corrected: str | None = None
    overridden: bool = False
    moves: bool = True


@dataclass(frozen=True, slots=True)
class Report:
    """What the person said of how they are: in a message, or by correcting a reading (then `words` are theirs).

    `strain` is how hard it says that things are, None where it does not.
    """

    seq: int
    message: int
    at: datetime
    zone: str
    sitting: int
    say: Say
    strain: float | None
    span: Span | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A manner that was chosen for a message, and the signals it rested on."""

    seq: int
    message: int
    at: datetime
    sitting: int
    points: tuple[Point, ...]
    signals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Course:
    """Everything that counts, each part in the order in which it happened."""

    readings: tuple[Reading, ...] = ()
    reports: tuple[Report, ...] = ()
    chosen: tuple[Chosen, ...] = ()


def course_of(rows: Sequence[Row], policy: AffectPolicy) -> Course:
    """The course that these rows make."""
    sittings = _sittings(rows, policy)
    message_of = {row.seq: row.thing for row in rows if isinstance(row.body, SignalRead)}
    dropped = {message_of.get(row.thing) for row in rows if isinstance(row.body, SignalDropped)}
    found: dict[int, Reading] = {}
    chosen, reports = [], []
    for row in rows:
        match row.body:
            case SignalRead() if row.thing not in dropped:
                now, new = found.get(row.thing), _reading(row, row.body, sittings[row.seq])
                # A later look at the same message counts where it is as sure: one message is never two readings.
                if now is None or new.confidence >= now.confidence:
                    found[row.thing] = new
            case StateSaid(say, affect, span):
                reports.append(
                    Report(row.seq, row.thing, row.at, row.zone, sittings[row.seq], say, strain(affect), span)
                )
            case MannerChosen(points):
                chosen.append(Chosen(row.seq, row.thing, row.at, sittings[row.seq], points, row.evidence))
            case _:
                pass
    for row in rows:
        message = message_of.get(row.thing)
        if isinstance(row.body, SignalCorrected) and message in found:
            found[message] = _corrected(found[message], row, row.body, policy)
            reports.append(_report_of(row, row.body, message, sittings[row.seq]))
    reports.sort(key=lambda one: (one.at, one.seq))
    readings = sorted(found.values(), key=lambda one: (one.at, one.seq))
    word = _Word(reports)
    return Course(tuple(word.over(one) for one in readings), tuple(reports), tuple(chosen))


def denied(read: float | None, report: Report) -> bool:
    """Whether a report says that a reading of such a strain is not so.

    That all is well speaks against everything, a denial against its own side of the scale, and a feeling that is named
    against the other side.
    """
    said = report.strain
    match report.say:
        case Say.FINE:
            return True
        case Say.DENIES:
            return said is None or read is None or said * read >= 0
        case Say.FEELS:
            return said is not None and read is not None and said * read < 0
        case _:
            assert_never(report.say)


def _sittings(rows: Sequence[Row], policy: AffectPolicy) -> dict[int, int]:
    """The number of each row's sitting: another one begins where nothing was read for so long."""
    gap = timedelta(hours=policy.sitting_hours)
    numbers: dict[int, int] = {}
    number, before = 0, None
    for row in sorted(rows, key=lambda one: (one.at, one.seq)):
        number += before is not None and row.at - before > gap
        numbers[row.seq], before = number, row.at
    return numbers


def _reading(row: Row, body: SignalRead, sitting: int) -> Reading:
    return Reading(
        row.seq, row.id, row.thing, row.stream, row.at, row.zone, sitting, body.affect, body.confidence, body.kind,
        body.cues, row.stage, (row.seq,),
    )  # fmt: skip


def _corrected(reading: Reading, row: Row, body: SignalCorrected, policy: AffectPolicy) -> Reading:
    """The reading as the person says it was: their words alone count, and where they name nothing, nothing does."""
    named = size_of(body.affect) > 0
    return replace(
        reading,
        affect=body.affect,
        confidence=policy.explicit_cap if named else 0.0,
        kind=CueKind.EXPLICIT,
        evidence=(*reading.evidence[:1], row.seq),
        corrected=body.words,
        overridden=not named,
        moves=named,
    )


def _report_of(row: Row, body: SignalCorrected, message: int, sitting: int) -> Report:
    say = Say.FEELS if size_of(body.affect) > 0 else Say.DENIES
    return Report(row.seq, message, row.at, row.zone, sitting, say, strain(body.affect), None, body.words)


_SIDES: Final = (None, -1.0, 0.0, 1.0)
"""Whether a report speaks against a reading depends on the side of its strain alone."""


def _side_of(read: float | None) -> float | None:
    return None if read is None else float((read > 0) - (read < 0))


_Sides = frozenset[float | None]


class _Sayings:
    """Things said, in order, and which sides of the scale they speak against: so no reading looks at each of them.

    By how many of them there were: `after`, those behind speak against; `denied_after`, of those the denials; `held`,
    those before still speak against, since what they say they feel lifts what they said before it.
    """

    def __init__(self, reports: Sequence[Report]) -> None:
        self._places = [(one.at, one.seq) for one in reports]
        sides = [frozenset(side for side in _SIDES if denied(side, one)) for one in reports]
        self.held = [_Sides()]
        for one, against in zip(reports, sides, strict=True):
            self.held.append(against if one.say is Say.FEELS else self.held[-1] | against)
        denials = [
            against if one.say is Say.DENIES else _Sides()
            for one, against in zip(reports, sides, strict=True)
        ]
        self.after, self.denied_after = (
            list(accumulate(reversed(each), _Sides.union, initial=_Sides()))[::-1]
            for each in (sides, denials)
        )

    def before(self, place: tuple[datetime, int]) -> int:
        """How many were said up to a place."""
        return bisect_right(self._places, place)


class _Word:
    """The person's word: what they said of how they are, corrections apart."""

    def __init__(self, reports: Sequence[Report]) -> None:
        spoken = [one for one in reports if not one.words]
        sittings: dict[int, list[Report]] = {}
        for one in spoken:
            sittings.setdefault(one.sitting, []).append(one)
        self._spoken = _Sayings(spoken)
        self._sittings = {number: _Sayings(found) for number, found in sittings.items()}
        self._named = {one.message: one.seq for one in spoken if one.say is Say.FEELS}
        self._corrected = {one.message: one.at for one in reports if one.words}

    def over(self, reading: Reading) -> Reading:
        """The reading as their word leaves it.

        What they say settles everything before it; what was only read, or is denied, was never so in that sitting.
        After it, nothing that is only read speaks against it, until the sitting ends or they say otherwise.
        """
        side = _side_of(strain(reading.affect))
        if reading.corrected is not None:
            when = self._corrected[reading.message]
            return replace(reading, moves=reading.moves and not self._settled(side, (when, 1 << 62)))
        own = reading.kind is CueKind.EXPLICIT
        place = (reading.at, self._named.get(reading.message, 0) if own else 0)
        sitting = self._sittings.get(reading.sitting, _NOTHING_SAID)
        said = sitting.before(place)
        if self._settled(side, place):
            against = sitting.denied_after[said] if own else sitting.after[said]
            return replace(reading, overridden=side in against, moves=False)
        if not own and side in sitting.held[said]:
            return replace(reading, overridden=True, moves=False)
        return reading

    def _settled(self, side: float | None, place: tuple[datetime, int]) -> bool:
        """Whether anything that was said after this place speaks against it."""
        return side in self._spoken.after[self._spoken.before(place)]


_NOTHING_SAID: Final = _Sayings(())
