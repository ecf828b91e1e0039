"""Learning in a whole companion: noticed in the background, given in the next prompt, corrected, forgotten."""

from __future__ import annotations

import json

import pytest

from innerlife.adapters.sqlite.keys import keys_of, read_record, unwrap
from innerlife.conversations.events import COMPANION, Ending
from innerlife.conversations.model import Answer
from innerlife.errors import BadInput, NotFound
from innerlife.learning import bodies as e
from innerlife.learning.aspects import wording
from innerlife.learning.terms import Aspect, Sort, State, Trigger
from innerlife.membrane.turn import TurnRequest
from innerlife.thinking import probes, wishes
from innerlife.thinking.calls import Assigned
from innerlife.thinking.policy import ThinkingPolicy
from tests.learning.conftest import Life
from tests.support.bytes import planted_in
from tests.support.client import user
from tests.support.models import ScriptedModel

LONG = "Well, let us begin with the history of it, which is long and winding."
SHORT = wording(Aspect.SHORTER, Trigger.CODE)


def complain(life: Life, number: int, words: str = "That's too long, just the command please") -> list[int]:
    """One conversation about code in which the answer was too long."""
    return life.talk((f"How do I rename branch {number} in git?", LONG), (words, "git branch -m a b"))


def three(life: Life) -> list[list[int]]:
    """Three such conversations, thought about."""
    talks = [complain(life, number) for number in range(3)]
    life.think()
    return talks


def noticed(life: Life) -> list[e.FeedbackNoticed]:
    return [body for body in life.events(e.FEEDBACK) if isinstance(body, e.FeedbackNoticed)]


def test_what_was_noticed_names_its_turns(life: Life) -> None:
    """[L1] Every sort of feedback from a real recording, with the messages it rests on as causes."""
    talk = complain(life, 1)
    life.talk(("Which museums are free?", "I don't know."), ("never mind", "All right."))
    life.talk(
        ("How do I sort a dict by value in Python?", "It depends on what you need."),
        ("My question was how to sort a Python dict by value", "sorted(d.items(), key=…)"),
        ("perfect, exactly what I needed", "Good."),
    )
    life.begin()
    life.say("Hello there", "Hello.")
    opening = list(life.history)
    life.say("A haiku about rain", "Rain …")
    life.history = [*opening, user("A haiku about rain in a harbour at night")]
    plan = life.companion.turns.begin(TurnRequest(tuple(life.history), "model", "test"))
    assert plan.opened is not None
    for text in ("Drops …", "Other drops …"):
        life.companion.turns.finish(plan.opened, Answer(text, Ending.COMPLETE, "model"))
        plan = life.companion.turns.begin(TurnRequest(tuple(life.history), "model", "test"))
        assert plan.opened is not None
    life.think()
    sorts = [one.sort for one in noticed(life)]
    for sort in (Sort.CORRECTION, Sort.ABANDONMENT, Sort.REASK, Sort.PRAISE, Sort.EDIT, Sort.REGENERATION):
        assert sort in sorts, sort
    first = life.companion.ledger.read(0, 100_000, {e.FEEDBACK})[0]
    assert set(talk) < {cause.seq for cause in first.causes}
    answers = {event.seq for event in life.companion.ledger.read(0, 100_000, {COMPANION})}
    assert {cause.seq for cause in first.causes} & answers


def test_three_conversations_teach_a_rule_that_the_next_prompt_receives(life: Life) -> None:
    """[L2] [W1] After the preferences, only where its kind of request is met; a preference is not a rule [L3]."""
    life.companion.self_model.preferences.say("No emojis", user=True)
    three(life)
    (rule,) = life.companion.helping.rules()
    assert (rule.text, rule.state, len(rule.evidence)) == (SHORT, State.IN_FORCE, 3)
    assert [one.text for one in life.companion.self_model.preferences.read()] == ["No emojis"]
    block = life.companion.turns.preview("How do I undo a commit in git?").block
    assert SHORT in block
    assert block.index("No emojis") < block.index(SHORT)
    assert SHORT not in life.companion.turns.preview("Recommend a novel about the sea").block


def test_learning_writes_the_growth_log_and_thinks_once(life: Life) -> None:
    """[L2] [S1] One entry for the rule; the same jobs over again append nothing."""
    three(life)
    entries = [(one.sort, one.text) for one in life.companion.self_model.growth.read()]
    assert entries == [("rule", f"I learned from 3 conversations: {SHORT}")]
    before = life.companion.ledger.count()
    life.think()
    assert life.companion.ledger.count() == before
    complain(life, 4)
    life.think()
    newest = life.companion.self_model.growth.read()[-1]
    assert newest.sort == "evidence"
    assert newest.text.startswith("One more conversation, 4 now,")
    assert "One more" not in life.companion.turns.preview("Hello").stable, "evidence is no part of the digest"


