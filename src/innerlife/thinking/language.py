"""Which language a text is in, roughly and without a model: by its script, and by its commonest small words."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache
from typing import Final

_WORD: Final = re.compile(r"(?<!\w)[^\W\d_]+(?!\w)")
"""Letters alone: the "a" and the "da" within "#a5b1da" are words of no language."""
_NAME: Final = re.compile(r"[A-Za-z0-9][.:/\\@_#=&?]+[A-Za-z0-9]")
"""Within a piece of text: an address, a path or a handle. The "com" of an address is no Portuguese "com"."""

_FEWEST: Final = 5
"""Words below which nothing is said about a text in Latin letters."""

_SMALL: Final[dict[str, frozenset[str]]] = {
    language: frozenset(words.split())
    for language, words in {
        "en": "the and of to is in that was he she it for with his her they you are on this from had not but have at "
        "a an i my we be what your do how me so if as can will there about when like",
        "de": "der die das und ist nicht ein eine mit sich auf den dem von zu ich sie er es im für war hat auch wird",
        "es": "el la los las de que y en un una es por con para su se del al lo está pero más como muy ha mi "
        "me te tu yo este esta esto ya si a o no hay le les lo",
        "fr": "le la les de des et est un une dans que qui pour avec sur il elle pas au du ce ses sont mais ont",
        "it": "il la che di e è un una per con non sono del della gli nel ha si lo più anche suo come ma dei",
        "pt": "o a os as de que e em um uma é não com para por seu sua do da mais ele ela foi muito mas ao "
        "me como você meu minha esta este eu",
        "nl": "de het een en van is in op dat die met voor niet zijn hij zij aan maar ook naar was heeft bij",
        "pl": "i w na z nie jest się że do to jak ma po ale jego jej są od był była oraz przez dla",
        "sv": "och att det som en ett är på av för inte med han hon den var till har om men jag de",
        "tr": "ve bir bu için ile da de çok ne var daha gibi olarak ama onun sonra en kadar mi",
    }.items()
}


def language_of(text: str) -> str:
    """A language's code for Latin letters, a script's name for others; empty where it cannot be told."""
    pieces = (one for one in unicodedata.normalize("NFC", text).split() if not _is_name(one))
    words = [word.casefold() for piece in pieces for word in _WORD.findall(piece)]
    scripts = Counter(_script(char) for word in words for char in word)
    if not scripts:
        return ""
    script, count = scripts.most_common(1)[0]
    if count * 2 <= scripts.total():
        return ""
    if script != "LATIN":
        # Japanese is told from Chinese by any kana in it.
        return "HIRAGANA" if script == "CJK" and scripts.keys() & {"HIRAGANA", "KATAKANA"} else script
    if len(words) < _FEWEST:
        return ""
    hits = Counter({language: sum(map(small.__contains__, words)) for language, small in _SMALL.items()})
    (first, most), (_, second) = hits.most_common(2)
    return first if most * 6 >= len(words) and most > second else ""


def same_language(text: str, other: str) -> bool:
    """Whether nothing speaks against two texts being in one language."""
    one, two = language_of(text), language_of(other)
    if one and two:
        return one == two
    return True


def _is_name(piece: str) -> bool:
    # Where no spaces are written, a whole paragraph is one piece: it is no name for an address in it.
    return piece.isascii() and _NAME.search(piece) is not None


@lru_cache(maxsize=4096)
def _script(char: str) -> str:
    name = unicodedata.name(char, "UNKNOWN").split()[0]
    return "HIRAGANA" if name == "KATAKANA" else name
