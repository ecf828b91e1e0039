"""Rules as pure decisions over rows."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innerlife.learning import bodies as e
from innerlife.learning.aspects import MANNERS, opposed, wording
from innerlife.learning.bodies import Pattern
from innerlife.learning.judging import Observed, judge
from innerlife.learning.known import conversations, known_from
from innerlife.learning.policy import LearningPolicy
from innerlife.learning.rephrasing import accepted
from innerlife.learning.rows import What, read_body, written
from innerlife.learning.rules import Preferred, Rule, derivable, in_force_for, rules_of
from innerlife.learning.terms import Aspect, Sort, State, Trigger
from innerlife.learning.turns import Detection
from innerlife.ledger.envelope import Role
from tests.learning.conftest import START, Rows

POLICY = LearningPolicy()
SHORTER, DEEPER = Aspect.SHORTER, Aspect.DEEPER


def stand(rows: Rows, *preferred: str) -> dict[str, Rule]:
    found = rules_of(known_from(rows.every), POLICY, [Preferred(text) for text in preferred])
    return {rule.pattern.name: rule for rule in found}


def derived(rows: Rows) -> list[str]:
    return [pattern.name for pattern, _ in derivable(known_from(rows.every), POLICY)]


def test_three_conversations_make_a_rule_and_two_do_not(rows: Rows) -> None:
    """[L2] Three of the same pattern; the same conversation counts once."""
    rows.feedback(SHORTER, "a", Trigger.CODE)
    rows.feedback(SHORTER, "a", Trigger.CODE)
    rows.feedback(SHORTER, "b", Trigger.CODE)
    assert derived(rows) == []
    rows.feedback(SHORTER, "c", Trigger.CODE)
    assert derived(rows) == ["shorter/code"]


def test_a_pattern_in_several_kinds_of_requests_is_general(rows: Rows) -> None:
    """[L2] Where no kind has three of its own, the rule is for any."""
    for stream, trigger in zip("abc", (Trigger.CODE, Trigger.PLAN, Trigger.ANY), strict=True):
        rows.feedback(SHORTER, stream, trigger)
    assert derived(rows) == ["shorter/any"]


def test_what_is_unsure_or_only_praised_makes_no_rule(rows: Rows) -> None:
    """[L2] Feedback that a detector is not sure of, and praise, derive nothing by themselves."""
    for stream in "abc":
        rows.feedback(SHORTER, stream, sure=0.3)
        rows.feedback(SHORTER, stream + "x", sort=Sort.PRAISE)
        rows.feedback(SHORTER, stream + "y", sort=Sort.REGENERATION)
    assert derived(rows) == []


def test_evidence_strengthens_and_contrary_evidence_weakens(rows: Rows) -> None:
    """[L2] By conversations, praise included; outweighed it no longer holds."""
    rows.rule(SHORTER)
    sure = stand(rows)["shorter/any"].confidence
    assert sure == pytest.approx(0.6)
    rows.feedback(SHORTER, "more", sort=Sort.PRAISE)
    assert stand(rows)["shorter/any"].confidence > sure
    rows.feedback(DEEPER, "less")
    rows.feedback(DEEPER, "less too", sort=Sort.PRAISE)
    weakened = stand(rows)["shorter/any"]
    assert weakened.confidence < sure
    assert weakened.state is State.IN_FORCE
    for stream in "de":
        rows.feedback(DEEPER, stream, sort=Sort.PRAISE)
    assert stand(rows)["shorter/any"].state is State.TOO_THIN


def test_a_rule_that_goes_unused_ten_times_retires(rows: Rows) -> None:
    """[L2] In a row; a use between them begins the count again. What it rested on derives it no more."""
    pattern = rows.rule(SHORTER, Trigger.CODE)
    for number in range(9):
        rows.tried(f"t{number}", passed=[pattern])
    rows.tried("used", held=[pattern])
    for number in range(9):
        rows.tried(f"u{number}", passed=[pattern])
    assert judge(rows.every, Observed(START), POLICY).drafts == ()
    rows.tried("the tenth", passed=[pattern])
    judged = judge(rows.every, Observed(START), POLICY)
    assert [type(draft.body) for draft in judged.drafts] == [e.RuleRetired]
    assert "10 occasions" in judged.changes[0].text
    rows.add(What.RETIRED, judged.drafts[0].body)  # type: ignore[arg-type]
    assert stand(rows)["shorter/code"].state is State.RETIRED
    assert derived(rows) == []


def test_each_change_has_its_entry_and_its_evidence(rows: Rows) -> None:
    """[L2] [S1] Derived, strengthened, weakened: each with what it rests on, which may be about to be appended."""
    for stream in "ab":
        rows.feedback(SHORTER, stream, Trigger.CODE)
    third = Detection(Sort.CORRECTION, 0.9, (901, 902), (SHORTER,), Trigger.CODE)
    judged = judge(rows.every, Observed(START, ((third, "c"),)), POLICY)
    feedback, rule = judged.drafts
    assert isinstance(rule.body, e.RuleDerived)
    assert rule.body.text == wording(SHORTER, Trigger.CODE)
    assert {cause.seq for cause in rule.causes} == {10, 20, 901, 902}
    assert {cause.role for cause in rule.causes} == {Role.FROM}
    assert [change.text for change in judged.changes] == [
        "I learned from 3 conversations: When it is about code, keep the answer short."
    ]
    rows.add(What.FEEDBACK, feedback.body, "c")  # type: ignore[arg-type]
    rows.add(What.DERIVED, rule.body)
    again = Detection(Sort.CORRECTION, 0.9, (903,), (SHORTER,), Trigger.CODE)
    against = Detection(Sort.CORRECTION, 0.9, (904,), (DEEPER,), Trigger.CODE)
    judged = judge(rows.every, Observed(START, ((again, "d"), (against, "e"))), POLICY)
    assert [change.became.value for change in judged.changes] == ["strengthened", "weakened"]
    assert judge(rows.every, Observed(START, ((again, "a"),)), POLICY).changes == (), (
        "it spoke for it already"
    )


def test_conflicts_go_by_preference_then_evidence_then_recency(rows: Rows) -> None:
    """[L4] The loser is kept and says to whom it yields."""
    rows.rule(SHORTER)
    rows.rule(DEEPER)
    newer = stand(rows)
    assert (newer["shorter/any"].state, newer["deeper/any"].state) == (State.YIELDS, State.IN_FORCE)
    assert newer["shorter/any"].yields_to == newer["deeper/any"].text
    rows.feedback(SHORTER, "a fourth")
    assert stand(rows)["deeper/any"].state is State.YIELDS, "more evidence outranks the newer rule"
    said = stand(rows, "Please be thorough and detailed.")
    assert (said["shorter/any"].state, said["deeper/any"].state) == (State.YIELDS, State.IN_FORCE)
    assert said["shorter/any"].yields_to == "Please be thorough and detailed."


def test_conflicts_that_nothing_weighs_go_by_what_came_last(rows: Rows) -> None:
    """[L4] The same conversations ask for both, in the same pieces: still one of them holds, always the same one."""
    for stream in "abc":
        body = e.FeedbackNoticed(Sort.CORRECTION, 0.9, (SHORTER, DEEPER), Trigger.ANY)
        rows.add(What.FEEDBACK, body, stream)
    for aspect in (SHORTER, DEEPER):
        rows.add(What.DERIVED, e.RuleDerived(Pattern(aspect, Trigger.ANY), wording(aspect, Trigger.ANY)))
    found = stand(rows)
    assert (found["shorter/any"].state, found["deeper/any"].state) == (State.YIELDS, State.IN_FORCE)
    both = stand(rows, "Keep it short for code, be thorough and detailed for plans.")
    assert {rule.state for rule in both.values()} == {State.IN_FORCE, State.YIELDS}
    for aspect in (DEEPER, SHORTER):
        rows.add(What.WORDED, e.RuleWorded(Pattern(aspect, Trigger.ANY), "As I say."), by_user=True)
    said = stand(rows)
    assert (said["shorter/any"].state, said["deeper/any"].state) == (State.IN_FORCE, State.YIELDS)


def test_rules_for_different_kinds_of_requests_do_not_meet(rows: Rows) -> None:
    """[L4] Opposite rules conflict only where both are met, and only with one that holds itself."""
    rows.rule(SHORTER, Trigger.CODE)
    rows.rule(DEEPER, Trigger.EXPLANATION)
    assert {rule.state for rule in stand(rows).values()} == {State.IN_FORCE}
    rows.rule(DEEPER, Trigger.ANY, pieces=5)
    known = rules_of(known_from(rows.every), POLICY)
    names = {kind: [rule.pattern.name for rule in in_force_for(known, kind)] for kind in Trigger}
    assert names[Trigger.CODE] == ["deeper/any"]
    assert names[Trigger.PLAN] == ["deeper/any"]
    rows.rule(Aspect.CODE_ONLY, Trigger.ANY, pieces=9)
    rows.rule(SHORTER, Trigger.ANY)
    assert stand(rows)["deeper/any"].state is State.YIELDS
    assert stand(rows)["shorter/any"].state is State.IN_FORCE, "what it would yield to yields itself"


def test_a_disputed_rule_is_not_derived_again(rows: Rows) -> None:
    """[L2] Not from the same evidence, not in other words or for any request, not from later evidence."""
    pattern = rows.rule(SHORTER, Trigger.CODE)
    rows.add(What.DISPUTED, e.RuleDisputed(pattern, "no"), by_user=True)
    assert stand(rows)[pattern.name].state is State.DISPUTED
    assert stand(rows)[pattern.name].reason == "no"
    for stream in "xyz":
        rows.feedback(SHORTER, stream, Trigger.CODE)
    assert derived(rows) == []
    for stream in "uvw":
        rows.feedback(SHORTER, stream, Trigger.PLAN)
    assert derived(rows) == ["shorter/plan"], "what was disputed was for code"


def test_a_retired_rule_needs_new_conversations(rows: Rows) -> None:
    """[L2] The old evidence is spent, for the general rule too; three new conversations derive it again."""
    pattern = rows.rule(SHORTER, Trigger.CODE)
    rows.add(What.RETIRED, e.RuleRetired(pattern), by_user=True)
    for number in range(2):
        rows.feedback(SHORTER, f"new {number}", Trigger.CODE)
    assert derived(rows) == []
    rows.feedback(SHORTER, "new 3", Trigger.CODE)
    assert derived(rows) == ["shorter/code"]


def test_the_persons_words_hold(rows: Rows) -> None:
    """[L2] They open what was closed, outrank a model's words and evidence, and need none."""
    pattern = rows.rule(SHORTER)
    rows.add(What.DISPUTED, e.RuleDisputed(pattern), by_user=True)
    rows.add(What.WORDED, e.RuleWorded(pattern, "Two sentences."), by_user=True)
    rows.add(What.WORDED, e.RuleWorded(pattern, "Be brief."))
    for number in range(9):
        rows.feedback(DEEPER, f"against {number}")
    rows.add(What.DERIVED, e.RuleDerived(Pattern(DEEPER, Trigger.ANY), "Deeper."))
    stands = stand(rows)
    assert (stands[pattern.name].text, stands[pattern.name].state) == ("Two sentences.", State.IN_FORCE)
    assert stands["deeper/any"].state is State.YIELDS


