"""Cues, rows and readings made up for the rules of affect."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from innerlife.affect.course import Reading
from innerlife.affect.cues import Affect, Cue, CueKind, Say, Statement
from innerlife.affect.events import (
    AffectEvent,
    MannerChosen,
    SignalCorrected,
    SignalDropped,
    SignalRead,
    StateSaid,
)
from innerlife.affect.journal import Row
from innerlife.affect.policy import AffectPolicy
from innerlife.workspace.when import local_day

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)
ZONE = "Europe/Vienna"
POLICY = AffectPolicy()
DAY_OF = local_day

HARD = Affect(-0.7, 0.5, -0.2)
TIRED = Affect(-0.5, -0.6, -0.1)
SWAMPED = Affect(-0.6, 0.5, -0.7)
GLAD = Affect(0.8, 0.7, 0.4)
AT_EASE = Affect(0.6, -0.2, 0.3)

SCALE = st.floats(-1.0, 1.0)
AFFECTS = st.builds(Affect, st.none() | SCALE, st.none() | SCALE, st.none() | SCALE)
CUES = st.builds(
    Cue, st.sampled_from(CueKind), st.sampled_from(("a", "b", "c")), AFFECTS, st.floats(0.0, 1.0), st.none()
)


def cue(kind: CueKind, affect: Affect = HARD, confidence: float = 1.0, name: str = "sign") -> Cue:
    return Cue(kind, name, affect, confidence)


def feels(affect: Affect = HARD, start: int = 0) -> Statement:
    return Statement(Say.FEELS, "word", affect, (start, start + 4))


def ago(hours: float = 0.0, *, days: float = 0.0) -> datetime:
    return NOW - timedelta(hours=hours, days=days)


def row(seq: int, body: AffectEvent, at: datetime, thing: int, evidence: tuple[int, ...] = ()) -> Row:
    kinds: dict[type, str] = {
        SignalRead: "affect.signal", StateSaid: "affect.said", SignalCorrected: "affect.corrected",
        SignalDropped: "affect.dropped", MannerChosen: "affect.manner",
    }  # fmt: skip
    return Row(seq, f"E{seq}", kinds[type(body)], thing, "c1", at, ZONE, at, "affect.glance", evidence, body)


def signal(
    seq: int,
    at: datetime,
    affect: Affect = HARD,
    confidence: float = 0.6,
    kind: CueKind = CueKind.LINGUISTIC,
    message: int | None = None,
) -> Row:
    return row(seq, SignalRead(affect, confidence, kind), at, message or seq * 100)


def said(seq: int, at: datetime, say: Say, affect: Affect | None = None, message: int | None = None) -> Row:
    return row(seq, StateSaid(say, affect or Affect(), (0, 4)), at, message or seq * 100)


def reading(
    affect: Affect = HARD,
    confidence: float = 0.9,
    kind: CueKind = CueKind.EXPLICIT,
    at: datetime = NOW,
    seq: int = 1,
    sitting: int = 0,
) -> Reading:
    return Reading(
        seq,
        f"E{seq}",
        seq * 100,
        "c1",
        at,
        ZONE,
        sitting,
        affect,
        confidence,
        kind,
        (),
        "affect.glance",
        (seq,),
    )
