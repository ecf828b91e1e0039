"""Words for feelings with their place in valence, arousal and dominance, and how they are found when misspelt. Pure.

The values are judgements of this project on [-1, 1] after Russell's circumplex (1980) and Mehrabian's third dimension
(1996); no published word list was copied or consulted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from innerlife.affect.cues import Affect
from innerlife.affect.folding import squeezed

_PLACE: Final = re.compile(r"(-?\d\.\d) (-?\d\.\d) (-?\d\.\d) ([^:]+): ")
_SHORTEST_MISSPELT: Final = 6
"""Letters below which a word is taken as it stands: short words have too many neighbours."""


def feelings_of(table: str) -> dict[str, Affect]:
    """Read lines of `valence arousal dominance: name, name, …`, names folded.

    `@` in a name stands for o and for a.
    """
    found: dict[str, Affect] = {}
    for line in filter(None, map(str.strip, table.splitlines())):
        values, _, names = line.partition(":")
        valence, arousal, dominance = map(float, values.split())
        for name in map(str.strip, names.split(",")):
            for form in dict.fromkeys((name.replace("@", "o"), name.replace("@", "a"))):
                found[form] = Affect(valence, arousal, dominance)
    return found


@dataclass(frozen=True, slots=True)
class Expressions:
    """Whole expressions, each with its name and what it says; `any_of` finds where one of them may stand.

    One pattern for all of them passes over most sentences in a fraction of the time that each by itself takes.
    """

    any_of: re.Pattern[str]
    each: tuple[tuple[re.Pattern[str], str, Affect], ...]

    def found_in(self, text: str) -> Iterator[tuple[re.Match[str], str, Affect]]:
        """Every place of every expression."""
        if self.any_of.search(text) is not None:
            for pattern, name, affect in self.each:
                for found in pattern.finditer(text):
                    yield found, name, affect


def expressions(table: str, before: str) -> Expressions:
    """Read entries of `valence arousal dominance name: pattern`, each behind `before` and at the end of a word.

    `before` lets no letter stand before it, and each pattern begins with one.
    """
    found, patterns = [], []
    for entry in _entries(table):
        place = _PLACE.match(entry)
        if place is None:
            raise ValueError(entry)
        affect = Affect(*map(float, place.group(1, 2, 3)))
        patterns.append(entry[place.end() :])
        found.append((re.compile(rf"{before}{patterns[-1]}(?!\w)"), place[4], affect))
    # A word begins here, which the engine sees before it tries anything else.
    return Expressions(re.compile(rf"\b{before}(?:{'|'.join(patterns)})"), tuple(found))


def followers(table: str) -> dict[str, re.Pattern[str]]:
    """Read entries of `name, name, …: pattern`: what, behind such a name, makes another meaning of it."""
    found: dict[str, re.Pattern[str]] = {}
    for entry in _entries(table):
        names, _, pattern = entry.partition(": ")
        found |= dict.fromkeys(names.split(", "), re.compile(pattern))
    return found


def _entries(table: str) -> list[str]:
    """Entries of a table, one at each line of least indentation; a line further in goes on with the one above."""
    entries: list[str] = []
    for line in filter(str.strip, table.splitlines()):
        if line.startswith("     "):
            entries[-1] += line[8:]
        else:
            entries.append(line[4:])
    return entries


@dataclass(frozen=True, slots=True)
class Feelings:
    """A lexicon. `not_slips` are words that look like a misspelt name and are words of their own."""

    names: Mapping[str, Affect]
    not_slips: frozenset[str] = frozenset()
    _slips: dict[str, str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        slips: dict[str, str] = {}
        for name in self.names:
            for slip in _slips_of(name):
                slips.setdefault(slip, name)
        unwanted = self.not_slips | set(self.names)
        object.__setattr__(
            self, "_slips", {slip: name for slip, name in slips.items() if slip not in unwanted}
        )

    def get(self, name: str) -> Affect | None:
        """Where a name of the lexicon lies."""
        return self.names.get(name)

    def meant(self, words: str) -> str | None:
        """The name that is meant by folded words as they were typed: drawn out ("sooo saaad") or with one slip."""
        for typed in dict.fromkeys((words, squeezed(words, 2), squeezed(words, 1))):
            if typed in self.names:
                return typed
            if typed in self._slips:
                return self._slips[typed]
        return None


def _slips_of(name: str) -> Iterator[str]:
    """A single word with one letter missing, two changed about or one doubled, its first and last kept."""
    if len(name) < _SHORTEST_MISSPELT or " " in name:
        return
    for place in range(1, len(name) - 1):
        yield name[:place] + name[place + 1 :]
        yield name[:place] + name[place] + name[place:]
        if place < len(name) - 2:
            yield name[:place] + name[place + 1] + name[place] + name[place + 2 :]
