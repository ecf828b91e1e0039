"""A text in pieces: words, spaces, marks, as they come."""

from __future__ import annotations

import re
from typing import Final

PIECE: Final = re.compile(
    r"""
      (?P<word>[^\W_](?:[\w\u0300-\u036f]{0,62}[^\W_])?[\u0300-\u036f]*(?:['’ʼ´][^\W_]+)*)
    | (?P<newline>[ \t]*\r?\n\s*)
    | (?P<space>[ \t\xa0]+)
    | (?P<ticks>`+)
    | (?P<stop>[.?!…]+)
    | (?P<pause>[,;:—–()]+)
    | (?P<marks>[*_\#~+•>-]+)
    | (?P<quote>["“”«»„'‘’])
    | (?P<other>.)
    """,
    re.VERBOSE,
)
LONGEST_WORD: Final = 64
"""Characters of a word; what is longer is none, and is read in parts, so that nothing is read again and again."""

WORD_MARKS: Final = "_'’ʼ´"
"""Marks that may stand in a word, and behind one."""

_UNFINISHED: Final = re.compile(r"[_'’ʼ´\u0300-\u036f]*\Z")
INVISIBLE: Final = frozenset({"So", "Sk", "Cf", "Mn", "Me", "Co", "Cn"})
OPENING: Final = frozenset({"ticks", "marks", "quote", "other"})
"""Pieces with which code, a quotation or JSON may begin."""


def goes_on(text: str, end: int, size: int, kind: str, piece: str) -> bool:
    """Whether more of the same piece may follow what has come."""
    if end == size and len(piece) < LONGEST_WORD:
        return kind != "quote" and (kind != "other" or piece == "\r")
    return kind == "word" and _UNFINISHED.fullmatch(text, end) is not None
