"""The self-model in real turns: given, recorded, shown again, forgotten."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest

from innerlife.adapters.sqlite.keys import keys_of, read_record, unwrap
from innerlife.companion import Companion
from innerlife.conversations.events import Ending
from innerlife.conversations.model import Answer, Said
from innerlife.membrane.events import CONTEXT
from innerlife.membrane.turn import Plan, Standing, TurnRequest
from innerlife.selfmodel.events import GoalState, GrowthSort, Hand, HumanField, Insight, Portrait, TraitSort
from innerlife.selfmodel.first import first_text
from innerlife.settings import Configured
from tests.support.bytes import planted_in
from tests.support.client import assistant, user
from tests.support.clock import FixedClock

CLOCK = FixedClock()


def ask(companion: Companion, history: list[Said], reply: str, *, fiction: bool = False) -> tuple[Plan, int]:
    """A turn with its record written; (what was added, seq of the user's message)."""
    plan = companion.turns.begin(TurnRequest(tuple(history), "model", "test", fiction=fiction))
    assert plan.opened is not None
    companion.turns.finish(plan.opened, Answer(reply, Ending.COMPLETE, "model"))
    history.append(assistant(reply))
    for _ in range(500):
        effects = [one.effect for one in companion.ledger.store.effects([plan.opened.user_seq])]
        if any(event.kind == CONTEXT for event in companion.ledger.get(effects)):
            companion.upkeep.catch_up()
            return plan, plan.opened.user_seq
        time.sleep(0.02)
    raise AssertionError("no record was written")


def grow(companion: Companion, seq: int) -> None:
    """Everything that can be written about a message with a rare word in it."""
    model = companion.self_model
    model.portraits.edit(Portrait.PERSONA, "I speak softly, like rain.")
    model.portraits.propose(Portrait.IDENTITY, f"{first_text(Portrait.IDENTITY)} Quartzine.", [seq], "stone")
    model.human.learn(HumanField.MATTERS, "Their quartzine.", [seq])
    model.human.learn(HumanField.MATTERS, "Also the sea.", [])
    trait = model.human.add(TraitSort.TRAIT, "collects quartzine", [seq]).trait
    model.human.add(TraitSort.INTEREST, "quartzine and its kind", [seq])
    model.human.remove(trait.handle, "Not quartzine but opal.")
    model.observations.record(Insight.INSIGHT, "They light up at quartzine", [seq])
    revised = model.observations.read()[0]
    model.observations.revise(revised.handle, "They glow at quartzine", "more exact")
    model.preferences.say("Talk to me of quartzine", [seq])
    model.minding.set_inner_state("I think of the quartzine.", [seq])
    held = model.minding.add_working_memory("Ask about the quartzine", [seq], due="tomorrow")
    model.minding.add_working_memory("Ask of quartzine again", [seq])
    model.minding.drop(held.handle, "quartzine done")
    goal = model.goals.open_goal("Learn of quartzine", [seq])
    model.goals.change(goal.handle, goal.state, "better", "Learn all of quartzine")
    model.goals.promise("I'll show you the quartzine", [seq], Hand.USER, "tomorrow")
    model.growth.enter(GrowthSort.CORRECTION, "It is quartzine, not quartz.", [seq])
    companion.upkeep.catch_up()


def test_a_turn_receives_who_it_is_and_whom_it_talks_with(companion: Companion) -> None:
    """[W1] [W2] The shipped sentences from the first turn on; what is written later, from the next one."""
    history = [user("I have a quartzine on my desk")]
    plan, seq = ask(companion, history, "How lovely.")
    assert f"How I speak: {first_text(Portrait.PERSONA)}" in plan.stable
    assert f"Who I am here: {first_text(Portrait.IDENTITY)}" in plan.stable
    grow(companion, seq)
    history.append(user("And now something else"))
    plan, _ = ask(companion, history, "Yes.")
    for words in ("like rain", "Also the sea", "quartzine and its kind", "It is quartzine, not quartz"):
        assert words in plan.stable
    for words in (
        "I think of",
        "Ask of quartzine again",
        "Learn all of",
        "show you",
        "Talk to me",
        "They glow at",
    ):
        assert words in plan.block
    for words in ("collects quartzine”", "They light up", "Ask about the", "done"):
        assert words not in plan.block + plan.stable


def test_the_front_stays_as_it_is_from_turn_to_turn(companion: Companion, clock: FixedClock) -> None:
    """[P4] Only a changed section changes it, so an engine's cache holds."""
    history = [user("I have a quartzine on my desk")]
    first, seq = ask(companion, history, "How lovely.")
    companion.self_model.minding.set_inner_state("Thinking.", [seq])
    companion.self_model.goals.open_goal("Learn more", [seq])
    clock.move(timedelta(days=3))
    history.append(user("Good morning"))
    second, _ = ask(companion, history, "Good morning.")
    assert second.stable == first.stable
    companion.self_model.human.set(HumanField.NAME, "Jo")
    history.append(user("Now you know"))
    third, _ = ask(companion, history, "Yes, Jo.")
    assert third.stable != first.stable


def test_why_shows_every_section_as_it_was(companion: Companion) -> None:
    """[W6] Byte for byte, also after the sections changed: by ids of their events, not by their words."""
    history = [user("I have a quartzine on my desk")]
    _, seq = ask(companion, history, "How lovely.")
    grow(companion, seq)
    history.append(user("And now?"))
    plan, _ = ask(companion, history, "Yes.")
    companion.self_model.portraits.edit(Portrait.PERSONA, "I shout.")
    companion.self_model.portraits.edit(Portrait.IDENTITY, "I am loud.")
    companion.self_model.minding.set_inner_state("Noise.", [])
    companion.self_model.goals.change(companion.self_model.goals.read()[0].handle, GoalState.COMPLETED, "x")
    explanation = companion.why.last()
    assert explanation.replay.matches, explanation.replay.reasons
    assert (explanation.replay.workspace.stable, explanation.replay.workspace.block) == (
        plan.stable,
        plan.block,
    )
    record = str(companion.ledger.newest(1, {CONTEXT})[0].body.record)
    assert "quartzine" not in record
    assert {event.kind for event in explanation.evidence} >= {
        "self.portrait",
        "self.goal",
        "self.observation",
    }


def test_observations_come_to_mind_with_their_topic(companion: Companion, clock: FixedClock) -> None:
    """[W3] [S8] The relevant one, however old, beside the freshest two."""
    observations = companion.self_model.observations
    topics = (
        "cello lessons",
        "tomato seeds",
        "mountain huts",
        "sourdough bread",
        "train delays",
        "old cameras",
    )
    for number, topic in enumerate(topics):
        observations.record(Insight.INSIGHT, f"They know much about {topic}", [])
        clock.move(timedelta(days=number + 1))
    companion.upkeep.catch_up()
    block = companion.turns.preview("Tell me about tomato seeds").block
    shown = [topic for topic in topics if topic in block]
    assert shown == ["tomato seeds", "train delays", "old cameras"]


def test_a_story_receives_nothing_of_the_users_life(companion: Companion) -> None:
    """[P13] No section, no goal, no observation in fiction."""
    _, seq = ask(companion, [user("I have a quartzine on my desk")], "How lovely.")
    grow(companion, seq)
    plan = companion.turns.begin(TurnRequest((user("Once upon a time"),), "model", "test", fiction=True))
    assert "quartzine" not in plan.stable + plan.block
    assert plan.standing is Standing.OK


def test_what_rests_on_a_forgotten_message_goes_with_it(configured: Configured, companion: Companion) -> None:
    """[G3] Every noun of the self-model, its later wordings, its scars and the records that showed it; to the byte."""
    history = [user("I have a quartzine on my desk")]
    _, seq = ask(companion, history, "How lovely.")
    grow(companion, seq)
    ask(companion, [user("Do you know what I collect?")], "Something with a shine.")
    folder = configured.places.profile("default")
    keys = keys_of(unwrap(read_record(folder / "core.keys"), configured.places.config))
    assert planted_in(configured.places.home, keys, ["quartzine", "Quartzine"])
    intent = companion.forgetting.carry_out(companion.forgetting.preview([seq]))
    selves = companion.self_model.as_of()
    assert "uartzine" not in str(selves)
    assert "uartzine" not in str(companion.turns.preview("quartzine?").stable)
    companion.forgetting.finish(intent)
    assert planted_in(configured.places.home, keys, ["quartzine", "Quartzine"]) == {}
    assert companion.self_model.portraits.read(Portrait.PERSONA).text == "I speak softly, like rain."
    assert [*selves.goals, *selves.observations, *selves.working_memory] == []


def test_a_forgetting_that_is_under_way_shows_nothing(
    companion: Companion, monkeypatch: pytest.MonkeyPatch
) -> None:
    """[G4] Between the ledger's deletion and the view's, what was forgotten is neither given to a turn nor kept.

    What was written later stays, so that the newest row of its noun is the same before and after.
    """
    _, seq = ask(companion, [user("I have a quartzine on my desk")], "How lovely.")
    grow(companion, seq)
    _, other = ask(companion, [user("I like the sea")], "So do I.")
    companion.self_model.human.learn(HumanField.MATTERS, "The sea.", [other])
    companion.self_model.observations.record(Insight.INSIGHT, "The sea came up", [other])
    companion.upkeep.catch_up()

    def given() -> str:
        block = companion.turns.preview("quartzine?")
        return block.stable + block.block

    assert "uartzine" in given()
    reach = companion.forgetting.preview([seq])
    with monkeypatch.context() as patched:
        patched.setattr(companion.forgetting, "_stop_serving", lambda _intent: None)
        intent = companion.forgetting.carry_out(reach)
        assert "uartzine" not in str(companion.self_model.as_of())
        assert "uartzine" not in given().replace("quartzine?", "")
    companion.forgetting.finish(intent)
    assert "uartzine" not in given()


def test_forgetting_what_carries_the_identity_spares_the_answers_beside_it(companion: Companion) -> None:
    """[G3] It stood beside every answer: only those that took something rare from it go."""
    _, seq = ask(companion, [user("My quartzine is on the desk")], "How lovely.")
    history = [user("Good morning")]
    for number in range(30):
        ask(companion, history, f"I remember the question you asked, number {number}, and understand it.")
        history.append(user(f"And question {number}?"))
    companion.self_model.human.learn(
        HumanField.MATTERS, "They remember their quartzine; every question should be understood.", [seq]
    )
    companion.upkeep.catch_up()
    ask(companion, history, "I remember your question, I understand it.")
    ask(companion, [user("What do I keep?")], "Your quartzine, I remember.")
    reach = companion.forgetting.preview([seq])
    gone = [event.body.text for event in reach.events if event.kind == "message.companion"]
    assert "Your quartzine, I remember." in gone
    assert len(gone) <= 2, gone


def test_what_was_made_of_somebody_elses_words_goes_with_them(companion: Companion) -> None:
    """[G3] They are no evidence, and yet what flowed from them goes when they go."""
    _, seq = ask(companion, [user("What stone is this?")], "It is a quartzine.")
    (answer,) = companion.ledger.newest(1, {"message.companion"})
    model = companion.self_model
    model.human.learn(HumanField.MATTERS, "Their quartzine.", [answer.seq])
    model.observations.record(Insight.INSIGHT, "A quartzine it was", [answer.seq])
    model.portraits.propose(Portrait.IDENTITY, "I know my quartzine.", [answer.seq], "stone")
    companion.upkeep.catch_up()
    companion.forgetting.finish(companion.forgetting.carry_out(companion.forgetting.preview([seq])))
    assert "uartzine" not in str(model.as_of())


def test_a_users_edit_goes_with_the_words_it_took_over(companion: Companion) -> None:
    """[G3] What they kept of a text goes with it; what they wrote themselves stays."""
    _, seq = ask(companion, [user("My velociform quartzine is on the desk")], "How lovely.")
    human = companion.self_model.human
    human.learn(HumanField.MATTERS, "A velociform quartzine.", [seq])
    human.set(HumanField.MATTERS, "My velociform quartzine, and the sea.")
    human.learn(HumanField.WORK, "Polishes the quartzine.", [seq])
    human.set(HumanField.WORK, "I teach.")
    companion.upkeep.catch_up()
    companion.forgetting.finish(companion.forgetting.carry_out(companion.forgetting.preview([seq])))
    shown = {field.field: field.shown for field in human.read().fields}
    assert shown[HumanField.MATTERS] is None
    work = shown[HumanField.WORK]
    assert work is not None
    assert work.text == "I teach."


def test_rebuilt_views_tell_the_same(companion: Companion) -> None:
    """[C2] The self-model is a view: thrown away, it comes back the same."""
    _, seq = ask(companion, [user("I have a quartzine on my desk")], "How lovely.")
    grow(companion, seq)
    before = companion.self_model.as_of()
    companion.upkeep.rebuild()
    assert companion.self_model.as_of() == before


def test_what_the_view_has_not_read_counts_already(companion: Companion) -> None:
    """[P4] A turn right after an edit receives it, however far behind the views are."""
    companion.self_model.portraits.edit(Portrait.PERSONA, "I hum.")
    companion.self_model.goals.open_goal("Hum along", [])
    assert "I hum." in companion.turns.preview("Hello").stable
    assert "Hum along" in companion.turns.preview("Hello").block
