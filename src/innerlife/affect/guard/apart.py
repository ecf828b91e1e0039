"""What is not the companion's own talk: fenced and inline code, quotations, quoted lines, JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from innerlife.affect.guard.sentence import Sentence

_CLOSERS: Final = {'"': '"', "“": "”", "„": "“”", "«": "»", "‘": "’", "'": "'"}
_SHORT: Final = 2
"""Words between quotation marks that only dress a word up; a sentence that is quoted has more."""

_QUOTED_YOU: Final = frozenset({"you", "you're", "your", "te", "tu", "estas", "estás", "pareces"})


@dataclass(slots=True)
class Apart:
    """Where in code, in a quotation or in JSON the reading stands.

    `inside` says that it is in any; `waiting` that the next piece tells whether it is. `said_whole` says that a
    quotation has just closed that ends like a sentence.
    """

    inside: bool = False
    waiting: bool = False
    said_whole: bool = False

    _fence: str = ""
    _code: int = 0
    _quote: str = ""
    _cited: bool = False
    _depth: int = 0
    _string: bool = False
    _escaped: bool = False
    _inner: list[str] = field(default_factory=list)

    def takes(
        self, kind: str, piece: str, at: int, before: str, *, line_start: bool, sentence: Sentence | None
    ) -> bool:
        """Whether a piece at `at`, behind the character `before`, stands apart, or begins or ends what does."""
        self.said_whole = False
        taken = self._takes(kind, piece, at, before, line_start=line_start, sentence=sentence)
        self.inside = bool(self._fence or self._code or self._quote or self._cited or self._depth)
        return taken

    def _takes(
        self, kind: str, piece: str, at: int, before: str, *, line_start: bool, sentence: Sentence | None
    ) -> bool:
        if self._fence:
            if kind in {"ticks", "marks"} and line_start and piece.startswith(self._fence):
                self._fence = ""
            return True
        if self._cited:
            return True
        if self._depth:
            self._json(kind, piece)
            return True
        if self._code:
            if kind == "ticks" and len(piece) == self._code:
                self._code = 0
                _stands_for_itself(sentence)
            return True
        if self._quote:
            return self._quoted(kind, piece, at, before, sentence)
        return self._opens(kind, piece, before, line_start=line_start, sentence=sentence)

    def line_ends(self, lines: int) -> None:
        """A line is over; an empty one ends what was left open, fences and JSON excepted."""
        self._cited = self.waiting = False
        if lines > 1 or self._quote == "'":
            self._quote = ""
            self._code = 0
            self._inner = []
        self.inside = bool(self._fence or self._code or self._quote or self._depth)

    def _opens(
        self, kind: str, piece: str, before: str, *, line_start: bool, sentence: Sentence | None
    ) -> bool:
        fresh = sentence is None or sentence.fresh
        if self.waiting and kind != "space":
            self.waiting = False
            if piece[0] in '{["' or piece[0].isdigit():
                self._depth = 1
                self._json(kind, piece)
                return True
        if line_start and fresh and kind == "other" and piece in "{[":
            self._depth, self.waiting = int(piece == "{"), piece == "["
            return piece == "{"
        if kind == "ticks":
            if line_start and len(piece) >= 3:
                self._fence = piece
            else:
                self._code = len(piece)
            return True
        if line_start and kind == "marks" and piece.startswith("~~~"):
            self._fence = piece
            return True
        if line_start and kind == "marks" and piece.startswith(">"):
            self._cited = True
            return True
        if kind == "quote" and piece in _CLOSERS and _may_open(piece, before):
            self._quote, self._inner = _CLOSERS[piece], []
            return True
        return False

    def _quoted(self, kind: str, piece: str, at: int, before: str, sentence: Sentence | None) -> bool:
        if kind == "quote" and piece in self._quote:
            inner, self._inner, self._quote = self._inner, [], ""
            if sentence is not None and len(inner) <= _SHORT and not _QUOTED_YOU & set(inner):
                for word in inner:
                    sentence.word(word, at)
            else:
                _stands_for_itself(sentence)
            self.said_whole = before in ".?!…"
        elif kind == "word" and len(self._inner) <= _SHORT:
            self._inner.append(piece.lower())
        return True

    def _json(self, kind: str, piece: str) -> None:
        if self._escaped:
            self._escaped = False
        elif piece == "\\":
            self._escaped = True
        elif piece == '"':
            self._string = not self._string
        elif not self._string and kind == "other":
            self._depth += (piece in "{[") - (piece in "}]")


def _may_open(mark: str, before: str) -> bool:
    """A straight mark behind a letter or a figure is an apostrophe, inches or minutes."""
    return mark not in "'\"" or not before.isalnum()


def _stands_for_itself(sentence: Sentence | None) -> None:
    if sentence is not None:
        sentence.interrupt()
