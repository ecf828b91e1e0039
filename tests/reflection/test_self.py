"""Reconsidering the self and reviewing intentions, as stages."""

from __future__ import annotations

import asyncio
import json

import pytest

from innerlife.reflection.events import REFLECTED, Sort
from innerlife.selfmodel.events import GoalState, Portrait
from tests.reflection.answers import looked, reconsidered
from tests.reflection.conftest import Mind, questions, until
from tests.support.models import FlatteringModel, ScriptedModel

pytestmark = pytest.mark.anyio

FIRST = "I listen, remember what matters to this person, and am learning how to help."
LEARNED = f"{FIRST} I keep answers short and give the result first."
WISH = "Please keep the answers short and give me the result first, I read them on the train."

SAID = "What the person said:"
"""Stands in every question about the self."""


def live(mind: Mind, days: int) -> None:
    """Some days with a conversation of substance in each."""
    for day in range(days):
        chat = mind.chat()
        chat.say(f"{WISH} This is day {day} of the new job at the railway.")
        chat.say("The colleagues are kind and the machines are loud, so I write to you in the breaks.")
        mind.pass_time(days=1)


async def test_identity_is_earned(mind: Mind) -> None:
    """[S2] [S4] Too early it is noted; with enough lived it is rewritten; each attempt stands in the growth log."""
    model = ScriptedModel(reconsidered(LEARNED, "", "shorter", 1, 2, 3))
    mind.trust(model)
    live(mind, 2)
    mind.companion.reflections.call(Sort.SELF)
    await mind.think(model)
    portraits, growth = mind.companion.self_model.portraits, mind.companion.self_model.growth
    assert portraits.read(Portrait.IDENTITY).text == FIRST
    assert [one.sort for one in growth.read()][-1] == "noted"
    live(mind, 6)
    mind.companion.reflections.call(Sort.SELF)
    await mind.think(model)
    assert portraits.read(Portrait.IDENTITY).text == LEARNED
    assert [one.sort for one in growth.read()][-1] == "rewritten"
    newest = mind.companion.reflections.newest(1, Sort.SELF)[0]
    assert newest.concluded == ("The identity: rewritten.",)
    assert [event.kind for event in newest.changed] == ["self.portrait"]


async def test_a_companion_of_somebody_who_speaks_spanish_may_become_itself(mind: Mind) -> None:
    """[S2] The shipped sentence is shown in the person's language: no English rewrite could rest on their words."""
    first = "Escucho, recuerdo lo que le importa a esta persona y aprendo cómo ayudarle."
    model = ScriptedModel(reconsidered(f"{first} Respondo con brevedad en el tren.", "", "más breve", 1, 2))
    mind.trust(model)
    for day in range(7):
        chat = mind.chat()
        chat.say(
            f"Responde con brevedad, por favor, que te leo en el tren. Hoy es el día {day} del trabajo nuevo."
        )
        chat.say(
            "Los colegas son amables y las máquinas hacen mucho ruido, así que te escribo en las pausas."
        )
        mind.pass_time(days=1)
    mind.companion.reflections.call(Sort.SELF)
    await mind.think(model)
    assert first in questions(model, SAID)[0]
    assert "brevedad en el tren" in mind.companion.self_model.portraits.read(Portrait.IDENTITY).text


async def test_at_most_daily_and_only_when_something_was_said(mind: Mind) -> None:
    """[S2] By itself, when all is calm: once a day, and not over the same messages again."""
    model = ScriptedModel(reconsidered())
    mind.trust(model)
    live(mind, 1)
    for _ in range(5):
        await mind.think(model)
        mind.pass_time(hours=5)
    assert len([one for one in mind.events(REFLECTED) if one.body.sort is Sort.SELF]) == 1
    live(mind, 1)
    await mind.think(model)
    assert len([one for one in mind.events(REFLECTED) if one.body.sort is Sort.SELF]) == 2


async def test_praise_and_size_leave_an_entry_and_nothing_else(mind: Mind) -> None:
    """[S2] [W2] [S11] A flatterer and one who writes too much are noted, with the reason."""
    flatterer = FlatteringModel()
    mind.trust(flatterer)
    live(mind, 7)
    mind.companion.reflections.call(Sort.SELF)
    await mind.think(flatterer)
    long = ScriptedModel(
        reconsidered(f"{LEARNED} " + "I keep the answers short on the train. " * 24, "", "", 1)
    )
    mind.companion.reflections.call(Sort.SELF)
    await mind.think(long)
    assert mind.companion.self_model.portraits.read(Portrait.IDENTITY).text == FIRST
    entries = mind.companion.self_model.growth.read()
    assert {one.sort for one in entries} == {"noted"}
    assert "is the most" in entries[-1].reason


