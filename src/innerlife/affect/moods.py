"""A mood is never a trait (promise A2): what a text about the person says of moods, and whether it lets them pass.

For stages and tools that write traits, observations or identity. "The user is anxious" and "an anxious person" are
LASTING and are refused everywhere; "the user seemed anxious this week" is DATED, fit for an observation and for
nothing else. What the person says of themselves may be kept as their words: a quotation that really stands in them.
English and Spanish; a word that is not known here is not seen.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Final

from innerlife.affect import mood_lists

_STRESS: Final = frozenset("\u0300\u0301\u0302\u0303\u0304\u0308\u030c\u0327")
_QUOTED: Final = re.compile(r"[“\"«]([^”\"»\n]{1,400})[”\"»]")
_WORD: Final = re.compile(r"[^\W\d_]+|\d+")
_SENTENCE: Final = re.compile(r"[.!?;\n]+")


_PATTERNS: Final = ("phrases", "compounds")
_NO_WORDS: Final = (*_PATTERNS, "studied")


@dataclass(frozen=True, slots=True)
class _Language:
    """The word lists of one file, as sets."""

    moods: frozenset[str]
    after_be: frozenset[str]
    be: frozenset[str]
    seemed: frozenset[str]
    when: frozenset[str]
    lasting: frozenset[str]
    other_things: frozenset[str]
    saying: frozenset[str]
    first: frozenset[str]
    others: frozenset[str]
    names: frozenset[str]
    phrases: re.Pattern[str]
    compounds: re.Pattern[str]


@cache
def _languages() -> tuple[_Language, ...]:
    """Every language that has a file."""
    texts = [one.read_text("utf-8") for one in files(mood_lists).iterdir() if one.name.endswith(".toml")]
    return tuple(_language(tomllib.loads(text)) for text in sorted(texts))


def _language(lists: dict[str, str]) -> _Language:
    studied = "|".join(lists["studied"].split())
    phrases, compounds = (_any_of(lists[name].replace("STUDIED", f"(?:{studied})")) for name in _PATTERNS)
    words = {name: frozenset(listed.split()) for name, listed in lists.items() if name not in _NO_WORDS}
    stems, endings = words.pop("stems"), words.pop("endings")
    formed = frozenset(stem + ending for stem in stems for ending in endings)
    return _Language(moods=words.pop("moods") | formed, phrases=phrases, compounds=compounds, **words)


def _any_of(listed: str) -> re.Pattern[str]:
    """Any of the patterns of a list, one a line, between whole words."""
    return re.compile(rf"(?<!\w)(?:{'|'.join(listed.splitlines())})(?!\w)")


class MoodUse(StrEnum):
    """What a text does with moods."""

    NONE = "none"
    DATED = "dated"
    LASTING = "lasting"


@dataclass(frozen=True, slots=True)
class MoodWords:
    """The words of mood in a text, and what it does with them."""

    words: tuple[str, ...]
    use: MoodUse

    @property
    def fit_for_trait(self) -> bool:
        """Whether a trait, an identity or anything else that lasts may say this."""
        return self.use is MoodUse.NONE

    @property
    def fit_for_observation(self) -> bool:
        """Whether a dated observation may say this."""
        return self.use is not MoodUse.LASTING


def mood_words(text: str, own_words: str = "", *, in_first_person: bool = False) -> MoodWords:
    """What `text` says of the person's moods. `own_words` is what they said: quotations from it are theirs.

    `in_first_person`: the companion writes of itself, so that "I am calm" is its own mood and "they are calm" is not.
    Never raises; text in other languages has no words of mood here.
    """
    told = _without_quotations(folded(_without_names(text)), folded(own_words))
    found: list[str] = []
    use = MoodUse.NONE
    for part in _SENTENCE.split(told):
        words = _without_compounds(_WORD.findall(part))
        moods = [
            words[place]
            for place in range(len(words))
            if _is_mood(words, place) and not (in_first_person and _is_mine(words, place))
        ]
        if not in_first_person:
            moods += [
                phrase[0]
                for language in _languages()
                for phrase in language.phrases.finditer(" ".join(words))
            ]
        found += moods
        if moods and not _dated(words):
            use = MoodUse.LASTING
        elif moods and use is MoodUse.NONE:
            use = MoodUse.DATED
    return MoodWords(tuple(dict.fromkeys(found)), use)


def names_mood(word: str) -> bool:
    """Whether a word by itself may name a mood, in any of the languages."""
    plain = folded(word)
    return any(plain in one.moods or plain in one.after_be for one in _languages())


def folded(text: str) -> str:
    """Small letters without accents and without what is not seen, so that no spelling hides a word."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    shown = "".join(c for c in plain if c not in _STRESS and unicodedata.category(c) != "Cf")
    return unicodedata.normalize("NFKC", shown).replace("'", "").replace("’", "")


def _without_quotations(text: str, own_words: str) -> str:
    """The text without what it quotes of the person, where it says so and they said it."""
    said = " ".join(_WORD.findall(own_words))

    def kept(match: re.Match[str]) -> str:
        before = set(_WORD.findall(text[: match.start()])[-4:])
        words = " ".join(_WORD.findall(match[1]))
        theirs = bool(words) and f" {words} " in f" {said} "
        return (
            " " if theirs and any(before & language.saying for language in _languages()) else f" {match[1]} "
        )

    return _QUOTED.sub(kept, text)


def _without_names(text: str) -> str:
    """The text without people's names that are words of mood too, told by their capital within a sentence."""
    names = frozenset[str]().union(*(one.names for one in _languages()))

    def kept(match: re.Match[str]) -> str:
        word = match.group()
        if not (word[0].isupper() and word[1:].islower() and folded(word) in names):
            return word
        before = text[: match.start()].rstrip(" \t")
        return word if not before or before[-1] in ".!?;:¿¡\n" else " "

    return _WORD.sub(kept, text)


def _without_compounds(words: list[str]) -> list[str]:
    """The words without those that are part of a name for a thing, such as "blue cheese"."""
    plain = " ".join(words)
    for language in _languages():
        plain = language.compounds.sub(" ", plain)
    return plain.split()


def _is_mood(words: list[str], place: int) -> bool:
    word = words[place]
    beside = set(words[max(0, place - 1) : place + 2])
    # "is very, very tired": a few words may stand between.
    before = set(words[max(0, place - 4) : place])
    return any(
        (word in language.moods or (word in language.after_be and before & language.be))
        and not beside & language.other_things
        for language in _languages()
    )


def _is_mine(words: list[str], place: int) -> bool:
    """Whether the nearest one that is spoken of is the writer: the one behind it, else the last one before."""
    for word in (*words[place + 1 : place + 2], *reversed(words[:place])):
        if any(word in one.others for one in _languages()):
            return False
        if any(word in one.first for one in _languages()):
            return True
    return False


def _dated(words: list[str]) -> bool:
    """Whether a sentence leaves it in the past, at a time that has an end, and nothing in it lasts."""
    there, number = set(words), any(word.isdigit() for word in words)
    left = any(there & one.seemed and (number or there & one.when) for one in _languages())
    return left and not any(there & one.lasting for one in _languages())
