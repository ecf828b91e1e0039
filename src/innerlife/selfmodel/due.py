"""When something is due, from the words people use: "until Thursday", "el próximo viernes", "in two weeks".

Weekdays, days of the month, ends and turns of weeks are read here, because they are what people mean differently from
parsers; calendar dates and counted spans by `dateparser`, which knows some two hundred languages. Days are days in the
user's zone; what is due on a day is due until its end.
"""

from __future__ import annotations

import calendar
import re
import unicodedata
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from functools import cache
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from innerlife.errors import BadInput

LANGUAGES: Final = ("en", "es", "de", "fr", "it", "pt", "nl")
_LONGEST = 80
_LONGEST_AHEAD = timedelta(days=366 * 5)

_LEAD = re.compile(
    r"^(?:(?:not later than|no later than|up to|until|till|by|before|due|on|for|this coming|coming|the|"
    r"hasta|antes de|antes del|para|el|la|este|esta|bis|vor|am|zum|den|der|jusqu'à|avant|le|entro|il|até|tot|op)\s+)+"
)
_WEEKDAYS: Final = {
    name: day
    for day, names in enumerate(
        (
            "monday mon lunes montag lundi lunedi segunda segunda-feira maandag",
            "tuesday tue tues martes dienstag mardi martedi terca terca-feira dinsdag",
            "wednesday wed miercoles mittwoch mercredi mercoledi quarta quarta-feira woensdag",
            "thursday thu thurs jueves donnerstag jeudi giovedi quinta quinta-feira donderdag",
            "friday fri viernes freitag vendredi venerdi sexta sexta-feira vrijdag",
            "saturday sat sabado samstag sonnabend samedi sabato zaterdag",
            "sunday sun domingo sonntag dimanche domenica zondag",
        )
    )
    for name in names.split()
}
_NEXT = r"next|proximo|proxima|nachsten|nachste|nachster|prochain|prossimo|volgende"
_AFTER = r"que viene|proximo|prochain|prossimo|proxima"
_WEEKDAY = re.compile(
    rf"^(?:(?P<next>{_NEXT})\s+)?(?P<day>{'|'.join(sorted(_WEEKDAYS, key=len, reverse=True))})"
    rf"(?:\s+(?P<after>{_AFTER}))?(?:\s+(?:morning|afternoon|evening|night|por la manana|por la tarde))?$"
)
_WEEKDAY_AND_DAY = re.compile(
    rf"^(?:{'|'.join(sorted(_WEEKDAYS, key=len, reverse=True))}),?\s+(?:the\s+|dia\s+)?"
    r"(?P<day>\d{1,2})(?:st|nd|rd|th|º|\.)?$"
)
_CLOCK = re.compile(
    r"\s+(?:at|a las?|um|gegen|à|alle|às|om)\s+\d{1,2}(?:[:.h]\d{2})?\s*(?:am|pm|a\.m|p\.m|uhr|h|o'clock)?$"
)
_DAY_OF_MONTH = re.compile(r"^(?:dia\s+)?(?P<day>\d{1,2})(?:st|nd|rd|th|º|\.)$")
_ENDS: Final = {
    "week": r"(?:the )?end of (?:the|this) week|fin de (?:la )?semana|ende der woche|this week|esta semana",
    "weekend": r"(?:the |this )?weekend|(?:el |este )?fin de semana|wochenende|week-end",
    "month": r"(?:the )?end of (?:the|this) month|(?:a )?fin(?:al)?(?:es)? de(?:l)? mes|ende des monats|fin du mois",
    "year": r"(?:the )?end of (?:the|this) year|(?:a )?fin(?:al)?(?:es)? de(?:l)? ano|ende des jahres",
    "next week": r"next week|(?:la )?semana que viene|(?:la )?proxima semana|nachste woche|semaine prochaine",
    "next month": r"next month|(?:el )?mes que viene|(?:el )?proximo mes|nachsten monat|mois prochain",
    "after tomorrow": r"(?:the )?day after tomorrow|pasado manana|ubermorgen|apres-demain|dopodomani",
}
_END = {name: re.compile(f"^(?:{pattern})$") for name, pattern in _ENDS.items()}
_MONTHS: Final = {
    name: month
    for month, names in enumerate(
        (
            "january enero januar janner janvier gennaio janeiro januari",
            "february febrero februar fevrier febbraio fevereiro februari",
            "march marzo marz mars marco maart", "april abril avril aprile", "may mayo mai maggio maio mei",
            "june junio juni juin giugno junho", "july julio juli juillet luglio julho",
            "august agosto aout augustus", "september septiembre setiembre septembre settembre setembro",
            "october octubre oktober octobre ottobre outubro", "november noviembre novembre novembro",
            "december diciembre dezember decembre dicembre dezembro",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
_MONTH = re.compile(rf"^(?:(?:in|en|im|em|this|este|diesen)\s+)?(?P<month>{'|'.join(_MONTHS)})$")
_SHORTEST = 3
"""Characters of words for a day: shorter ones are some language's short name of one, and anything else in another."""

_YEARS: Final = range(1900, 2200)
"""What a calendar date may name: at either end of the calendar a zone leads out of it."""

_COUNTS: Final = {
    word: str(number)
    for number, words in enumerate(
        (
            "one un una uno ein eine einem einer", "two dos zwei deux due", "three tres drei trois tre",
            "four cuatro vier quatre quattro", "five cinco funf cinq cinque", "six seis sechs sei",
            "seven siete sieben sept sette", "eight ocho acht huit otto", "nine nueve neun neuf nove",
            "ten diez zehn dix dieci",
        ),
        1,
    )
    for word in words.split()
}  # fmt: skip


def zone_of(name: str) -> tzinfo:
    """The zone of an IANA name or an offset such as `+02:00` or `UTC+2`; UTC for one that is not known."""
    if found := re.fullmatch(r"(?:UTC|GMT)?([+-])(\d{1,2}):?(\d{2})?", name):
        span = timedelta(hours=int(found[2]), minutes=int(found[3] or 0))
        return timezone(span if found[1] == "+" else -span) if span < timedelta(hours=24) else UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def local_day(at: datetime, zone: str) -> date:
    """The day that `at` is where the user is."""
    return at.astimezone(zone_of(zone)).date()


def end_of(day: date, zone: str) -> datetime:
    """The last second of a day where the user is, in UTC."""
    return datetime.combine(day, time(23, 59, 59), zone_of(zone)).astimezone(UTC)


def due_day(words: str, now: datetime, zone: str) -> date | None:
    """The day that is meant by these words, None where they name none.

    A weekday is the next one to come, today's name a week from now (on a Friday "Friday" and "next Friday" are the
    coming one, never today); "next" skips nothing else. A day that is past stays past, for the caller to refuse.
    """
    text = _plain(words)
    if not text or len(text) > _LONGEST:
        return None
    today = local_day(now, zone)
    try:
        day = date.fromisoformat(text)
    except ValueError:
        pass
    else:
        return day if day.year in _YEARS else None
    # What is due at five is due on that day.
    text, words = _CLOCK.sub("", text), _CLOCK.sub("", words.casefold().rstrip(" .,;:!?"))
    return _named(text, today) or _named(_LEAD.sub("", text), today) or _parsed(words, text, now, zone)


def held_until(
    expires: str | datetime | None, due: date | None, now: datetime, zone: str, days: float
) -> datetime:
    """When a thing that is held in mind is dropped: as said, else after `days`, never before it was due.

    Raises BadInput for a moment that has passed and for words that name none.
    """
    if expires is None or expires == "":
        usual = now + timedelta(days=days)
        return max(usual, end_of(due + timedelta(days=1), zone)) if due else usual
    if isinstance(expires, datetime):
        until = expires
    else:
        day = due_day(expires, now, zone)
        if day is None:
            raise BadInput(f"{expires!r} names no day", "Say a day: 'Thursday', '12 March', 'in two weeks'.")
        until = end_of(day, zone)
    if until <= now:
        raise BadInput("It would be dropped before it is held: that moment has passed", "Name a later day.")
    return until


def _plain(words: str) -> str:
    folded = unicodedata.normalize("NFKD", words[: 4 * _LONGEST].casefold().replace("’", "'"))
    bare = "".join(char for char in folded if not unicodedata.combining(char))
    return " ".join(bare.split()).strip(" .,;:!?")


def _named(text: str, today: date) -> date | None:
    """Days that are named by their place in week or month."""
    if found := _WEEKDAY.match(text):
        return today + timedelta(days=(_WEEKDAYS[found["day"]] - today.weekday() - 1) % 7 + 1)
    if found := _DAY_OF_MONTH.match(f"{text}." if text.startswith("dia ") else text):
        return _day_of_month(int(found["day"]), today)
    if found := _WEEKDAY_AND_DAY.match(text):
        return _day_of_month(int(found["day"]), today)
    if found := _MONTH.match(text):
        month = _MONTHS[found["month"]]
        return _last_of(date(today.year + (month < today.month), month, 1))
    for name, pattern in _END.items():
        if pattern.match(text):
            return _end(name, today)
    return None


def _end(name: str, today: date) -> date:
    sunday = today + timedelta(days=6 - today.weekday())
    match name:
        case "after tomorrow":
            return today + timedelta(days=2)
        case "week" | "weekend":
            return sunday
        case "next week":
            return sunday + timedelta(days=7)
        case "year":
            return date(today.year, 12, 31)
        case _:
            first = date(today.year, today.month, 1)
            if name == "next month":
                first = (first + timedelta(days=32)).replace(day=1)
            return _last_of(first)


def _last_of(first: date) -> date:
    return first.replace(day=calendar.monthrange(first.year, first.month)[1])


def _day_of_month(day: int, today: date) -> date | None:
    """The next such day, this month or in a later one that has it."""
    month = date(today.year, today.month, 1)
    for _ in range(12):
        if day <= calendar.monthrange(month.year, month.month)[1] and month.replace(day=max(day, 1)) > today:
            return month.replace(day=day) if day else None
        month = (month + timedelta(days=32)).replace(day=1)
    return None


def _parsed(words: str, text: str, now: datetime, zone: str) -> date | None:
    """What `dateparser` makes of it, with the words in front taken off."""
    if text.isdigit() or len(text) < _SHORTEST or _CLOCK.match(f" {text}"):
        return None
    base = now.astimezone(zone_of(zone)).replace(tzinfo=None)
    original = _LEAD.sub("", " ".join(words[:_LONGEST].casefold().split())).strip(" .,;:!?")
    for candidate in dict.fromkeys((original, _counted(original), _counted(_LEAD.sub("", text)))):
        found = _read(candidate, base)
        if found is not None and abs(found - base) < _LONGEST_AHEAD:
            return found.date()
    return None


def _counted(text: str) -> str:
    return " ".join(_COUNTS.get(word, word) for word in text.split())


def _read(text: str, base: datetime) -> datetime | None:
    settings = {"RELATIVE_BASE": base, "PREFER_DATES_FROM": "future", "RETURN_AS_TIMEZONE_AWARE": False}
    parser = _parser()
    try:
        found = parser.parse(text, languages=list(LANGUAGES), settings=settings)
    except (ValueError, OverflowError, TypeError):
        # Numbers beyond any calendar are no day.
        return None
    return found if isinstance(found, datetime) else None


@cache
def _parser() -> Any:
    # Loading its languages takes a fifth of a second: only who reads a date pays for it.
    import dateparser  # noqa: PLC0415 - see above

    return dateparser
