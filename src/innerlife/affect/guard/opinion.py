"""The second opinion on a whole sentence: what the forms of a language do not list, by what its words mean.

Each feature of a sentence has a weight (`weights.py`); where they sum up to enough, it announces. What is judged is a
clause from where it waits to the end of its sentence, and the sentence as far as it was read: both have to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from innerlife.affect.guard.features import features
from innerlife.affect.guard.language import Claim
from innerlife.affect.guard.rules import Verdict
from innerlife.affect.guard.weights import Weights
from innerlife.affect.guard.words import words

_RECORDS: Final = frozenset({"MACH", "STORE"})
_FELT: Final = frozenset({"FEEL", "HURTS"})
_NOTICED: Final = frozenset({"SEE", "SEEM", "THINK", "EVID", "TONE", "CLEARLY"})
_MOST_CLAUSES: Final = 8
"""Places at which a sentence is looked at for where its announcement ends; more are not worth the time."""

_DEFAULT: Final = "english"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a clause begins: `word` is its first word's number, its mark stands at `at` and is piece `piece`."""

    word: int
    at: int
    piece: int


def announces(weights: Weights, said: Sequence[str], since: int = 0) -> bool:
    """Whether a sentence of words and marks announces, and what begins at word `since` does so by itself."""
    return _enough(weights, said[since:]) and (not since or _enough(weights, said))


def verdict_on(said: Sequence[str]) -> Verdict:
    """What a sentence that announces claims."""
    signs = set(words().read(said))
    if signs & _RECORDS and (signs & {"MY", "I"} or not signs & _FELT):
        claim = Claim.MACHINERY
    elif signs & _NOTICED:
        claim = Claim.DETECTS
    else:
        claim = Claim.LABELS
    return Verdict(claim, words().language(said, _DEFAULT), tuple(said))


def told_by(weights: Weights, said: Sequence[str], places: Sequence[Place]) -> Place | None:
    """The place up to which a sentence has announced all it does; None where it takes the whole."""
    for place in places[:_MOST_CLAUSES]:
        if _enough(weights, [*said[: place.word], "."]):
            return place
    return None


def told_from(weights: Weights, said: Sequence[str], places: Sequence[Place]) -> Place | None:
    """The last place from which on a sentence announces, where nothing in front of it does; None where none is."""
    for place in places[: -_MOST_CLAUSES - 1 : -1]:
        if _enough(weights, said[place.word :]):
            harmless = total(weights, [*said[: place.word], "."]) < weights.threshold // 4
            return place if harmless else None
    return None


def end_mark(ending: str) -> tuple[str, ...]:
    """The mark that a sentence ends with, as it is weighed; none where it has none."""
    for mark in "?!…":
        if mark in ending:
            return (mark,)
    return ("…",) if ".." in ending else (".",) if "." in ending else ()


def total(weights: Weights, said: Sequence[str]) -> int:
    """The sum of a sentence's weights."""
    weighed = weights.sentence
    return sum([weighed[one] for one in features(said) if one in weighed])


def _enough(weights: Weights, said: Sequence[str]) -> bool:
    return total(weights, said) >= weights.threshold
