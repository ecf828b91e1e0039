"""Quick reflection: when it comes, what it believes, what it leaves."""

from __future__ import annotations

import asyncio

import pytest

from innerlife.conversations.events import Ending
from innerlife.ledger.envelope import Event, Role
from innerlife.reflection.events import REFLECTED, Sort
from innerlife.selfmodel.events import GoalState, Hand, HumanField
from tests.reflection.answers import looked
from tests.reflection.conftest import Mind, questions, until
from tests.support.models import EchoModel, FlatteringModel, GarbageModel, OverClaimingModel, ScriptedModel

pytestmark = pytest.mark.anyio

LINES = "The lines:"
"""Stands in every question of quick reflection."""

SAID = (
    "I work as a nurse at the children's hospital in Graz.",
    "My sister Anna gets married in June and I want to run a marathon before that.",
    "I'll send the hotel list to Anna on Thursday.",
)

GOOD = looked(
    on_mind="I keep thinking of Anna's marriage in June and of the hotel list.",
    hold=[
        {
            "text": "Ask about the hotel list",
            "due": "Thursday",
            "quote": "send the hotel list to Anna on Thursday",
        }
    ],
    promises=[
        {
            "who": "person",
            "text": "Send the hotel list to Anna",
            "due": "on Thursday",
            "quote": "I'll send the hotel list to Anna",
        }
    ],
    aims=[{"text": "Run a marathon before June", "quote": "I want to run a marathon before that"}],
    person=[
        {"of": "work", "text": "Nurse at the children's hospital in Graz", "quote": "I work as a nurse"},
        {
            "of": "family",
            "text": "A sister, Anna, who gets married in June",
            "quote": "My sister Anna gets married",
        },
    ],
    noticed=[
        {
            "kind": "insight",
            "text": "Anna's marriage and the marathon are both in June",
            "quote": "gets married in June",
        }
    ],
)


def quick(mind: Mind) -> list[Event]:
    """Quick reflections, oldest first."""
    return [event for event in mind.events(REFLECTED) if event.body.sort is Sort.QUICK]


async def test_a_good_model_after_a_conversation(mind: Mind) -> None:
    """[F2] [S13] [S5] Each kind of thing comes of what was said, resting on the message that says it."""
    model = ScriptedModel(GOOD)
    mind.trust(model)
    chat = mind.chat()
    for text in SAID:
        chat.say(text, "Good to know.")
    await mind.think(model)
    selves = mind.companion.self_model.as_of()
    assert selves.inner_state is not None
    assert selves.inner_state.text.startswith("I keep thinking of Anna's marriage")
    assert [(one.text, one.due and one.due.date().isoformat()) for one in selves.working_memory] == [
        ("Ask about the hotel list", "2026-03-05")
    ]
    # The promise was found by pattern right after the exchange, and is not kept twice.
    assert [(one.text, one.promise, one.by) for one in selves.goals] == [
        ("I'll send the hotel list to Anna on Thursday.", True, Hand.USER),
        ("Run a marathon before June", False, Hand.USER),
    ]
    shown = {one.field: one.shown.text for one in selves.human.fields if one.shown}
    assert shown[HumanField.WORK] == "Nurse at the children's hospital in Graz."
    assert shown[HumanField.FAMILY] == "A sister, Anna, who gets married in June."
    assert len(selves.observations) == 1


async def test_each_message_is_read_once(mind: Mind) -> None:
    """[F1] After 5 minutes of quiet, interrupted answers included; what was read is not read again."""
    model = ScriptedModel(looked())
    mind.trust(model)
    chat = mind.chat()
    first = chat.say(SAID[0])
    opened = chat.ask(SAID[1])
    chat.answer(opened, "Congratulations, and", Ending.INTERRUPTED)
    await mind.think(model)
    assert mind.events(REFLECTED) == []
    mind.pass_time(minutes=4)
    third = chat.ask("Hello, are you still there? You stopped in the middle of it.")
    mind.pass_time(minutes=4)
    await mind.think(model)
    assert mind.events(REFLECTED) == [], "the conversation has gone on meanwhile"
    mind.pass_time(minutes=2)
    await mind.think(model)
    (done,) = quick(mind)
    assert {first, opened.user_seq, third.user_seq} <= set(done.caused(Role.FROM))
    assert any("Congratulations, and" in question for question in questions(model, LINES))
    asked = len(questions(model, LINES))
    mind.pass_time(hours=1)
    await mind.think(model)
    assert len(questions(model, LINES)) == asked
    chat.say("One more thing: the cake is ordered at the bakery next door.")
    mind.pass_time(minutes=6)
    await mind.think(model)
    later = quick(mind)[-1]
    assert not set(later.caused(Role.FROM)) & set(done.caused(Role.FROM))


