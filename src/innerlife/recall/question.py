"""What a message asks for, as far as it can be read without a model."""

from __future__ import annotations

import math
import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from innerlife.recall.passages import MONTHS
from innerlife.recall.terms import terms, words

_WHEN = frozenset({"when", "date", "cuando", "wann", "quand"})
_USER = frozenset(
    {"i", "me", "my", "mine", "myself", "yo", "mi", "mis", "ich", "mich", "mir", "mein", "je", "moi", "mon"}
)
_COMPANION = frozenset({"you", "your", "yours", "tu", "usted", "du", "dein", "vous", "votre"})
_MONTHS = {name.casefold(): number for number, name in enumerate(MONTHS, 1)}
_DAY = re.compile(r"(\d{1,2})(st|nd|rd|th)?")
_YEAR = re.compile(r"(19|20)\d\d")

AFTERWARDS_DAYS = 10.0
"""What happened in a month is still told so many days after it."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A date named in a question."""

    month: int
    year: int | None
    day: int | None


@dataclass(frozen=True, slots=True)
class Question:
    """`terms` without the names of speakers; `speakers` are those who are named or meant."""

    terms: tuple[str, ...]
    speakers: frozenset[str]
    asks_when: bool
    date: Asked | None


def names_in(text: str) -> set[str]:
    """What in a text could be a speaker's name: words, pairs of words, and whom "I" and "you" mean."""
    found = words(text)
    single = set(found)
    possible = single | {" ".join(pair) for pair in pairwise(found)}
    if single & _USER:
        possible.add("user")
    if single & _COMPANION:
        possible.add("companion")
    return possible


def question(text: str, speakers: Collection[str]) -> Question:
    """Read a question; `speakers` are the names among `names_in` that are known."""
    named = {term for name in speakers for term in terms(name)}
    found = list(dict.fromkeys(terms(text)))
    subjects = [term for term in found if term not in named] or found
    spoken = set(words(text))
    return Question(tuple(subjects), frozenset(speakers), not spoken.isdisjoint(_WHEN), _date(text))


def _date(text: str) -> Asked | None:
    found = re.findall(r"[^\W_]+", text)
    for index, word in enumerate(found):
        month = _MONTHS.get(word.casefold())
        # "may" is a month only where it is written as a name.
        if month is None or word == "may":
            continue
        near = found[max(index - 2, 0) : index + 3]
        year = next((int(other) for other in near if _YEAR.fullmatch(other)), None)
        day = next((int(match[1]) for other in near if (match := _DAY.fullmatch(other))), None)
        return Asked(month, year, day)
    return None


def closeness(asked: Asked | None, at: datetime) -> float:
    """How well a moment fits the date asked for: 0 to 1."""
    if asked is None:
        return 0.0
    if at.month == asked.month and asked.year in {None, at.year}:
        return 0.6 + (0.4 * math.exp(-abs(at.day - asked.day) / 3) if asked.day else 0.0)
    following = asked.month % 12 + 1
    year = None if asked.year is None else asked.year + asked.month // 12
    told_later = at.month == following and year in {None, at.year} and at.day <= AFTERWARDS_DAYS
    return 0.3 if told_later else 0.0
