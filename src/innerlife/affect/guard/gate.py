"""Whether what has come of a clause may still become an announcement: while it may, it waits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from innerlife.affect.guard.features import KEYS
from innerlife.affect.guard.weights import Weights
from innerlife.affect.guard.words import words

LONGEST: Final = 80
"""Words of a clause that waits at most."""

_TOLD: Final = frozenset({"YOU", "YOUR", "SOMEONE"})


Behind = tuple[str, str, str]
"""The two last signs and the last word, "^" at the start."""


def steps(word: str, signs: tuple[str, ...], behind: Behind) -> tuple[list[str], Behind]:
    """What a word adds to the features of a beginning, and what the next one stands behind."""
    before, last, word_before = behind
    found = [f"w {word}", f"w {word_before} {word}"]
    for sign in signs:
        found += (f"g {sign}", f"g {last} {sign}", f"g {before} {last} {sign}")
        before, last = last, sign
    return found, (before, last, word)


START: Final[Behind] = ("^", "^", "^")


_KEPT: Final = 8192
"""Words in their place whose sums are kept: most of what is said is said often."""

Weighed = tuple[int, Behind, bool, bool]
"""What a word weighs, what the next one stands behind, whether it is one of `KEYS`, whether it addresses somebody."""


@dataclass(slots=True)
class Gate:
    """The beginning of one clause; it waits while its sum stays at or above `limit`.

    `key` says that it has a word without which nothing is announced. Once it tells of somebody addressed too, it waits
    to its end.
    """

    limit: int
    weigh: Callable[[str, Behind], Weighed]
    key: bool = False
    _sum: int = 0
    _count: int = 0
    _told: bool = False
    _behind: Behind = START

    def word(self, word: str) -> bool:
        """One more word or mark; returns whether the clause still waits."""
        self._count += 1
        if self.key and self._told:
            return self._count <= LONGEST
        weight, self._behind, key, told = self.weigh(word, self._behind)
        self._sum += weight
        self.key = self.key or key
        self._told = self._told or told
        return self._sum >= self.limit and self._count <= LONGEST


def weighing(weights: Weights) -> Callable[[str, Behind], Weighed]:
    """How words are weighed in their place."""
    known, weighed = words(), weights.beginning

    @lru_cache(_KEPT)
    def weigh(word: str, behind: Behind) -> Weighed:
        signs = known.signs(word)
        found, after = steps(word, signs, behind)
        weight = sum([weighed.get(feature, 0) for feature in found])
        return weight, after, not KEYS.isdisjoint(signs), not _TOLD.isdisjoint(signs)

    return weigh