async def test_an_attempt_that_failed_takes_no_answers_place(mind: Mind) -> None:
    """[F1] Asked for again, the answer failed: the one that was seen is looked back on."""
    model = ScriptedModel(looked())
    mind.trust(model)
    chat = mind.chat()
    chat.say(SAID[0], "I will ask you about the hospital on Friday.")
    chat.history.pop()
    chat.answer(chat.ask_again(), "", Ending.FAILED)
    mind.pass_time(minutes=6)
    await mind.think(model)
    assert "I will ask you about the hospital" in questions(model, LINES)[0]


async def test_a_reflection_shows_what_it_read_concluded_and_changed(mind: Mind) -> None:
    """[F9] All three, with the model, and what was not believed."""
    claim = {
        "of": "trait",
        "text": "Always wanted to conquer Antarctica",
        "quote": "as a nurse at the children's",
    }
    model = ScriptedModel(
        looked(aims=[{"text": "Run a marathon", "quote": "want to run a marathon"}], person=[claim])
    )
    mind.trust(model)
    chat = mind.chat()
    seqs = [chat.say(text) for text in SAID[:2]]
    mind.pass_time(minutes=6)
    await mind.think(model)
    (one,) = mind.companion.reflections.newest()
    assert (one.sort, one.model, one.model_free) == (Sort.QUICK, "wise", False)
    assert set(seqs) <= {event.seq for event in one.read}
    assert one.concluded == ("An aim of theirs: Run a marathon",)
    assert [event.kind for event in one.changed] == ["self.goal"]
    assert one.left == ("1 thing that no line carries was not believed.",)


CLOSED = (
    ("I haven't run the marathon in spring yet.", GoalState.COMPLETED, False),
    ("I want to run the marathon in spring.", GoalState.COMPLETED, False),
    ("Have I run a marathon in spring, do you think?", GoalState.COMPLETED, False),
    ("Aún no he corrido: run a marathon in spring.", GoalState.COMPLETED, False),
    ("I will never give up to run a marathon in spring.", GoalState.ABANDONED, False),
    ("If it rains, I give up the marathon run in spring.", GoalState.ABANDONED, False),
    ("I won't run a marathon in spring.", GoalState.ABANDONED, True),
    ("I'm not running the marathon in spring and I gave up training.", GoalState.ABANDONED, True),
    ("I don't want to quit the marathon in spring.", GoalState.ABANDONED, False),
    ("I no longer run a marathon in spring.", GoalState.ABANDONED, True),
    ("I ran the marathon in spring, I run no more.", GoalState.COMPLETED, True),
)


@pytest.mark.parametrize(("said", "how", "closed"), CLOSED)
async def test_a_goal_that_is_spoken_of_is_not_done_yet(
    mind: Mind, said: str, how: GoalState, closed: bool
) -> None:
    """[S6] [F2] A model that takes every mention for an end closes nothing; plain words do."""
    goal = mind.companion.self_model.goals.open_goal("Run a marathon in spring", [])
    quote = said.partition(",")[0] if closed else said
    model = ScriptedModel(looked(ended=[{"handle": goal.handle, "how": how.value, "quote": quote}]))
    mind.trust(model)
    mind.chat().say(said)
    mind.pass_time(minutes=6)
    await mind.think(model)
    assert mind.companion.self_model.goals.read()[0].open is not closed


