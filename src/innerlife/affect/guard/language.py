"""What a language tells the guard: its ways of announcing, and of asking. One file each in `languages/`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final


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
    """One language. Words are in small letters without accents, as `plain` makes them.

    `classes` are named parts of patterns (`pattern.py`); `claims` the patterns, each tried where a clause begins.
    `joints` are words after which a clause begins, `reasons` those of them that give one; `openers` such as begin one themselves; `leads` begin a sentence
    whose claim may follow in a later clause; `conditions` begin one in which a feeling is only supposed.
    `subjects` begin a claim inside a lead without a mark before it. `families` are words of one feeling, in a line;
    `own` finds where users speak of themselves, `unlike` what takes it back.
    `asks_in_order` says that a question may have the order of words of a statement ("¿Estás cansado?").
    `asks_feeling` and `asks_machinery` find a user's question that lifts the claim; `shortened` are words whose dot
    ends no sentence; `neutral` is said where a model can say nothing else.
    """

    name: str
    classes: Mapping[str, str]
    claims: Mapping[Claim, tuple[str, ...]]
    joints: frozenset[str]
    reasons: frozenset[str]
    openers: frozenset[str]
    leads: frozenset[str]
    conditions: frozenset[str]
    subjects: frozenset[str]
    families: tuple[str, ...]
    own: re.Pattern[str]
    unlike: re.Pattern[str]
    asks_feeling: re.Pattern[str]
    asks_machinery: re.Pattern[str]
    shortened: frozenset[str]
    neutral: str
    inflections: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    asks_in_order: bool = False


_APOSTROPHES: Final = str.maketrans("’‘ʼ´", "''''")


def plain(text: str) -> str:
    """Small letters without accents, one kind of apostrophe; what is only invisible is left out."""
    text = text.translate(_APOSTROPHES).lower()
    if text.isascii():
        return text
    apart = unicodedata.normalize("NFKD", text)
    return "".join(c for c in apart if unicodedata.category(c) not in {"Mn", "Cf"})


def words_of(text: str) -> frozenset[str]:
    """A set of words from a line of them."""
    return frozenset(text.split())
