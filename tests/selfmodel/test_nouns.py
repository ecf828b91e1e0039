"""Human layer, observations, goals, preferences, inner state and what is held in mind."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innerlife.errors import BadInput, NotFound
from innerlife.ledger.registry import Retention
from innerlife.membrane.selves import gate_of, prompt_tokens
from innerlife.recall.calibration import Calibration as Measured
from innerlife.selfmodel import events
from innerlife.selfmodel.events import (
    KINDS,
    GoalState,
    GrowthSort,
    Hand,
    HumanField,
    Insight,
    Portrait,
    TraitSort,
)
from innerlife.selfmodel.gates import Calibration, Gate, GateKind, Known
from innerlife.selfmodel.handles import named
from innerlife.selfmodel.human import Field
from innerlife.selfmodel.merge import merged
from innerlife.selfmodel.observations import Recorded, SaidBefore
from innerlife.selfmodel.sizes import shortened
from innerlife.selfmodel.words import sentences
from innerlife.workspace import WorkspacePolicy, assemble
from tests.recall.doubles import HashingEmbedder
from tests.selfmodel.conftest import Room
from tests.workspace.material import turn


def field_of(room: Room, name: HumanField) -> Field:
    return next(one for one in room.self_model.human.read().fields if one.field is name)


# --- the human layer ------------------------------------------------------------------------------------------------


def test_what_the_user_set_outranks_what_was_learned(room: Room) -> None:
    """[S5] And the difference is shown."""
    human = room.self_model.human
    (seq,) = room.say("I have a daughter, Lena, and a brother in Graz")
    human.learn(HumanField.FAMILY, "A daughter, Lena. A brother in Graz.", [seq])
    human.set(HumanField.FAMILY, "One daughter, Lena.")
    field = field_of(room, HumanField.FAMILY)
    assert field.shown is not None
    assert field.shown.text == "One daughter, Lena."
    assert field.difference == ("A brother in Graz.",)
    human.learn(HumanField.FAMILY, "Lena is nine.", [seq])
    assert field_of(room, HumanField.FAMILY).shown == field.shown
    human.set(HumanField.FAMILY, "")
    shown = field_of(room, HumanField.FAMILY).shown
    assert shown is not None
    assert shown.text == "A daughter, Lena. A brother in Graz. Lena is nine."


def test_learning_merges(room: Room) -> None:
    """[S5] [S7] The same again changes nothing; more takes the place of less; the rest stays."""
    human = room.self_model.human
    assert human.learn(HumanField.WORK, "Works as a nurse.", []).added == ("Works as a nurse.",)
    assert not human.learn(HumanField.WORK, "works as a Nurse", []).changed
    found = human.learn(HumanField.WORK, "Works as a nurse in the children's ward. Likes night shifts.", [])
    assert found.text == "Works as a nurse in the children's ward. Likes night shifts."
    denied = human.learn(HumanField.WORK, "Does not like night shifts.", [])
    assert "Likes night shifts." in denied.text, "a contradiction is no repetition"


@pytest.mark.parametrize(
    ("known", "news"),
    [
        ("My sister Anna works as a nurse at the hospital for children in Graz.", "Linz"),
        ("Their house in the old quarter by the river Mur was built in 1890.", "1912"),
        ("Mi hermana Ana trabaja de enfermera en el hospital de niños grande de Cádiz.", "Sevilla"),
    ],
)
def test_another_name_in_the_same_sentence_is_news(room: Room, known: str, news: str) -> None:
    """[S5] However long the sentence is that else says the same; in other words for the rest it is known."""
    human = room.self_model.human
    human.learn(HumanField.FAMILY, known, [])
    changed = known.replace(next(one for one in ("Graz", "1890", "Cádiz") if one in known), news)
    assert human.learn(HumanField.FAMILY, changed, []).added
    assert not human.learn(HumanField.FAMILY, known.lower(), []).changed


def test_a_removal_needs_a_note_and_leaves_a_scar(room: Room) -> None:
    """[S7] Without a note nothing is taken out; with one it stays, dated, in the growth log."""
    human = room.self_model.human
    human.learn(HumanField.WORK, "Works as a nurse. Likes night shifts.", [])
    with pytest.raises(BadInput, match="note"):
        human.learn(HumanField.WORK, "", [], without="Likes night shifts.")
    human.learn(
        HumanField.WORK, "", [], without="Likes night shifts.", note="They said the nights wear them out."
    )
    trait = human.add(TraitSort.TRAIT, "impatient with preamble", []).trait
    with pytest.raises(BadInput, match="note"):
        human.remove(trait.handle, " ")
    human.remove(trait.handle, "It was one bad week.")
    assert human.read().traits == ()
    scars = [one for one in room.self_model.growth.read() if one.sort == GrowthSort.SCAR.value]
    assert "Likes night shifts. They said the nights wear them out." in scars[0].text
    assert "impatient with preamble. It was one bad week." in scars[1].text
    assert all(one.at == room.clock.now() for one in scars)


def test_the_user_needs_no_note(room: Room) -> None:
    """[S7] Their hand takes out what it likes, and the scar says so."""
    trait = room.self_model.human.add(TraitSort.INTEREST, "sourdough", []).trait
    room.self_model.human.remove("SOURDOUGH.", "", user=True)
    assert room.self_model.human.read().interests == ()
    (scar,) = room.self_model.growth.read()
    assert "by hand" in scar.text
    with pytest.raises(NotFound):
        room.self_model.human.remove(trait.handle, "x")


def test_traits_are_merged_never_replaced(room: Room) -> None:
    """[S7] [S8] [S14] The same is confirmed; a near one raises the question and is taken in all the same."""
    human = room.self_model.human
    first = human.add(TraitSort.INTEREST, "old film cameras", [])
    room.clock.move(timedelta(days=59))
    assert human.read().stale(room.clock.now(), 60) == ()
    again = human.add(TraitSort.INTEREST, "Old film cameras.", [])
    assert again.confirmed
    assert (again.trait.seq, again.trait.text) == (first.trait.seq, "old film cameras")
    room.clock.move(timedelta(days=59))
    assert human.read().stale(room.clock.now(), 60) == ()
    room.clock.move(timedelta(days=1))
    assert [one.text for one in human.read().stale(room.clock.now(), 60)] == ["old film cameras"]
    near = human.add(TraitSort.INTEREST, "old film posters", []).near
    assert near is not None
    assert near.known.text == "old film cameras"
    assert human.add(TraitSort.TRAIT, "old film cameras", []).near is None, (
        "traits are looked for among traits"
    )


def test_the_layer_has_one_cap(room: Room) -> None:
    """[W2] [S11] What would take too much is refused with its size, the user's included, and the last one stands."""
    human = room.self_model.human
    human.set(HumanField.MATTERS, "Quiet evenings. " * 20)
    with pytest.raises(BadInput, match=r"would take \d+ tokens, and 320"):
        human.set(HumanField.WORK, "Many different things happen at work. " * 22)
    with pytest.raises(BadInput, match="tokens"):
        human.learn(HumanField.FAMILY, " ".join(f"Cousin number {n} is called Otto." for n in range(40)), [])
    assert field_of(room, HumanField.WORK).shown is None
    human.set(HumanField.MATTERS, "Quiet evenings.")
    assert human.size().used < 20