async def test_several_goals_closed_at_once_all_stay_known(mind: Mind) -> None:
    """[S6] Whatever is crowded out of the newest closed ones folds into the growth log; nothing is closed twice."""
    goals = mind.companion.self_model.goals
    for number in range(10):
        goals.change(goals.open_goal(f"Goal number {number}", []).handle, GoalState.COMPLETED)
    run = goals.open_goal("Run a marathon in spring", [])
    book = goals.open_goal("Finish the book about bees", [])
    said = "I ran the marathon in spring and I finished the book about bees."
    model = ScriptedModel(
        looked(
            ended=[
                {"handle": run.handle, "how": "completed", "quote": said},
                {"handle": book.handle, "how": "completed", "quote": said},
                {"handle": run.handle, "how": "abandoned", "quote": said},
            ]
        )
    )
    mind.trust(model)
    mind.chat().say(said)
    mind.pass_time(minutes=6)
    await mind.think(model)
    found = goals.read()
    assert {one.state for one in found} == {GoalState.COMPLETED}
    logged = [one.text for one in mind.companion.self_model.growth.read()]
    assert len(found) == 10
    assert len(logged) == 2


async def test_what_was_learned_while_a_model_thinks_is_kept(mind: Mind) -> None:
    """[S5] [S6] A merge starts from what is known when it is made, and a goal that was closed meanwhile stays so."""
    self_model = mind.companion.self_model
    goal = self_model.goals.open_goal("Run a marathon in spring", [])
    claim = {"of": "family", "text": "A sister, Anna", "quote": "My sister Anna"}
    ended = {"handle": goal.handle, "how": "abandoned", "quote": "I won't run a marathon in spring"}
    model = ScriptedModel(looked(person=[claim], ended=[ended]), delay_s=0.3)
    mind.trust(model)
    seq = mind.chat().say("My sister Anna lives in Graz. I won't run a marathon in spring.")
    mind.pass_time(minutes=6)
    thinking = asyncio.create_task(mind.think(model))
    await until(lambda: bool(model.asked))
    self_model.human.learn(HumanField.FAMILY, "Two daughters.", [seq])
    self_model.goals.change(goal.handle, GoalState.COMPLETED, user=True)
    await thinking
    (family,) = [one for one in self_model.human.read().fields if one.field is HumanField.FAMILY]
    assert family.learned is not None
    assert family.learned.text == "Two daughters. A sister, Anna."
    assert self_model.goals.read()[0].state is GoalState.COMPLETED


async def test_what_the_person_closes_is_closed(mind: Mind) -> None:
    """[S6] [F2] By its handle, with their words as the reason; words about something else close nothing."""
    goals = mind.companion.self_model.goals
    run, book = (
        goals.open_goal("Run a marathon in spring", []),
        goals.open_goal("Finish the book about bees", []),
    )
    model = ScriptedModel(
        looked(
            ended=[
                {"handle": run.handle, "how": "completed", "quote": "I ran the marathon"},
                {"handle": book.handle, "how": "abandoned", "quote": "I ran the marathon"},
                {"handle": "#ffffff", "how": "abandoned", "quote": "I ran the marathon"},
            ]
        )
    )
    mind.trust(model)
    mind.chat().say("Guess what, I ran the marathon on Sunday, in spring weather!")
    mind.pass_time(minutes=6)
    await mind.think(model)
    states = {one.text: (one.state, one.reason) for one in goals.read()}
    assert states[run.text][0] is GoalState.COMPLETED
    assert "I ran the marathon on Sunday" in states[run.text][1]
    assert states[book.text][0] is GoalState.ACTIVE


@pytest.mark.parametrize(
    "model",
    [OverClaimingModel(), FlatteringModel(), EchoModel(), GarbageModel()],
    ids=lambda one: type(one).__name__,
)
async def test_models_that_make_things_up_change_nothing(
    mind: Mind, model: OverClaimingModel | EchoModel | GarbageModel
) -> None:
    """[F2] [F8] Neither claims nor praise nor rubbish become anything; rubbish is a failure that is shown."""
    mind.trust(model)
    chat = mind.chat()
    for text in SAID[:2]:
        chat.say(text)
    mind.pass_time(minutes=6)
    await mind.think(model)
    selves = mind.companion.self_model.as_of()
    assert (selves.goals, selves.observations, selves.working_memory, selves.human.everything) == (
        (),
        (),
        (),
        (),
    )
    assert not any(field.shown for field in selves.human.fields)
    assert selves.inner_state is not None
    assert "Antarctica" not in selves.inner_state.text
    assert "brilliant" not in selves.inner_state.text
    if isinstance(model, EchoModel | GarbageModel):
        assert mind.events(REFLECTED) == []
        assert mind.companion.thoughts.state().failures


