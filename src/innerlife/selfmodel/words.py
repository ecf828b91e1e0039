"""Content words: what a text is about, the same in its inflections (promise S2).

Words are found by Unicode letters; scripts without spaces give pairs of characters. Each word is reduced by the
Snowball stemmer of the text's language. Function words, which any text has, are left out.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from functools import lru_cache
from typing import Final

import snowballstemmer

from innerlife.thinking.language import language_of

_FEW: Final = 8
_ONE_AT_A_TIME: Final = threading.Lock()
_SIGNS: Final = "".join(
    chr(code) for code in range(0x0900, 0x0E00) if unicodedata.category(chr(code)).startswith("M")
)
"""Vowels and the like of the scripts of India: the letters around them are one word."""
_LETTERS: Final = rf"[^\W\d_](?:[^\W\d_]|[{_SIGNS}])*"
_WORD: Final = re.compile(rf"{_LETTERS}(?:['’]{_LETTERS})*|\d+")
_SPELLED: Final = re.compile(
    rf"(?<![\w{_SIGNS}])[^\W\d_](?:(?:_|[^\w{_SIGNS}]){{1,2}}[^\W\d_]){{2,}}(?![\w{_SIGNS}])"
)
"""A word written letter by letter: l-o-v-e, U.S.A."""
_UNSPACED: Final = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff]+")
_SENTENCE: Final = re.compile(r"(?<=[.!?…;])[\"'”’»)]*\s+|(?<=[。！？])|\n+")

_ALGORITHM: Final = {
    "en": "english", "de": "german", "es": "spanish", "fr": "french", "it": "italian", "pt": "portuguese",
    "nl": "dutch", "sv": "swedish", "tr": "turkish", "pl": "polish", "CYRILLIC": "russian", "GREEK": "greek",
    "ARABIC": "arabic", "DEVANAGARI": "hindi", "ARMENIAN": "armenian", "TAMIL": "tamil",
}  # fmt: skip

_FUNCTION: Final[dict[str, frozenset[str]]] = {
    language: frozenset(words.split())
    for language, words in {
        "en": "a about after all also always am an and any are as at be because been before being but by can could "
        "did do does doing down each even ever every few for from get had has have having he her here hers "
        "him his how i i'm i've if in into is it it's its just like make many may me might more most much "
        "must my no nor not now of off on once one only or other our out over own really same she should so "
        "some such than that that's the their them then there these they they're this those through to too "
        "under until up us very was we were what when where which while who whom why will with would you "
        "you're your yours",
        "de": "aber alle als also am an auch auf aus bei bin bis da dann das dass dem den der des die dies doch du "
        "ein eine einem einen einer er es euch für hat habe haben ich ihm ihn ihr im immer in ist ja kann "
        "kein keine man mehr mein mich mir mit muss nach nicht noch nun nur ob oder ohne sein sehr sich sie "
        "sind so um und uns unser vom von vor war was weil wenn werden wer wie wir wird zu zum zur",
        "es": "a al algo ante antes como cómo con cuando de del desde donde dos el él ella ellos en entre era es "
        "esa ese eso esta está estar este esto estoy fue ha hay he la las le les lo los más me mi mis mucho "
        "muy nada ni no nos o os para pero por porque qué que quien se sea ser si sí sin sobre son soy su sus "
        "también tan te tengo todo tu tus un una uno y ya yo",
        "fr": "a ai au aux avec c'est ce ces cette comme dans de des du elle en est et être eu il ils j'ai je la le "
        "les leur lui ma mais me mes moi mon ne nos notre nous on ou où par pas plus pour qu'il que qui sa "
        "sans se ses si son sont suis sur ta te tes toi ton tout très tu un une vos votre vous y",
        "it": "a ad al alla anche che chi ci come con da dal del della di e è ed gli ha ho i il in io la le lei lo "
        "loro lui ma me mi mia mio nel nella noi non o per più quando questo se si sono su sua suo ti tra tu "
        "un una uno voi",
        "pt": "a ao aos as com como da das de dele do dos e é ela ele em entre era essa esse esta este eu foi há "
        "isso já lhe mais mas me meu minha muito na não nas nem no nos o os ou para pela pelo por qual quando "
        "que quem se sem ser seu sua são também te tem um uma você",
        "nl": "aan al als bij dan dat de den der deze die dit door een en er ge geen had heb heeft het hij hoe hun "
        "ik in is je kan maar me met mij mijn na naar niet nog nu of om onder ons ook op over te tot u uit "
        "van veel voor was wat we wel wie wij zal ze zich zij zijn zo",
    }.items()
}  # fmt: skip
_NEGATION: Final = """
    no not never nor none cannot nunca ni sin jamás tampoco nicht nie kein keine keinen keinem ohne ne pas jamais
    sans non mai senza não nem sem niet nooit geen zonder не нет
