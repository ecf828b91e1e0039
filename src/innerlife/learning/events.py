"""Events of learning: rules and skills travel with the soul, what they rest on is archive."""

from __future__ import annotations

from innerlife.learning import bodies as e
from innerlife.learning.aspects import wording
from innerlife.learning.terms import Sort
from innerlife.ledger.registry import Kind, Retention

_NOTICED = {
    Sort.CORRECTION: "you corrected an answer",
    Sort.REASK: "you asked the same again",
    Sort.ABANDONMENT: "you left a question unanswered",
    Sort.REGENERATION: "you had an answer given once more",
    Sort.EDIT: "you changed a message that was answered",
    Sort.PRAISE: "you said that an answer was right",
}


def _rule(pattern: e.Pattern) -> str:
    return wording(pattern.aspect, pattern.trigger)


def _told_of_feedback(noticed: e.FeedbackNoticed) -> str:
    wanted = ", ".join(aspect.value.replace("_", " ") for aspect in noticed.aspects)
    return f"Noticed that {_NOTICED[noticed.sort]}" + (f" ({wanted})" if wanted else "")


def _told_of_trial(tried: e.RulesTried) -> str:
    return f"Kept to {len(tried.held)} rules, missed {len(tried.failed)}, left out {len(tried.passed)}"


KINDS = (
    Kind(e.FEEDBACK, e.FeedbackNoticed, Retention.ARCHIVE, tells=_told_of_feedback),
    Kind(e.TRIAL, e.RulesTried, Retention.ARCHIVE, tells=_told_of_trial),
    Kind(e.RULE, e.RuleDerived, Retention.SOUL, tells=lambda rule: f"Derived a rule: {rule.text}"),
    Kind(
        e.WORDED, e.RuleWorded, Retention.SOUL, tells=lambda rule: f"Put a rule in other words: {rule.text}"
    ),
    Kind(
        e.RETIRED, e.RuleRetired, Retention.SOUL, tells=lambda gone: f"Gave up a rule: {_rule(gone.pattern)}"
    ),
    Kind(
        e.DISPUTED,
        e.RuleDisputed,
        Retention.SOUL,
        tells=lambda gone: f"Was told that a rule is not so: {_rule(gone.pattern)}",
    ),
    Kind(e.SKILL, e.SkillFormed, Retention.SOUL, tells=lambda skill: f"A rule became a skill: {skill.name}"),
    Kind(
        e.SKILL_RETIRED,
        e.SkillRetired,
        Retention.SOUL,
        tells=lambda gone: f"A skill is a rule again: {_rule(gone.pattern)}",
    ),
)
"""Kinds this room registers."""