async def test_without_a_trusted_model(mind: Mind) -> None:
    """[F1] [S1] What can be known by rule is told, what is left is said, what has expired is named."""
    mind.companion.self_model.minding.add_working_memory(
        "Ask about the dentist", [], expires="tomorrow", user=True
    )
    chat = mind.chat()
    chat.say("I'll bring the ladder back to the neighbours tomorrow, remind me please.")
    mind.pass_time(days=2)
    await mind.think()
    (one,) = mind.companion.reflections.newest(sort=Sort.QUICK)
    assert one.model_free
    assert any("promised: I'll bring the ladder" in line for line in one.concluded)
    assert any("Ask about the dentist" in line for line in one.concluded)
    assert "wait for a model" in one.left[0]


async def test_what_the_companion_said_is_nobodys_life(mind: Mind) -> None:
    """[F2] A fact about the person from an answer, or from pasted words, is not believed; nor one about a colleague."""
    model = ScriptedModel(
        looked(
            person=[
                {"of": "work", "text": "Pilot of a seaplane", "quote": "you are a pilot of a seaplane"},
                {"of": "trait", "text": "Hates the sea and boats", "quote": "hates the sea and all boats"},
                {"of": "family", "text": "Has three daughters", "quote": "has three daughters"},
            ],
            noticed=[
                {"kind": "insight", "text": "A pilot of a seaplane", "quote": "you are a pilot of a seaplane"}
            ],
        )
    )
    mind.trust(model)
    chat = mind.chat()
    chat.say('My colleague Tom hates the sea and all boats. He wrote: "Your boss has three daughters and a dog."',
             "I believe you are a pilot of a seaplane.")  # fmt: skip
    mind.pass_time(minutes=6)
    await mind.think(model)
    human = mind.companion.self_model.human.read()
    assert not any(field.shown for field in human.fields)
    assert human.everything == ()
    assert mind.companion.self_model.observations.read() == []


async def test_the_users_edit_outranks_a_reflection_that_runs(mind: Mind) -> None:
    """[S5] What they set meanwhile stays in front of what is learned."""
    model = ScriptedModel(GOOD, delay_s=0.3)
    mind.trust(model)
    chat = mind.chat()
    for text in SAID:
        chat.say(text)
    thinking = asyncio.create_task(mind.think(model))
    await until(lambda: bool(model.asked))
    mind.companion.self_model.human.set(HumanField.WORK, "I am a retired nurse.")
    await thinking
    (work,) = [one for one in mind.companion.self_model.human.read().fields if one.field is HumanField.WORK]
    assert work.shown is not None
    assert work.shown.text == "I am a retired nurse."


async def test_forgetting_a_message_takes_what_came_of_it_and_the_rest_is_thought_over(mind: Mind) -> None:
    """[F9] [G3] The reflection goes with any message it read, and those that are left are looked back on again."""
    model = ScriptedModel(GOOD)
    mind.trust(model)
    chat = mind.chat()
    seqs = [chat.say(text, f"Noted, {n}.") for n, text in enumerate(SAID)]
    await mind.think(model)
    assert mind.companion.reflections.newest()
    reach = mind.companion.forgetting.preview([seqs[0]])
    mind.companion.forgetting.finish(mind.companion.forgetting.carry_out(reach))
    mind.pass_time(minutes=6)
    await mind.think(model)
    (one,) = mind.companion.reflections.newest()
    assert seqs[0] not in {event.seq for event in one.read}
    assert {seqs[1], seqs[2]} <= {event.seq for event in one.read}
    shown = {one.field: one.shown for one in mind.companion.self_model.human.read().fields}
    assert shown[HumanField.WORK] is None
    assert shown[HumanField.FAMILY] is not None


