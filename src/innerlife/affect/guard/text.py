"""An answer's text as it comes, in pieces of any size: what may leave, what waits, what is dropped.

Only a sentence that begins like an announcement waits, to its end at most; where a clause further in begins like one,
that clause does. What comes out does not depend on how the text was cut. Quotations, code and JSON are not read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from innerlife.affect.guard.cutting import SPACES
from innerlife.affect.guard.language import plain
from innerlife.affect.guard.pieces import (
    LONGEST_WORD,
    PIECE,
    WORD_MARKS,
    goes_on,
    may_begin,
)
from innerlife.affect.guard.reading import Reading
from innerlife.affect.guard.runs import Run
from innerlife.affect.guard.sentence import Sentence

_ENDING: Final = frozenset(",.:;!?() \n")
"""Characters with which no piece ends that can change nothing."""


@dataclass(slots=True)
class GuardedText(Reading):
    """One text as it comes."""

    _at: int = 0
    _quiet: bool = False
    _holds: bool = False

    def feed(self, text: str) -> list[Run]:
        """The next piece; returns what is decided now, in order from where the last call left off."""
        if text[:1] == " " and len(text) <= LONGEST_WORD and text[1:].isalpha():
            read = self._word_ended(text)
        else:
            read = self._quiet and self._passed_on(text)
        if not read:
            self._text += text
            self._read(last=False)
        return self._runs.taken()

    def end(self) -> list[Run]:
        """The text is over; what was undecided is decided."""
        self._read(last=True)
        if self._sentence is not None:
            self._close("", self._base + len(self._text), self._base + len(self._text))
        self._runs.release(self._base + len(self._text))
        return self._runs.taken()

    def _read(self, *, last: bool) -> None:
        text = self._text
        at, size = self._at - self._base, len(text)
        while at < size:
            sentence = self._sentence
            if sentence is not None and self._ended < 0:
                if sentence.idle:
                    at = self._skipped(sentence, text, at)
                elif sentence.only_heard and not sentence.places:
                    at = self._listened(sentence, text, at)
            match = PIECE.match(text, at)
            if match is None:
                break
            end, kind, piece = match.end(), match.lastgroup or "", match.group()
            if (
                not last
                and (end == size or kind == "word" or piece in "<&")
                and goes_on(text, end, size, kind, piece)
            ):
                break
            self._piece(kind, piece, self._base + at, text[end] if end < size else "")
            at = end
        self._at = self._base + at
        self._settle(text[at:])

    def _word_ended(self, text: str) -> bool:
        """How most of a stream comes: `text` is a space and a word, and ends a word. False where none was begun.

        It does what `_read` does with the same pieces, without looking for them.
        """
        word, part, apart = self._text[self._at - self._base :], text[1:], self._apart
        if apart.inside or apart.waiting or not word.isalpha() or len(word) > LONGEST_WORD:
            return False
        sentence, rules = self._sentence, self._rules
        waits = sentence is not None and sentence.waits_whole
        if sentence is not None and sentence.only_heard and self._ended < 0 and not sentence.places:
            sentence.word(word, self._at)
        elif self._quiet and sentence is not None and plain(part) not in rules.later:
            sentence.word(word, self._at)
            if sentence.idle:
                self._let_through(len(word) + 1, part)
                return True
        else:
            self._inside("word", word, self._at, " ")
        self._line_start, self._spaced = False, True
        self._text += text
        self._at += len(word) + 1
        if not (waits and sentence is self._sentence and sentence is not None and sentence.waits_whole):
            # Else it waits as a whole, as before: nothing is settled by this word.
            self._settle(part)
        return True

    def _settle(self, part: str) -> None:
        """All is read but `part`, the beginning of the next piece: let go what need not wait, and forget it."""
        sentence, base = self._sentence, self._base
        end = base + len(self._text)
        self._runs.release(self._held_from(part, end))
        keep = min(self._runs.done, self._at)
        if self._holds and sentence is not None:
            keep = min(keep, sentence.start)
        if keep > base:
            self._trimmed = self._text[keep - base - 1]
            self._text = self._text[keep - base :]
            self._base = keep
        idle = sentence is not None and sentence.idle
        self._quiet = idle and self._ended < 0 and not self._apart.inside and self._runs.done == end

    def _passed_on(self, text: str) -> bool:
        """Let words through that can change nothing, whole ones and such as are begun. False where it is no such.

        While it is quiet, all is read and has left but for a word that was begun.
        """
        sentence = self._sentence
        if sentence is None or text[-1:] in _ENDING:
            return False
        whole = self._text + text
        at = self._skipped(sentence, whole, 0)
        part = whole[at:]
        if len(part) > LONGEST_WORD or not part.isalpha() or plain(part) in self._rules.later:
            return False
        self._let_through(at, part)
        return True

    def _let_through(self, length: int, part: str) -> None:
        """So many characters more are read, and `part` behind them is begun; all of it leaves."""
        if length:
            self._trimmed = " "
        self._base = self._at = self._base + length
        self._text = part
        self._runs.release(self._base + len(part))

    def _skipped(self, sentence: Sentence, text: str, at: int) -> int:
        """Where to go on behind words that can change nothing: most of an answer is such."""
        match = None if self._apart.inside else self._rules.dull.match(text, at)
        if match is None:
            return at
        sentence.last = match[1]
        self._spaced = True
        return match.end()

    def _listened(self, sentence: Sentence, text: str, at: int) -> int:
        """Where to go on behind words that are only heard: most of what waits is such."""
        match = None if self._apart.inside else self._rules.dull_word.match(text, at)
        while match is not None:
            sentence.word(match[1], self._base + at)
            at = match.end()
            self._line_start, self._spaced = False, True
            match = self._rules.dull_word.match(text, at) if sentence.only_heard else None
        return at

    def _held_from(self, part: str, end: int) -> int:
        """Where the undecided begins; `part` is what has come of the next piece, up to `end`."""
        # "you'" may become "you're" or stay a word with a mark behind it: either way it begins like "you".
        part = part.rstrip(WORD_MARKS) or part
        sentence, inside, begun = self._sentence, self._apart.inside, part[:1].isalpha()
        letters = plain(part) if begun and not inside else ""
        held = -1 if sentence is None or sentence.idle else sentence.held_from
        self._holds = held >= 0
        # What was held is free at the first letters that fit nothing; the word itself may still open something.
        if sentence is not None and held >= 0 and not (letters and sentence.ruled_out(letters)):
            return self._with_space(held) if held > sentence.start else held
        if inside:
            return end
        if sentence is None:
            first = (
                letters in self._rules.beginnings if letters else may_begin(part, line_start=self._line_start)
            )
            return self._at if first else end
        if begun:
            return self._with_space(self._at) if sentence.may_open(letters) else end
        # The space goes with the clause that may follow and have to go.
        space = (not part or part[0] in SPACES) and self._ended < 0 and not sentence.fresh
        return self._with_space(end) if space else end
