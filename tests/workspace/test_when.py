"""Days in words."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innerlife.workspace.when import calendar_date, local_day, time_ago

TODAY = date(2023, 5, 30)


@pytest.mark.parametrize(
    ("day", "words"),
    [
        (TODAY, "today"),
        (date(2023, 5, 29), "yesterday"),
        (date(2023, 5, 28), "two days ago"),
        (date(2023, 5, 17), "13 days ago"),
        (date(2023, 5, 16), "two weeks ago"),
        (date(2023, 5, 8), "three weeks ago"),
        (date(2023, 4, 1), "eight weeks ago"),
        (date(2023, 2, 28), "three months ago"),
        (date(2022, 7, 1), "11 months ago"),
        (date(2022, 5, 30), "a year ago"),
        (date(2021, 5, 30), "two years ago"),
        (date(1990, 5, 30), "33 years ago"),
        (date(2023, 5, 31), ""),
    ],
)
def test_how_long_ago_is_said_in_words(day: date, words: str) -> None:
    """[W5] Nearness in time is said as a person says it, and a day to come is not said to be past."""
    assert time_ago(day, TODAY) == words.replace("11 months", "eleven months")


@given(st.integers(0, 40_000), st.integers(0, 40_000))
def test_what_is_longer_ago_never_sounds_nearer(first: int, second: int) -> None:
    """[W5] The unit never shrinks as the distance grows."""
    units = ["today", "yesterday", "day", "week", "month", "year"]

    def rank(days: int) -> int:
        words = time_ago(TODAY - timedelta(days=days), TODAY)
        return next(place for place, unit in enumerate(units) if unit in words.split(" ago")[0])

    near, far = sorted((first, second))
    assert rank(near) <= rank(far)


@pytest.mark.parametrize(
    ("zone", "day"),
    [
        ("Europe/Berlin", date(2023, 5, 9)),
        ("America/Los_Angeles", date(2023, 5, 8)),
        ("+02:00", date(2023, 5, 9)),
        ("UTC-5", date(2023, 5, 8)),
        (None, date(2023, 5, 8)),
        ("", date(2023, 5, 8)),
        ("Mars/Olympus", date(2023, 5, 8)),
        ("../../etc/passwd", date(2023, 5, 8)),
        ("+99:99", date(2023, 5, 8)),
    ],
)
def test_the_day_is_the_one_where_it_happened(zone: str | None, day: date) -> None:
    """[W5] Half past ten in the evening UTC is the next day in Berlin; a zone that does not exist is UTC."""
    assert local_day(datetime(2023, 5, 8, 22, 30, tzinfo=UTC), zone) == day


def test_times_without_a_zone_and_at_the_edge_of_the_calendar() -> None:
    """[W5] A naive time is UTC, and the first and last day of the calendar have a day in every zone."""
    assert local_day(datetime(2023, 5, 8, 22, 30), "Europe/Berlin") == date(2023, 5, 9)  # noqa: DTZ001 naive is meant
    assert local_day(datetime.max.replace(tzinfo=UTC), "+14:00") == date.max
    assert local_day(datetime.min.replace(tzinfo=UTC), "-12:00") == date.min


def test_dates_do_not_depend_on_the_locale() -> None:
    """[W5] A date reads the same on every machine."""
    assert [calendar_date(date(2023, month, 1)) for month in (1, 12)] == ["1 January 2023", "1 December 2023"]