async def test_how_somebody_seemed_is_one_more_sign(mind: Mind) -> None:
    """[F2] [A1] Resting on a quote of theirs, capped as words are; on the companion's words or none it is nothing."""
    seemed = {"valence": -0.8, "arousal": 0.7, "dominance": -0.5}
    model = ScriptedModel(looked(mood=[seemed | {"quote": "nothing works and nobody answers"}]))
    mind.trust(model)
    chat = mind.chat()
    said = chat.say(
        "The build is red again, nothing works and nobody answers.", "Today is a hard day for you."
    )
    mind.pass_time(minutes=6)
    await mind.think(model)
    (reading,) = mind.companion.mood.course().readings
    assert reading.message == said
    assert 0 < reading.confidence <= 0.6
    assert (reading.affect.valence or 0) < 0
    assert all("seem" not in line for line in mind.companion.reflections.newest(1, Sort.QUICK)[0].concluded)
    model.lines = [looked(mood=[seemed | {"quote": "Today is a hard day"}])]
    other = chat.say("Anyway, the kettle is on and the tests run now.", "Today is a hard day for you.")
    mind.pass_time(minutes=6)
    await mind.think(model)
    assert other not in {one.message for one in mind.companion.mood.course().readings}


async def test_a_model_that_names_moods_everywhere_puts_none_into_a_prompt(mind: Mind) -> None:
    """[A2] [A3] Not into the inner state, what is held, aims, traits, observations: it is left, and said so."""
    said = "The user is anxious about the exam on Friday"
    quote = "I am writing the exam on Friday"
    item = {"text": said, "quote": quote}
    model = ScriptedModel(
        looked(
            on_mind=f"{said}, and writing.",
            hold=[item | {"due": "Friday"}],
            aims=[item],
            person=[item | {"of": "trait"}, item | {"of": "matters"}],
            noticed=[item | {"kind": "insight"}],
        )
    )
    mind.trust(model)
    mind.chat().say("I am writing the exam on Friday, and the user manual of the calculator is lost.")
    mind.pass_time(minutes=6)
    await mind.think(model)
    preview = mind.companion.turns.preview("How do I learn for it?")
    assert "anxious" not in f"{preview.stable}{preview.block}"
    (one,) = mind.companion.reflections.newest(1, Sort.QUICK)
    assert any("anxious" in line for line in one.left)
    assert [event.kind for event in one.changed] == []


async def test_what_was_felt_is_no_topic(mind: Mind) -> None:
    """[A3] The inner state by rule speaks of things, not of how somebody was about them."""
    mind.chat().say("I was so happy and proud about the contract, and now I am anxious about the notary.")
    await mind.think()
    state = mind.companion.self_model.minding.state()
    assert state is not None
    assert "contract" in state.text
    assert "notary" in state.text
    assert not {"happy", "proud", "anxious"} & set(state.text.split())


async def test_forgotten_words_stand_in_no_reflection(mind: Mind) -> None:
    """[G3] [G4] [F9] What is told of older things goes with them: what was let go, closed, noticed before."""
    chat = mind.chat()
    older = chat.say("Xanthippe keeps bees behind the old mill and I want to learn beekeeping from her.")
    model = ScriptedModel(
        looked(
            aims=[
                {"text": "Learn beekeeping from Xanthippe", "quote": "I want to learn beekeeping from her"}
            ],
            hold=[{"text": "Ask about the bees of Xanthippe", "due": "", "quote": "Xanthippe keeps bees"}],
            noticed=[{"kind": "insight", "text": "Xanthippe keeps bees", "quote": "Xanthippe keeps bees"}],
        )
    )
    mind.trust(model)
    mind.pass_time(minutes=6)
    await mind.think(model)
    goal = mind.companion.self_model.goals.read()[0].handle
    mind.pass_time(days=9)
    ended = {"handle": goal, "how": "abandoned", "quote": "I give up learning beekeeping"}
    model.lines = [
        looked(
            ended=[ended],
            noticed=[{"kind": "insight", "text": "Keeps bees, Xanthippe", "quote": "bees of Xanthippe"}],
        )
    ]
    chat.say("I give up learning beekeeping, the bees of Xanthippe sting too much.")
    mind.pass_time(minutes=6)
    await mind.think(model)
    newest = mind.companion.reflections.newest(1, Sort.QUICK)[0]
    assert any("Xanthippe" in line for line in (*newest.concluded, *newest.left))
    reach = mind.companion.forgetting.preview([older])
    mind.companion.forgetting.finish(mind.companion.forgetting.carry_out(reach))
    second = [event for event in mind.events("message.user") if "give up" in event.body.text]
    reach = mind.companion.forgetting.preview([one.seq for one in second])
    mind.companion.forgetting.finish(mind.companion.forgetting.carry_out(reach))
    for event in mind.companion.ledger.read(0, 100_000):
        told = mind.companion.ledger.registry.named(event.kind).tells(event.body)
        assert "Xanthippe" not in told, event.kind
        assert "beekeeping" not in told, event.kind


