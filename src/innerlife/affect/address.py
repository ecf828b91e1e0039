"""Whom the words of a message are meant for, and how people are addressed in one language. Pure.

"Write to my boss: I can't come" is said to the companion and holds words for somebody else. The addressee is what the
author calls them and nothing more: who that is, and what they are to the author, is never worked out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

from innerlife.affect.folding import fold

WORD: Final = r"(?:(?:dra?|mrs?|ms|prof|sra?|srta)\.|[^\W\d_][\w'-]*)"
"""One word of an addressee in folded text, as part of a pattern."""

BEGINNING: Final = r"(?:\A|(?<=[.!?…\n]))[\s*•-]{0,8}(?:[^\W\d_]+, )?"
"""Where a request may begin in folded text: at the beginning of a sentence, behind a name that is called.

White space is bounded, since each of many empty lines would else be looked through from each of them.
"""

_CLOSING: Final = {'"': '"', "“": "”", "«": "»", "„": "“"}
_MARK: Final = re.compile(r"[\"“«„]")
_ANOTHER: Final = re.compile(r"[.!?…]+[\"”»)]*\s+\S|\n\s*\S")
"""Where a second sentence begins."""

_SHOWN: Final = re.compile(r"[^.!?\n]*(?::(?!\d)|[\"“«„])")
"""A colon or quotation in the same sentence: words are shown."""

_FIRST: Final = re.compile(WORD)

_WHERE_LOOKED: Final = 2_000
"""Characters at the beginning of a message in which a request is looked for; what follows is what it is about."""


def words(listed: str) -> frozenset[str]:
    """The words of a list, with white space between them."""
    return frozenset(listed.split())


@dataclass(frozen=True, slots=True)
class Meant:
    """Words and whom they are meant for: `addressee` as their author names them, "" for the companion itself."""

    addressee: str
    words: str


class Whom(Enum):
    """What stands where an addressee would: somebody who is named, somebody who is not, or nobody at all."""

    NAMED = auto()
    UNNAMED = auto()
    NOBODY = auto()


@dataclass(frozen=True, slots=True)
class Address:
    """How people are addressed in a language. Patterns and words are of folded text.

    `lead` matches a request to write or tell, up to the addressee; its group `tell` has the verbs of telling. `opens`
    matches what parts an addressee from the words for them: group `colon`, `quote` (that mark and nothing behind
    it), `clause`, or `bare`, a clause without a conjunction, which only a verb of telling has.
    `again` is the conjunction that makes the first one a relative. `about` are sentences about the words themselves,
    meant for the companion. `articles` and `owners` begin a description of somebody, `joins` may stand within a name,
    `around` never in either; `nobody` are things and the author, `unnamed` are pronouns. `head` is the place
    of the noun among the words behind an article. `unsaid` is a request to tell somebody who is not named, where
    the verb alone says so. `spelt` are first words as they are when they stand alone.

    `courtesy` are courtesies. Where `speaks` is found (any text, where None), `near` and `formal` are forms of address
    or of words that tell how formal it is; `form` names the share of the formal ones.
    """

    lead: re.Pattern[str]
    opens: re.Pattern[str]
    again: re.Pattern[str]
    about: re.Pattern[str]
    articles: frozenset[str]
    owners: frozenset[str]
    joins: frozenset[str]
    around: frozenset[str]
    nobody: frozenset[str]
    unnamed: frozenset[str]
    head: int
    courtesy: re.Pattern[str]
    form: str
    near: re.Pattern[str]
    formal: re.Pattern[str]
    speaks: re.Pattern[str] | None = None
    unsaid: re.Pattern[str] | None = None
    spelt: Mapping[str, str] = field(default_factory=dict)

    def meant(self, text: str) -> Meant | None:
        """The words for somebody else in `text` and their addressee; all of it for the companion where there are none.

        None where it holds words for somebody who is not named, or where it is not clear which words those are.
        """
        folded = fold(text)
        if self.unsaid is not None and self.unsaid.search(folded[:_WHERE_LOOKED]):
            return None
        leads = list(self.lead.finditer(folded[:_WHERE_LOOKED]))
        found = [one for lead in leads if (one := self._of(lead, text, folded)) != Meant("", text)]
        if not found:
            return Meant("", text)
        # Two requests in one message: where the first one's words end is anybody's guess.
        return found[0] if len(found) == 1 else None

    def formality(self, folded: str) -> float | None:
        """The share of formal ones among the forms that tell; None where none does."""
        if self.speaks is not None and not self.speaks.search(folded):
            return None
        formal, near = len(self.formal.findall(folded)), len(self.near.findall(folded))
        return formal / (formal + near) if formal + near else None

    def _of(self, lead: re.Match[str], text: str, folded: str) -> Meant | None:
        if (first := _FIRST.match(folded, lead.end())) and first[0] in self.nobody:
            return Meant("", text)
        opening = self.opens.match(folded, lead.end())
        if opening is None or (opening["bare"] is not None and lead["tell"] is None):
            # A request without words of its own is for the companion, unless some are shown further on.
            return None if _SHOWN.match(folded, lead.end()) else Meant("", text)
        whom = text[slice(*opening.span("whom"))]
        match self._kind(whom):
            case Whom.NOBODY:
                return Meant("", text)
            case Whom.UNNAMED:
                return None
            case Whom.NAMED:
                said = self._said(lead, opening, text, folded)
                return Meant(self._as_named(whom), said) if said else None

    def _kind(self, whom: str) -> Whom:
        spelt = whom.split()
        first, *others = fold(whom).split()
        described = first in self.articles | self.owners
        nouns = others if described else [first, *others]
        if self.around.intersection(nouns) or (first in self.unnamed and not (described and nouns)):
            return Whom.UNNAMED
        # In "the head of the school" the noun stands before what is joined to it.
        joined = next((place for place, word in enumerate(nouns) if word in self.joins), len(nouns))
        if not nouns[:joined] or nouns[:joined][self.head] in self.nobody:
            return Whom.NOBODY
        named = all(word[0].isupper() or fold(word) in self.joins for word in spelt)
        return Whom.NAMED if described or named else Whom.UNNAMED

    def _said(self, lead: re.Match[str], opening: re.Match[str], text: str, folded: str) -> str:
        """The words for the addressee; empty where it is not clear which they are."""
        begin = opening.end()
        if opening["quote"]:
            end = text.find(_CLOSING[opening["quote"]], begin)
            return "" if end < 0 or _MARK.search(text, end + 1) else text[begin:end].strip()
        said = text[begin:].strip()
        if self.about.search(folded, begin):
            return ""
        if opening["colon"]:
            return said
        described = fold(opening["whom"]).split()[0] in self.articles
        relative = described and (lead["tell"] is None or self.again.search(folded, begin))
        return "" if relative or _ANOTHER.search(said) or _SHOWN.match(said) else said

    def _as_named(self, whom: str) -> str:
        first, *others = whom.split()
        first = self.spelt.get(fold(first), first)
        return " ".join([first.lower() if fold(first) in self.articles | self.owners else first, *others])
