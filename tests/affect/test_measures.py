"""Who had the say: the measures, from what happened."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innerlife.affect.course import course_of
from innerlife.affect.cues import Affect, CueKind, Say
from innerlife.affect.events import Aim, Level, MannerChosen, Point, SignalCorrected
from innerlife.affect.journal import Row
from innerlife.affect.manner import guidance
from innerlife.affect.measures import Month, measures_of
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