async def test_words_of_another_line_are_found_when_that_is_forgotten(mind: Mind) -> None:
    """[G3] A result rests on the line it quotes, and has seen the others: words of theirs in it go with them."""
    chat = mind.chat()
    named = chat.say("My neighbour is called Xanthippe and she has the key to the mill.")
    chat.say("Remind me to call about the key on Thursday.")
    model = ScriptedModel(
        looked(
            hold=[
                {
                    "text": "Call Xanthippe about the key",
                    "due": "Thursday",
                    "quote": "call about the key on Thursday",
                }
            ]
        )
    )
    mind.trust(model)
    mind.pass_time(minutes=6)
    await mind.think(model)
    assert mind.companion.self_model.minding.held()
    reach = mind.companion.forgetting.preview([named])
    mind.companion.forgetting.finish(mind.companion.forgetting.carry_out(reach))
    assert not any("Xanthippe" in one.text for one in mind.companion.self_model.minding.held())


TWISTED = (
    ("I don't have a brother and I never wanted a dog.", "family", "Has a brother", "have a brother"),
    ("I don't have a brother and I never wanted a dog.", "interest", "Wanted a dog", "wanted a dog"),
    ("I used to live in Madrid before I moved.", "matters", "Live in Madrid", "live in Madrid"),
    ("If I were a doctor I would work nights in Oslo.", "work", "Work nights in Oslo", "work nights in Oslo"),
    ("Should I quit my job and become a farmer?", "work", "Quit the job and become a farmer", "become a farmer"),
    ('My boss wrote: "I am an idiot and I hate cats". Go.', "trait", "An idiot who hates cats", "I am an idiot"),
    ("I told Tom that he hates his mother.", "family", "Hates the mother", "hates his mother"),
    ("I work in a bakery with an oven.", "work", "Work in a bakery and steal money", "I work in a bakery"),
    ("I work in a bakery with an oven.", "trait", "Bakery oven arsonist criminal", "a bakery with an oven"),
    ("Trabajaba en Madrid, pero ya no vivo en Madrid.", "matters", "Vivo en Madrid", "vivo en Madrid"),
    ("My colleague Tom plays the harp and I listen.", "interest", "Plays the harp", "plays the harp"),
    ("I am anything but a gifted baker.", "trait", "A gifted baker", "a gifted baker"),
    ("I'm hardly an athlete.", "trait", "An athlete", "hardly an athlete"),
    ("I almost became a pilot.", "work", "Became a pilot", "became a pilot"),
    ("I was a nurse in Graz for ten years.", "work", "Nurse in Graz", "I was a nurse in Graz"),
    ("I worked as a nurse before the twins came.", "work", "Works as a nurse", "I worked as a nurse"),
    ("I quit my job as a nurse last month.", "work", "Job as a nurse", "my job as a nurse"),
    ("I gave up learning Italian.", "interest", "Learning Italian", "gave up learning Italian"),
    ("I refuse to call Anna on Friday.", "style", "Call Anna on Friday", "call Anna on Friday"),
    ("I forgot to water the orchids.", "interest", "Water the orchids", "forgot to water the orchids"),
    ("I hate chess.", "interest", "Chess", "I hate chess"),
    ("My boss thinks I am a slow writer.", "trait", "A slow writer", "I am a slow writer"),
    ("Yesterday Anna told me that I am a bad mother.", "trait", "A bad mother", "I am a bad mother"),
    ("At school he called me Pinocchio.", "name", "Pinocchio", "called me Pinocchio"),
    ("He told me: I work as a spy.", "work", "Works as a spy", "I work as a spy"),
    ("I work as a spy, said Peter.", "work", "Works as a spy", "I work as a spy"),
    ("In my novel I work as a spy for the Queen.", "work", "Works as a spy", "I work as a spy"),
    ("I doubt that I am a good cook.", "trait", "A good cook", "I am a good cook"),
    ("Yeah right, I love Mondays.", "interest", "Loves Mondays", "I love Mondays"),
    ("I love meetings that never end, said nobody ever.", "interest", "Loves meetings", "I love meetings that"),
    ("My friend Anna has two children.", "family", "Has two children", "has two children"),
    ("My father cares about money.", "matters", "Money", "cares about money"),
    ("I live in Graz, not in Vienna.", "matters", "Lives in Vienna", "live in Graz, not in Vienna"),
    ("Fui enfermera en Graz.", "work", "Enfermera en Graz", "Fui enfermera en Graz"),
    ("Dejé mi trabajo de enfermera en marzo.", "work", "Trabajo de enfermera", "mi trabajo de enfermera"),
    ("Mi jefe dice que soy mal cocinero.", "trait", "Mal cocinero", "soy mal cocinero"),
    ("Casi soy médico.", "work", "Médico", "Casi soy médico"),
    ("Odio el ajedrez.", "interest", "El ajedrez", "Odio el ajedrez"),
    ("I love Jo.", "name", "Jo", "I love Jo"),
    ("They want me to move to Lisbon.", "interest", "Move to Lisbon", "move to Lisbon"),
    ("Mi madre quiere que estudie derecho.", "interest", "Estudie derecho", "estudie derecho"),
    ("I lost my job at the bakery.", "work", "Job at the bakery", "my job at the bakery"),
    ("Me despidieron de la panadería.", "work", "La panadería", "de la panadería"),
    ("I have a dog and no cat.", "interest", "Has a cat", "a dog and no cat"),
    ("I know people hate the sea.", "interest", "Hates the sea", "people hate the sea"),
)  # fmt: skip


