"""What a language tells the guard: its ways of announcing, and of asking. One file each in `languages/`."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final


class Claim(StrEnum):
    """What a sentence does that is not to reach the user (anima §4.1, §4.3)."""

    DETECTS = "detects"
    """It presents the user's feeling as noticed: "I notice you seem frustrated"."""
    LABELS = "labels"
    """It names the user's feeling as known: "since you're tired". Passes where the user said it of themselves."""
    MACHINERY = "machinery"
    """It speaks of records, profiles, scores: "my memory says"."""


@dataclass(frozen=True, slots=True)
class Language:
    """One language, as its file tells it. Words are in small letters without accents, as `plain` makes them.

    `claims` are patterns (`pattern.py`), each tried where a clause begins; `classes` their named parts, `inflections`
    the endings that a last character stands for.

    `joints` are words after which a clause begins; `openers` words that begin one themselves; `leads` begin a sentence
    whose claim may follow in a later clause, where `subjects` begin it without a mark before them; `conditions` begin a
    sentence in which a feeling is only supposed, `dictates` one in which a colon is followed by words to be written.
    Behind an announcement, `links` join a clause to it, of which those in `parting` say that it is one of its own;
    `starters` are words with which such a clause begins, `seconds` such as make one of an unknown word before them
    ("mix no", "Paris is"); `dependents` say that what follows belongs to the announcement, as `asides` do, which are
    up to three words a line; `definitions` that what reads like an announcement was none ("anxious, per the DSM").

    `asks_in_order` says that a question may have the words in the order of a statement; `shortened` are words whose
    dot ends nothing.

    `families` are words of one feeling, in a line. `own` finds where users speak of themselves, `unlike` what takes
    that back; `asks_feeling` and `asks_machinery` find their questions that lift a claim.
    `neutral` is said where a model can say nothing else.
    """

    name: str
    classes: Mapping[str, str]
    inflections: Mapping[str, tuple[str, ...]]
    claims: Mapping[Claim, tuple[str, ...]]
    joints: frozenset[str]
    openers: frozenset[str]
    leads: frozenset[str]
    subjects: frozenset[str]
    conditions: frozenset[str]
    dictates: frozenset[str]
    links: frozenset[str]
    parting: frozenset[str]
    starters: frozenset[str]
    seconds: frozenset[str]
    dependents: frozenset[str]
    asides: frozenset[str]
    definitions: frozenset[str]
    shortened: frozenset[str]
    asks_in_order: bool
    families: tuple[tuple[str, ...], ...]
    own: re.Pattern[str]
    unlike: re.Pattern[str]
    asks_feeling: re.Pattern[str]
    asks_machinery: re.Pattern[str]
    neutral: str


_APOSTROPHES: Final = str.maketrans("’‘ʼ´", "''''")

_LOOK_ALIKES: Final = {
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u0475\u043a\u043c": "aeopcyxijshdvkm",
    "\u0442\u0410\u0412\u0415\u0406\u0408\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425": "tABEIJKMHOPCTYX",
    "\u0405\u03b1\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u03b3\u0391\u0392\u0395": "SaeikvoptuxyABE",
    "\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7": "ZHIKMNOPTYX",
}
"""Cyrillic and Greek letters, and the Latin ones they are drawn like; each line so many of either."""

_TO_LATIN: Final = _APOSTROPHES | {
    ord(drawn): latin
    for alike, letters in _LOOK_ALIKES.items()
    for drawn, latin in zip(alike, letters, strict=True)
}


def plain(text: str) -> str:
    """Small Latin letters without accents, one kind of apostrophe; what is only invisible is left out.

    A letter of another alphabet that looks like a Latin one is read as that.
    """
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text.translate(_TO_LATIN).lower())
    return "".join(c for c in apart if unicodedata.category(c) not in {"Mn", "Cf"})


@cache
def all_languages() -> tuple[Language, ...]:
    """Every language there is a file of, by name."""
    folder = files("innerlife.affect.guard.languages")
    found = [file for file in folder.iterdir() if file.name.endswith(".toml")]
    return tuple(_read(file) for file in sorted(found, key=lambda file: file.name))


def neutral(name: str) -> str:
    """What is said where a model can say nothing else, in the language of that name."""
    return next(language.neutral for language in all_languages() if language.name == name)


def _read(file: Traversable) -> Language:
    told: dict[str, Any] = tomllib.loads(file.read_text("utf-8"))
    return Language(
        name=file.name.removesuffix(".toml"),
        classes=told["classes"],
        inflections={mark: tuple(endings) for mark, endings in told.get("inflections", {}).items()},
        claims={claim: tuple(told["claims"][claim]) for claim in Claim},
        joints=_words(told["joints"]),
        openers=_words(told["openers"]),
        leads=_words(told["leads"]),
        subjects=_words(told["subjects"]),
        conditions=_words(told["conditions"]),
        dictates=_words(told["dictates"]),
        links=_words(told["links"]),
        parting=_words(told["parting"]),
        starters=_words(told["starters"]),
        seconds=_words(told["seconds"]),
        dependents=_words(told["dependents"]),
        asides=frozenset(line.strip() for line in told["asides"].splitlines() if line.strip()),
        definitions=_words(told["definitions"]),
        shortened=_words(told["shortened"]),
        asks_in_order=told["asks_in_order"],
        families=tuple(tuple(family.split()) for family in told["families"]),
        own=_any_of(told["own"]),
        unlike=_any_of(told["unlike"]),
        asks_feeling=_any_of(told["asks_feeling"]),
        asks_machinery=_any_of(told["asks_machinery"]),
        neutral=told["neutral"],
    )


def _words(line: str) -> frozenset[str]:
    return frozenset(line.split())


def _any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))
