"""Behind an announcement: whether its sentence goes on to say something else, and from where.

"You sound anxious, so never take more than 5 mg": what is behind the mark stands for itself, and is kept. "You sound
anxious, especially today" has nothing of the kind. The first words behind a mark tell, so that nothing waits for more.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

from innerlife.affect.guard.language import Claim, plain
from innerlife.affect.guard.rules import Rules, Verdict


class _Parts(IntEnum):
    """How much parts the words that follow from the announcement."""

    NOT = 0
    COMMA = 1
    MORE = 2


_WORDS_BEHIND: Final = {_Parts.COMMA: 3, _Parts.MORE: 2}
"""Words that a clause has at least; what is shorter is an aside ("I think") or a name."""

_COMMAS: Final = frozenset(",)")


@dataclass(frozen=True, slots=True)
class Rest:
    """What stands for itself. It begins at `start`, with its joint at `joint`; what parts it is at `mark`."""

    mark: int
    joint: int
    start: int
    words: tuple[tuple[str, int], ...] = ()

    @property
    def is_prose(self) -> bool:
        """Whether it begins with a word in small letters, and with no name of a file or an address."""
        return bool(self.words) and self.words[0][1] == self.start and self.words[0][0].islower()


@dataclass(slots=True)
class Behind:
    """The reading behind one announcement. `unmarked` says that a joint alone may part a clause from it."""

    rules: Rules
    unmarked: bool
    _parts: _Parts = _Parts.NOT
    _mark: int = -1
    _eyes: int = -1
    _bracket: bool = False
    _joint: int = -1
    _sure: bool = False
    _words: list[tuple[str, int]] = field(default_factory=list)

    def mark(self, mark: str, at: int, following: str) -> None:
        """A mark at `at`, in front of the character `following`."""
        if self._parts and not self._words and self._joint < 0:
            # "), " or " — ": one place, however many marks.
            more = self._parts is _Parts.MORE
        else:
            self._mark, more = at, False
        self._parts = _Parts.MORE if more or not set(mark) <= _COMMAS else _Parts.COMMA
        self._eyes = at + len(mark) if mark[-1] in ":;" else -1
        # What is in brackets keeps them.
        self._bracket = mark == "(" and bool(following.strip())
        self._joint = at if self._bracket else -1
        self._words.clear()

    def defines(self, word: str, verdict: Verdict | None) -> bool:
        """Whether this word tells that something was defined, and nothing announced."""
        first = self._parts and not self._words and self._joint < 0
        named = verdict is not None and verdict.claim is Claim.LABELS
        return bool(first) and named and plain(word) in self.rules.definitions

    def sign(self, at: int) -> Rest | None:
        """Something that is no word, but says something: code, an amount, a link."""
        parts, self._parts = self._parts, _Parts.NOT
        return Rest(self._mark, at, at) if parts is _Parts.MORE else None

    def word(self, text: str, at: int) -> Rest | None:
        """One more word; returns what stands for itself once that is known."""
        word = plain(text)
        if self._words:
            self._words.append((text, at))
            return self._judged(word)
        if not self._parts:
            if self.unmarked and word in self.rules.links:
                self._parts, self._mark, self._joint, self._bracket = _Parts.COMMA, at, at, False
            return None
        if self._eyes == at and len(word) == 1:
            # The second half of a smiley.
            return None
        if self._joint < 0:
            self._joint = at
        if word in self.rules.links:
            if self._mark != self._joint and word in self.rules.parting:
                self._parts = _Parts.MORE
            return None
        if word in self.rules.dependents:
            self._parts = _Parts.NOT
            return None
        self._words.append((text, at))
        self._sure = self._parts is _Parts.MORE or word in self.rules.starters or word[0].isdigit()
        return self._rest() if self._parts is _Parts.MORE and word[0].isdigit() else None

    def _judged(self, newest: str) -> Rest | None:
        """Whether the words that have come begin a clause; they are forgotten where they do not."""
        if not self._sure:
            self._sure = newest in self.rules.seconds or newest[0].isdigit()
        said = " ".join(plain(word) for word, _ in self._words)
        if not self._sure or said in self.rules.asides:
            self._words.clear()
            self._parts = _Parts.NOT
            return None
        return self._rest() if len(self._words) >= _WORDS_BEHIND[self._parts] else None

    def _rest(self) -> Rest:
        start = self._mark if self._bracket else self._words[0][1]
        return Rest(self._mark, self._joint, start, tuple(self._words))