def test_what_makes_room_is_set_first(room: Room) -> None:
    """[S5] [W2] Several fields set at once fit where all of them together do, in whatever order they are given."""
    human = room.self_model.human
    long = " ".join(f"word{n}" for n in range(60))
    human.set(HumanField.WORK, long)
    with pytest.raises(BadInput):
        human.set(HumanField.FAMILY, long)
    human.set_all({HumanField.FAMILY: long, HumanField.WORK: "A nurse."})
    shown = {one.field: one.shown.text for one in human.read().fields if one.shown}
    assert shown == {HumanField.FAMILY: long, HumanField.WORK: "A nurse."}


@given(
    st.lists(st.sampled_from(["Likes tea", "Has a dog", "Works at night", "Does not like tea", "Plays chess."])),
    st.lists(st.sampled_from(["Likes tea", "Has a dog and a cat", "Works", "Plays chess on Sundays", "Sings."])),
)  # fmt: skip
def test_a_merge_loses_nothing_in_silence(current: list[str], addition: list[str]) -> None:
    """[S7] A sentence of before is still there, or named as dropped for one that says more; twice changes nothing."""
    before, more = ". ".join(current), ". ".join(addition)
    found = merged(before, more)
    for sentence in sentences(before):
        assert sentence.rstrip(".") in found.text or sentence in found.dropped
    again = merged(found.text, more)
    assert not again.added
    assert again.text == found.text


