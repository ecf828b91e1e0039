"""The commands about rules, skills and measures."""

from __future__ import annotations

from innerlife import bootstrap
from innerlife.learning import bodies as e
from innerlife.learning.aspects import wording
from innerlife.learning.bodies import Pattern
from innerlife.learning.terms import Aspect, Criterion, Sort, Trigger
from innerlife.ledger.envelope import Actor, Cause, Draft, Role, Trust
from innerlife.settings import load
from tests.cli.conftest import Home, Invoke, data_of
from tests.cli.fakes import FakeEngine

SHORTER = Pattern(Aspect.SHORTER, Trigger.ANY)
DEEPER = Pattern(Aspect.DEEPER, Trigger.ANY)


def learn(*patterns: Pattern, skill: bool = False) -> None:
    """Each with its three conversations, as background thinking leaves them."""
    companion = bootstrap.open_companion(load())
    message = companion.ledger.newest(1, {"message.user"})[0]
    causes = (Cause(message.seq, Role.FROM),)
    for pattern in patterns:
        for number in range(3):
            noticed = e.FeedbackNoticed(Sort.CORRECTION, 0.9, (pattern.aspect,), pattern.trigger)
            stream = f"{pattern.name}-{number}"
            companion.ledger.append(
                Draft(noticed, Actor.COMPANION, Trust.COMPANION, causes=causes, stream=stream)
            )
        text = wording(pattern.aspect, pattern.trigger)
        companion.ledger.append(
            Draft(e.RuleDerived(pattern, text), Actor.COMPANION, Trust.COMPANION, causes=causes)
        )
        if skill:
            formed = e.SkillFormed(pattern, "Brevity", ("Say it, and stop.",), (Criterion.NOT_CORRECTED,))
            companion.ledger.append(Draft(formed, Actor.COMPANION, Trust.COMPANION, causes=causes))
    companion.upkeep.catch_up()
    companion.close()


def test_rules_are_listed_with_what_speaks_for_them(lived: Home, invoke: Invoke) -> None:
    """[L2] [L4] Evidence, confidence and state; the one that yields is shown, and says to what."""
    assert "No rule was derived yet" in invoke("rules").stderr
    learn(SHORTER, DEEPER)
    shown = invoke("rules").stdout
    assert "Keep the answer short." in shown
    assert "60% sure" in shown or "0% sure" in shown
    assert "3 conversations for it" in shown
    assert "gives way to: Go into depth" in shown
    found = data_of(invoke("rules", "--json"))
    assert [(one["pattern"], one["state"]) for one in found] == [
        ("shorter/any", "yields"),
        ("deeper/any", "in_force"),
    ]
    assert len(found[0]["evidence"]) == 3


def test_rules_are_corrected_by_hand(lived: Home, invoke: Invoke, engine: FakeEngine) -> None:
    """[L2] [L3] Edit, retire and dispute, each in force with the next prompt; rules and preferences stay apart."""
    learn(SHORTER)
    (rule,) = data_of(invoke("rules", "--json"))
    edited = data_of(invoke("rules", "edit", rule["handle"][:5], "Two sentences at most.", "--json"))
    assert (edited[0]["text"], edited[0]["by_user"]) == ("Two sentences at most.", True)
    assert "in your words" in invoke("rules").stdout
    invoke("say", "Good morning")
    assert "Two sentences at most." in engine.received[-1]["messages"][-1]["content"]
    assert data_of(invoke("preferences", "--json")) == []
    assert invoke("rules", "retire", rule["handle"], "--note", "Enough").exit_code == 0
    invoke("say", "Good evening")
    assert "Two sentences at most." not in engine.received[-1]["messages"][-1]["content"]
    assert "Enough" in invoke("rules").stdout
    assert data_of(invoke("rules", "dispute", rule["handle"], "--json"))[0]["state"] == "disputed"
    assert "You told me that a rule is not so" in invoke("growth").stdout
    assert invoke("rules", "edit", "#none", "x").exit_code == 3
    assert invoke("rules", "retire", rule["handle"]).exit_code == 2


def test_skills_are_shown_with_their_parts(lived: Home, invoke: Invoke, engine: FakeEngine) -> None:
    """[L5] Name, occasion, steps and criteria; in a prompt the skill stands in place of its rule."""
    assert "No rule has become a skill yet" in invoke("skills").stderr
    learn(SHORTER, skill=True)
    shown = invoke("skills").stdout
    for words in ("Brevity (always)", "- Say it, and stop.", "judged by: not corrected; not used yet"):
        assert words in shown
    (skill,) = data_of(invoke("skills", "--json"))
    assert (skill["pattern"], skill["score"]) == ("shorter/any", None)
    invoke("say", "Good morning")
    block = engine.received[-1]["messages"][-1]["content"]
    assert "Brevity (always): Say it, and stop." in block
    assert "Keep the answer short." not in block
    assert "byte for byte" in invoke("why").stdout


def test_growth_is_measured(lived: Home, invoke: Invoke) -> None:
    """[L6] A month a line, per hundred exchanges."""
    learn(SHORTER)
    (month,) = data_of(invoke("growth", "--measures", "--json"))
    assert month["counts"]["correction"] == 3
    assert month["per_hundred"]["correction"] == 300.0 / month["exchanges"]
    shown = invoke("growth", "--measures").stdout
    for words in (month["month"], "corrected", "asked again", "left open"):
        assert words in shown
