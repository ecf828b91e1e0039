"""Days in words: the calendar date, and how long ago it is."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_NUMBERS = (
    "no",
    "a",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
_OFFSET = re.compile(r"(?:UTC|GMT)?([+-])(\d{1,2}):?(\d{2})?")
_DAYS_IN_MONTH = 30.44
_DAYS_IN_YEAR = 365.25


def calendar_date(day: date) -> str:
    """`8 May 2023`. English by hand, since `strftime` follows the machine's locale."""
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def local_day(at: datetime, zone: str | None) -> date:
    """The calendar day of `at` where `zone` is.

    A naive time is taken as UTC, and so is an unknown zone.
    """
    aware = at if at.tzinfo is not None else at.replace(tzinfo=UTC)
    try:
        return aware.astimezone(_zone(zone)).date()
    except OverflowError:
        return at.date()


def time_ago(day: date, today: date) -> str:
    """`yesterday`, `three weeks ago`, `two years ago`; empty for a day that has not come yet."""
    days = (today - day).days
    if days < 0:
        return ""
    if days < 2:
        return "yesterday" if days else "today"
    if days < 14:
        return _count(days, "day")
    if days < 60:
        return _count(days // 7, "week")
    months = round(days / _DAYS_IN_MONTH)
    if months < 12:
        return _count(months, "month")
    return _count(max(1, int((days + _DAYS_IN_MONTH / 2) / _DAYS_IN_YEAR)), "year")


def _count(number: int, unit: str) -> str:
    word = _NUMBERS[number] if number < len(_NUMBERS) else str(number)
    return f"{word} {unit}{'' if number == 1 else 's'} ago"


def _zone(name: str | None) -> tzinfo:
    if not name:
        return UTC
    if offset := _OFFSET.fullmatch(name):
        span = timedelta(hours=int(offset[2]), minutes=int(offset[3] or 0))
        return timezone(span if offset[1] == "+" else -span) if span < timedelta(hours=24) else UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC
