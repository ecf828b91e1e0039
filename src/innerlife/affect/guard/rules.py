"""All languages' patterns in one automaton, and what else the languages tell."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from innerlife.affect.guard.gate import Behind, Weighed, weighing
from innerlife.affect.guard.language import Claim, all_languages
from innerlife.affect.guard.pattern import Automaton, State, Vocabulary, beginnings
from innerlife.affect.guard.weights import Weights, weights

Label = tuple[Claim, str]


@dataclass(frozen=True, slots=True)
class Verdict:
    """A sentence that is not to reach the user: what it does, in which language, and the words that say it."""

    claim: Claim
    language: str
    words: tuple[str, ...]


Passes = Callable[[Verdict], bool]
"""Whether the user's own words let a claim pass."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What all languages together tell. `beginnings` are the first letters of every word that may open a claim."""

    automaton: Automaton[Label]
    start: State[Label]
    supposed: State[Label]
    joints: frozenset[str]
    openers: frozenset[str]
    leads: frozenset[str]
    conditions: frozenset[str]
    dictates: frozenset[str]
    subjects: frozenset[str]
    shortened: frozenset[str]
    beginnings: frozenset[str]
    after_mark: frozenset[str]
    later: frozenset[str]
    in_order: frozenset[str]
    links: frozenset[str]
    parting: frozenset[str]
    starters: frozenset[str]
    seconds: frozenset[str]
    dependents: frozenset[str]
    asides: frozenset[str]
    definitions: frozenset[str]
    telling: frozenset[str]
    dull: re.Pattern[str]
    dull_word: re.Pattern[str]
    weights: Weights
    weigh: Callable[[str, Behind], Weighed]


@cache
def rules() -> Rules:
    """The rules of every language there is, made once."""
    automaton: Automaton[Label] = Automaton()
    places: list[int] = []
    supposed: list[int] = []
    for language in all_languages():
        words = Vocabulary(language.classes, language.inflections)
        for claim, patterns in language.claims.items():
            for pattern in patterns:
                place = automaton.add(pattern, (claim, language.name), words)
                places.append(place)
                if claim is not Claim.LABELS:
                    supposed.append(place)
    start = automaton.start(places)

    def every(name: str) -> frozenset[str]:
        return frozenset().union(*(getattr(language, name) for language in all_languages()))

    leads, openers = every("leads"), every("openers")
    return Rules(
        automaton,
        start,
        automaton.start(supposed),
        every("joints"),
        openers,
        leads,
        every("conditions"),
        every("dictates"),
        every("subjects"),
        every("shortened"),
        beginnings(start.words | leads | weights().openings),
        beginnings(start.words | every("joints") | weights().openings),
        beginnings(openers | every("joints")),
        frozenset(language.name for language in all_languages() if language.asks_in_order),
        every("links"),
        every("parting"),
        every("starters"),
        every("seconds"),
        every("dependents") | _feelings(),
        every("asides"),
        every("definitions"),
        openers | every("joints"),
        _dull(openers | every("joints"), "+"),
        _dull(openers | every("joints"), ""),
        weights(),
        weighing(weights()),
    )


def _feelings() -> frozenset[str]:
    return frozenset(word for language in all_languages() for family in language.families for word in family)


def _dull(telling: frozenset[str], many: str) -> re.Pattern[str]:
    """Words with a space behind them, none of which is one of `telling`; the last of them is its group.

    `many` is what tells in an expression how many.
    """
    accents = str.maketrans({"a": "[aá]", "e": "[eé]", "i": "[ií]", "o": "[oó]", "u": "[uúü]", "n": "[nñ]"})
    telling_words = "|".join(re.escape(word).translate(accents) for word in sorted(telling))
    # Bounded and without a way back: letters without end are looked at once, not once for each part of them.
    word = r"[^\W\d_]{1,64}+(?:['’][^\W\d_]{1,64}+){0,4}+"
    return re.compile(rf"(?:(?!(?:{telling_words})\b)({word})[ ]){many}", re.IGNORECASE)
