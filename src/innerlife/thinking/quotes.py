"""Quotes: what a model claims must stand in the evidence, word for word (design §10)."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Final

_ALIKE: Final = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′`´", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        "…": "...",
    }
)
_UNSEEN: Final = frozenset("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff")
_AROUND: Final = "\"' "

# Scripts that write words without spaces between them (Thai, Lao, Myanmar, Khmer, and all from CJK on).
_UNSPACED: Final = ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x2E80, 0x10FFFF))


@dataclass(frozen=True, slots=True)
class Span:
    """Half-open offsets in characters of the evidence."""

    start: int
    end: int


def find_quote(quote: str, evidence: str) -> Span | None:
    """Where `quote` stands in `evidence` for the first time, or None where it does not.

    Case, white space, line breaks, typographic quotes and dashes, and the composition of accents may differ; words
    may not, and half a word is none.
    """
    wanted, _ = _plain(quote)
    wanted = wanted.strip(_AROUND)
    if not any(char.isalnum() for char in wanted):
        return None
    text, places = _plain(evidence)
    at = text.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        if _between_words(text, at) and _between_words(text, end):
            return Span(places[at][0], places[end - 1][1])
        at = text.find(wanted, at + 1)
    return None


def _plain(text: str) -> tuple[str, list[tuple[int, int]]]:
    """`text` in the form in which quotes are compared, and for each of its characters the place it came from."""
    letters: list[str] = []
    places: list[tuple[int, int]] = []
    for index, char in enumerate(text):
        if char in _UNSEEN:
            continue
        if char.isspace():
            if letters and letters[-1] == " ":
                continue
            folded = " "
        else:
            folded = unicodedata.normalize("NFD", char.translate(_ALIKE).casefold())
        for one in folded:
            if unicodedata.combining(one) and letters and places[-1][1] == index:
                # An accent typed as a character of its own belongs to the letter before it.
                places[-1] = (places[-1][0], index + 1)
            letters.append(one)
            places.append((index, index + 1))
    return "".join(letters), places


def _between_words(text: str, at: int) -> bool:
    """Whether no word of a script with spaces goes on across this place."""
    if not 0 < at < len(text):
        return True
    before, after = text[at - 1], text[at]
    if unicodedata.combining(after):
        return False
    return not (before.isalnum() and after.isalnum() and _spaced(before) and _spaced(after))


def _spaced(char: str) -> bool:
    return not any(first <= ord(char) <= last for first, last in _UNSPACED)
