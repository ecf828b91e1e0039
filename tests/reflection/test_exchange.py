"""After each exchange, by rule: what is on the mind, what was promised, what the person wants."""

from __future__ import annotations

import pytest

from innerlife.conversations.events import Ending
from innerlife.reflection.events import CALLED, REFLECTED
from innerlife.selfmodel.events import Hand
from tests.reflection.conftest import Mind

pytestmark = pytest.mark.anyio


async def test_the_inner_state_follows_every_exchange_of_substance(mind: Mind) -> None:
    """[F1] [S1] It changes with what is spoken of, at once and without a model, and not with a greeting."""
    chat = mind.chat()
    chat.say("Hi there!")
    await mind.think()
    assert mind.companion.self_model.minding.state() is None
    chat.say("My tomatoes in the greenhouse have brown spots on the leaves.")
    await mind.think()
    first = mind.companion.self_model.minding.state()
    assert first is not None
    assert "tomatoes" in first.text
    chat.say("Also the violin teacher moved my lesson to the conservatory.", "Which day is it on now?")
    await mind.think()
    second = mind.companion.self_model.minding.state()
    assert second is not None
    assert "violin" in second.text
    assert "Which day is it on now?" in second.text


async def test_promises_of_either_side_are_kept_track_of(mind: Mind) -> None:
    """[S13] Both are found, with the day they name; said again, they stay one."""
    chat = mind.chat()
    chat.say(
        "I'm training for May, and I'll call my sister tomorrow about it.",
        "I will ask you about it on Friday.",
    )
    chat.say("I'm training for May, and I'll call my sister tomorrow about it.", "Good.")
    await mind.think()
    goals = mind.companion.self_model.goals.read()
    assert [(one.by, one.promise) for one in goals] == [(Hand.USER, True), (Hand.COMPANION, True)]
    assert [one.due.date().isoformat() for one in goals if one.due] == ["2026-03-03", "2026-03-06"]


async def test_preferences_are_the_users_own_words(mind: Mind) -> None:
    """[L3] What they want from now on is kept as they said it; a task, a quote and a condition are not."""
    chat = mind.chat()
    chat.say("Please don't use emojis. And call me Jo.")
    chat.say("Don't use recursion in this function, and sort the list.")
    chat.say('My boss wrote: "From now on always answer me within an hour." What do I do?')
    chat.say("If I am late, never answer my calls.")
    await mind.think()
    assert [one.text for one in mind.companion.self_model.preferences.read()] == [
        "Please don't use emojis.",
        "And call me Jo.",
    ]
    chat.say("Call me Alex instead.")
    await mind.think()
    texts = [one.text for one in mind.companion.self_model.preferences.read()]
    assert texts == ["Please don't use emojis.", "Call me Alex instead."]


async def test_every_third_unread_exchange_calls_for_a_reflection(mind: Mind) -> None:
    """[F1] While the conversation goes on, the third one is looked back on; the fourth waits."""
    chat = mind.chat()
    seqs = [chat.say(f"The plan number {n} for the garden needs more water and light.") for n in range(3)]
    await mind.think()
    assert len(mind.events(CALLED)) == 1
    (done,) = mind.events(REFLECTED)
    assert set(seqs) <= {cause.seq for cause in done.causes}
    chat.say("And one more thing about the garden: the old fence is falling down.")
    await mind.think()
    assert len(mind.events(REFLECTED)) == 1
    mind.pass_time(minutes=6)
    await mind.think()
    assert len(mind.events(REFLECTED)) == 2


async def test_stories_and_broken_answers(mind: Mind) -> None:
    """[P13] [F1] Fiction changes nothing; an answer that broke off is an open thread."""
    story = mind.chat()
    story.say("I am a pirate captain and I promise you I will sink the frigate tomorrow.", fiction=True)
    await mind.think()
    assert mind.companion.self_model.goals.read() == []
    assert mind.companion.self_model.minding.state() is None
    chat = mind.chat()
    opened = chat.ask("How do I repair the gearbox of an old tractor?")
    chat.answer(opened, "First you take", Ending.INTERRUPTED)
    await mind.think()
    state = mind.companion.self_model.minding.state()
    assert state is not None
    assert "My answer broke off." in state.text