async def test_the_users_hand_wins_over_a_reflection_that_runs(mind: Mind) -> None:
    """[S2] [S4] What they wrote meanwhile stands, and the attempt is in the growth log with the reason."""
    model = ScriptedModel(reconsidered(LEARNED, "", "shorter", 1, 2, 3), delay_s=0.4)
    mind.trust(model)
    live(mind, 7)
    await mind.think(model)  # The daily one.
    mind.pass_time(days=15)
    live(mind, 7)
    portraits = mind.companion.self_model.portraits
    model.lines = [reconsidered(f"{LEARNED} I write in the breaks.", "", "breaks", *range(1, 9))]
    mind.companion.reflections.call(Sort.SELF)
    asked = len(questions(model, SAID))
    thinking = asyncio.create_task(mind.think(model))
    await until(lambda: len(questions(model, SAID)) > asked)
    portraits.edit(Portrait.IDENTITY, "I am who the person says I am.")
    await thinking
    assert portraits.read(Portrait.IDENTITY).text == "I am who the person says I am."
    tried = [(one.sort, one.reason) for one in mind.companion.self_model.growth.read()]
    assert ("noted", "It was changed while I was reflecting") in tried


async def test_intentions_are_reviewed_weekly(mind: Mind) -> None:
    """[S13] Kept, closed or rephrased, each with a reason; without a model too."""
    goals = mind.companion.self_model.goals
    old = goals.open_goal("Learn the accordion", [])
    mind.pass_time(days=61)
    goals.open_goal("Plant the orchard behind the old barn before winter comes to the valley", [])
    mind.chat().say("The orchard behind the barn needs planting before winter, I think.")
    await mind.think()
    (one,) = mind.companion.reflections.newest(5, Sort.INTENTIONS)
    assert one.model_free
    assert any(
        line.startswith("Closed: Learn the accordion (Nobody has spoken of it") for line in one.concluded
    )
    assert any(line.startswith("Kept: Plant the orchard") for line in one.concluded)
    assert next(g for g in goals.read() if g.seq == old.seq).state is GoalState.ABANDONED
    model = ScriptedModel(looked())
    mind.trust(model)
    handle = next(g.handle for g in goals.read() if g.open)
    model.lines = [
        json.dumps(
            {"goals": [{"handle": handle, "text": "Plant the orchard before winter comes to the valley"}]}
        )
    ]
    mind.companion.reflections.call(Sort.INTENTIONS)
    await mind.think(model)
    newest = mind.companion.reflections.newest(1, Sort.INTENTIONS)[0]
    assert any(line.startswith("Rephrased: Plant the orchard before winter") for line in newest.concluded)


async def test_what_was_changed_while_a_model_thinks_is_not_reviewed(mind: Mind) -> None:
    """[S13] [S6] A goal that was closed or put otherwise meanwhile stays as the person left it."""
    goals = mind.companion.self_model.goals
    done = goals.open_goal("Plant the orchard behind the old barn before winter comes", [])
    other = goals.open_goal("Learn to play the accordion of the grandfather by heart", [])
    wordings = {
        "goals": [
            {"handle": done.handle, "text": "Plant the orchard before winter comes"},
            {"handle": other.handle, "text": "Learn the accordion of the grandfather by heart"},
        ]
    }
    # The timer goes off as well, and has its review.
    model = ScriptedModel(json.dumps(wordings), json.dumps({"goals": []}), delay_s=0.3)
    mind.trust(model)
    mind.companion.reflections.call(Sort.INTENTIONS)
    thinking = asyncio.create_task(mind.think(model))
    await until(lambda: bool(model.asked))
    goals.change(done.handle, GoalState.COMPLETED, user=True)
    goals.change(other.handle, GoalState.ACTIVE, "", "Learn the accordion", user=True)
    await thinking
    found = {one.seq: one for one in goals.read()}
    assert found[done.seq].state is GoalState.COMPLETED
    assert found[other.seq].text == "Learn the accordion"


async def test_goals_that_are_closed_for_one_reason_are_all_closed(mind: Mind) -> None:
    """[S13] [F9] What a review says it closed is closed, though the events say the same of each."""
    goals = mind.companion.self_model.goals
    for text in ("Learn the accordion", "Read about the moons of Saturn", "Repair the garden gate"):
        goals.open_goal(text, [])
    mind.pass_time(days=61)
    mind.companion.reflections.call(Sort.INTENTIONS)
    await mind.think()
    (one,) = mind.companion.reflections.newest(1, Sort.INTENTIONS)
    assert len(one.concluded) == 3
    assert [goal.state for goal in goals.read()] == [GoalState.ABANDONED] * 3