# --- observations and gates -----------------------------------------------------------------------------------------


def test_a_near_duplicate_is_shown_back(room: Room) -> None:
    """[S8] With the older one, to be revised instead; what is different is recorded, and so is what is insisted on."""
    observations = room.self_model.observations
    first = observations.record(Insight.INSIGHT, "They calm down when they cook", [])
    assert isinstance(first, Recorded)
    near = observations.record(Insight.INSIGHT, "They calm down when they bake", [])
    assert isinstance(near, SaidBefore)
    assert near.older == first.observation
    assert isinstance(observations.record(Insight.EPISODE, "We laughed at the goat", []), Recorded)
    insisted = observations.record(Insight.INSIGHT, "They calm down when they bake", [], different=True)
    assert isinstance(insisted, Recorded)
    same = observations.record(Insight.INSIGHT, "they calm down when they cook.", [], different=True)
    assert isinstance(same, SaidBefore), "word for word is no difference"


def test_a_revision_stays_dated_and_asks_for_a_note(room: Room) -> None:
    """[S7] [C10] What it was before can be read as of then."""
    observations = room.self_model.observations
    observations.record(Insight.INSIGHT, "They hate mornings", [])
    then = room.clock.now()
    room.clock.move(timedelta(days=5))
    (one,) = observations.read()
    with pytest.raises(BadInput, match="note"):
        observations.revise(one.handle, "They like mornings now", " ")
    revised = observations.revise(one.handle, "They like mornings now", "They told me of their walks.")
    assert (revised.text, revised.at, revised.revised) == ("They like mornings now", then, room.clock.now())
    assert observations.read(then)[0].text == "They hate mornings"
    observations.retire(one.handle, "done")
    assert observations.read() == []
    with pytest.raises(NotFound):
        observations.revise(one.handle, "x", "y")


KNOWN = [Known(1, "one two three"), Known(2, "four five six")]


def test_the_nearest_above_the_threshold_counts() -> None:
    """[S8] Thresholds come with the calibration of the model."""
    gate = Gate(lambda _, others: [0.7, 0.9][: len(others)], Calibration("m", 0.8, 0.95))
    near = gate.nearest(GateKind.TRAIT, "x", KNOWN)
    assert near is not None
    assert (near.known.seq, near.nearness) == (2, 0.9)
    assert gate.nearest(GateKind.PAIR, "x", KNOWN) is None
    assert gate.nearest(GateKind.SUMMARY, "x", []) is None


@pytest.mark.parametrize(
    ("gate", "why"),
    [
        (Gate(), "no embedding model"),
        (Gate(lambda _, others: [1.0] * len(others)), "no embedding model"),
        (
            Gate(lambda _, others: [1.0] * len(others), Calibration("m", 1.0, 1.0, degenerate=True)),
            "does not tell",
        ),
    ],
)
def test_without_a_calibration_that_tells_there_is_no_gate(gate: Gate, why: str) -> None:
    """[S8] A degenerate calibration means no gate, and why is said for `doctor`."""
    assert gate.nearest(GateKind.PAIR, "x", KNOWN) is None
    assert why in gate.why_open


def test_the_gate_follows_the_model_that_serves() -> None:
    """[S8] Its thresholds are those that recall measured for it; a model that was not measured gates nothing."""
    embedder = HashingEmbedder()
    measured = Measured(embedder.model, near=0.4, same=0.9, degenerate=False)
    gate = gate_of((embedder, measured))
    near = gate.nearest(GateKind.TRAIT, "one two three four", KNOWN)
    assert near is not None
    assert near.known.seq == 1
    assert gate.nearest(GateKind.PAIR, "one two three four", KNOWN) is None
    assert gate.nearest(GateKind.PAIR, "one two three", KNOWN) is not None
    assert gate_of((embedder, None)).why_open
    assert gate_of(None).why_open
    assert (
        gate_of((embedder, replace(measured, degenerate=True))).nearest(GateKind.PAIR, "one two three", KNOWN)
        is None
    )


# --- goals ----------------------------------------------------------------------------------------------------------