"""
_NEGATIONS: Final = frozenset(_NEGATION.split())
_EVERY: Final = frozenset().union(*_FUNCTION.values())


NOT: Final = "¬"
"""Stands among the content words of a text that denies something."""


def content_words(text: str, beside: str = "") -> frozenset[str]:
    """Stems of the words that carry meaning; empty for a text without any.

    A text too short to tell its language is read in that of `beside`.
    """
    text = _SPELLED.sub(_spelled, _plain(text))
    # A few words look like any language; what stands beside them is surer.
    own = language_of(text)
    language = (language_of(beside) or own) if len(text.split()) < _FEW else own or language_of(beside)
    function = _FUNCTION.get(language, _EVERY)
    words = [word.casefold().replace("’", "'") for word in _WORD.findall(_UNSPACED.sub(" ", text))]
    kept = [word.removesuffix("'s") for word in words if word not in function and word not in _NEGATIONS]
    found = {NOT} if any(word in _NEGATIONS or word.endswith("n't") for word in words) else set()
    found |= {
        _stem(_ALGORITHM.get(language, "english"), word) for word in kept if len(word) > 1 or word.isdigit()
    }
    for run in _UNSPACED.findall(text):
        found |= {run[at : at + 2] for at in range(max(1, len(run) - 1))}
    return frozenset(found)


def _plain(text: str) -> str:
    """A text without marks that no letter takes up (struck through, pointed) and without what is not seen."""
    text = unicodedata.normalize("NFKC", text)
    if text.isascii():
        return text
    return "".join(
        char for char in text if char in _SIGNS or unicodedata.category(char) not in ("Mn", "Me", "Cf")
    )


def _spelled(found: re.Match[str]) -> str:
    return "".join(filter(str.isalpha, found[0]))


def kept_share(before: str, after: str) -> float:
    """How much of the content words of `before` is in `after`, in [0, 1]; 1 where there are none to keep."""
    words = content_words(before, after)
    return len(words & content_words(after, before)) / len(words) if words else 1.0


def alike(one: str, other: str) -> float:
    """How much of all their content words two texts share, in [0, 1]; texts without any are compared as they stand."""
    first, second = content_words(one, other), content_words(other, one)
    if not first or not second:
        return float(one.strip().casefold() == other.strip().casefold())
    return len(first & second) / len(first | second)


def denies(text: str) -> bool:
    """Whether a text denies something: it and its opposite share all their other words."""
    return NOT in content_words(text)


def sentences(text: str) -> list[str]:
    """The sentences of a text, in order, without empty ones."""
    return [part.strip() for part in _SENTENCE.split(text) if part.strip()]


@lru_cache(maxsize=65_536)
def _stem(algorithm: str, word: str) -> str:
    # A stemmer of this package works on itself: two threads at once would mix their words.
    with _ONE_AT_A_TIME:
        return str(_stemmer(algorithm).stemWord(word))


@lru_cache(maxsize=16)
def _stemmer(algorithm: str) -> snowballstemmer.stemmer:
    return snowballstemmer.stemmer(algorithm)
