"""How rules, skills and measures are written for a person, and as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from innerlife.affect.measures import Month as Sovereignty
from innerlife.cli.output import count, heading, say, table, when, wrapped
from innerlife.learning.aspects import when as occasion
from innerlife.learning.known import Piece, conversations
from innerlife.learning.measures import Month
from innerlife.learning.policy import LearningPolicy
from innerlife.learning.rules import Rule
from innerlife.learning.skills import Skill, maturity
from innerlife.learning.terms import Sort, State

STANDS: Final = {
    State.IN_FORCE: "in force",
    State.YIELDS: "yields",
    State.TOO_THIN: "too little speaks for it",
    State.RETIRED: "retired",
    State.DISPUTED: "disputed",
}

MEASURED: Final = (Sort.CORRECTION, Sort.REASK, Sort.ABANDONMENT)
"""What is counted against the companion, in the order of its columns."""


def rule_data(rule: Rule, policy: LearningPolicy) -> dict[str, Any]:
    """A rule as data."""
    return {
        "handle": rule.handle,
        "text": rule.text,
        "pattern": rule.pattern.name,
        "state": rule.state.value,
        "yields_to": rule.yields_to,
        "reason": rule.reason,
        "confidence": round(rule.confidence, 2),
        "conversations": conversations(rule.evidence),
        "contrary": conversations(rule.contrary),
        "evidence": [_piece_data(piece) for piece in rule.evidence],
        "since": rule.at,
        "by_user": rule.by_user,
        "maturity": maturity(rule, policy).value,
        "uses": {**asdict(rule.uses), "count": rule.uses.count},
    }


def skill_data(skill: Skill) -> dict[str, Any]:
    """A skill as data."""
    return {
        **asdict(skill),
        "pattern": skill.pattern.name,
        "trigger": skill.trigger.value,
        "score": skill.score,
    }


def month_data(month: Month) -> dict[str, Any]:
    """A month as data: counts, and what they are per hundred exchanges."""
    return {
        "month": month.name,
        "exchanges": month.exchanges,
        "counts": {sort.value: month.counts.get(sort, 0) for sort in Sort},
        "per_hundred": {sort.value: month.per_hundred(sort) for sort in Sort},
        "scales": dict(month.scales),
    }


def show_rules(rules: Sequence[Rule], policy: LearningPolicy) -> None:
    """A rule a paragraph: what it says, how it stands, what speaks for it."""
    for rule in rules:
        stands = STANDS[rule.state]
        heading(f"{rule.handle}  {rule.text}")
        told = f"{stands}, {rule.confidence:.0%} sure, since {when(rule.at)}, {maturity(rule, policy).value}"
        say(wrapped(told + (", in your words" if rule.by_user else ""), "  "))
        if rule.yields_to:
            say(wrapped(f"gives way to: {rule.yields_to}", "  "))
        if rule.reason:
            say(wrapped(f"why: {rule.reason}", "  "))
        say(wrapped(_weight(rule), "  "))


def show_skills(skills: Sequence[Skill]) -> None:
    """A skill a paragraph: when, how, by what it is judged."""
    for skill in skills:
        heading(f"{skill.handle}  {skill.name} ({occasion(skill.trigger)})")
        for step in skill.steps:
            say(wrapped(f"- {step}", "  "))
        if skill.builds_on:
            say(wrapped(f"builds on: {', '.join(skill.builds_on)}", "  "))
        judged = ", ".join(criterion.value.replace("_", " ") for criterion in skill.criteria)
        score = "not used yet" if skill.score is None else f"{skill.score:.0%} over {len(skill.scores)} uses"
        say(wrapped(f"judged by: {judged}; {score}", "  "))


def scales_of(sovereignty: Sequence[Sovereignty]) -> dict[str, dict[str, float]]:
    """The person's say over how they are, by month, in percent; what was not measured is left out."""
    named = (("overridden %", "ios"), ("not followed %", "amr"))
    return {
        one.month: {
            name: 100.0 * share for name, scale in named if (share := getattr(one, scale)) is not None
        }
        for one in sovereignty
    }


def show_months(months: Sequence[Month]) -> None:
    """A month a line, per hundred exchanges."""
    scales = sorted({name for month in months for name in month.scales})
    rows = [
        (
            month.name,
            str(month.exchanges),
            *(_number(month.per_hundred(sort)) for sort in MEASURED),
            *(_number(month.scales.get(name)) for name in scales),
        )
        for month in months
    ]
    table(("month", "exchanges", "corrected", "asked again", "left open", *scales), rows)


def _weight(rule: Rule) -> str:
    uses = rule.uses
    told = f"{count(conversations(rule.evidence), 'conversation')} for it"
    if rule.contrary:
        told += f", {conversations(rule.contrary)} against it"
    return told + (f"; used {uses.count} times, held {uses.held}" if uses.count else "; not used yet")


def _piece_data(piece: Piece) -> dict[str, Any]:
    return {
        "kind": piece.sort.value,
        "confidence": piece.sure,
        "conversation": piece.stream,
        "messages": piece.messages,
    }


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"
