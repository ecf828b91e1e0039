"""Who had the say: the measures, from what happened."""

from __future__ import annotations

import sys
from datetime import timedelta
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innerlife.affect.course import course_of, denied
from innerlife.affect.cues import Affect, CueKind, Say
from innerlife.affect.events import Aim, Level, MannerChosen, Point, SignalCorrected, SignalRead
from innerlife.affect.journal import Row
from innerlife.affect.manner import guidance
from innerlife.affect.measures import Month, measures_of
from innerlife.affect.signals import strain
from tests.affect.made import DAY_OF, GLAD, HARD, NOW, POLICY, TIRED, ZONE, ago, row, said, signal

CHOSEN = MannerChosen((Point(Aim.GENTLER, Level.CLEAR),))


def measured(*rows: Row) -> list[Month]:
    return measures_of(rows, POLICY, DAY_OF)


def test_without_a_word_there_is_nothing_to_measure() -> None:
    """[A7] No reports, no share."""
    assert measured(signal(1, ago(2)), row(2, CHOSEN, ago(1), 5, (1,))) == []
    assert Month("2026-03").ios is None
    assert Month("2026-03").amr is None


def test_a_manner_against_their_word_is_counted() -> None:
    """[A7] "I'm fine", and gentler all the same because of what was read before: overridden, and not followed."""
    fine = said(2, ago(2), Say.FINE)
    (month,) = measured(
        signal(1, ago(2.5)), fine, row(3, CHOSEN, ago(1), 5, (1,)), row(4, CHOSEN, ago(0.5), 6, (1,))
    )
    assert (month.month, month.reports, month.overridden, month.corrections, month.misaligned, month.late) == (
        "2026-03", 1, 1, 1, 1, 2,
    )  # fmt: skip
    assert (month.ios, month.amr) == (1.0, 1.0)


@pytest.mark.parametrize("rows", [
    (said(2, ago(2), Say.FINE), row(3, CHOSEN, ago(2.2), 5, (1,))),
    (said(2, ago(2), Say.FINE), said(3, ago(1.5), Say.FEELS, HARD), row(4, CHOSEN, ago(1), 5, (1,))),
    (said(2, ago(2), Say.DENIES, GLAD), row(3, CHOSEN, ago(1), 5, (1,))),
    (said(2, ago(9), Say.FINE), row(3, CHOSEN, ago(1), 5, (1,))),
    (said(2, ago(2), Say.FEELS, TIRED), row(3, CHOSEN, ago(1), 5, (1,))),
], ids=["before it", "said otherwise since", "of the other side", "another sitting", "the same side"])  # fmt: skip
def test_what_goes_with_their_word_is_not_counted(rows: tuple[Row, ...]) -> None:
    """[A7] Only what speaks against it, while it holds."""
    (month,) = measured(signal(1, ago(2.5)), *rows)
    assert month.overridden == 0


def test_a_feeling_that_was_named_is_overridden_by_its_opposite() -> None:
    """[A7] "I'm happy", and gentler because of many exclamation marks."""
    (month,) = measured(
        signal(1, ago(2)), said(2, ago(2.5), Say.FEELS, GLAD), row(3, CHOSEN, ago(1), 5, (1,))
    )
    assert (month.ios, month.amr) == (1.0, None)


def test_a_correction_holds_for_good() -> None:
    """[A7] Days later the corrected reading must not be rested on, unless it is as they corrected it."""
    rows = [signal(1, ago(days=5), message=7), row(2, SignalCorrected("Joy", GLAD), ago(days=4), 1)]
    (month,) = measured(*rows, row(3, CHOSEN, ago(1), 9, (1,)))
    assert (month.amr, month.late) == (1.0, 1)
    (month,) = measured(*rows, row(3, CHOSEN, ago(1), 9, (1, 2)))
    assert month.amr == 0.0


def test_by_month() -> None:
    """[A7] Each report counts in its own month."""
    months = measured(said(1, ago(days=40), Say.FINE), said(2, ago(1), Say.FINE), said(3, ago(0.5), Say.FINE))
    assert [(one.month, one.reports) for one in months] == [("2026-01", 1), ("2026-03", 2)]


def life(count: int, hours: float) -> list[Row]:
    """Rows of somebody who is read, says how they are, corrects and is answered by a manner, one after the other."""
    rows: list[Row] = []
    for seq in range(1, count + 1):
        at = NOW - timedelta(days=3000) + timedelta(hours=hours) * seq
        match seq % 5:
            case 2:
                rows.append(said(seq, at, Say.FINE if seq % 10 == 2 else Say.FEELS, GLAD))
            case 3:
                rows.append(row(seq, SignalCorrected("so", GLAD), at, seq - 3))
            case 4:
                rows.append(row(seq, CHOSEN, at, seq * 100, tuple(range(max(1, seq - 9), seq))))
            case _:
                rows.append(signal(seq, at, HARD if seq % 2 else GLAD))
    return rows


