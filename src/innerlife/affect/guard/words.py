"""What words do in a sentence that may announce something: each is read as a sign or two ("you", a feeling, a doubt).

The signs are the same in every language, so that what was learned of one order of them holds in all. A word of two
languages that does different things in them is a sign of its own.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from innerlife.affect.guard.language import plain

Signs = tuple[str, ...]

OTHER: Final = "*"
"""The sign of a word that is in no list."""

_ENDINGS: Final = ("o", "a", "os", "as")
"""What `@` stands for at the end of a word."""

_LEAST: Final = 5
"""Letters of an unknown word whose ending tells something."""

_TELLING: Final[Mapping[str, str]] = {
    "ed": "~ed", "ing": "~ing", "ly": "~ly", "ness": "~ness", "mente": "HEDGE", "ado": "~ado", "ada": "~ado",
    "ido": "~ado", "ida": "~ado",
}  # fmt: skip
_SUPERLATIVES: Final = ("isimo", "isima", "isimos", "isimas")
_DIMINUTIVES: Final = ("ito", "ita", "illo", "illa")


@dataclass(frozen=True, slots=True)
class Words:
    """The lists of all languages: signs of single words, and idioms by their first word, the longest first.

    `languages` tells for a word in which language it stands, where it stands in one alone.
    """

    single: Mapping[str, Signs]
    idioms: Mapping[str, tuple[tuple[tuple[str, ...], Signs], ...]]
    languages: Mapping[str, str]

    def signs(self, word: str) -> Signs:
        """The signs of one word, in the plain form of `language.plain`."""
        found = self.single.get(word)
        if found is not None:
            return found
        return self._by_ending(word) if word[0].isalpha() else (word,)

    def read(self, words: Sequence[str]) -> list[str]:
        """The signs of a sentence, from "^" to "$"; an idiom is read as one word."""
        signs, at, size = ["^"], 0, len(words)
        while at < size:
            word = words[at]
            at += 1
            for rest, meant in self.idioms.get(word, ()):
                if tuple(words[at : at + len(rest)]) == rest:
                    signs += meant
                    at += len(rest)
                    break
            else:
                signs += self.signs(word)
        signs.append("$")
        return signs

    def language(self, words: Iterable[str], default: str) -> str:
        """The language that most of these words stand in."""
        found = [self.languages[word] for word in words if word in self.languages]
        return max(sorted(set(found)), key=found.count) if found else default

    def _by_ending(self, word: str) -> Signs:
        if word.endswith("'s"):
            return self.single.get(word[:-2], (OTHER,))
        if len(word) < _LEAST:
            return (OTHER,)
        for ending in _SUPERLATIVES:
            if word.endswith(ending):
                return self._of_root(word.removesuffix(ending)) or ("~isimo",)
        for ending in _DIMINUTIVES:
            root = self.single.get(word.removesuffix(ending) + word[-1]) if word.endswith(ending) else None
            if root is not None:
                return root
        return next(((sign,) for ending, sign in _TELLING.items() if word.endswith(ending)), (OTHER,))

    def _of_root(self, root: str) -> Signs | None:
        return next((self.single[root + e] for e in ("o", "a", "e", "") if root + e in self.single), None)


@cache
def words() -> Words:
    """The lists of every language there is, read once."""
    meant: dict[str, str] = {}
    languages: dict[str, str] = {}
    for language, sign, form in _listed():
        known = languages.get(form)
        if known is None:
            meant[form], languages[form] = sign, language
        elif known != language and meant[form] != sign:
            meant[form], languages[form] = f"={form}", ""
        elif known != language:
            languages[form] = ""
    single: dict[str, Signs] = {}
    idioms: dict[str, list[tuple[tuple[str, ...], Signs]]] = {}
    for form, sign in meant.items():
        first, *rest = form.split("_")
        if rest:
            idioms.setdefault(first, []).append((tuple(rest), tuple(sign.split("+"))))
        else:
            single[form] = tuple(sign.split("+"))
    longest = {first: tuple(sorted(found, key=lambda one: -len(one[0]))) for first, found in idioms.items()}
    return Words(
        single, longest, {form: name for form, name in languages.items() if name and "_" not in form}
    )


def _listed() -> Iterator[tuple[str, str, str]]:
    """Language, sign and plain form of each word of the lists."""
    folder = files("innerlife.affect.guard.meaning")
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if not file.name.endswith(".toml") or file.name.endswith(".card.toml"):
            continue
        language = file.name.removesuffix(".toml")
        for sign, line in tomllib.loads(file.read_text("utf-8"))["words"].items():
            for word in line.split():
                form = plain(word).strip("_")
                for one in [form.replace("@", e) for e in _ENDINGS] if "@" in form else [form]:
                    yield language, sign, one
