"""What a language gives the detectors: patterns over plain text (lower case, no accents, straight quotes)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from typing import Any, Final

from innerlife.learning.terms import Aspect, Trigger


@dataclass(frozen=True, slots=True)
class Cues:
    """One language.

    - `missed`: the person says that the answer missed what they meant.
    - `denies`: ends with a word that the person denies ("it's not enamelled"): a correction where the answer said it.
    - `somebody`: somebody else is the one who says so.
    - `declines`: a "no" that corrects nothing.
    - `aside`: what looks like a wish is for somebody else, about a thing or for later: it is not about the answer.
    - `turns_round`: what follows takes the complaint back ("…, but great").
    - `praises`, `spoils`: approval of the answer beyond thanks; what makes it none ("would be perfect if").
    - `asks`: how a request begins.
    - `thanks`: thanks and other ends that leave nothing open.
    - `asks_on`: how a question begins that goes on from the answer.
    - `yes_but`: how a question begins that the answer passed by.
    - `insists`: the person says that they ask once more.
    - `gives_up`: the person drops it.
    - `helpless`: an answer that says it has none.
    - `wants`: how a complaint about an answer names what it should have been, by aspect.
    - `liked`: how approval names it.
    - `kinds`: the kind of a request.
    """

    language: str
    missed: re.Pattern[str]
    denies: re.Pattern[str]
    somebody: re.Pattern[str]
    declines: re.Pattern[str]
    aside: re.Pattern[str]
    turns_round: re.Pattern[str]
    praises: re.Pattern[str]
    spoils: re.Pattern[str]
    asks: re.Pattern[str]
    thanks: re.Pattern[str]
    asks_on: re.Pattern[str]
    yes_but: re.Pattern[str]
    insists: re.Pattern[str]
    gives_up: re.Pattern[str]
    helpless: re.Pattern[str]
    wants: Mapping[Aspect, re.Pattern[str]]
    liked: Mapping[Aspect, re.Pattern[str]]
    kinds: Mapping[Trigger, re.Pattern[str]]


def named(patterns: Iterable[Mapping[Aspect, re.Pattern[str]]], text: str) -> tuple[Aspect, ...]:
    """The aspects that a plain text names, in the order of their list, each once."""
    found = {aspect for one in patterns for aspect, pattern in one.items() if pattern.search(text)}
    return tuple(aspect for aspect in Aspect if aspect in found)


@cache
def all_cues() -> tuple[Cues, ...]:
    """The cues of every language there is.

    All are asked of every text: three words do not tell their language. Raises ValueError for a file that is none.
    """
    found = (one for one in files("innerlife.learning.cues").iterdir() if one.name.endswith(".toml"))
    return tuple(
        cues_of(one.name.removesuffix(".toml"), tomllib.loads(one.read_text("utf-8")))
        for one in sorted(found, key=lambda one: one.name)
    )


def cues_of(language: str, groups: Mapping[str, Any]) -> Cues:
    """The cues of a language from its file. Raises ValueError where a group is missing or unknown."""
    known = {one.name for one in fields(Cues)} - {"language"}
    if known != groups.keys():
        wrong = ", ".join(sorted(known ^ groups.keys()))
        raise ValueError(f"the cues of {language!r} lack or invent: {wrong}")
    single = {name: _pattern(name, groups[name]) for name in known - {"wants", "liked", "kinds"}}
    return Cues(
        language=language,
        wants={Aspect(name): _pattern("wants", parts) for name, parts in groups["wants"].items()},
        liked={Aspect(name): _pattern("liked", parts) for name, parts in groups["liked"].items()},
        kinds={Trigger(name): _pattern("kinds", parts) for name, parts in groups["kinds"].items()},
        **single,
    )


_BEGIN: Final = frozenset({"declines", "asks", "asks_on", "yes_but", "gives_up"})
"""Groups whose cues stand where a message or a sentence begins; the others stand anywhere between words."""


def _pattern(group: str, parts: Sequence[str]) -> re.Pattern[str]:
    before = r"(?:\A|[.!?;,\n]\s*)" if group in _BEGIN else r"(?<![\w'])"
    return re.compile(f"{before}(?:{'|'.join(parts).replace('’', chr(39))})(?!\\w)")