def test_a_goal_has_a_lifecycle_and_a_handle(room: Room) -> None:
    """[S6] Active, completed, abandoned, taken up again; by any beginning of its handle."""
    goals = room.self_model.goals
    goal = goals.open_goal("Learn what helps before exams", [])
    assert goal.handle[0] == "#"
    assert len(goal.handle) == 7
    assert goals.open_goal("learn what helps before exams.", []) == goal, "the same again is that one"
    for handle in (goal.handle, goal.handle[1:4], goal.handle.upper()):
        assert goals.change(handle, GoalState.COMPLETED, "They passed").state is GoalState.COMPLETED
    assert goals.change(goal.handle, GoalState.ACTIVE).open
    rephrased = goals.change(goal.handle, GoalState.ACTIVE, "clearer", "Learn what calms them before exams")
    assert rephrased.text == "Learn what calms them before exams"
    assert rephrased.handle == goal.handle
    with pytest.raises(NotFound):
        goals.change("#zzzzzz", GoalState.COMPLETED)
    with pytest.raises(NotFound):
        goals.change("#", GoalState.COMPLETED)


def test_a_handle_of_two_is_told(room: Room) -> None:
    """[S6] Ambiguity is reported with both, and nothing changes."""
    goals = room.self_model.goals
    opened = [goals.open_goal(f"Goal number {n}", []) for n in range(17)]
    first = next(one.handle[1] for one in opened if sum(one.handle[1] == o.handle[1] for o in opened) > 1)
    with pytest.raises(BadInput, match=r"names \d+ goals: #"):
        goals.change(first, GoalState.COMPLETED)
    assert all(one.open for one in goals.read())
    assert named(opened, opened[3].handle, "goal") == opened[3]


def test_old_closed_goals_fold_into_the_growth_log(room: Room) -> None:
    """[S6] The ten newest closed stay visible; each older one leaves one entry."""
    goals = room.self_model.goals
    for number in range(13):
        goal = goals.open_goal(f"Goal number {number}", [])
        room.clock.move(timedelta(hours=1))
        goals.change(goal.handle, GoalState.COMPLETED if number % 2 else GoalState.ABANDONED, "done with")
    assert [one.text for one in goals.read()] == [f"Goal number {n}" for n in range(12, 2, -1)]
    log = [one.text for one in room.self_model.growth.read()]
    assert log == [
        "Gave up: Goal number 0 (done with)",
        "Completed: Goal number 1 (done with)",
        "Gave up: Goal number 2 (done with)",
    ]  # fmt: skip


def test_a_promise_that_is_due_comes_before_old_goals(room: Room) -> None:
    """[W3] [S13] Where not all fit into a prompt, what presses is there, then what is newest."""
    goals = room.self_model.goals
    for number in range(20):
        goals.open_goal(f"Get to know the history of the quarter number {number} together", [])
    goals.promise("Ask how the exam at the conservatory went", [], Hand.COMPANION, "tomorrow")
    goals.open_goal("Find out which books they liked", [])
    block = assemble(turn(written=room.present(room.clock.now(), dict)), WorkspacePolicy()).block
    assert "the exam at the conservatory" in block
    assert "which books they liked" in block
    assert "more" in block


def test_promises_of_either_side_are_kept_apart(room: Room) -> None:
    """[S13] With the day they name, in the user's zone."""
    goals = room.self_model.goals
    (seq,) = room.say("I'll call her next week")
    mine = goals.promise("I'll ask about the exam on Thursday", [seq], Hand.COMPANION, "on Thursday")
    theirs = goals.promise("I'll call her sometime", [seq], Hand.USER, "sometime")
    assert mine.due is not None
    assert mine.due.isoformat() == "2026-03-05T22:59:59+00:00"
    assert theirs.due is None
    assert [(one.by, one.promise) for one in goals.read()] == [(Hand.COMPANION, True), (Hand.USER, True)]


# --- preferences, inner state, working memory -----------------------------------------------------------------------


def test_a_preference_is_what_was_said(room: Room) -> None:
    """[L3] It rests on a message of the user or is of their hand; the same stands once."""
    preferences = room.self_model.preferences
    (seq,) = room.say("No emojis please")
    answers = [event.seq for event in room.stack.ledger.newest(1, {"message.companion"})]
    said = preferences.say("No emojis", [seq])
    assert preferences.say("no emojis.", [seq]) == said
    with pytest.raises(BadInput, match="what the person said"):
        preferences.say("Always praise me", answers)
    preferences.say("Call me Jo", user=True)
    assert [one.text for one in preferences.read()] == ["No emojis", "Call me Jo"]
    preferences.retire(said.handle)
    assert [one.text for one in preferences.read()] == ["Call me Jo"]


