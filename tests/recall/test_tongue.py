from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innerlife.recall.policy import RecallPolicy
from innerlife.recall.tongue import Spoken, many_needed, spoken

POLICY = RecallPolicy()
GERMAN = "Ich war gestern mit meiner Schwester in der Stadt und wir haben lange geredet."
ENGLISH = "I was in town with my sister yesterday and we talked for a long time."
shares = st.builds(lambda told, part: Spoken(told, int(told * part)), st.integers(0, 300), st.floats(0, 1))


def test_the_languages_of_texts_are_counted() -> None:
    """[R5] What cannot be told (code, two words, an emoji) counts for neither side."""
    assert spoken([GERMAN, ENGLISH, "ok", "x = y + 1", "🙂", "Сегодня мы были дома"]) == Spoken(3, 2)
    assert spoken([]).share == 0.0


@pytest.mark.parametrize(
    ("present", "newest", "every", "expected"),
    [
        (False, Spoken(0, 0), Spoken(0, 0), False),
        (False, Spoken(9, 9), Spoken(9, 9), False),
        (False, Spoken(10, 2), Spoken(10, 2), True),
        (False, Spoken(100, 19), Spoken(100, 19), False),
        (False, Spoken(100, 90), Spoken(100, 0), True),
        (False, Spoken(100, 0), Spoken(100, 90), True),
        (True, Spoken(100, 10), Spoken(100, 10), True),
        (True, Spoken(100, 0), Spoken(100, 10), True),
        (True, Spoken(100, 5), Spoken(100, 5), False),
        (True, Spoken(0, 0), Spoken(0, 0), True),
    ],
)
def test_the_share_of_languages_decides(present: bool, newest: Spoken, every: Spoken, expected: bool) -> None:
    """[R5] Many languages from one text in five, until fewer than one in twenty, among the newest and among all."""
    assert many_needed(present, newest, every, POLICY) is expected


@given(st.booleans(), shares, shares)
def test_one_share_never_makes_it_waver(present: bool, newest: Spoken, every: Spoken) -> None:
    """[R5] What was decided by some shares is decided again by the same ones."""
    decided = many_needed(present, newest, every, POLICY)
    assert many_needed(decided, newest, every, POLICY) is decided
