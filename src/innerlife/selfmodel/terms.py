"""The words of the self-model that are one of a few."""

from __future__ import annotations

from enum import StrEnum


class Portrait(StrEnum):
    """The two texts that are rewritten as a whole, under governance (promises S2, S4)."""

    IDENTITY = "identity"
    PERSONA = "persona"


class Outcome(StrEnum):
    """What became of a proposed rewrite."""

    APPLIED = "applied"
    NOTED = "noted"
    FLAGGED = "flagged"


class Hand(StrEnum):
    """Who a promise, a goal or a text is from."""

    USER = "user"
    COMPANION = "companion"


class GrowthSort(StrEnum):
    """What a growth entry tells: a change, a scar, a correction, a closed goal, a rule, what a rule rests on."""

    CHANGE = "change"
    SCAR = "scar"
    CORRECTION = "correction"
    GOAL = "goal"
    RULE = "rule"
    EVIDENCE = "evidence"


class Insight(StrEnum):
    """What an observation is (promise S7)."""

    INSIGHT = "insight"
    EPISODE = "episode"
    RESOLVED = "resolved"
    CONTRADICTION = "contradiction"


class HumanField(StrEnum):
    """What the human layer speaks of."""

    NAME = "name"
    FAMILY = "family"
    WORK = "work"
    STYLE = "style"
    MATTERS = "matters"
    RELATIONSHIP = "relationship"


class TraitSort(StrEnum):
    """A lasting trait, or an interest that is confirmed from time to time."""

    TRAIT = "trait"
    INTEREST = "interest"


class GoalState(StrEnum):
    """The lifecycle of a goal or promise (promise S6)."""

    ACTIVE = "active"
    COMPLETED = "completed"
    ABANDONED = "abandoned"
