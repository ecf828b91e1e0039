"""An answer's text as it comes, in pieces of any size: what may leave, what waits, what is dropped.

Only a sentence that begins like an announcement waits, to its end at most; where a clause further in begins like one,
that clause does. What comes out does not depend on how the text was cut. Quotations, code and JSON are not read.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from innerlife.affect.guard.apart import Apart
from innerlife.affect.guard.language import Claim, plain
from innerlife.affect.guard.rules import Passes, Rules, Sentence, Verdict, rules

_APOSTROPHES: Final = "'’ʼ´"
_TOKEN: Final = re.compile(
    r"""
      (?P<newline>[ \t]*\r?\n\s*)
    | (?P<space>[ \t\xa0]+)
    | (?P<word>[^\W_](?:[\w\u0300-\u036f]*[^\W_])?[\u0300-\u036f]*(?:['’ʼ´][^\W_]+)*)
    | (?P<ticks>`+)
    | (?P<stop>[.?!…]+)
    | (?P<pause>[,;:—–()]+)
    | (?P<marks>[*_\#~+•>-]+)
    | (?P<quote>["“”«»„'‘’])
    | (?P<other>.)
    """,
    re.VERBOSE,
)
_UNFINISHED: Final = re.compile(r"[_'’ʼ´\u0300-\u036f]*\Z")
_INVISIBLE: Final = frozenset({"So", "Sk", "Cf", "Mn", "Me", "Co", "Cn"})
_BLOCK_MARK: Final = re.compile(r"[-*+•#]+(?=[ \t])")


class Run(NamedTuple):
    """So many characters that leave, or that are dropped."""

    length: int
    kept: bool


@dataclass(slots=True)
class GuardedText:
    """One text. `passes` says which claims the user's own words let through."""

    passes: Passes
    dropped: list[Verdict] = field(default_factory=list)
    _rules: Rules = field(default_factory=rules)
    _text: str = ""
    _base: int = 0
    _at: int = 0
    _done: int = 0
    _runs: list[Run] = field(default_factory=list)
    _apart: Apart = field(default_factory=Apart)
    _sentence: Sentence | None = None
    _line_start: bool = True
    _ended: int = -1
    _stop: int = -1
    _spaced: bool = True
    _quiet: bool = False

    def feed(self, text: str) -> list[Run]:
        """The next piece; returns what is decided now, in order from where the last call left off."""
        if self._quiet and (part := self._passed_on(text)) is not None:
            self._text = part
            self._done = self._base + len(part)
            return [Run(len(text), kept=True)]
        self._text += text
        self._read(last=False)
        return self._taken()

    def end(self) -> list[Run]:
        """The text is over; what was undecided is decided."""
        self._read(last=True)
        if self._sentence is not None:
            self._close("", self._base + len(self._text), self._base + len(self._text))
        self._release(self._base + len(self._text))
        return self._taken()

    def _taken(self) -> list[Run]:
        taken, self._runs = self._runs, []
        return taken

    def _read(self, *, last: bool) -> None:
        text = self._text
        at, size = self._at - self._base, len(text)
        while at < size:
            at = self._skipped(text, at)
            match = _TOKEN.match(text, at)
            if match is None:
                break
            end, kind = match.end(), match.lastgroup or ""
            if not last and _goes_on(text, end, size, kind, match.group()):
                break
            following = text[end] if end < size else ""
            self._token(kind, match.group(), self._base + at, following)
            at = end
        self._at = self._base + at
        self._release(self._held_from(text[at:]))
        self._trim()
        sentence = self._sentence
        quiet = sentence is not None and sentence.dull and self._ended < 0 and not self._apart
        self._quiet = quiet and self._done == self._base + len(self._text)

    def _passed_on(self, text: str) -> str | None:
        """The short way for most pieces: words that can change nothing. The word that is begun; None where it is none.

        While it is quiet, all is read and has left but for a word that was begun.
        """
        whole = self._text + text
        at = self._skipped(whole, 0)
        part = whole[at:]
        sentence = self._sentence
        if part and (not part.isalpha() or sentence is None or sentence.may_open(part)):
            return None
        self._base = self._at = self._base + at
        return part

    def _skipped(self, text: str, at: int) -> int:
        """Where to go on behind words that can change nothing: most of an answer is such."""
        sentence = self._sentence
        if sentence is None or self._ended >= 0 or not sentence.dull or self._apart:
            return at
        match = self._rules.dull.match(text, at)
        if match is None:
            return at
        sentence.last = match[1]
        self._apart.passed_over()
        self._spaced = True
        return match.end()

    def _held_from(self, part: str) -> int:
        """Where the undecided begins; `part` is what has come of the next token."""
        sentence, end = self._sentence, self._base + len(self._text)
        held = sentence.held_from if sentence is not None else -1
        if held >= 0:
            return held
        if not part or self._apart:
            return end
        if part[0].isalpha():
            waits = plain(part) in self._rules.beginnings if sentence is None else sentence.may_open(part)
        else:
            waits = sentence is None and part[0] in "*_#~+•-"
        return self._at if waits else end

    def _token(self, kind: str, token: str, at: int, following: str) -> None:
        if kind == "newline":
            self._newline(token, at, following)
        elif self._apart.takes(kind, token, at, line_start=self._line_start, sentence=self._sentence):
            self._line_start = self._spaced = False
            if self._apart.said_whole and self._sentence is not None:
                self._ended, self._stop = at + len(token), at
        elif kind == "space":
            self._space(at, at + len(token), following)
        else:
            self._inside(kind, token, at)
            self._line_start = self._line_start and kind == "marks"
            self._spaced = False

    def _inside(self, kind: str, token: str, at: int) -> None:
        """A token that belongs to a sentence."""
        end = at + len(token)
        sentence = self._sentence
        if sentence is None:
            if kind == "other" and unicodedata.category(token) in _INVISIBLE:
                return
            sentence = Sentence(self._rules, self.passes, at, self._line_start)
            self._sentence = sentence
        match kind:
            case "word":
                if self._ended >= 0:
                    sentence.interrupt()
                self._ended = -1
                sentence.word(token, at)
            case "stop":
                shortened = sentence.last in self._rules.shortened or (len(sentence.last) == 1 and sentence.last.isalpha())
                if not sentence.fresh and not (token == "." and shortened):
                    self._ended, self._stop = end, at
            case "pause":
                if token != ")" or self._ended < 0:
                    self._ended = -1
                    sentence.mark()
                else:
                    self._ended = end
            case "marks":
                if self._ended >= 0:
                    self._ended = end
                elif self._spaced and token in {"-", "--"} and not sentence.fresh:
                    sentence.mark()
            case _:
                self._sign(sentence, token, end)

    def _sign(self, sentence: Sentence, token: str, end: int) -> None:
        if token in "¿¡":
            sentence.mark()
            if token == "¿":
                sentence.suppose()
        elif self._ended >= 0 and token in "]}":
            self._ended = end
        elif unicodedata.category(token) not in _INVISIBLE and token not in "[]\"'’‘“”«»&%":
            self._ended = -1
            sentence.interrupt()

    def _space(self, at: int, end: int, following: str) -> None:
        self._spaced = True
        sentence = self._sentence
        if sentence is None or self._ended < 0 or self._apart:
            return
        if sentence.held_from >= 0 and following.islower():
            # "I notice… you seem": it goes on.
            self._ended = -1
            sentence.mark()
        else:
            self._close(" ", at, end)

    def _newline(self, token: str, at: int, following: str) -> None:
        lines = token.count("\n")
        self._spaced = True
        sentence = self._sentence
        soft = lines == 1 and following.islower() and sentence is not None and sentence.held_from >= 0
        if sentence is not None and not (soft and self._ended < 0 and not sentence.fresh):
            self._close("\n", at, at + len(token))
        self._apart.line_ends(lines)
        self._line_start = True

    def _close(self, gap: str, at: int, end: int) -> None:
        """The sentence is over at `at`; what parts it from the next one (`gap`: a space, a line, nothing) ends at `end`."""
        sentence, self._sentence = self._sentence, None
        over = self._ended if self._ended >= 0 else at
        stop = self._stop if self._ended >= 0 else at
        self._ended = -1
        if sentence is None:
            return
        sentence.end()
        if sentence.verdict is None or (stop < over and self._asks(sentence, stop, over)):
            return
        self.dropped.append(sentence.verdict)
        if sentence.since != sentence.start:
            if not sentence.clean:
                over = stop
            self._drop(sentence.since, end if gap == " " and sentence.clean else over)
        elif gap == " ":
            self._drop(self._after_marks(sentence, over), end)
        elif gap == "\n" and not sentence.opens_line:
            self._drop(sentence.start, over)
        else:
            self._drop(sentence.start, end)

    def _asks(self, sentence: Sentence, stop: int, over: int) -> bool:
        """Whether it asks for a feeling in the order of words of a statement, as some languages do."""
        verdict = sentence.verdict
        if verdict is None or verdict.claim is not Claim.LABELS or sentence.paused:
            return False
        ending = self._text[stop - self._base : over - self._base]
        return verdict.language in self._rules.in_order and "?" in ending

    def _after_marks(self, sentence: Sentence, over: int) -> int:
        """Where to cut so that a list's mark, or emphasis that ends later, stays."""
        text = self._text[sentence.start - self._base : over - self._base]
        marks = text[: sentence.text_start - sentence.start]
        if block := _BLOCK_MARK.match(marks):
            return sentence.start + block.end() + (len(marks) - len(marks.rstrip()) > 0)
        odd = any(text.count(mark) % 2 for mark in ("**", "__")) or text.strip("*_ ").count("*") % 2
        return sentence.text_start if marks and odd else sentence.start

    def _drop(self, start: int, end: int) -> None:
        self._release(start)
        if end > self._done:
            self._runs.append(Run(end - self._done, kept=False))
            self._done = end

    def _release(self, end: int) -> None:
        if end > self._done:
            self._runs.append(Run(end - self._done, kept=True))
            self._done = end

    def _trim(self) -> None:
        """Forget what is read and decided."""
        keep = min(self._done, self._at)
        if self._sentence is not None and self._sentence.held_from >= 0:
            keep = min(keep, self._sentence.start)
        if keep > self._base:
            self._text = self._text[keep - self._base :]
            self._base = keep


def guarded(text: str, passes: Passes) -> tuple[str, list[Verdict]]:
    """A whole text as it may reach the user, and what was dropped."""
    guard = GuardedText(passes)
    runs = guard.feed(text) + guard.end()
    kept: list[str] = []
    at = 0
    for run in runs:
        if run.kept:
            kept.append(text[at : at + run.length])
        at += run.length
    return "".join(kept), guard.dropped


def _goes_on(text: str, end: int, size: int, kind: str, token: str) -> bool:
    """Whether more of the same token may follow what has come."""
    if end == size:
        return kind != "quote" and (kind != "other" or token == "\r")
    return kind == "word" and _UNFINISHED.fullmatch(text, end) is not None
