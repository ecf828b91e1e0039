"""Bodies of the events of this room, a closed union.

A pattern (aspect, trigger) is known by its name, not by an event: so a rule that is derived anew, because part of its
evidence was forgotten, is the same rule to its uses and to the person's decisions. Whatever is told of a message has
that message as a `from` cause.
"""

from __future__ import annotations

from dataclasses import dataclass

from innerlife.learning.terms import Aspect, Criterion, Sort, Trigger

FEEDBACK = "learning.feedback"
TRIAL = "learning.trial"
RULE = "learning.rule"
WORDED = "learning.rule_worded"
RETIRED = "learning.rule_retired"
DISPUTED = "learning.rule_disputed"
SKILL = "learning.skill"
SKILL_RETIRED = "learning.skill_retired"


@dataclass(frozen=True, slots=True, order=True)
class Pattern:
    """What feedback has in common: in which respect, for which kind of request."""

    aspect: Aspect
    trigger: Trigger

    @property
    def name(self) -> str:
        """`shorter/code`."""
        return f"{self.aspect.value}/{self.trigger.value}"


@dataclass(frozen=True, slots=True)
class FeedbackNoticed:
    """Something was noticed after an answer; `confidence` lies in (0, 1]."""

    sort: Sort
    confidence: float
    aspects: tuple[Aspect, ...] = ()
    trigger: Trigger = Trigger.ANY


@dataclass(frozen=True, slots=True)
class RulesTried:
    """What became of the rules in one exchange whose trigger was met, by the names of their patterns.

    `held` and `failed` were in the prompt: no correction of their aspect followed within the turns that count, or one
    did. `passed` were not in it.
    `met` are the criteria of skills that hold for the exchange as a whole.
    """

    held: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()
    met: tuple[Criterion, ...] = ()


@dataclass(frozen=True, slots=True)
class RuleDerived:
    """Three conversations have a pattern in common; `text` says what follows from it."""

    pattern: Pattern
    text: str


@dataclass(frozen=True, slots=True)
class RuleWorded:
    """A rule reads so now. From the person's hand it also holds again, whatever it rests on."""

    pattern: Pattern
    text: str


@dataclass(frozen=True, slots=True)
class RuleRetired:
    """A rule no longer holds; what it rests on derives it no more."""

    pattern: Pattern
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RuleDisputed:
    """The person says that it is not so. It is not derived again."""

    pattern: Pattern
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SkillFormed:
    """A rule that proved itself, as something that can be carried out by any model.

    `builds_on` are the names of the patterns of skills that it is used together with; `criteria` say by what each use
    is judged.
    """

    pattern: Pattern
    name: str
    steps: tuple[str, ...]
    criteria: tuple[Criterion, ...]
    builds_on: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SkillRetired:
    """It proved itself no longer; the rule stays."""

    pattern: Pattern
    reason: str = ""


LearningEvent = (
    FeedbackNoticed
    | RulesTried
    | RuleDerived
    | RuleWorded
    | RuleRetired
    | RuleDisputed
    | SkillFormed
    | SkillRetired
)
