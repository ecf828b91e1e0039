"""From text to terms, the same for what is indexed and what is asked."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+")
_POSSESSIVE = re.compile(r"['’]s\b")
# Scripts written without spaces are indexed as pairs of characters, as is usual for search in them.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")
_MARKS = re.compile("[\u0300-\u036f]")
_VOWELS = frozenset("aeiouy")
_LONGEST = 40

_ENGLISH = (
    "a an the and or but if then of in on at to for from with by about as is are was were be been being am do does did "
    "done doing have has had having i me my mine you your yours he him his she her hers it its we us our they them "
    "their this that these those there here what which who whom whose when where why how can could will would shall "
    "should may might must not no nor so too very just than s t d ll re ve m don didn doesn isn wasn aren weren won "
    "wouldn couldn shouldn hasn haven"
)
_SPANISH = (
    "el la los las un una y o pero si de del en al para por con que se su sus mi mis tu tus yo ella es fue ser esta "
    "estaba hay ha lo le les te nos cuando donde como quien cual"
)
_GERMAN = (
    "der das des ein eine einen einem einer und oder aber wenn von im zu fur mit bei ist sind waren sein habe haben "
    "hatte ich mich mir du dich dir er sie wir ihr es nicht wer wo wann warum wie"
)
_FRENCH = (
    "une et ou du dans au aux pour avec qui quoi quand comment je il nous vous ils elles ce cette est sont etait ont "
    "avait ne pas"
)

# None of them is a word of substance in another of these languages: the English have a son and a hat.
COMMON = frozenset(f"{_ENGLISH} {_SPANISH} {_GERMAN} {_FRENCH}".split())
"""Words that carry no subject, in the languages people most often write to us; in others their frequency weighs."""


def words(text: str) -> list[str]:
    """Lower-case words without accents, in order; runs of unspaced script as overlapping pairs."""
    plain = _POSSESSIVE.sub("", text)
    if not plain.isascii():
        plain = _MARKS.sub("", unicodedata.normalize("NFKD", plain))
        plain = unicodedata.normalize("NFC", _UNSPACED.sub(_pairs, plain))
    return [word[:_LONGEST] for word in _WORD.findall(plain.casefold())]


def _pairs(run: re.Match[str]) -> str:
    text = run.group()
    return f" {' '.join(text[i : i + 2] for i in range(max(len(text) - 1, 1)))} "


def terms(text: str) -> list[str]:
    """Stems of the words that carry a subject, in order, repetitions included."""
    return stems(words(text))


def stems(found: list[str]) -> list[str]:
    """The same of words that were split already."""
    return [stem(word) for word in found if word not in COMMON]


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """A light English stem: inflections off, irregular forms left alone. Other scripts pass unchanged."""
    if len(word) <= 3 or not word.isascii() or not word.isalpha():
        return word
    word = _without_ending(_singular(word))
    if word.endswith("ly") and len(word) > 5:
        word = word[:-2]
    for long, short in _DERIVED:
        if word.endswith(long) and len(word) - len(long) >= 3:
            word = word[: -len(long)] + short
            break
    if word.endswith("e") and len(word) > 3:
        word = word[:-1]
    if word.endswith("y") and len(word) > 3:
        word = word[:-1] + "i"
    return word


_DERIVED = (
    ("ational", "at"),
    ("ation", "at"),
    ("ator", "at"),
    ("fulness", "ful"),
    ("ness", ""),
    ("ment", ""),
)


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _without_ending(word: str) -> str:
    for ending in ("ing", "ed"):
        rest = word[: -len(ending)]
        if word.endswith(ending) and len(rest) >= 3 and not _VOWELS.isdisjoint(rest):
            doubled = rest[-1] == rest[-2] and rest[-1] not in "lsz"
            return rest[:-1] if doubled else rest
    return word