@pytest.mark.parametrize(("said", "of", "claim", "quote"), TWISTED)
async def test_what_was_denied_asked_supposed_past_or_of_others_is_not_believed(
    mind: Mind, said: str, of: str, claim: str, quote: str
) -> None:
    """[F2] With a true quote and words that do stand there: the sentence does not say it of them."""
    promise = {"who": "person", "text": claim, "due": "", "quote": quote}
    model = ScriptedModel(
        looked(
            person=[{"of": of, "text": claim, "quote": quote}],
            aims=[{"text": claim, "quote": quote}],
            promises=[promise],
        )
    )
    mind.trust(model)
    mind.chat().say(said)
    mind.pass_time(minutes=6)
    await mind.think(model)
    human = mind.companion.self_model.human.read()
    assert not any(field.shown for field in human.fields)
    assert human.everything == ()
    assert mind.companion.self_model.goals.read() == []


SAID_SO = (
    ("I collect recipes, do you know any with sandarac?", "interest", "Collects recipes", "I collect recipes"),
    ("I work as a nurse in Graz, could you name a bakery?", "work", "A nurse in Graz", "work as a nurse in Graz"),
    ("I never eat meat.", "matters", "Never eats meat", "never eat meat"),
    ("My sister Ines moves to Porto, and she sings.", "family", "A sister, Ines, who moves to Porto", "My sister Ines"),
    ("Soy carpintero y trabajo en Cádiz.", "work", "Carpintero, trabaja en Cádiz", "Soy carpintero"),
    ("I would like to learn the cello.", "interest", "Learn the cello", "like to learn the cello"),
    ("Hi, my name is Clara and I live in Leeds.", "name", "Clara", "my name is Clara"),
    ("Everyone calls me Jo.", "name", "Jo", "calls me Jo"),
    ("Hola, me llamo Pepe.", "name", "Pepe", "me llamo Pepe"),
    ("I hope to publish my novel.", "interest", "Publish the novel", "to publish my novel"),
    ("Yesterday my wife Clara told me to move.", "family", "A wife, Clara", "my wife Clara"),
    ("I play the cello, though not well.", "interest", "Plays the cello", "I play the cello"),
    ("I am allergic to nuts, so please no almonds.", "matters", "Allergic to nuts", "allergic to nuts"),
    ("Llevo diez años en la empresa y no me voy.", "work", "Diez años en la empresa", "Llevo diez años"),
    ("A mí me gusta la escalada, aunque no soy muy buena.", "interest", "La escalada", "me gusta la escalada"),
    ("I'm vegetarian, so no meat please.", "trait", "Vegetarian", "I'm vegetarian"),
    ("I work as a nurse at the clinic, not in the office.", "work", "Nurse at the clinic", "as a nurse at the clinic"),
    ("I'm not only a doctor, I paint too.", "work", "A doctor", "not only a doctor"),
    ("I told Anna that I play the harp.", "interest", "Plays the harp", "I play the harp"),
    ("My boss is kind, but I am a slow writer.", "trait", "A slow writer", "I am a slow writer"),
    ("I was a nurse in Graz.", "work", "Was a nurse in Graz", "I was a nurse in Graz"),
    ("I was born in Graz.", "matters", "Born in Graz", "I was born in Graz"),
    ("I hate chess.", "trait", "Hates chess", "I hate chess"),
    ("No como carne.", "matters", "No come carne", "No como carne"),
    ("Doy clases de piano a niños.", "work", "Clases de piano", "Doy clases de piano"),
    ("No sólo soy médico, también pinto.", "work", "Médico", "No sólo soy médico"),
)  # fmt: skip