aspects = st.sampled_from([SHORTER, DEEPER, Aspect.EXAMPLE])
triggers = st.sampled_from([Trigger.ANY, Trigger.CODE, Trigger.PLAN])
pieces = st.lists(st.tuples(aspects, st.sampled_from("abcdef"), triggers), max_size=30)


@given(pieces)
def test_a_rule_always_has_three_conversations_behind_it(every: list[tuple[Aspect, str, Trigger]]) -> None:
    """[L2] Whatever came in, in whatever order."""
    rows = Rows()
    for aspect, stream, trigger in every:
        rows.feedback(aspect, stream, trigger)
    known = known_from(rows.every)
    for pattern, evidence in derivable(known, POLICY):
        assert conversations(evidence) >= 3
        assert all(pattern.aspect in piece.aspects for piece in evidence)
    rows.every.reverse()
    turned = derivable(known_from(rows.every), POLICY)
    assert {p for p, _ in turned} == {p for p, _ in derivable(known, POLICY)}


@given(st.lists(st.booleans(), min_size=1, max_size=12))
def test_confidence_follows_the_evidence(every: list[bool]) -> None:
    """[L2] Each conversation for it raises it, each one against it lowers it, and it stays within bounds."""
    rows = Rows()
    pattern = rows.rule(SHORTER)
    seen = [stand(rows)[pattern.name].confidence]
    for number, for_it in enumerate(every):
        rows.feedback(SHORTER if for_it else DEEPER, f"s{number}")
        seen.append(stand(rows)[pattern.name].confidence)
    for (before, after), for_it in zip(pairwise(seen), every, strict=True):
        assert 0 <= after < 1
        assert after >= before if for_it else after <= before