def steps_of(rows: list[Row]) -> int:
    """How many instructions of this program measuring takes."""
    found = 0

    def step(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal found
        del argument
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        found += event == "opcode"
        return step

    before = sys.gettrace()
    sys.settrace(step)
    try:
        measures_of(rows, POLICY, lambda at, zone: at.date())
    finally:
        sys.settrace(before)
    return found


@pytest.mark.parametrize("hours", [0.5, 9.0], ids=["one sitting", "a sitting each"])
def test_a_long_life_is_measured_in_one_sweep(hours: float) -> None:
    """[A7] Of twice as many rows, at most a little more than twice the work, however they are spread."""
    half, whole = (steps_of(life(count, hours)) for count in (2500, 5000))
    assert whole < 2.3 * half


def by_definition(rows: list[Row]) -> tuple[int, int]:
    """(Overridden, late) of all that was said, each report held against each manner, as the terms are explained."""
    course = course_of(rows, POLICY)
    thing = {one.seq: one.thing for one in rows}
    bodies = {one.seq: one.body for one in rows}
    found = []
    for place, report in enumerate(course.reports):
        against = 0
        for chosen in course.chosen:
            later = [one for one in course.reports[place + 1 :] if one.at <= chosen.at]
            if report.words:
                holds = not any(one.words and one.message == report.message for one in later)
                wrong = report.seq not in chosen.signals and any(
                    thing[seq] == report.message for seq in chosen.signals
                )
            else:
                holds = report.sitting == chosen.sitting and all(one.words for one in later)
                mended = {thing[seq] for seq in chosen.signals if isinstance(bodies[seq], SignalCorrected)}
                wrong = any(
                    isinstance(body := bodies[seq], SignalRead) and denied(strain(body.affect), report)
                    for seq in chosen.signals
                    if seq not in mended
                )
            against += chosen.at >= report.at and holds and wrong
        found.append((against, bool(report.words) or report.say is not Say.FEELS))
    return sum(n > 0 for n, _ in found), sum(n for n, counts in found if counts)


WHAT = st.tuples(
    st.sampled_from(["signal", "fine", "denies", "feels", "correct", "chosen"]),
    st.sampled_from([0.0, 0.5, 4.0]),
    st.sampled_from([HARD, GLAD, Affect()]),
    st.sets(st.integers(1, 12), max_size=4),
)


@given(st.lists(WHAT, max_size=12))
def test_the_sweep_counts_what_the_terms_say(what: list[tuple[str, float, Affect, set[int]]]) -> None:
    """[A7] Whatever was read, said, corrected and chosen, also at one moment: as by holding all against all."""
    rows: list[Row] = []
    at = NOW - timedelta(days=9)
    for seq, (kind, hours, affect, about) in enumerate(what, 1):
        at += timedelta(hours=hours)
        signals = [one.seq for one in rows if isinstance(one.body, SignalRead)]
        read = [one.seq for one in rows if isinstance(one.body, SignalRead | SignalCorrected)]
        match kind:
            case "signal":
                rows.append(signal(seq, at, affect))
            case "chosen":
                rows.append(row(seq, CHOSEN, at, seq * 100, tuple(one for one in read if one in about)))
            case "correct" if signals:
                rows.append(row(seq, SignalCorrected("so", affect), at, signals[len(about) % len(signals)]))
            case "correct":
                pass
            case _:
                rows.append(said(seq, at, Say(kind), affect))
    months = measured(*rows)
    swept = (sum(one.overridden for one in months), sum(one.late for one in months))
    assert swept == by_definition(rows)


STEPS = st.tuples(
    st.sampled_from(["signal", "fine", "denies", "feels", "correct"]),
    st.floats(0.05, 30),
    st.sampled_from([HARD, GLAD, TIRED, Affect(-0.6)]),
    st.sampled_from([CueKind.LINGUISTIC, CueKind.BEHAVIOURAL]),
)


@given(st.lists(STEPS, max_size=15))
def test_the_rule_itself_never_overrides(steps: list[tuple[str, float, Affect, CueKind]]) -> None:
    """[A5] [A7] A life of signals and statements, a manner chosen after each by the rule: both measures are zero."""
    rows: list[Row] = []
    at, seq = NOW - timedelta(days=30), 0
    for what, hours, affect, kind in steps:
        at += timedelta(hours=hours)
        seq += 2
        match what:
            case "signal":
                rows.append(signal(seq, at, affect, 0.6, kind))
            case "correct":
                earlier = [one.seq for one in rows if one.kind == "affect.signal"]
                if not earlier:
                    continue
                rows.append(row(seq, SignalCorrected("so", affect), at, earlier[-1]))
            case _:
                rows.append(said(seq, at, Say(what), affect))
        chosen = guidance(course_of(rows, POLICY).readings, at, ZONE, POLICY, DAY_OF)
        if chosen:
            evidence = tuple(sorted({one for this in chosen for one in this.evidence}))
            points = tuple(one.point for one in chosen)
            rows.append(row(seq + 1, MannerChosen(points), at, seq * 100, evidence))
    for month in measured(*rows):
        assert (month.ios or 0, month.amr or 0) == (0, 0), month