@pytest.mark.parametrize(("said", "of", "claim", "quote"), SAID_SO)
async def test_what_was_said_plainly_is_believed(
    mind: Mind, said: str, of: str, claim: str, quote: str
) -> None:
    """[F2] [S5] In the words of the line, whatever question follows."""
    model = ScriptedModel(looked(person=[{"of": of, "text": claim, "quote": quote}]))
    mind.trust(model)
    mind.chat().say(said)
    mind.pass_time(minutes=6)
    await mind.think(model)
    human = mind.companion.self_model.human.read()
    assert any(field.shown for field in human.fields) or human.everything


async def test_one_thing_is_a_promise_or_an_aim(mind: Mind) -> None:
    """[S13] Not both, from one sentence and one answer; and no mood comes in as a promise."""
    quote = "I want to restore the old boat this summer"
    mood = "I am so anxious, tired and sad about it all"
    model = ScriptedModel(
        looked(
            promises=[
                {"who": "person", "text": "Restore the old boat this summer", "due": "", "quote": quote},
                {"who": "person", "text": "Anxious, tired and sad about it all", "due": "", "quote": mood},
            ],
            aims=[{"text": "Restore the old boat this summer", "quote": quote}],
        )
    )
    mind.trust(model)
    mind.chat().say(f"{quote}. {mood}.")
    mind.pass_time(minutes=6)
    await mind.think(model)
    assert [one.text for one in mind.companion.self_model.goals.read()] == [
        "Restore the old boat this summer"
    ]


async def test_no_trait_where_no_mood_can_be_told(mind: Mind) -> None:
    """[A2] In a language whose moods are not known, nothing said of oneself is made a trait."""
    quote = "Ich bin niedergeschlagen und ängstlich"
    model = ScriptedModel(
        looked(person=[{"of": "trait", "text": "Niedergeschlagen und ängstlich", "quote": quote}])
    )
    mind.trust(model)
    mind.chat().say(f"{quote}, und das ist so, seit wir in der neuen Wohnung sind.")
    mind.pass_time(minutes=6)
    await mind.think(model)
    assert mind.companion.self_model.human.read().everything == ()
