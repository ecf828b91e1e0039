"""Valence of English words by VADER (Hutto and Gilbert 2014): a lexicon and rules, no model."""

from __future__ import annotations

import re
from functools import cache
from importlib.util import find_spec
from statistics import fmean
from typing import Any, Final

from innerlife.thinking.language import language_of

_LOUD: Final = re.compile(r"[!?]+")
_COURTESY: Final = re.compile(
    r"\A\s*no(?=\s*(?:[,.;!]|\Z))|"
    r"\b(?:please|pls|help(?:s|ed|ing|ful)?|thanks|thank you|thx|hello|hi|sure|ok|okay|yes|dear)\b",
    re.IGNORECASE,
)
"""Words of asking and answering, which VADER and the heads count as pleasant, and "no" as unpleasant."""

_OF_ONESELF: Final = re.compile(
    r"\b(?:i|i'm|im|i've|i'd|i'll|me|my|mine|myself|we|we're|our|us|today|tonight|this (?:morning|week|evening)|"
    r"what an? (?:\w+ )?(?:day|night|morning|week)|everything|nothing|nobody|everybody|you|your)\b",
    re.IGNORECASE,
)

_SENTENCE: Final = re.compile(r"[^.…\n]{2,300}")
_MOST_SENTENCES: Final = 8
_ENGLISH_WORDS: Final = """
    i i'm im i've you you're it it's this that is are was the a my your we they so not don't dont can't cant
    what why how and but of to in for with all just really very am be do did have has no
"""
_ENGLISH: Final = frozenset(_ENGLISH_WORDS.split())
_NOT_ENGLISH_WORDS: Final = """
    que de el la los las es en y mi tu un una por para pero con muy estoy le il der die das
"""
_NOT_ENGLISH: Final = frozenset(_NOT_ENGLISH_WORDS.split())


def compound(text: str) -> float:
    """VADER's compound of a text, in [-1, 1]; 0 where nothing in it counts or the package is not installed.

    It is made for a sentence and runs to its ends in a longer text: so it is the mean of the sentences that have any,
    the last of them where there are many.

    Loudness is left out: capitals and rows of marks may be a habit, and are weighed against it elsewhere. So is
    courtesy: who asks for help is not glad.
    """
    analyser = _analyser()
    if analyser is None:
        return 0.0
    plain = without_courtesy(_LOUD.sub(".", text.lower()))
    sentences = [found.group() for found in _SENTENCE.finditer(plain)][-_MOST_SENTENCES:]
    values = [float(analyser.polarity_scores(one)["compound"]) for one in sentences]
    counting = [value for value in values if value]
    return fmean(counting) if counting else 0.0


def without_courtesy(text: str) -> str:
    """What is said beside the words of courtesy: who thanks before asking on is not glad."""
    return _COURTESY.sub("", text)


def speaks_of_oneself(text: str) -> bool:
    """Whether English words speak of whoever says them, or of their day; what is asked of the world does not."""
    return _OF_ONESELF.search(text) is not None


def reads_english(text: str) -> bool:
    """Whether nothing but English is likely: by its small words, also where there are few."""
    found = language_of(text)
    if found or not all(char.isascii() for char in text if char.isalpha()):
        return found == "en"
    words = set(re.findall(r"[a-z']+", text.lower()))
    return bool(words & _ENGLISH) and not words & _NOT_ENGLISH


@cache
def _analyser() -> Any:
    # Installed without its own dependencies: it asks for an HTTP client for a demonstration that is never run.
    if find_spec("vaderSentiment") is None:
        return None
    # Reading its lexicon takes some milliseconds: only who reads English pays for it.
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer  # noqa: PLC0415 - see above

    return SentimentIntensityAnalyzer()
