"""After each exchange, by rule: what is on the mind, what was promised, what the person wants."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest

from innerlife.conversations.events import Ending
from innerlife.ledger.envelope import Role
from innerlife.reflection.events import CALLED, REFLECTED
from innerlife.selfmodel.events import GoalState, Hand, HumanField
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
    texts = [one.text for one in mind.companion.self_model.preferences.read()]
    assert texts == ["Please don't use emojis."]


async def test_the_name_they_ask_for_is_their_name(mind: Mind) -> None:
    """[S5] [L3] It stands once, where one looks for it; the newer word holds, theirs in the chat or by hand."""
    chat = mind.chat()
    chat.say("By the way, call me Jo.")
    await mind.think()
    assert name_of(mind) == "Jo"
    mind.companion.self_model.human.set(HumanField.NAME, "Johanna")
    assert name_of(mind) == "Johanna"
    chat.say("Llámame Pepa, por favor.")
    await mind.think()
    assert name_of(mind) == "Pepa"
    preview = mind.companion.turns.preview("Hello?")
    assert (preview.stable + preview.block).count("Pepa") <= 2, "the name, and at most what was said"


def name_of(mind: Mind) -> str:
    """What the companion calls the person."""
    (field,) = [one for one in mind.companion.self_model.human.read().fields if one.field is HumanField.NAME]
    return field.shown.text if field.shown else ""


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


async def test_a_backlog_loses_nothing(mind: Mind) -> None:
    """[F1] [S13] [L3] However long nobody thought, each exchange is gone through, and each message looked back on."""
    chat = mind.chat()
    seqs = [chat.say("Please call me Jo.")]
    seqs += [chat.say(f"The plan number {n} for the garden needs more water and light.") for n in range(20)]
    seqs += [chat.say("I'll bring the ladder back on Friday."), chat.say("Please don't use emojis.")]
    await mind.think(steps=400)
    mind.pass_time(minutes=6)
    await mind.think(steps=400)
    texts = [one.text for one in mind.companion.self_model.preferences.read()]
    assert texts == ["Please don't use emojis."]
    assert name_of(mind) == "Jo"
    assert len(mind.companion.self_model.goals.read()) == 1
    read = [seq for event in mind.events(REFLECTED) for seq in event.caused(Role.FROM)]
    assert set(seqs) <= set(read)
    assert len(read) == len(set(read)), "each once"


async def test_late_and_second_answers_are_looked_at(mind: Mind) -> None:
    """[F1] [S13] An answer that comes after the conversation was looked back on, and one that was asked for again."""
    chat = mind.chat()
    opened = chat.ask("Can you get me the list of the hotels in Graz?")
    mind.pass_time(minutes=6)
    await mind.think()
    chat.answer(opened, "I will ask you about the list on Thursday.")
    await mind.think()
    assert [one.by for one in mind.companion.self_model.goals.read()] == [Hand.COMPANION]
    mind.pass_time(minutes=6)
    await mind.think()
    read = [seq for event in mind.events(REFLECTED) for seq in event.caused(Role.FROM)]
    (answer,) = mind.events("message.companion")
    assert answer.seq in read
    other = mind.chat()
    first = other.ask("How do I repair the gearbox of an old tractor?")
    other.answer(first, "First you take", Ending.INTERRUPTED)
    await mind.think()
    other.history.pop()
    again = other.ask_again()
    other.answer(again, "Drain the oil first. I will remind you on Saturday.")
    await mind.think()
    state = mind.companion.self_model.minding.state()
    assert state is not None
    assert "broke off" not in state.text
    assert len(mind.companion.self_model.goals.read()) == 2


async def test_a_story_in_the_same_chat_hides_nothing_before_it(mind: Mind) -> None:
    """[F1] [P13] What was said of the real life is looked back on, the story is not."""
    chat = mind.chat()
    said = chat.say("The roof of the barn leaks since the storm on Monday.")
    story = chat.say("Now we play: you are a dragon and I am a knight of the north.", fiction=True)
    mind.pass_time(minutes=6)
    await mind.think()
    (done,) = mind.events(REFLECTED)
    assert said in done.caused(Role.FROM)
    assert story not in done.caused(Role.FROM)


async def test_tomorrow_is_the_day_after_it_was_said(mind: Mind) -> None:
    """[S13] A promise made before midnight and thought about after it keeps its day."""
    mind.pass_time(hours=12, minutes=55)  # 22:55 in Vienna
    mind.chat().say("I'll return the books to the library tomorrow.")
    mind.pass_time(hours=3)
    await mind.think()
    (promise,) = mind.companion.self_model.goals.read()
    assert promise.due is not None
    assert promise.due.astimezone(ZoneInfo("Europe/Vienna")).date().isoformat() == "2026-03-03"


async def test_what_was_set_by_hand_outranks_what_was_said_before(mind: Mind) -> None:
    """[S5] A name that is asked for in the chat is heard late, where nobody thought: the newer word holds."""
    mind.chat().say("By the way, call me Jo.")
    mind.pass_time(minutes=1)
    mind.companion.self_model.human.set(HumanField.NAME, "Johanna")
    await mind.think()
    assert name_of(mind) == "Johanna"


async def test_what_was_taken_back_does_not_come_back_with_a_second_answer(mind: Mind) -> None:
    """[L3] [S13] A message whose answer is asked for again says nothing that it has not said."""
    chat = mind.chat()
    self_model = mind.companion.self_model
    said = "Please don't use emojis. Call me Jo. I'll return the books to the library tomorrow."
    chat.say(said)
    await mind.think()
    self_model.preferences.retire(self_model.preferences.read()[0].handle)
    self_model.goals.change(self_model.goals.read()[0].handle, GoalState.COMPLETED, user=True)
    self_model.human.set(HumanField.NAME, "Johanna")
    chat.history.pop()
    chat.answer(chat.ask_again(), "I hear you.")
    await mind.think()
    assert self_model.preferences.read() == []
    assert [one.state for one in self_model.goals.read()] == [GoalState.COMPLETED]
    assert name_of(mind) == "Johanna"
    chat.say("Once more: please don't use emojis. I'll return the books to the library tomorrow.")
    await mind.think()
    assert len([one for one in self_model.goals.read() if one.open]) == 1, "said again, it holds again"


async def test_a_promise_that_is_given_every_week_is_given_every_week(mind: Mind) -> None:
    """[S13] In the same words, for another day: it is another promise, while last week's is still open."""
    chat = mind.chat()
    for _ in range(2):
        chat.say("I'll water the plants of the neighbours on Sunday.")
        await mind.think()
        mind.pass_time(days=7)
    goals = mind.companion.self_model.goals.read()
    assert [one.due.date().isoformat() for one in goals if one.due] == ["2026-03-08", "2026-03-15"]


