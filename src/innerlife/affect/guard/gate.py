"""Whether what has come of a clause may still become an announcement: while it may, it waits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from innerlife.affect.guard.features import KEYS
from innerlife.affect.guard.weights import Weights
from innerlife.affect.guard.words import Words, words

LONGEST: Final = 80
"""Words of a clause that waits at most."""

_TOLD: Final = frozenset({"YOU", "YOUR", "SOMEONE"})


def steps(word: str, signs: tuple[str, ...], behind: tuple[str, str, str]) -> tuple[list[str], tuple[str, str, str]]:
    """What a word adds to the features of a beginning, and what the next one stands behind.

    `behind` are the two last signs and the last word, "^" at the start.
    """
    before, last, word_before = behind
    found = [f"w {word}", f"w {word_before} {word}"]
    for sign in signs:
        found += (f"g {sign}", f"g {last} {sign}", f"g {before} {last} {sign}")
        before, last = last, sign
    return found, (before, last, word)


START: Final = ("^", "^", "^")


@dataclass(slots=True)
class Gate:
    """The beginning of one clause; it waits while its sum stays at or above `limit`. `key` says that it has a word without which nothing is announced.

    Once it tells of somebody addressed and has such a word, it waits to its end.
    """

    weights: Weights
    limit: int
    key: bool = False
    _sum: int = 0
    _count: int = 0
    _told: bool = False
    _behind: tuple[str, str, str] = START
    _words: Words = field(default_factory=words)

    def word(self, word: str) -> bool:
        """One more word or mark; returns whether the clause still waits."""
        self._count += 1
        if self.key and self._told:
            return self._count <= LONGEST
        signs = self._words.signs(word)
        found, self._behind = steps(word, signs, self._behind)
        weighed = self.weights.beginning
        for feature in found:
            self._sum += weighed.get(feature, 0)
        for sign in signs:
            self.key = self.key or sign in KEYS
            self._told = self._told or sign in _TOLD
        return self._sum >= self.limit and self._count <= LONGEST
