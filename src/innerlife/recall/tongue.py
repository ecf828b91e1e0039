"""Which embedding model a Core needs, by the languages that are spoken in it. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from innerlife.recall.policy import RecallPolicy
from innerlife.thinking.language import language_of

ENGLISH = "en"

_READ = 400
"""Characters of a text by which its language is told."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """Of some texts: in how many the language could be told, and in how many of those it was another than English."""

    told: int
    foreign: int

    @property
    def share(self) -> float:
        """The part that is not English, 0 to 1."""
        return self.foreign / self.told if self.told else 0.0


def spoken(texts: Iterable[str]) -> Spoken:
    """The languages of these texts."""
    found = [language for language in (language_of(text[:_READ]) for text in texts) if language]
    return Spoken(len(found), sum(language != ENGLISH for language in found))


def many_needed(present: bool, newest: Spoken, every: Spoken, policy: RecallPolicy) -> bool:  # noqa: FBT001 - a state
    """Whether a model of many languages is called for.

    `newest` are the last texts, `every` are spread over all. It is asked for by either and given up only where both
    are English: so what is old stays found, and the choice does not waver between the two shares.
    """
    if present:
        few = every.told < policy.tongue_fewest
        return few or max(newest.share, every.share) > policy.foreign_until
    return any(
        one.told >= policy.tongue_fewest and one.share >= policy.foreign_from for one in (newest, every)
    )
