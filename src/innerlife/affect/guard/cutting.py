"""Where a text is cut, so that what stands around a dropped sentence can still be read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from innerlife.affect.guard.behind import Rest
from innerlife.affect.guard.language import Claim
from innerlife.affect.guard.pieces import LONGEST_WORD
from innerlife.affect.guard.sentence import Sentence

_BLOCK_MARK: Final = re.compile(r"(?:[-*+•#]+|\d{1,3}[.)])[ \t]+")
_TAG: Final = re.compile(r"<(/?)[A-Za-z][A-Za-z0-9]{0,9}>")
SPACES: Final = " \t\xa0"
_AFTER_WHICH_SPACE_STAYS: Final = ",;:—–()-"


@dataclass(frozen=True, slots=True)
class End:
    """Where a sentence ends. `gap` is what parts it from the next: a space, a line, a cell ("|"), nothing.

    Its words end at `stop`, its last marks at `over`, the gap at `end`.
    """

    gap: str
    over: int
    stop: int
    end: int


def cut(sentence: Sentence, ending: End, text: str, base: int, before: str) -> tuple[int, int]:
    """From where to where a sentence that announces goes; `text` begins at `base`, behind the character `before`.

    Of a sentence that has left but for a clause, the clause goes: with the space in front of it, and the mark that
    ends the sentence stays; or, behind a mark, with all that follows it.
    """
    start, gap = sentence.start, ending.gap
    if sentence.since != start and not sentence.clean:
        return base + with_space(text, sentence.since - base, before), ending.stop
    if sentence.since != start:
        return sentence.since, ending.end if gap == " " else ending.over
    if gap == " ":
        said = text[start - base : ending.over - base]
        return start + after_marks(said, sentence.text_start - start), ending.end
    return start, ending.over if gap == "\n" and not sentence.opens_line else ending.end


def cut_before(sentence: Sentence, rest: Rest, text: str, base: int, before: str) -> tuple[int, int]:
    """From where to where an announcement goes that a clause of another kind follows in its sentence; as `cut`."""
    start = sentence.start
    if sentence.since == start:
        said = text[start - base : rest.start - base]
        return start + after_marks(said, sentence.text_start - start), rest.start
    if sentence.clean:
        return sentence.since, rest.joint
    begin = base + with_space(text, sentence.since - base, before)
    return begin, base + with_space(text, rest.mark - base, before)


def with_space(text: str, at: int, before: str) -> int:
    """The place in front of the space that parts a word from the clause at `at`; `at` where no word stands before.

    `before` is the character in front of the text. Of a long run of spaces only what is behind its last full part
    goes: what is in front of that has left.
    """
    place = at
    while place > 0 and text[place - 1] in SPACES:
        place -= 1
    if at - place >= LONGEST_WORD:
        return at - (at - place) % LONGEST_WORD
    return at if (text[place - 1] if place else before) in _AFTER_WHICH_SPACE_STAYS else place


def after_marks(text: str, marks: int) -> int:
    """Where to cut a sentence that begins with so many characters of marks.

    A list's mark or number stays for what follows in its item, and emphasis and tags that end later.
    """
    block = _BLOCK_MARK.match(text[:marks])
    begin = block.end() if block else 0
    said = text[begin:]
    odd = any(said.count(mark) % 2 for mark in ("**", "__")) or said.replace("**", "").count("*") % 2
    tags = _TAG.findall(said)
    open_tag = tags.count("") > len(tags) - tags.count("")
    return marks if begin < marks and (odd or open_tag) else begin


def asks(sentence: Sentence, ending: str) -> bool:
    """Whether it asks for a feeling in the order of words of a statement, as some languages do."""
    verdict = sentence.verdict
    if verdict is None or verdict.claim is not Claim.LABELS or sentence.paused:
        return False
    return verdict.language in sentence.rules.in_order and "?" in ending