@given(pieces, st.sets(st.integers(0, 2)))
def test_of_two_opposites_one_holds_at_most(every: list[tuple[Aspect, str, Trigger]], kept: set[int]) -> None:
    """[L4] For no kind of request do two rules hold that contradict each other."""
    rows = Rows()
    for aspect, stream, trigger in every:
        rows.feedback(aspect, stream, trigger)
    for number in kept:
        rows.rule([SHORTER, DEEPER, Aspect.CODE_ONLY][number], Trigger.CODE if number == 2 else Trigger.ANY)
    rules = rules_of(known_from(rows.every), POLICY)
    for kind in Trigger:
        met = in_force_for(rules, kind)
        assert not any(opposed(a.pattern.aspect, b.pattern.aspect) for a in met for b in met)


def test_no_rule_names_a_feeling() -> None:
    """[A2] The table of aspects passes the very gate that a model's words have to pass."""
    for aspect in Aspect:
        for trigger in Trigger:
            assert accepted(wording(aspect, trigger), Pattern(aspect, trigger)), (aspect, trigger)
        for step in MANNERS[aspect].steps:
            assert "feel" not in step


@pytest.mark.parametrize(
    "sentence",
    [
        "",
        "They get impatient with long answers, so keep the answer short.",
        "El usuario está triste; keep the answer short.",
        "Keep the answer short " + "and to the point " * 8,
        "Keep the answer short. Then stop.",
        "Go into more depth in each answer, in short.",
        "Praise the person in every reply.",
    ],
)
def test_words_of_a_model_that_may_not_stand(sentence: str) -> None:
    """[A2] A feeling, too many words, two sentences, the opposite, something else."""
    assert accepted(sentence, Pattern(SHORTER, Trigger.ANY)) == ""


def test_words_of_a_model_that_may_stand() -> None:
    assert accepted("“Give short answers without background”", Pattern(SHORTER, Trigger.ANY)) == (
        "Give short answers without background."
    )


def test_what_is_written_down_is_read_back(rows: Rows) -> None:
    """[C2] Every body of this room survives its column."""
    pattern = rows.rule(SHORTER)
    rows.tried("s", held=[pattern], failed=[pattern], passed=[pattern])
    rows.add(What.WORDED, e.RuleWorded(pattern, "x \ud800"), by_user=True)
    rows.add(What.RETIRED, e.RuleRetired(pattern, "y"))
    rows.add(What.DISPUTED, e.RuleDisputed(pattern, "z"))
    rows.add(What.SKILL_RETIRED, e.SkillRetired(pattern, "z"))
    rows.add(What.SKILL, e.SkillFormed(pattern, "n", ("one",), (), ("deeper/any",)))
    for row in rows.every:
        text = written(row.body)
        assert written(read_body(row.what, text)) == text
