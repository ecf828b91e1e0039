"""How a course is shown: every day, and a word that is derived."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from innerlife.affect.cues import Affect
from innerlife.affect.display import periods_of, word_for
from tests.affect.made import AFFECTS, DAY_OF, GLAD, HARD, SWAMPED, TIRED, ago, reading

WORDS = {
    HARD: "tense", TIRED: "low", GLAD: "lively", SWAMPED: "too much at once", Affect(0.5, -0.4): "at ease",
    Affect(-0.5): "unpleasant", Affect(0.5): "pleasant", Affect(0.0, 0.5): "stirred", Affect(): "even",
    Affect(None, -0.5): "quiet",
}  # fmt: skip


@pytest.mark.parametrize(("affect", "word"), WORDS.items())
def test_a_category_is_derived_from_the_point(affect: Affect, word: str) -> None:
    """[A1] Dimensions are what is kept; the word is for showing."""
    assert word_for(affect) == word


@given(AFFECTS)
def test_every_point_has_a_word(affect: Affect) -> None:
    assert word_for(affect) in WORDS.values()


def test_every_day_between_is_shown() -> None:
    """[A1] A day without a reading is a gap, and what the person set aside is counted apart."""
    first, last = reading(HARD, at=ago(days=3), seq=1), reading(GLAD, at=ago(1), seq=2)
    aside = replace(reading(HARD, at=ago(2), seq=3), overridden=True)
    days = periods_of([first, aside, last], DAY_OF)
    assert [(one.readings, one.aside) for one in days] == [(1, 0), (0, 0), (0, 0), (1, 1)]
    assert [one.word for one in days] == ["tense", "", "", "lively"]
    assert (days[0].ease or 0) < 0 < (days[3].ease or 0)
    assert periods_of([], DAY_OF) == []


def test_a_week_begins_on_monday() -> None:
    (one, other) = periods_of([reading(at=ago(days=3)), reading(at=ago())], DAY_OF, weeks=True)
    assert [one.first.weekday(), other.first.weekday()] == [0, 0]
