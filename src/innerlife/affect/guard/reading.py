"""The pieces of a text read as sentences: where one begins and ends, and what of it is dropped."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from innerlife.affect.guard.apart import Apart
from innerlife.affect.guard.behind import Behind, Rest
from innerlife.affect.guard.cutting import End, asks, cut, cut_before, with_space
from innerlife.affect.guard.language import Claim, plain
from innerlife.affect.guard.opinion import announces, end_mark, told_by, told_from, verdict_on
from innerlife.affect.guard.pieces import (
    LONGEST_WORD,
    OPENING,
    breaks_off,
    is_between,
    is_list_number,
    parts_lines,
)
from innerlife.affect.guard.rules import Passes, Rules, Verdict, rules
from innerlife.affect.guard.runs import Runs
from innerlife.affect.guard.sentence import LONGEST_HELD, Piece, Sentence

_LONGEST_DROPPED: Final = 4_000
"""Characters of a sentence that go with its announcement at most: what has no end is not kept whole to be dropped."""


@dataclass(slots=True)
class Reading:
    """One text that is read piece by piece. `passes` says which claims the user's own words let through."""

    passes: Passes
    dropped: list[Verdict] = field(default_factory=list)
    _rules: Rules = field(default_factory=rules)
    _text: str = ""
    _base: int = 0
    _runs: Runs = field(default_factory=Runs)
    _behind: Behind | None = None
    _apart: Apart = field(default_factory=Apart)
    _sentence: Sentence | None = None
    _line_start: bool = True
    _ended: int = -1
    _stop: int = -1
    _spaced: bool = True
    _table: bool = False
    _trimmed: str = "\n"

    def _piece(self, kind: str, piece: str, at: int, following: str) -> None:
        apart = self._apart
        if kind == "newline":
            self._newline(piece, at, following)
        elif (apart.inside or apart.waiting or kind in OPENING) and self._taken(kind, piece, at):
            self._line_start = self._spaced = False
            if apart.said_whole and self._sentence is not None:
                self._ended, self._stop = at + len(piece), at
        elif piece == "|" and (self._table or (self._line_start and self._sentence is None)):
            cell_end = self._with_space(at)
            self._close("|", cell_end, cell_end)
            self._table, self._line_start, self._spaced = True, False, False
        elif kind == "space":
            self._space(at, at + len(piece), following)
        elif kind == "tag" and parts_lines(piece):
            self._close(" ", at, at)
        else:
            self._inside(kind, piece, at, following)
            self._line_start = self._line_start and kind in {"marks", "tag"}
            self._spaced = False

    def _taken(self, kind: str, piece: str, at: int) -> bool:
        """Whether a piece stands apart; what does may be the rest behind an announcement."""
        apart, sentence, was_inside = self._apart, self._sentence, self._apart.inside
        taken = apart.takes(kind, piece, at, self._before(at), line_start=self._line_start, sentence=sentence)
        if sentence is None or not taken:
            return taken
        if not was_inside:
            self._stands_apart(sentence, at)
        elif 0 <= sentence.open_from < at - LONGEST_HELD:
            sentence.shut()
        return True

    def _stands_apart(self, sentence: Sentence, at: int) -> None:
        """Code, a quotation or JSON begins, which may be the rest behind an announcement."""
        if sentence.places:
            sentence.pieces.append(("apart", "", at, "", self._spaced))
        if behind := self._announced(sentence):
            self._resume(sentence, behind.sign(at))

    def _before(self, at: int) -> str:
        """The character in front of a place."""
        return self._text[at - self._base - 1] if at > self._base else self._trimmed

    def _inside(self, kind: str, piece: str, at: int, following: str) -> None:
        """A piece that belongs to a sentence."""
        sentence, end = self._sentence or self._begun(kind, piece, at, following), at + len(piece)
        if sentence is None:
            return
        sentence.keep((kind, piece, at, following, self._spaced))
        if sentence.verdict is not None and end - sentence.start > _LONGEST_DROPPED:
            self._close(" ", at, at)
            return
        match kind:
            case "word":
                if self._ended >= 0:
                    sentence.interrupt()
                    self._ended = -1
                    self._part(sentence, ".", at - 1, piece)
                self._word(sentence, piece, at)
            case "stop":
                if not sentence.fresh and not (piece == "." and sentence.shortened):
                    self._ended, self._stop = end, at
            case "pause" if piece != ")" or self._ended < 0:
                self._ended = -1
                sentence.mark(piece)
                self._part(sentence, piece, at, following)
            case "pause" | "marks" | "tag" if self._ended >= 0:
                self._ended = end
            case "marks" if sentence.fresh and end - sentence.start > LONGEST_WORD:
                # A rule across the page, and no sentence's beginning.
                self._sentence = None
            case "marks" | "tag":
                if self._spaced and piece in {"-", "--"} and not sentence.fresh:
                    sentence.mark(piece)
                    self._part(sentence, piece, at, following)
            case _:
                self._sign(sentence, piece, end)

    def _begun(self, kind: str, piece: str, at: int, following: str) -> Sentence | None:
        """The sentence that begins with this piece; None where none does, or a list's number is all of it."""
        if is_between(kind, piece):
            return None
        self._sentence = Sentence(self._rules, self.passes, at, self._line_start)
        return None if self._line_start and is_list_number(piece, following) else self._sentence

    def _sign(self, sentence: Sentence, piece: str, end: int) -> None:
        if piece in "¿¡":
            sentence.mark(piece)
            if piece == "¿":
                sentence.suppose()
        elif self._ended >= 0 and piece in "]}":
            self._ended = end
        elif breaks_off(piece):
            self._ended = -1
            sentence.interrupt()
            # A sign without a space before it ends a smiley.
            if (behind := self._announced(sentence)) and self._spaced:
                self._resume(sentence, behind.sign(end - 1))
        elif self._ended < 0 and unicodedata.category(piece) == "So":
            self._part(sentence, piece, end - 1, " ")

    def _announced(self, sentence: Sentence) -> Behind | None:
        """The reading behind what the sentence announces, if it does."""
        verdict = sentence.verdict
        if verdict is not None and self._behind is None:
            self._look_before(sentence)
            asked = verdict.claim is Claim.LABELS and verdict.language in self._rules.in_order
            self._behind = Behind(self._rules, unmarked=not asked)
        return self._behind

    def _look_before(self, sentence: Sentence) -> None:
        """Where a clause further in announces, and what is in front of it waits: whether that has to go as well."""
        if (
            sentence.verdict is None
            or sentence.weighed
            or sentence.looked
            or sentence.since == sentence.start
        ):
            return
        # Once: what stands in front of the cut may leave from here on.
        sentence.looked = True
        if sentence.open_from != sentence.start:
            return
        places = [one for one in sentence.places if one.word >= 0 and one.at < sentence.since]
        before = sentence.heard[: places[-1].word - 1 if places else -len(sentence.verdict.words)]
        meant = announces(self._rules.weights, [*before, "."]) and not self.passes(verdict_on(before))
        if meant or self._fits_a_form(before):
            sentence.since = sentence.start
        elif places:
            # The mark in front of the clause has not left, and goes with it.
            sentence.since, sentence.clean = places[-1].at, False

    def _fits_a_form(self, said: Sequence[str]) -> bool:
        """Whether these words and marks announce as a sentence of their own."""
        alone = Sentence(self._rules, self.passes, 0, opens_line=True)
        for at, one in enumerate(said):
            if one[0].isalnum():
                alone.word(one, at)
            else:
                alone.mark(one)
        alone.end()
        return alone.verdict is not None

    def _part(self, sentence: Sentence, mark: str, at: int, following: str) -> None:
        """A mark at `at`, behind which the sentence may say something else."""
        if behind := self._announced(sentence):
            behind.mark(mark, at, following)

    def _word(self, sentence: Sentence, word: str, at: int) -> None:
        """A word of a sentence."""
        announced = sentence.verdict is not None
        sentence.word(word, at)
        if sentence.verdict is None:
            return
        behind = self._announced(sentence)
        if behind is None or not (announced or plain(word) in self._rules.links):
            return
        if behind.defines(word, sentence.verdict):
            sentence.retract()
            self._behind = None
        else:
            self._resume(sentence, behind.word(word, at))

    def _resume(self, sentence: Sentence, rest: Rest | None) -> None:
        """Cut an announcement off from what stands for itself behind it, which is read as a sentence of its own."""
        if rest is None or sentence.verdict is None:
            return
        self.dropped.append(sentence.verdict)
        self._behind, whole = None, sentence.since == sentence.start
        start, end = cut_before(sentence, rest, self._text, self._base, self._trimmed)
        self._runs.release(start)
        self._runs.drop(end)
        if whole and rest.is_prose:
            self._runs.raise_at(rest.start)
        begin, opens_line = (
            (rest.start, sentence.opens_line and start == sentence.start) if whole else (end, False)
        )
        self._sentence = Sentence(self._rules, self.passes, begin, opens_line)
        for word, at in rest.words:
            self._word(self._sentence, word, at)

    def _space(self, at: int, end: int, following: str) -> None:
        self._spaced = True
        sentence = self._sentence
        if sentence is None or self._ended < 0 or self._apart.inside:
            return
        if sentence.held_from >= 0 and following.islower():
            # "I notice… you seem": it goes on.
            self._ended = -1
            sentence.mark("…")
            self._part(sentence, "…", at - 1, " ")
        else:
            self._close(" ", at, end)

    def _newline(self, piece: str, at: int, following: str) -> None:
        lines = piece.count("\n")
        self._spaced = True
        sentence = self._sentence
        soft = lines == 1 and following.islower() and sentence is not None and sentence.held_from >= 0
        if sentence is not None and not (soft and self._ended < 0 and not sentence.fresh):
            self._close("\n", at, at + len(piece))
        elif sentence is not None:
            self._part(sentence, ",", at, " ")
        self._apart.line_ends(lines)
        self._table = False
        self._line_start = True

    def _close(self, gap: str, at: int, end: int) -> None:
        """The sentence is over at `at`; what parts it from the next (`gap`, see `End`) ends at `end`."""
        over = self._ended if self._ended >= 0 else at
        stop = self._stop if self._ended >= 0 else at
        while self._second_opinion(self._text[stop - self._base : over - self._base]):
            pass
        sentence, self._sentence, self._behind = self._sentence, None, None
        self._ended = -1
        if sentence is None:
            return
        sentence.end()
        self._look_before(sentence)
        ending = self._text[stop - self._base : over - self._base]
        if sentence.verdict is None or (not sentence.weighed and asks(sentence, ending)):
            return
        self.dropped.append(sentence.verdict)
        start, behind = cut(sentence, End(gap, over, stop, end), self._text, self._base, self._trimmed)
        self._runs.release(start)
        self._runs.drop(behind)

    def _second_opinion(self, ending: str) -> bool:
        """Judge the sentence by what its words mean; whether another one has come of what stands behind its claim."""
        sentence, weights = self._sentence, self._rules.weights
        if sentence is None or not sentence.may_announce:
            return False
        end = end_mark(ending)
        if not announces(weights, [*sentence.heard, *end], sentence.heard_from):
            return False
        said = sentence.heard[sentence.heard_from :]
        found = verdict_on([*said, *end])
        if self.passes(found):
            return False
        sentence.weigh(found)
        since = sentence.heard_from
        places = [replace(one, word=one.word - since) for one in sentence.places if one.word >= 0]
        if (place := told_by(weights, said, places)) is not None:
            self._read_again(sentence.pieces[place.piece :])
        elif (place := told_from(weights, [*said, *end], places)) is not None:
            sentence.since, sentence.clean = place.at, False
        return self._sentence is not sentence

    def _read_again(self, pieces: Sequence[Piece]) -> None:
        """Read once more what stands behind an announcement, to find what stands for itself."""
        before = self._ended, self._stop, self._spaced
        self._ended = -1
        for kind, piece, at, following, spaced in pieces:
            self._spaced = spaced
            if kind != "apart":
                self._inside(kind, piece, at, following)
            elif self._sentence is not None:
                self._stands_apart(self._sentence, at)
        self._ended, self._stop, self._spaced = before

    def _with_space(self, at: int) -> int:
        return self._base + with_space(self._text, at - self._base, self._trimmed)
