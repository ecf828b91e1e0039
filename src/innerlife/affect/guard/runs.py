"""What is decided of a text: which characters leave, which are dropped, which begin a sentence now."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum


class Fate(IntEnum):
    """What becomes of characters. What leaves is true."""

    DROPPED = 0
    LEAVES = 1
    RAISED = 2
    """It leaves as a capital letter: what stood in front of it in its sentence is gone."""


Run = tuple[int, Fate]
"""So many characters, and what becomes of them."""


@dataclass(slots=True)
class Runs:
    """The decisions that were not taken yet; `done` is the place up to which all is decided."""

    done: int = 0
    _runs: list[Run] = field(default_factory=list)
    _raised: int = -1

    def release(self, end: int) -> None:
        """Let go what comes before `end`."""
        if self.done <= self._raised < end:
            at, self._raised = self._raised, -1
            self._add(at, Fate.LEAVES)
            self._add(at + 1, Fate.RAISED)
        self._add(end, Fate.LEAVES)

    def drop(self, end: int) -> None:
        """Drop what comes before `end`."""
        self._add(end, Fate.DROPPED)

    def raise_at(self, place: int) -> None:
        """Make a capital of the letter at `place`, if it leaves."""
        self._raised = place

    def taken(self) -> list[Run]:
        """The decisions since the last call, in order."""
        runs, self._runs = self._runs, []
        return runs

    def _add(self, end: int, fate: Fate) -> None:
        if end > self.done:
            self._runs.append((end - self.done, fate))
            self.done = end


def applied(text: str, fate: Fate) -> str:
    """Characters as they leave."""
    match fate:
        case Fate.DROPPED:
            return ""
        case Fate.LEAVES:
            return text
        case Fate.RAISED:
            return text.upper()