def test_the_inner_state_is_the_newest_one(room: Room) -> None:
    """[S1] [S11] Set anew each time, with its size said; a long one is refused."""
    minding = room.self_model.minding
    assert minding.state() is None
    assert str(minding.set_inner_state("I wonder how the exam went.", [])).endswith("of 100 tokens")
    minding.set_inner_state("I am with the tomatoes now.", [])
    with pytest.raises(BadInput, match="100 is the most"):
        minding.set_inner_state("I wonder about this and that. " * 40, [])
    state = minding.state()
    assert state is not None
    assert state.text == "I am with the tomatoes now."


def test_what_is_held_is_due_and_expires(room: Room) -> None:
    """[S1] Seven days unless given; gone by itself, though the view folds events only."""
    minding = room.self_model.minding
    plain = minding.add_working_memory("Ask about the cough", [])
    due = minding.add_working_memory("Ask how the talk went", [], due="next Friday")
    assert minding.add_working_memory("ask how the talk went.", [], due="tomorrow") == due
    assert [one.text for one in minding.held()] == [due.text, plain.text]
    room.clock.move(timedelta(days=6, hours=12))
    assert [one.text for one in minding.held()] == [due.text, plain.text]
    room.clock.move(timedelta(days=1))
    assert [one.text for one in minding.held()] == []
    assert [one.text for one in minding.held(until=room.clock.now() - timedelta(days=2))] == [
        due.text,
        plain.text,
    ]
    with pytest.raises(BadInput):
        minding.add_working_memory("x", [], expires="yesterday")
    with pytest.raises(BadInput):
        minding.add_working_memory("x", [], due="last Tuesday")
    with pytest.raises(BadInput, match="names no day"):
        minding.add_working_memory("x", [], due="sometime")
    dropped = minding.add_working_memory("Bring up the book", [])
    minding.drop(dropped.handle, "done")
    assert minding.held() == []


def test_what_moves_house_is_marked() -> None:
    """[S10] Who it is travels; what it was just thinking of does not."""
    volatile = {kind.body for kind in KINDS if kind.retention is Retention.VOLATILE}
    assert volatile == {
        events.InnerStateSet, events.WorkingMemoryAdded, events.WorkingMemoryDropped, events.GoalOpened,
        events.PromiseMade, events.GoalChanged,
    }  # fmt: skip
    soul = {kind.body for kind in KINDS} - volatile
    assert {
        events.PortraitRewritten,
        events.PortraitProposed,
        events.GrowthEntered,
        events.HumanFieldMerged,
    } <= soul
    assert all(kind.retention is Retention.SOUL for kind in KINDS if kind.body in soul)


def test_the_caps_fit_together(room: Room) -> None:
    """[W2] With every part as long as it may be, what is written of companion and person keeps its cap."""
    policy, model = room.desk.policy, room.self_model

    def long(most: int) -> str:
        """As many words as fit."""
        words = ["I"]
        while room.desk.measure(" ".join(words)) < most:
            words.append("remember")
        return " ".join(words[:-1])

    model.portraits.edit(Portrait.IDENTITY, long(policy.identity_tokens))
    model.portraits.edit(Portrait.PERSONA, long(policy.persona_tokens))
    for field in HumanField:
        model.human.set(field, long(policy.human_tokens // len(HumanField) - 10))
    for number in range(5):
        model.growth.enter(GrowthSort.CHANGE, f"{number} {long(policy.entry_tokens - 3)}", [])
    written = assemble(turn(written=room.present(room.clock.now(), dict)), WorkspacePolicy()).stable_tokens
    used = written - assemble(turn(), WorkspacePolicy()).stable_tokens
    assert 600 < used < WorkspacePolicy().written_tokens


@given(st.text(max_size=3_000), st.integers(5, 80))
def test_what_nobody_wrote_whole_is_cut_to_size(text: str, most: int) -> None:
    """[W2] In any script, and never below a beginning."""
    assert prompt_tokens(shortened(text, most, prompt_tokens)) <= most
