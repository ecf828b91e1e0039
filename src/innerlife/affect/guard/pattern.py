"""Patterns over words, and the automaton that reads many of them at once, one word at a time.

A pattern is a line of words, `<name>` for a class of them, `( … | … )` for a choice; `?` and `*` follow what may be
left out or come again; `_` is any word, `~` any but those that stand beside it in the same choice; `,` is any mark
inside a sentence, `.` its end, `/` what breaks it off. A word whose last character is one of the inflections stands for
each of the forms given for it.

A class is compiled once and called from wherever it is named, its way back kept beside the place, so that thousands of
ways to say a thing stay small. The states of the reading are made when they are first reached; from then on a word
costs one look-up, and what can no longer come true is known at the first word that rules it out.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

ANY: Final = "_"
OTHER: Final = "~"
MARKS: Final = frozenset({",", ".", "/"})
_PART: Final = re.compile(r"[()|?*]|<\w+>|[^\s()|?*<>]+")

_L = TypeVar("_L", bound=Hashable)

_Way = tuple[int, "_Way | None"]
"""A place, and where to go on once the class it belongs to is read."""


@dataclass(eq=False, slots=True)
class State(Generic[_L]):
    """Where reading has come to. `labels` are those of the patterns that are complete here.

    `words` are those that lead on; `any_word` says that each does. Nothing leads on where both are empty.
    """

    ways: frozenset[_Way]
    labels: frozenset[_L]
    words: frozenset[str]
    any_word: bool
    nexts: dict[str, State[_L] | None] = field(default_factory=dict)
    _sorted: tuple[str, ...] = ()

    def may_begin(self, part: str) -> bool:
        """Whether a word that begins with `part` leads on."""
        if not self._sorted:
            self._sorted = tuple(sorted(self.words))
        at = bisect_left(self._sorted, part)
        return self.any_word or (at < len(self._sorted) and self._sorted[at].startswith(part))


def beginnings(words: Iterable[str]) -> frozenset[str]:
    """Everything that one of the words begins with, itself included."""
    return frozenset(word[:length] for word in words for length in range(1, len(word) + 1))


class Automaton(Generic[_L]):
    """All patterns, each with its label. The states it has made are kept; their number is bounded by the patterns."""

    def __init__(self) -> None:
        self._moves: list[dict[str, list[int]]] = []
        self._free: list[list[int]] = []
        self._calls: dict[int, tuple[int, int]] = {}
        self._ends: set[int] = set()
        self._labels: dict[int, _L] = {}
        self._states: dict[frozenset[_Way], State[_L]] = {}

    def add(self, pattern: str, label: _L, words: Vocabulary) -> int:
        """Put a pattern in; returns its place, from which `start` begins.

        Raises KeyError for an unknown class, ValueError for a bracket that is not closed.
        """
        first, last = self._compiled(pattern, words)
        self._labels[last] = label
        return first

    def start(self, places: Iterable[int]) -> State[_L]:
        """The state before the first word of the patterns at these places."""
        return self._state(self._closed({(place, None) for place in places}))

    def after(self, state: State[_L], word: str) -> State[_L] | None:
        """The state after one more word, None where no pattern can come true any more."""
        if word not in state.words:
            if word in MARKS:
                return None
            # All unknown words are one, so that a text cannot make the table grow.
            word = ANY
        if word not in state.nexts:
            targets: set[_Way] = set()
            for place, back in state.ways:
                moves = self._moves[place]
                targets.update((target, back) for target in moves.get(word, ()))
                if word not in MARKS and word != ANY:
                    targets.update((target, back) for target in moves.get(ANY, ()))
                if word not in MARKS and (word == ANY or word not in moves):
                    targets.update((target, back) for target in moves.get(OTHER, ()))
            state.nexts[word] = self._state(self._closed(targets)) if targets else None
        return state.nexts[word]

    def _state(self, ways: frozenset[_Way]) -> State[_L]:
        if ways not in self._states:
            words = {word for place, _ in ways for word in self._moves[place]}
            labels = frozenset(
                self._labels[place] for place, back in ways if back is None and place in self._labels
            )
            self._states[ways] = State(
                ways, labels, frozenset(words - {ANY, OTHER}), bool(words & {ANY, OTHER})
            )
        return self._states[ways]

    def _closed(self, ways: set[_Way]) -> frozenset[_Way]:
        """These places and all that are reached from them without a word; only those at which something is read."""
        found, open_ones = set(ways), list(ways)
        while open_ones:
            place, back = open_ones.pop()
            reached = [(target, back) for target in self._free[place]]
            if place in self._calls:
                target, after = self._calls[place]
                reached.append((target, (after, back)))
            if place in self._ends and back is not None:
                reached.append(back)
            for way in reached:
                if way not in found:
                    found.add(way)
                    open_ones.append(way)
        return frozenset(way for way in found if self._moves[way[0]] or way[0] in self._labels)

    def _place(self) -> int:
        self._moves.append({})
        self._free.append([])
        return len(self._moves) - 1

    def _compiled(self, pattern: str, words: Vocabulary) -> tuple[int, int]:
        parts = _PART.findall(pattern)
        first, last, end = self._choice(parts, 0, words)
        if end != len(parts):
            message = f"a bracket is not closed in {pattern!r}"
            raise ValueError(message)
        return first, last

    def _choice(self, parts: list[str], at: int, words: Vocabulary) -> tuple[int, int, int]:
        """The alternatives from `at` to a closing bracket or the end: (first place, last place, where it ended)."""
        first, last = self._place(), self._place()
        while True:
            at = self._row(parts, at, (first, last), words)
            if at >= len(parts) or parts[at] == ")":
                return first, last, at
            at += 1

    def _row(self, parts: list[str], at: int, ends: tuple[int, int], words: Vocabulary) -> int:
        place, last = ends[0], ends[0]
        while at < len(parts) and parts[at] not in {"|", ")"}:
            part = parts[at]
            follower = parts[at + 1] if at + 1 < len(parts) else ""
            if part == "(":
                first, last, at = self._choice(parts, at + 1, words)
                follower = parts[at + 1] if at + 1 < len(parts) else ""
                self._free[place].append(first)
            elif part.startswith("<"):
                first, last = self._place(), self._place()
                self._calls[first] = (self._class(part[1:-1], words), last)
                self._free[place].append(first)
            else:
                # A word alone needs no place of its own in front, unless it may come again.
                first = place if follower != "*" else self._place()
                last = self._place()
                if first != place:
                    self._free[place].append(first)
                for form in words.forms(part):
                    self._moves[first].setdefault(form, []).append(last)
            at += 1
            if follower in {"?", "*"}:
                self._free[first].append(last)
                if follower == "*":
                    self._free[last].append(first)
                at += 1
            place = last
        self._free[last].append(ends[1])
        return at

    def _class(self, name: str, words: Vocabulary) -> int:
        if name not in words.places:
            first, last = self._compiled(words.classes[name], words)
            self._ends.add(last)
            words.places[name] = first
        return words.places[name]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The classes and inflections that patterns of one language share; `places` is where the classes stand."""

    classes: Mapping[str, str]
    inflections: Mapping[str, tuple[str, ...]]
    places: dict[str, int] = field(default_factory=dict)

    def forms(self, word: str) -> tuple[str, ...]:
        """The words that one of a pattern stands for."""
        endings = self.inflections.get(word[-1]) if len(word) > 1 else None
        return (word,) if endings is None else tuple(word[:-1] + ending for ending in endings)
