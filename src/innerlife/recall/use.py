"""Whether an answer used what it was shown (promise R4): it shares rare terms with it beyond the question's own."""

from __future__ import annotations

from collections.abc import Callable

from innerlife.recall.terms import stem, terms, words

THRESHOLD = 1.0
"""Sum of rarities from which sharing is no chance: one rare term, or two of middling rarity."""

_LONG = 7
_SHORT = 4

Rarity = Callable[[str], float]
"""How telling a term is: 0 for what everybody says, 1 for what stands in few texts."""


def uses(*, answer: str, item: str, question: str = "", rarity: Rarity | None = None) -> bool:
    """Whether `answer` draws on `item` beyond what `question` had anyway.

    Without document frequencies names, numbers and long words count as rare: rather once too often.
    """
    weigh = rarity or _guessed(f"{item} {answer}")
    shared = (set(terms(answer)) & set(terms(item))) - set(terms(question))
    return sum(weigh(term) for term in shared) >= THRESHOLD


def rarity_of(frequencies: dict[str, int], total: int) -> Rarity:
    """Rarity by document frequency: 1 up to one text in a hundred (or two texts), falling to 0 at one in ten."""

    def rarity(term: str) -> float:
        share = frequencies.get(term, 0) / max(total, 1)
        if frequencies.get(term, 0) <= 2 or share <= 0.01:
            return 1.0
        return max(0.0, (0.1 - share) / 0.09)

    return rarity


def _guessed(text: str) -> Rarity:
    names = _names(text)

    def rarity(term: str) -> float:
        if term in names or any(c.isdigit() for c in term) or len(term) >= _LONG or not term.isascii():
            return 1.0
        return 0.5 if len(term) >= _SHORT else 0.0

    return rarity


def _names(text: str) -> set[str]:
    """Stems of words written with a capital inside a sentence."""
    found: set[str] = set()
    previous = "."
    for word in text.split():
        if word[:1].isupper() and previous[-1:] not in ".!?:":
            found.update(stem(part) for part in words(word))
        previous = word
    return found
