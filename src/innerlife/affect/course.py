"""What counts: one reading a message, with the person's own word over all of it (promises A2, A5).

Folded from rows, so that any day of the past is the fold of the rows up to then, and nothing fades in what is stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import assert_never

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
    """What the person said of how they are: in a message, or by correcting a reading (then `words` are theirs)."""

    seq: int
    message: int
    at: datetime
    zone: str
    sitting: int
    say: Say
    affect: Affect
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
                    Report(row.seq, row.thing, row.at, row.zone, sittings[row.seq], say, affect, span)
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
    return Course(tuple(_under(one, reports) for one in readings), tuple(reports), tuple(chosen))


def denied(affect: Affect, report: Report) -> bool:
    """Whether a report says that such a reading is not so.

    That all is well speaks against everything, a denial against its own side of the scale, and a feeling that is named
    against the other side.
    """
    said, read = strain(report.affect), strain(affect)
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
    return Report(row.seq, message, row.at, row.zone, sitting, say, body.affect, None, body.words)


def _under(reading: Reading, reports: Sequence[Report]) -> Reading:
    """The reading as the person's word leaves it.

    What they say settles everything before it; what was only read, or is denied, was never so in that sitting. After
    it, nothing that is only read speaks against it, until the sitting ends or they say otherwise.
    """
    spoken = [one for one in reports if not one.words]
    if reading.corrected is not None:
        when = max(one.at for one in reports if one.words and one.message == reading.message)
        settled = any(one.at > when and denied(reading.affect, one) for one in spoken)
        return replace(reading, moves=reading.moves and not settled)
    said = [one for one in spoken if one.message == reading.message and one.say is Say.FEELS]
    place = (reading.at, said[-1].seq if said and reading.kind is CueKind.EXPLICIT else 0)
    after = [one for one in spoken if (one.at, one.seq) > place and denied(reading.affect, one)]
    if after:
        own = reading.kind is CueKind.EXPLICIT
        overridden = any(
            one.sitting == reading.sitting and (not own or one.say is Say.DENIES) for one in after
        )
        return replace(reading, overridden=overridden, moves=False)
    if reading.kind is CueKind.EXPLICIT:
        return reading
    held = [one for one in spoken if (one.at, one.seq) <= place and one.sitting == reading.sitting]
    # What they say they feel lifts what they said before it.
    since = max((place for place, one in enumerate(held) if one.say is Say.FEELS), default=0)
    if any(denied(reading.affect, one) for one in held[since:]):
        return replace(reading, overridden=True, moves=False)
    return reading
