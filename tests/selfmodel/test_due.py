"""Days from words, in the user's zone."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innerlife.errors import BadInput
from innerlife.selfmodel.due import due_day, end_of, held_until, local_day

FRIDAY = datetime(2026, 3, 6, 12, tzinfo=UTC)
VIENNA = "Europe/Vienna"


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("until Thursday", date(2026, 3, 12)),
        ("next Friday", date(2026, 3, 13)),
        ("Friday", date(2026, 3, 13)),
        ("by the 12th", date(2026, 3, 12)),
        ("the 31st", date(2026, 3, 31)),
        ("the 5th", date(2026, 4, 5)),
        ("tomorrow", date(2026, 3, 7)),
        ("the day after tomorrow", date(2026, 3, 8)),
        ("this weekend", date(2026, 3, 8)),
        ("in two weeks", date(2026, 3, 20)),
        ("12 March", date(2026, 3, 12)),
        ("end of the month", date(2026, 3, 31)),
        ("next month", date(2026, 4, 30)),
        ("2026-04-01", date(2026, 4, 1)),
        ("hasta el jueves", date(2026, 3, 12)),
        ("el próximo viernes", date(2026, 3, 13)),
        ("el viernes que viene", date(2026, 3, 13)),
        ("mañana", date(2026, 3, 7)),
        ("pasado mañana", date(2026, 3, 8)),
        ("en tres días", date(2026, 3, 9)),
        ("el 12 de marzo", date(2026, 3, 12)),
        ("a fin de mes", date(2026, 3, 31)),
        ("bis Donnerstag", date(2026, 3, 12)),
        ("in drei Tagen", date(2026, 3, 9)),
        ("yesterday", date(2026, 3, 5)),
        ("Monday at 5", date(2026, 3, 9)),
        ("on Monday at 17:30", date(2026, 3, 9)),
        ("tomorrow at 5 pm", date(2026, 3, 7)),
        ("el lunes a las 5", date(2026, 3, 9)),
        ("Thursday 12", date(2026, 3, 12)),
        ("jueves 12", date(2026, 3, 12)),
        ("in March", date(2026, 3, 31)),
        ("en febrero", date(2027, 2, 28)),
        ("May", date(2026, 5, 31)),
    ],
)
def test_words_name_a_day(words: str, day: date) -> None:
    """[S1] English, Spanish and some others; on a Friday, "Friday" and "next Friday" are the coming one."""
    assert due_day(words, FRIDAY, VIENNA) == day


@pytest.mark.parametrize(
    "words",
    [
        "",
        "soon",
        "banana",
        "7",
        "99999999999999",
        "in 9999999999 years",
        "x" * 9_999,
        "\0",
        "0th",
        "the 42nd",
        "a",
        "ma",
        "at 5",
        "9999-12-31",
        "0001-01-01",
    ],
)
def test_words_that_name_no_day(words: str) -> None:
    """[S1] None, not a guess and not an error."""
    assert due_day(words, FRIDAY, VIENNA) is None


@given(st.text(max_size=120))
def test_any_text_is_read_without_an_error(text: str) -> None:
    """[S1] Whatever a model writes into the field."""
    found = due_day(text, FRIDAY, VIENNA)
    assert found is None or isinstance(found, date)


def test_a_day_is_a_day_where_the_user_is() -> None:
    """[S1] Late on Thursday in Vienna it is Friday in Tokyo, and the day ends when it ends there."""
    at = datetime(2026, 3, 5, 20, tzinfo=UTC)
    assert due_day("tomorrow", at, VIENNA) == date(2026, 3, 6)
    assert due_day("tomorrow", at, "Asia/Tokyo") == date(2026, 3, 7)
    assert end_of(date(2026, 3, 6), "+09:00") == datetime(2026, 3, 6, 14, 59, 59, tzinfo=UTC)
    assert end_of(date(2026, 3, 6), "UTC+9") == datetime(2026, 3, 6, 14, 59, 59, tzinfo=UTC)
    assert local_day(at, "no/zone") == date(2026, 3, 5)


def test_how_long_a_thing_is_held() -> None:
    """[S1] Seven days unless given, and never dropped before the day after it was due."""
    assert held_until("", None, FRIDAY, VIENNA, 7) == FRIDAY + timedelta(days=7)
    assert local_day(held_until("", date(2026, 3, 30), FRIDAY, VIENNA, 7), VIENNA) == date(2026, 3, 31)
    assert local_day(held_until("Sunday", None, FRIDAY, VIENNA, 7), VIENNA) == date(2026, 3, 8)


@pytest.mark.parametrize("expires", ["yesterday", "2025-01-01", "soon", FRIDAY - timedelta(seconds=1)])
def test_an_expiry_that_has_passed_is_refused(expires: str | datetime) -> None:
    """[S1] Or one that names no day."""
    with pytest.raises(BadInput):
        held_until(expires, None, FRIDAY, VIENNA, 7)
