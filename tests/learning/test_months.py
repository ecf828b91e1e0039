"""Months of what was measured: one kind of month, where the person is."""

from __future__ import annotations

from datetime import UTC, datetime

from innerlife.learning.terms import Sort
from tests.learning.conftest import Life

LONG = "First, let me explain at length what a branch is. " * 12


def test_all_measures_are_of_the_persons_own_months(life: Life) -> None:
    """[L6] [A7] Before midnight by UTC it is the next month already in Vienna, for all that is counted."""
    life.clock.at = datetime(2026, 3, 31, 22, 10, tzinfo=UTC)
    life.talk(
        ("How do I rename a branch in git?", LONG),
        ("That's too long, just the command please", "git branch -m"),
    )
    life.talk(("I'm fine", "Good."))
    life.think()
    (month,) = life.companion.helping.months()
    assert (month.name, month.exchanges, month.per_hundred(Sort.CORRECTION)) == ("2026-04", 3, 100 / 3)
    assert [(one.month, one.reports) for one in life.companion.mood.measures()] == [("2026-04", 1)]
