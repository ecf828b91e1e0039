"""What of a sentence is weighed: its words, the order of their signs, and of whom a feeling in it is said."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from innerlife.affect.guard.words import OTHER, words

KEYS: Final = frozenset({"FEEL", "NOUN", "HURTS", "MOOD", "AMB", "SUFFER", "STIM", "MACH", "STORE"})
"""Signs without one of which nothing can be announced: a feeling, or what records are made of."""

FEELINGS: Final = frozenset({"FEEL", "NOUN", "MOOD", "HURTS", "SUFFER"})
_HOLDERS: Final = frozenset(
    {"YOU", "YOUR", "I", "MY", "ME", "THEY", "THEIR", "KIN", "PEOPLE", "SOMEONE", "WE", "CODE"}
)
_OF_SOMEBODY: Final = frozenset({"KIN", "CODE"})
_USERS: Final = frozenset({"YOU", "YOUR", "TONE of YOU", "SOMEONE", "^"})
_LINKS: Final = frozenset(
    {"BE", "SEEM", "FEELS", "HAVE", "GET", "SEE", "EVID", "MUST", "THINK", "KNOW", "THERE"}
)
_AROUND: Final = frozenset({"IF", "MODAL", "NEG", "SAID", "WRITE", "AFTER", '"', "GIVEN", "SORRY", "DO"})
_PARTING: Final = frozenset(",;:-")
_SAYING_LITTLE: Final = frozenset({OTHER, "HEDGE"})


def features(said: Sequence[str]) -> set[str]:
    """The features of a sentence of words and marks; a word stands as `language.plain` makes it.

    The first letter tells the kind: words (w), signs in a row (m), telling signs in a row (c), and what is said of
    whom (a, x, n).
    """
    signs = words().read(said)
    found = {f"w {word}" for word in said}
    found.update([f"w {one} {two}" for one, two in pairwise(said)])
    _rows("m", signs, found, (1, 2, 3))
    telling = ["^"]
    for sign in signs[1:]:
        if sign != telling[-1] and (
            sign[0] in '?,:";$' or (sign[0].isupper() and sign not in _SAYING_LITTLE)
        ):
            telling.append(sign)
    _rows("c", telling, found, (2, 3, 4))
    _Holding(found).read(signs)
    return found


def _rows(kind: str, signs: Sequence[str], found: set[str], lengths: Sequence[int]) -> None:
    rows = [f"{kind} {sign}" for sign in signs]
    for length in range(1, max(lengths) + 1):
        if length > 1:
            rows = [f"{row} {sign}" for row, sign in zip(rows, signs[length - 1 :], strict=False)]
        if length in lengths:
            found.update(rows)


class _Holding:
    """Whose the feelings of a sentence are, as they are read from left to right."""

    __slots__ = ("around", "before", "clean", "found", "holder", "last", "link", "pending")

    def __init__(self, found: set[str]) -> None:
        self.found = found
        self.holder = "^"
        self.link = "-"
        self.last = "- -"
        self.around: set[str] = set()
        self.before: set[str] = set()
        self.pending: list[str] = []
        self.clean = False

    def read(self, signs: Sequence[str]) -> None:
        """Add what these signs tell to the features."""
        for sign in signs:
            if sign in KEYS:
                self._key(sign)
            elif sign in _HOLDERS:
                self._held(sign)
            elif sign in _LINKS:
                self.link = sign
            elif sign in _AROUND:
                self.around.add(sign)
                if self.clean and sign in {"IF", "AFTER"}:
                    self.found.add(f"x then {sign}")
            elif sign in _PARTING:
                self._follows(",")
                self.before |= self.around
                self.around = set()
            elif sign == "TONE" and self.holder in {"YOUR", "YOU"}:
                self.holder = "TONE of YOU"
            elif sign == "?" and self.clean:
                self.found.add("x clean ?")
        self._follows("$")
        everything = self.around | self.before
        self.found.update([f"x with {sign}" for sign in everything])
        if self.clean:
            self.found.update([f"x clean with {sign}" for sign in everything])

    def _held(self, sign: str) -> None:
        self._follows(sign)
        if sign in _OF_SOMEBODY and self.holder in {"YOUR", "MY", "THEIR"}:
            self.holder = sign
        else:
            self.last = f"{self.holder} {self.link}"
            self.holder, self.link = sign, "-"

    def _follows(self, sign: str) -> None:
        for row in self.pending:
            self.found.add(f"n {row} {sign}")
        self.pending.clear()

    def _key(self, sign: str) -> None:
        holder, link = self.holder, self.link
        around = " ".join(sorted(self.around)) or "0"
        self.found.update((
            f"a {holder} {sign}", f"a {holder} {sign} {link}", f"a {holder} {link}", f"a {holder} < {self.last}",
            f"a {holder} {sign} {link} < {self.last}", f"x {holder} {around}", f"x {holder} {link} {around}",
            f"x {holder} {sign} {around}", f"x {holder} {around} / {' '.join(sorted(self.before)) or '0'}",
        ))  # fmt: skip
        if sign in FEELINGS and holder in _USERS and not self.around:
            self.clean = True
            self.found.update(("x clean", f"x clean {sign}", f"x clean {holder}"))
            if not self.before:
                self.found.update(("x plain", f"x plain {holder}"))
        self.pending += [f"{sign}", f"{sign} {holder}"]
