"""Text as it is compared: in small letters, without accents, each character still at its place. Pure."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

_APOSTROPHES: Final = str.maketrans("’‘´`ʼ", "'''''")
_KEPT: Final = re.compile(r"\bsí\b")
"""Spanish "yes", which without its accent is "if"."""


def fold(text: str) -> str:
    """`text` in small letters, without accents, typographic apostrophes made plain; as long as `text`.

    A combining mark that stands by itself becomes the letter before it once more, so that places stay as they are.
    """
    if text.isascii():
        return text.lower().translate(_APOSTROPHES)
    folded = "".join(map(_folded, text))
    if not unicodedata.is_normalized("NFC", text):
        folded = _doubled(folded)
    low = text.lower()
    if len(low) == len(text):
        for found in _KEPT.finditer(low):
            folded = folded[: found.start()] + "sí" + folded[found.end() :]
    return folded.translate(_APOSTROPHES)


def squeezed(word: str, most: int) -> str:
    """`word` with each run of one letter cut to `most`: "soooo" to "soo" or "so"."""
    return re.sub(r"(.)\1+", lambda run: run.group()[:most], word)


@lru_cache(maxsize=4096)
def _folded(char: str) -> str:
    bare = unicodedata.normalize("NFD", char)[0].lower()
    return bare if len(bare) == 1 else char


def _doubled(folded: str) -> str:
    """Combining marks replaced by the letter before them; words are then looked up with runs of a letter cut."""
    chars = list(folded)
    for place in range(1, len(chars)):
        if unicodedata.combining(chars[place]):
            chars[place] = chars[place - 1]
    return "".join(chars)
