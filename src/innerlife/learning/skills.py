"""Skills: rules that proved themselves, as something any model can carry out (anima §6.4). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from innerlife.learning import bodies as e
from innerlife.learning.aspects import MANNERS, opposed, when
from innerlife.learning.bodies import Pattern
from innerlife.learning.known import Known, covers
from innerlife.learning.policy import LearningPolicy
from innerlife.learning.rows import Row
from innerlife.learning.rules import Rule, handle_of
from innerlife.learning.terms import Aspect, Criterion, Maturity, State, Trigger

_ALWAYS: Final = (Criterion.NOT_CORRECTED, Criterion.NOT_ASKED_AGAIN)

CRITERIA: Final[dict[Aspect, tuple[Criterion, ...]]] = {
    # Who was heard may leave the matter open: that is no failure of listening.
    Aspect.LISTEN: (Criterion.NOT_CORRECTED,),
    Aspect.STEPS: (*_ALWAYS, Criterion.NOT_LEFT),
    Aspect.FEWER_QUESTIONS: (*_ALWAYS, Criterion.NOT_LEFT),
}
"""By what each use of a skill is judged, where that is not `_ALWAYS`."""


@dataclass(frozen=True, slots=True)
class Skill:
    """One skill as it stands.

    `steps` are its own; what it builds on is carried out first. `scores` are those of its newest uses, each the share
    of its criteria that was met, oldest first.
    """

    pattern: Pattern
    handle: str
    name: str
    steps: tuple[str, ...]
    criteria: tuple[Criterion, ...]
    builds_on: tuple[str, ...]
    seq: int
    id: str
    at: datetime
    zone: str
    scores: tuple[float, ...]

    @property
    def trigger(self) -> Trigger:
        """For which kind of request it is."""
        return self.pattern.trigger

    @property
    def score(self) -> float | None:
        """The mean of its scores; None before its first use."""
        return sum(self.scores) / len(self.scores) if self.scores else None

    @property
    def text(self) -> str:
        """As a prompt receives it."""
        return wording_of(self.name, self.trigger, self.steps)


def wording_of(name: str, trigger: Trigger, steps: Sequence[str]) -> str:
    """A skill as a prompt receives it: of what it is alone, however its uses went."""
    return f"{name} ({when(trigger)}): {' '.join(steps)}"


def maturity(rule: Rule, policy: LearningPolicy) -> Maturity:
    """How far a rule has proved itself, by its uses."""
    uses = rule.uses
    skill = (policy.skill_uses, policy.skill_conversations, policy.skill_held)
    pattern = (policy.pattern_uses, policy.pattern_conversations, policy.pattern_held)
    for needed, reached in ((skill, Maturity.SKILL), (pattern, Maturity.PATTERN)):
        if uses.count >= needed[0] and uses.conversations >= needed[1] and uses.share >= needed[2]:
            return reached
    return Maturity.HYPOTHESIS


def skills_of(known: Known, rules: Sequence[Rule], policy: LearningPolicy) -> list[Skill]:
    """The skills whose rule holds, oldest first."""
    holding = {rule.pattern for rule in rules if rule.state is State.IN_FORCE}
    found = [
        _skill_of(marks.skill, known.trials, policy)
        for pattern, marks in known.marks.items()
        if marks.skill is not None and pattern in holding
    ]
    return sorted((one for one in found if one is not None), key=lambda skill: skill.seq)


def forming(known: Known, rules: Sequence[Rule], policy: LearningPolicy) -> list[tuple[Rule, e.SkillFormed]]:
    """Rules that are ready to be skills and are none yet, with what each becomes."""
    skills = skills_of(known, rules, policy)
    found: list[tuple[Rule, e.SkillFormed]] = []
    for rule in rules:
        ready = rule.state is State.IN_FORCE and maturity(rule, policy) is Maturity.SKILL
        if ready and known.marks[rule.pattern].skill is None and not _failing(known, rule, policy):
            found.append((rule, _formed(rule, skills)))
    return found


def lost(known: Known, rules: Sequence[Rule], policy: LearningPolicy) -> list[Skill]:
    """Skills that met too few of their criteria over enough of their newest uses."""
    return [
        skill
        for skill in skills_of(known, rules, policy)
        if len(skill.scores) >= policy.pattern_uses and (skill.score or 0.0) < policy.skill_lost
    ]


def _formed(rule: Rule, skills: Sequence[Skill]) -> e.SkillFormed:
    manner = MANNERS[rule.pattern.aspect]
    built_on = [
        skill.pattern.name
        for skill in skills
        if covers(skill.trigger, rule.pattern.trigger)
        and not opposed(skill.pattern.aspect, rule.pattern.aspect)
    ]
    # What the person put into their own words is the first step; ours say how.
    steps = (rule.text, *manner.steps) if rule.by_user else manner.steps
    criteria = CRITERIA.get(rule.pattern.aspect, _ALWAYS)
    return e.SkillFormed(rule.pattern, manner.name, steps, criteria, tuple(built_on))


def _failing(known: Known, rule: Rule, policy: LearningPolicy) -> bool:
    """Whether its newest uses speak against it: a skill that was lost is not formed again at once."""
    criteria = CRITERIA.get(rule.pattern.aspect, _ALWAYS)
    scores = _scores(known.trials, rule.pattern, criteria, rule.first[0], policy)
    return bool(scores) and sum(scores) / len(scores) < policy.skill_held


def _skill_of(row: Row, trials: Sequence[Row], policy: LearningPolicy) -> Skill | None:
    """A skill from the event that formed it, with the scores of its uses among the trials; None for other events."""
    body = row.body
    if not isinstance(body, e.SkillFormed):
        return None
    return Skill(
        body.pattern, handle_of(body.pattern), body.name, body.steps, body.criteria, body.builds_on,
        row.seq, row.id, row.at, row.zone, _scores(trials, body.pattern, body.criteria, row.seq, policy),
    )  # fmt: skip


def _scores(
    trials: Sequence[Row], pattern: Pattern, criteria: Sequence[Criterion], since: int, policy: LearningPolicy
) -> tuple[float, ...]:
    scores: list[float] = []
    for row in trials:
        body = row.body
        if row.seq > since and isinstance(body, e.RulesTried) and pattern.name in (*body.held, *body.failed):
            met = {*body.met, *((Criterion.NOT_CORRECTED,) if pattern.name in body.held else ())}
            scores.append(sum(one in met for one in criteria) / len(criteria))
    return tuple(scores[-policy.skill_uses :])
