"""A text in pieces: words, spaces, marks, as they come."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

PIECE: Final = re.compile(
    r"""
      (?P<word>[^\W_](?:[\w\u0300-\u036f\u00ad\u200b-\u200f\u2060\ufeff]{0,62}[^\W_])?[\u0300-\u036f\u00ad\u200b-\u200f\u2060\ufeff]{0,4}(?:['’ʼ´][^\W_]{1,64}){0,4})
    | (?P<newline>[ \t]{0,63}\r?\n\s*)
    | (?P<space>[ \t\xa0]{1,64})
    | (?P<ticks>`+)
    | (?P<stop>[.?!…]+)
    | (?P<pause>[,;:—–()]+)
    | (?P<marks>[*_\#~+•>-]+)
    | (?P<tag></?[A-Za-z][A-Za-z0-9]{0,9}[ ]?/?>|&(?:quot|apos|nbsp|[lr][sd]quo|\#3[49]);)
    | (?P<quote>["“”«»„'‘’])
    | (?P<other>.)
    """,
    re.VERBOSE,
)
LONGEST_WORD: Final = 64
"""Characters of a word; what is longer is none, and is read in parts, so that nothing is read again and again.

A run of spaces is read in parts of the same length; only the last, unfinished part goes with what follows.
"""

WORD_MARKS: Final = "_'’ʼ´"
"""Marks that may stand in a word, and behind one."""

_UNFINISHED: Final = re.compile(r"[_'’ʼ´\u0300-\u036f\u00ad\u200b-\u200f\u2060\ufeff]{0,64}\Z")
_TAG_BEGUN: Final = re.compile(r"</?(?:[A-Za-z][A-Za-z0-9]{0,9})?[ ]?/?\Z|&#?[a-z0-9]{0,5}\Z")
_PARTING_TAG: Final = re.compile(r"</?(?:br|p|div|li|ul|ol|td|th|tr|h[1-6]|hr)\b", re.IGNORECASE)
INVISIBLE: Final = frozenset({"So", "Sk", "Cf", "Mn", "Me", "Co", "Cn"})
OPENING: Final = frozenset({"ticks", "marks", "quote", "other"})
"""Pieces with which code, a quotation or JSON may begin."""
_IN_FRONT: Final = frozenset("*_#~+•-><&(")
_LIST_DIGITS: Final = 3
"""Digits of a list's number at most: what has more is a year or an amount."""


def goes_on(text: str, end: int, size: int, kind: str, piece: str) -> bool:
    """Whether more of the same piece may follow what has come."""
    if piece in "<&":
        return _TAG_BEGUN.fullmatch(text, end - 1) is not None
    if end == size and len(piece) < LONGEST_WORD:
        return kind != "quote" and (kind != "other" or piece == "\r")
    return kind == "word" and _UNFINISHED.fullmatch(text, end) is not None


def is_between(kind: str, piece: str) -> bool:
    """Whether a piece in front of a sentence is no part of it: a sign that pictures something, a mark that is left."""
    if kind == "other":
        return unicodedata.category(piece) in INVISIBLE
    return kind == "stop" or (kind == "pause" and piece[0] != "(")


def parts_lines(tag: str) -> bool:
    """Whether a sentence ends at a tag of HTML, as at the end of a line; within one it is but emphasis."""
    return _PARTING_TAG.match(tag) is not None


def breaks_off(sign: str) -> bool:
    """Whether no claim goes on across a sign."""
    return unicodedata.category(sign) not in INVISIBLE and sign not in "[]\"'’‘“”«»&%"


def is_list_number(piece: str, following: str) -> bool:
    """Whether a piece that begins a line is the number of a list's item, by the character behind it."""
    return following in {".", ")"} and _may_be_list_number(piece)


def may_begin(part: str, *, line_start: bool) -> bool:
    """Whether something that is no word may stand in front of a sentence and go with it: marks, a list's number."""
    return part[:1] in _IN_FRONT or (line_start and _may_be_list_number(part))


def _may_be_list_number(piece: str) -> bool:
    return len(piece) <= _LIST_DIGITS and piece.isascii() and piece.isdigit()
