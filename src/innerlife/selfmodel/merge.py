"""Merging what is learned into what is known, so that no single evening replaces it (promises S5, S7). Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from innerlife.selfmodel.words import alike, content_words, denies, sentences

SAME = 0.8
"""Share of content words from which two sentences say the same."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Merged:
    """The text after a merge, and what changed in it."""

    text: str
    added: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether anything did."""
        return bool(self.added or self.dropped)


def merged(current: str, addition: str, without: str = "") -> Merged:
    """`current` with the sentences of `addition` that it does not say yet, and without those of `without`.

    A sentence that says the same and more takes the place of the one that said less.
    """
    kept = sentences(current)
    dropped = [one for one in kept if any(say_the_same(one, other) for other in sentences(without))]
    kept = [one for one in kept if one not in dropped]
    added: list[str] = []
    for sentence in sentences(addition):
        place = _first(i for i, one in enumerate(kept) if covers(one, sentence))
        if place is None:
            kept.append(_ended(sentence))
            added.append(sentence)
        elif len(content_words(sentence)) > len(content_words(kept[place])):
            dropped.append(kept[place])
            kept[place] = _ended(sentence)
            added.append(sentence)
    return Merged(" ".join(map(_ended, kept)), tuple(added), tuple(dropped))


def same_words(text: str) -> str:
    """The form in which two traits said in the same words are equal."""
    return " ".join(text.casefold().split()).strip(" .!")


def difference(ours: str, theirs: str) -> tuple[str, ...]:
    """What stands in `theirs` and is not said in `ours`: shown beside what the user set."""
    said = sentences(ours)
    return tuple(
        one
        for one in sentences(theirs)
        if not any(say_the_same(one, other) or _says_all(other, one) for other in said)
    )


def repeated(texts: Sequence[str], text: str) -> int | None:
    """The place of the text that says the same as `text` word for word, None where there is none."""
    return _first(i for i, one in enumerate(texts) if same_words(one) == same_words(text))


def _first(places: Iterable[int]) -> int | None:
    return next(iter(places), None)


def covers(one: str, other: str) -> bool:
    """Whether one of two sentences says all that the other says."""
    return say_the_same(one, other) or _says_all(one, other) or _says_all(other, one)


def say_the_same(one: str, other: str) -> bool:
    """Whether two sentences say the same in about the same words, of the same people, places and numbers."""
    if alike(one, other) < SAME or denies(one) != denies(other):
        return False
    first, second = _named(one), _named(other)
    # "… a nurse in Linz" is news where "… a nurse in Graz" is known, however long both are.
    return first <= second or second <= first


def _named(text: str) -> frozenset[str]:
    """Names and numbers, by their capital letter or digits; the first word of a sentence may have one anyway."""
    written = _WORD.findall(text)[1:]
    return frozenset(word.casefold() for word in written if word[0].isupper() or word.isdigit())


def _says_all(longer: str, shorter: str) -> bool:
    words = content_words(shorter)
    return bool(words) and words <= content_words(longer) and denies(longer) == denies(shorter)


def _ended(sentence: str) -> str:
    return sentence if sentence[-1:] in ".!?…。！？;\"'”’»)" else f"{sentence}."
