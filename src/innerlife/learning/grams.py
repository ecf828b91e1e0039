"""Short runs of words, as places of a fixed list: what a head weighs of how things are said. Nothing of a text is kept.

A word of the question stands as `<q>`, one of the answer as `<a>`, a number as `<n>`: what matters is that they are
taken up, not which they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final
from zlib import crc32

import numpy as np

from innerlife.learning.likeness import content, plain, told
from innerlife.learning.turns import Window
from innerlife.ports import Vector

MESSAGE_PLACES: Final = 8192
ANSWER_PLACES: Final = 4096
"""Places of the lists: runs that share one by chance (CRC-32) are weighed as one. By labelled conversations."""

_MOST: Final = 40
"""Words of a message or an answer that are read: how it is meant shows at its beginning."""

_WORD: Final = re.compile(r"\w+(?:'\w+)?|[^\w\s]")
_NUMBER: Final = re.compile(r"\d+\w{0,2}")
_DRAWN_OUT: Final = re.compile(r"(.)\1{2,}")
_STEM: Final = 5
"""First letters by which longer words are known beside their full form."""


def message_grams(window: Window) -> Vector:
    """Of the new message: words, pairs and threes, stems, and the words it begins with. Length 1, or 0 where empty."""
    words = _WORD.findall(_DRAWN_OUT.sub(r"\1\1", told(window.next.said if window.next else "")))[:_MOST]
    asked, brought = content(window.judged.said), content(window.judged.answer)
    stood = [_stands(word, asked, brought) for word in words]
    found = {*stood, *_runs(stood, 2), *_runs(stood, 3)}
    found |= {f"{word[:_STEM]}-" for word in words if len(word) > _STEM}
    found |= {f"^^{word}" for word in stood[:4]}
    return _placed(found, MESSAGE_PLACES)


def answer_grams(window: Window) -> Vector:
    """Of the answer: words and pairs. Length 1, or 0 where empty."""
    asked = content(window.judged.said)
    words = _WORD.findall(plain(window.judged.answer[:1000]))[:_MOST]
    stood = [_stands(word, asked, frozenset()) for word in words]
    return _placed({*stood, *_runs(stood, 2)}, ANSWER_PLACES)


def _stands(word: str, asked: frozenset[str], brought: frozenset[str]) -> str:
    if _NUMBER.fullmatch(word):
        return "<n>"
    own = content(word)
    if own & asked:
        return "<q>"
    return "<a>" if own & brought else word


def _runs(words: Sequence[str], size: int) -> Iterable[str]:
    framed = ["^", *words, "$"]
    return (" ".join(framed[at : at + size]) for at in range(len(framed) - size + 1))


def _placed(found: set[str], places: int) -> Vector:
    placed = np.zeros(places, np.float32)
    for one in found:
        placed[crc32(one.encode("utf-8", "surrogatepass")) % places] = 1.0
    return placed / np.float32(max(1.0, float(np.sqrt(placed.sum()))))
