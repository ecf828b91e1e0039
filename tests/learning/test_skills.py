"""From hypothesis to skill."""

from __future__ import annotations

from innerlife.learning import bodies as e
from innerlife.learning.bodies import Pattern
from innerlife.learning.judging import Observed, Tried, judge
from innerlife.learning.known import known_from
from innerlife.learning.policy import LearningPolicy
from innerlife.learning.rows import What
from innerlife.learning.rules import rules_of
from innerlife.learning.skills import Skill, maturity, skills_of
from innerlife.learning.terms import Aspect, Criterion, Maturity, Sort, Trigger
from innerlife.learning.turns import Detection
from tests.learning.conftest import START, Rows

POLICY = LearningPolicy()


def use(rows: Rows, pattern: Pattern, times: int, *, failed: int = 0) -> None:
    for number in range(times):
        rows.tried(f"use-{len(rows.every)}-{number}", held=[pattern])
    for number in range(failed):
        rows.tried(f"miss-{len(rows.every)}-{number}", failed=[pattern])


def stage(rows: Rows, pattern: Pattern) -> Maturity:
    (rule,) = [one for one in rules_of(known_from(rows.every), POLICY) if one.pattern == pattern]
    return maturity(rule, POLICY)


def skills(rows: Rows) -> list[Skill]:
    known = known_from(rows.every)
    return skills_of(known, rules_of(known, POLICY), POLICY)


def grow(rows: Rows) -> list[str]:
    """Judge once with nothing new; what is appended is in the rows afterwards. What changed, as texts."""
    judged = judge(rows.every, Observed(START), POLICY)
    for draft in judged.drafts:
        what = {e.SkillFormed: What.SKILL, e.SkillRetired: What.SKILL_RETIRED}[type(draft.body)]
        rows.add(what, draft.body)  # type: ignore[arg-type]
    return [change.text for change in judged.changes]


def test_a_rule_proves_itself_step_by_step(rows: Rows) -> None:
    """[L5] Hypothesis, then a stable pattern, then a skill: by held uses over different conversations."""
    pattern = rows.rule(Aspect.ANSWER_FIRST)
    assert stage(rows, pattern) is Maturity.HYPOTHESIS
    for _ in range(6):
        rows.tried("the same conversation", held=[pattern])
    assert stage(rows, pattern) is Maturity.HYPOTHESIS, "one conversation proves nothing"
    use(rows, pattern, 4)
    assert stage(rows, pattern) is Maturity.PATTERN
    assert grow(rows) == []
    use(rows, pattern, 4)
    assert stage(rows, pattern) is Maturity.SKILL
    assert grow(rows) == ["A rule has become a skill, The answer first: Lead with the answer, then explain."]
    assert grow(rows) == [], "it is one already"


def test_a_skill_has_all_its_parts(rows: Rows) -> None:
    """[L5] Name, trigger, steps, criteria; and it can build on another one that is met with it."""
    first = rows.rule(Aspect.SHORTER)
    use(rows, first, 12)
    grow(rows)
    second = rows.rule(Aspect.EXAMPLE, Trigger.EXPLANATION)
    use(rows, second, 12)
    grow(rows)
    general, special = skills(rows)
    assert (general.name, general.trigger, general.builds_on) == ("Brevity", Trigger.ANY, ())
    assert (special.trigger, special.builds_on) == (Trigger.EXPLANATION, ("shorter/any",))
    assert special.steps
    assert special.criteria == (Criterion.NOT_CORRECTED, Criterion.NOT_ASKED_AGAIN)
    assert special.text.startswith("Examples (when something is to be explained): Say it once")


def test_every_use_is_scored_by_the_criteria(rows: Rows) -> None:
    """[L5] A use that met one of two criteria counts half; a skill that scores too low is a rule again."""
    pattern = rows.rule(Aspect.SHORTER)
    use(rows, pattern, 12)
    grow(rows)
    rows.tried("x", held=[pattern], met=[Criterion.NOT_LEFT])
    rows.tried("y", held=[pattern])
    (skill,) = skills(rows)
    assert skill.scores == (0.5, 1.0)
    assert skill.score == 0.75
    for number in range(5):
        rows.tried(f"z{number}", failed=[pattern], met=[])
    assert grow(rows) == ["A skill did not hold up and is a rule again: Keep the answer short."]
    assert skills(rows) == []
    assert stage(rows, pattern) is Maturity.HYPOTHESIS
    assert grow(rows) == []


def test_a_rule_that_is_closed_takes_its_skill_with_it(rows: Rows) -> None:
    """[L5] Disputed by the person: neither is left, and opened again it is a rule first."""
    pattern = rows.rule(Aspect.SHORTER)
    use(rows, pattern, 12)
    grow(rows)
    rows.add(What.DISPUTED, e.RuleDisputed(pattern), by_user=True)
    assert skills(rows) == []
    rows.add(What.WORDED, e.RuleWorded(pattern, "Two lines."), by_user=True)
    assert skills(rows) == []


def test_a_use_holds_where_no_correction_of_its_aspect_follows(rows: Rows) -> None:
    """[L2] [L5] What counts is the aspect; a rule that was not in the prompt was not used."""
    shorter, listing, table = (rows.rule(one) for one in (Aspect.SHORTER, Aspect.LIST, Aspect.TABLE))
    after = (
        Detection(Sort.CORRECTION, 0.9, (7,), (Aspect.SHORTER,)),
        Detection(Sort.REASK, 0.8, (7,)),
    )
    tried = Tried((5, "01X"), "s", (shorter, listing, table), frozenset({shorter, listing}), after)
    (draft,) = judge(rows.every, Observed(START, (), (tried,)), POLICY).drafts
    assert draft.body == e.RulesTried(
        held=("list/any",), failed=("shorter/any",), passed=("table/any",), met=(Criterion.NOT_LEFT,)
    )
    assert draft.key is not None
    assert judge(rows.every, Observed(START, (), (tried,)), POLICY).drafts[0].key == draft.key