def test_a_run_afresh_notices_nothing_twice(life: Life) -> None:
    """[L2] [L6] All jobs over again: the same feedback counts once, for rules and for measures."""
    complain(life, 1)
    complain(life, 2)
    life.think()
    before, months = noticed(life), life.companion.helping.months()
    wishes.afresh(life.companion.ledger, "noticing", life.clock.now())
    life.think()
    assert noticed(life) == before
    assert life.companion.helping.months() == months
    assert life.companion.helping.rules() == []


def test_uses_are_judged_by_what_follows(life: Life) -> None:
    """[L2] [L5] In the prompt and not corrected within two turns: held. Corrected: failed. Once for each exchange."""
    three(life)
    life.talk(
        ("Undo the last commit in git?", "git reset HEAD~1"),
        ("And keep the files?", "--soft"),
        ("ok", "Good."),
    )
    life.talk(("List git remotes?", LONG), ("too long, just the command", "git remote -v"), ("ok", "Good."))
    life.talk(("Something else entirely", "Yes."))
    life.think()
    (rule,) = life.companion.helping.rules()
    assert rule.uses.failed == 1
    assert rule.uses.held >= 3
    tried = len(life.events(e.TRIAL))
    life.think()
    assert len(life.events(e.TRIAL)) == tried


def test_why_shows_rules_as_they_were(life: Life) -> None:
    """[W6] Byte for byte from the events that the record names, also after the person changed the rule."""
    three(life)
    life.begin()
    plan, _ = life.say("How do I undo a commit in git?", "git reset")
    assert SHORT in plan.block
    life.companion.helping.edit(life.companion.helping.rules()[0].handle, "Two lines, code first.")
    explanation = life.companion.why.last()
    assert explanation.replay.matches, explanation.replay.reasons
    assert SHORT in explanation.replay.workspace.block
    plan, _ = life.say("How do I stash in git?", "git stash")
    assert "Two lines, code first." in plan.block
    life.companion.helping.dispute(life.companion.helping.rules()[0].handle)
    assert life.companion.why.last().replay.matches
    assert "Two lines" not in life.companion.turns.preview("How do I stash in git?").block


def test_the_persons_hand_holds_at_once(life: Life) -> None:
    """[L2] Edited, retired, disputed: in the very next prompt, and for all that comes later."""
    three(life)
    manner = life.companion.helping
    (rule,) = manner.rules()
    assert manner.edit(rule.handle[:4], "Code, then two lines.").by_user
    assert manner.retire(rule.handle, "Not any more").state is State.RETIRED
    assert "Code, then" not in life.companion.turns.preview("How do I rebase in git?").block
    with pytest.raises(BadInput, match="holds no longer"):
        manner.retire(rule.handle)
    assert manner.dispute(rule.handle).state is State.DISPUTED
    for number in range(4):
        complain(life, number + 10)
    life.think()
    assert [one.state for one in manner.rules()] == [State.DISPUTED], "it is not derived again"
    assert manner.edit(rule.handle, "Code alone.").state is State.IN_FORCE
    with pytest.raises(BadInput, match="is the most"):
        manner.edit(rule.handle, "word " * 200)
    with pytest.raises(NotFound):
        manner.edit("#zzz", "x")
    log = [one.text for one in life.companion.self_model.growth.read() if one.by_user]
    assert [text.split(":")[0].split(".")[0] for text in log] == [
        "You put a rule into your own words", "You retired a rule", "You told me that a rule is not so",
        "You put a rule into your own words",
    ]  # fmt: skip


def test_a_rule_loses_what_is_forgotten(life: Life) -> None:
    """[G3] [L2] Below three conversations it no longer stands; with a fourth it is derived again from what is left."""
    talks = three(life)
    forgetting = life.companion.forgetting
    forgetting.finish(forgetting.carry_out(forgetting.preview([talks[0][1]])))
    life.think()
    assert life.companion.helping.rules() == []
    assert SHORT not in life.companion.turns.preview("How do I rebase in git?").block
    complain(life, 4)
    life.think()
    (rule,) = life.companion.helping.rules()
    assert len(rule.evidence) == 3
    complain(life, 5)
    life.think()
    forgetting.finish(forgetting.carry_out(forgetting.preview([talks[1][1]])))
    life.think()
    (rule,) = life.companion.helping.rules()
    assert (rule.state, len(rule.evidence)) == (State.IN_FORCE, 3)


