"""Texts in the form in which cues look at them, and how much of their content two texts share."""

from __future__ import annotations

import re
import unicodedata
from difflib import SequenceMatcher
from typing import Final

_ALIKE: Final = str.maketrans({**dict.fromkeys("‘’′`´", "'"), **dict.fromkeys("“”„«»", '"')})
_IN_QUOTES: Final = re.compile(r'"[^"\n]*"')
_WORD: Final = re.compile(r"\w+(?:'\w+)?")
_LETTERS: Final = 5
"""A word is known by its first letters: endings that vary (plural, tense, gender) lie behind them."""

_SHORTEST: Final = 3
"""Letters of a word that has no ending to lose."""

_ENDING: Final = re.compile(r"(?<=\w{3})(?:ing|ed|es|s|e|os|as|o|a|an|en|ar|er|ir)$")

_TYPO: Final = 0.75
"""Share of letters in common (difflib) from which two words are one word typed twice. Our choice: one slip in four."""

_FUNCTION_WORDS: Final = """
    a about after again all also am an and any are as at be been but by can could did do does doing for from get had
    has have he her him his how i if in into is it its just like make many may me mean might more most much must my
    no not now of off ok okay on one only or our out over please really say she should so some such tell than that
    the their them then there these they thing this those to too up us was way we well were what when where which
    while who why will with would you your question asked ask  i'm it's that's don't didn't isn't what's i've you're
    he's she's can't won't  al algo como con cual cuales cuando de del donde el ella ellos en era eres es esa ese
    eso esta este esto estoy  forma fue ha hace haces hacer hago hay la las le les lo los manera mas me mi mis muy
    ni nos o os para pero por  porque puede puedes puedo que quien se sea ser si sin sobre son soy su sus tambien
    tan te tengo tiene toca todo  tu tus un una unos y ya yo pregunta pregunte respondido
"""
_FUNCTION: Final = frozenset(_FUNCTION_WORDS.split())


def plain(text: str) -> str:
    """`text` in lower case, without accents and with straight quotes: people type as they can."""
    folded = unicodedata.normalize("NFKD", text.translate(_ALIKE).casefold())
    return "".join(char for char in folded if not unicodedata.combining(char))


def told(text: str) -> str:
    """What a person says themselves, plain: without what stands in quotation marks."""
    return _IN_QUOTES.sub('""', plain(text)).strip()


def content(text: str) -> frozenset[str]:
    """The beginnings of the words that carry meaning.

    Nothing is kept of a text: it may be forgotten. A message of a thousand characters takes a tenth of a millisecond.
    """
    words = _WORD.findall(plain(text))
    return frozenset(_root(word) for word in words if word not in _FUNCTION and len(word) > 1)


def _root(word: str) -> str:
    """The beginning of a word without the endings that vary; roughly, and the same for both texts that are compared."""
    bare = _ENDING.sub("", word) if len(word) > _SHORTEST else word
    bare = bare[:_LETTERS]
    return bare[:-1] if len(bare) > 3 and bare[-1] == bare[-2] else bare


def shared(one: str, other: str) -> float:
    """How much of the shorter text's content the other has too, in [0, 1]; 0 where one has none."""
    first, second = content(one), content(other)
    if not first or not second:
        return 0.0
    return len(first & second) / min(len(first), len(second))


def in_common(one: str, other: str) -> float:
    """How much of all their content two texts share, in [0, 1]."""
    first, second = content(one), content(other)
    return len(first & second) / len(first | second) if first | second else 0.0


def says_more(before: str, after: str) -> bool:
    """Whether a text has content that another one has not, slips of the keyboard aside."""
    known = [word for word in _WORD.findall(plain(before)) if len(word) > 1]
    fresh = [word for word in _WORD.findall(plain(after)) if word not in _FUNCTION and len(word) > 1]
    return any(not any(_same_word(word, other) for other in known) for word in fresh)


def _same_word(one: str, other: str) -> bool:
    return sorted(one) == sorted(other) or SequenceMatcher(None, one, other).ratio() >= _TYPO
