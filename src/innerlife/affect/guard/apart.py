"""What is not the companion's own talk: fenced and inline code, quotations, quoted lines, JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from innerlife.affect.guard.rules import Sentence

_CLOSERS: Final = {'"': '"', "“": "”", "„": "“”", "«": "»", "‘": "’", "'": "'"}
_SHORT: Final = 2
"""Words between quotation marks that only dress a word up; a sentence that is quoted has more."""

_QUOTED_YOU: Final = frozenset({"you", "you're", "your", "te", "tu", "estas", "estás", "pareces"})


@dataclass(slots=True)
class Apart:
    """Where in code, in a quotation or in JSON the reading stands; true while it is in any."""

    _fence: str = ""
    _code: int = 0
    _quote: str = ""
    _cited: bool = False
    _depth: int = 0
    _string: bool = False
    _escaped: bool = False
    _maybe: bool = False
    _inner: list[str] = field(default_factory=list)
    _before: str = ""
    said_whole: bool = False
    """Whether a quotation has just closed that ends like a sentence."""

    def __bool__(self) -> bool:
        return bool(self._fence or self._code or self._quote or self._cited or self._depth)

    def takes(self, kind: str, token: str, at: int, *, line_start: bool, sentence: Sentence | None) -> bool:
        """Whether a token stands apart, or begins or ends what does."""
        before, self._before = self._before, token[-1]
        self.said_whole = False
        if self._fence:
            if kind in {"ticks", "marks"} and line_start and token.startswith(self._fence):
                self._fence = ""
            return True
        if self._cited:
            return True
        if self._depth:
            self._json(kind, token)
            return True
        if self._code:
            if kind == "ticks" and len(token) == self._code:
                self._code = 0
                _stands_for_itself(sentence)
            return True
        if self._quote:
            return self._quoted(kind, token, at, before, sentence)
        return self._opens(kind, token, before, line_start=line_start, sentence=sentence)

    def line_ends(self, lines: int) -> None:
        """A line is over; an empty one ends what was left open, fences and JSON excepted."""
        self._cited = self._maybe = False
        self._before = "\n"
        if lines > 1 or self._quote == "'":
            self._quote = ""
            self._code = 0
            self._inner = []

    def passed_over(self) -> None:
        """Words and the space behind them were not looked at."""
        self._before = " "

    def _opens(
        self, kind: str, token: str, before: str, *, line_start: bool, sentence: Sentence | None
    ) -> bool:
        fresh = sentence is None or sentence.fresh
        if self._maybe and kind != "space":
            self._maybe = False
            if token[0] in '{["' or token[0].isdigit():
                self._depth = 1
                self._json(kind, token)
                return True
        if line_start and fresh and kind == "other" and token in "{[":
            self._depth, self._maybe = int(token == "{"), token == "["
            return token == "{"
        if kind == "ticks":
            if line_start and len(token) >= 3:
                self._fence = token
            else:
                self._code = len(token)
            return True
        if line_start and kind == "marks" and token.startswith("~~~"):
            self._fence = token
            return True
        if line_start and kind == "marks" and token.startswith(">"):
            self._cited = True
            return True
        if kind == "quote" and token in _CLOSERS and _may_open(token, before):
            self._quote, self._inner = _CLOSERS[token], []
            return True
        return False

    def _quoted(self, kind: str, token: str, at: int, before: str, sentence: Sentence | None) -> bool:
        if kind == "quote" and token in self._quote:
            inner, self._inner, self._quote = self._inner, [], ""
            if sentence is not None and len(inner) <= _SHORT and not _QUOTED_YOU & set(inner):
                for word in inner:
                    sentence.word(word, at)
            else:
                _stands_for_itself(sentence)
            self.said_whole = before in ".?!…"
        elif kind == "word" and len(self._inner) <= _SHORT:
            self._inner.append(token.lower())
        return True

    def _json(self, kind: str, token: str) -> None:
        if self._escaped:
            self._escaped = False
        elif token == "\\":
            self._escaped = True
        elif token == '"':
            self._string = not self._string
        elif not self._string and kind == "other":
            self._depth += (token in "{[") - (token in "}]")


def _may_open(mark: str, before: str) -> bool:
    """A straight mark behind a letter or a figure is an apostrophe, inches or minutes."""
    return mark not in "'\"" or not before.isalnum()


def _stands_for_itself(sentence: Sentence | None) -> None:
    if sentence is not None:
        sentence.interrupt()