def test_nothing_of_what_is_forgotten_is_left(life: Life) -> None:
    """[G3] Feedback, rules in a model's words, the person's edits, trials, growth entries and records, to the byte."""
    talks = [complain(life, number, "too long, quartzine, just the command please") for number in range(3)]
    model = trusted(life, "Keep the answer short where quartzine is about code.")
    life.think(model)
    manner = life.companion.helping
    (rule,) = manner.rules()
    assert "quartzine" in rule.text
    life.begin()
    life.say("How do I undo a commit in git?", "Quartzine it is.")
    manner.edit(rule.handle, "Short, also where quartzine is about code.")
    life.companion.upkeep.catch_up()
    folder = life.configured.places.profile("default")
    keys = keys_of(unwrap(read_record(folder / "core.keys"), life.configured.places.config))
    home = life.configured.places.home
    assert planted_in(home, keys, ["quartzine"])
    forgetting = life.companion.forgetting
    forgetting.finish(forgetting.carry_out(forgetting.preview([talk[1] for talk in talks])))
    assert "quartzine" not in str(manner.rules())
    assert planted_in(home, keys, ["quartzine"]) == {}


def trusted(life: Life, sentence: str) -> ScriptedModel:
    """A model that has passed every probe and words each rule so."""
    model = ScriptedModel(json.dumps({"sentence": sentence}))
    passed = dict.fromkeys((probe.name for probe in probes.PROBES), "")
    assigned = Assigned("http://engine", "wise", model)
    life.companion.ledger.append_all(probes.verdicts(assigned, passed, ThinkingPolicy()))
    return model


@pytest.mark.parametrize(
    ("sentence", "stands"),
    [
        ("Give short answers about code, without background.", True),
        ("They are impatient, so keep code answers short.", False),
        ("Praise them.", False),
    ],
)
def test_a_trusted_model_words_the_rule_or_the_template_stays(
    life: Life, sentence: str, stands: bool
) -> None:
    """[A2] [L2] A sentence about a feeling, or about something else, never stands; the pattern is the rule's."""
    for number in range(3):
        complain(life, number)
    model = trusted(life, sentence)
    life.think(model)
    (rule,) = life.companion.helping.rules()
    assert rule.text == (sentence if stands else SHORT)
    assert rule.pattern.name == "shorter/code"
    assert any(
        "just the command" in message.text for question in model.asked for message in question.messages
    )


def test_rebuilt_views_tell_the_same_and_the_past_stays(life: Life) -> None:
    """[C2] [C10] The view comes back the same; on an earlier day there was no rule."""
    before = life.clock.now()
    three(life)
    manner = life.companion.helping
    manner.edit(manner.rules()[0].handle, "Two lines.")
    stands = manner.rules(), manner.skills(), manner.months()
    life.companion.upkeep.rebuild()
    assert (manner.rules(), manner.skills(), manner.months()) == stands
    assert manner.rules(before) == []


def test_stories_and_other_peoples_words_teach_nothing(life: Life) -> None:
    """[L1] [P13] No feedback in fiction; a complaint that was only quoted is nobody's correction."""
    for _ in range(3):
        life.talk(
            ("Is this rude?", "A little."),
            (
                "Here is what she wrote:\n\n> That's too long, just the command please\n\nHow do I answer?",
                "Kindly.",
            ),
        )
        life.begin()
        for text in ("Once upon a time in git", "That's too long, just the command please"):
            life.history.append(user(text))
            plan = life.companion.turns.begin(TurnRequest(tuple(life.history), "model", "test", fiction=True))
            assert plan.opened is not None
            life.companion.turns.finish(plan.opened, Answer("So it was.", Ending.COMPLETE, "model"))
    life.think()
    assert noticed(life) == []


def test_growth_is_measured_by_month(life: Life) -> None:
    """[L6] Corrections, re-asks and abandonments per hundred exchanges, with a place for what other rooms measure."""
    complain(life, 1)
    life.talk(("Hello there", "Hello."), ("And how are you?", "Well."))
    life.think()
    (month,) = life.companion.helping.months({"2026-03": {"closeness": 4.0}})
    assert (month.name, month.exchanges) == ("2026-03", 4)
    assert month.per_hundred(Sort.CORRECTION) == 25.0
    assert month.per_hundred(Sort.REASK) == 0.0
    assert month.scales == {"closeness": 4.0}


def test_what_the_view_has_not_read_counts_already(life: Life) -> None:
    """[L2] A turn right after a decision receives it, however far behind the views are."""
    three(life)
    (rule,) = life.companion.helping.rules()
    life.companion.helping.edit(rule.handle, "Hum first.")
    assert "Hum first." in life.companion.turns.preview("How do I rebase in git?").block