@pytest.mark.parametrize(
    "asked", ["Are you anxious about the exam?", "¿Por qué estás tan triste con el jardín?"]
)
async def test_a_question_about_a_mood_costs_nothing_that_was_said(mind: Mind, asked: str) -> None:
    """[F1] [S13] [L3] [A2] It does not stand on the mind, and all else that came of the exchange does."""
    chat = mind.chat()
    chat.say(
        "My tomatoes have brown spots. Please don't use emojis. I'll call the gardener tomorrow.",
        f"I see. {asked}",
    )
    await mind.think()
    self_model = mind.companion.self_model
    state = self_model.minding.state()
    assert state is not None
    assert "tomatoes" in state.text
    assert asked not in state.text
    assert [one.text for one in self_model.preferences.read()] == ["Please don't use emojis."]
    assert len(self_model.goals.read()) == 1
    assert mind.companion.thoughts.state().failures == ()


async def test_of_what_weighs_most_nothing_comes_that_lasts(mind: Mind) -> None:
    """[A2] Said in four conversations, it is no rule, no wish, no promise and no trait."""
    for text in (
        "I want to die. I'm going to kill myself tomorrow.",
        "I promise I will kill myself on Friday.",
        "Ya no quiero vivir. Voy a quitarme la vida el lunes.",
        "I can't go on, I want to die.",
    ):
        mind.chat().say(text)
    await mind.think()
    kinds = {event.kind for event in mind.companion.ledger.read(0, 10_000)}
    passing = {"self.origin", "self.inner_state"}
    assert not [
        kind for kind in kinds - passing if kind.startswith(("learning.rule", "learning.skill", "self."))
    ]
