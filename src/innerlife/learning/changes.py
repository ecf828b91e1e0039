"""What changed about a rule or a skill, as an entry of the growth log says it.

Entries speak in the closed words of the table of aspects: nothing that anybody said stands in them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from innerlife.learning.aspects import MANNERS, wording
from innerlife.learning.bodies import Pattern


class Became(StrEnum):
    """What happened to it."""

    DERIVED = "derived"
    STRENGTHENED = "strengthened"
    WEAKENED = "weakened"
    UNUSED = "unused"
    SKILLED = "skilled"
    UNSKILLED = "unskilled"
    REWORDED = "reworded"
    RETIRED = "retired"
    DISPUTED = "disputed"


@dataclass(frozen=True, slots=True)
class Change:
    """One change. `count` are the conversations that speak for it, or the occurrences; `evidence` what it rests on."""

    became: Became
    pattern: Pattern
    count: int
    evidence: tuple[int, ...]

    @property
    def weighs(self) -> bool:
        """Whether only the weight of its evidence changed, and not what holds."""
        return self.became in {Became.STRENGTHENED, Became.WEAKENED}

    @property
    def text(self) -> str:
        """The growth entry."""
        rule = wording(self.pattern.aspect, self.pattern.trigger).rstrip(".")
        match self.became:
            case Became.DERIVED:
                return f"I learned from {self.count} conversations: {rule}."
            case Became.STRENGTHENED:
                return f"One more conversation, {self.count} now, speaks for this rule: {rule}."
            case Became.WEAKENED:
                return f"A conversation speaks against this rule ({self.count} for it): {rule}."
            case Became.UNUSED:
                return f"I gave up a rule that {self.count} occasions went by without: {rule}."
            case Became.SKILLED:
                return f"A rule has become a skill, {MANNERS[self.pattern.aspect].name}: {rule}."
            case Became.UNSKILLED:
                return f"A skill did not hold up and is a rule again: {rule}."
            case Became.REWORDED:
                return f"You put a rule into your own words. It was: {rule}."
            case Became.RETIRED:
                return f"You retired a rule: {rule}."
            case Became.DISPUTED:
                return f"You told me that a rule is not so: {rule}."
            case _:
                assert_never(self.became)
