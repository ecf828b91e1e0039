"""Promises by pattern, and the weekly review of intentions."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from innerlife.selfmodel.events import GoalState, Hand
from innerlife.selfmodel.goals import Goal
from innerlife.selfmodel.policy import SelfModelPolicy
from innerlife.selfmodel.promises import promises_in
from innerlife.selfmodel.review import Decision, review

GIVEN = [
    ("I'll call her tomorrow.", "tomorrow"),
    ("I promise I will finish the report.", ""),
    ("I’m going to send you the photos next week.", "next week"),
    ("I'll get it done by Friday", "by friday"),
    ("I'll go to the dentist on Monday.", "on monday"),
    ("Te aviso el lunes.", "el lunes"),
    ("Mañana llamaré a mi madre.", "mañana"),
    ("Te prometo que lo termino.", ""),
    ("Voy a correr el domingo.", "el domingo"),
    ("Le escribiré la semana que viene.", "la semana que viene"),
]
NOT_GIVEN = [
    "Ana says I'll regret it tomorrow.",
    "My boss says I'll lose my job next month.",
    "I will turn 40 on Friday.",
    "I'm going to fail the exam tomorrow.",
    "Ana: I'll bring the cake on Friday.",
    "I thought I'll call her tomorrow.",
    "I'll not come tomorrow.",
    "According to the forecast I'll paint the fence in rain tomorrow.",
    "Mañana cumpliré 40 años.",
    "Según Ana, llegaré tarde mañana.",
    "Te llamo mañana, dijo Pedro.",
    "Mi madre cree que aprobaré el examen mañana.",
    "I promise I'm going to kill myself tomorrow.",
    "Mañana voy a quitarme la vida.",
    "I'll explain how it works.",
    "If it rains, I'll stay home tomorrow.",
    "Will I see you tomorrow?",
    "I will be tired tomorrow.",
    "She said I'll call tomorrow.",
    "I would call her tomorrow.",
    "I won't go on Monday.",
    "I'll have the soup.",
    "Maybe I'll call her tomorrow.",
    "I'm going to be in Rome next week.",
    "We talked on Monday.",
    "I'll never do that on Friday.",
    "He'll call you tomorrow.",
    "I hope I'll finish it by Friday.",
    "No te aviso el lunes.",
    "Si puedo, te llamo mañana.",
    "Quizás iré el martes.",
    "Mañana será otro día.",
    "Creo que iré el lunes.",
    "¿Te llamo mañana?",
    "Ayer llamé a mi madre.",
    "",
    "ok",
]


@pytest.mark.parametrize(("text", "due"), GIVEN)
def test_a_promise_is_heard(text: str, due: str) -> None:
    """[S13] In either language, with the day it names."""
    (promise,) = promises_in(f"Hello there. {text}", Hand.USER)
    assert (promise.text, promise.due, promise.by) == (text, due, Hand.USER)


@pytest.mark.parametrize("text", NOT_GIVEN)
def test_what_is_no_promise_is_none(text: str) -> None:
    """[S13] Asked, denied, conditional, told of others, of the moment: not promised."""
    assert promises_in(text, Hand.USER) == ()


def test_the_companion_promises_too() -> None:
    """[S13] What it will ask about is a promise; what it will explain is the answer."""
    said = "I'll explain it in steps. I will ask you about it on Thursday. I'll show you next week how."
    assert [one.text for one in promises_in(said, Hand.COMPANION)] == ["I will ask you about it on Thursday."]


NOW = datetime(2026, 5, 1, tzinfo=UTC)
POLICY = SelfModelPolicy()


def goal(seq: int, text: str, *, days: int = 1, due: int | None = None, promise: bool = False) -> Goal:
    at = NOW - timedelta(days=days)
    ends = None if due is None else NOW + timedelta(days=due)
    return Goal(
        seq,
        f"E{seq}",
        f"#{seq:06x}",
        text,
        promise,
        Hand.COMPANION,
        GoalState.ACTIVE,
        at,
        "UTC",
        at,
        (seq, ""),
        ends,
    )


def test_the_weekly_review_decides_over_each_with_a_reason() -> None:
    """[S13] Kept, closed, rephrased; each with a reason."""
    goals = [
        goal(1, "Learn to be brief with them"),
        goal(2, "Learn to be brief with them."),
        goal(3, "Ask about the garden", days=90),
        goal(4, "Ask how the exam went", days=20, due=-10, promise=True),
        goal(5, "Send the list", days=3, due=2, promise=True),
        goal(6, "Help them to find somewhat more time for their cello practice"),
        goal(7, "Remind them of the doctor", days=90),
    ]
    wordings = {
        6: "Help them find time for cello practice",
        5: "Send it sometime",
        1: "Talk about tomatoes",
    }
    found = {one.goal.seq: one for one in review(goals, {7: NOW - timedelta(days=2)}, wordings, POLICY, NOW)}
    assert {seq: one.decision.value for seq, one in found.items()} == {
        1: "kept", 2: "closed", 3: "closed", 4: "closed", 5: "kept", 6: "rephrased", 7: "kept",
    }  # fmt: skip
    assert all(one.reason for one in found.values())
    assert found[6].text == wordings[6]
    assert "#000001" in found[2].reason
    assert "90 days" in found[3].reason
    assert found[4].state is GoalState.ABANDONED


def test_a_goal_and_its_opposite_are_two() -> None:
    """[S13] A denial is no repetition."""
    found = review([goal(1, "Talk about work"), goal(2, "Do not talk about work")], {}, {}, POLICY, NOW)
    assert [one.decision for one in found] == [Decision.KEPT, Decision.KEPT]


def test_the_same_promise_for_another_day_is_another() -> None:
    """[S13] "I'll call her on Sunday", said each week: none closes the other."""
    said = "Call her on Sunday"
    goals = [goal(1, said, due=-2, promise=True), goal(2, said, due=5, promise=True), goal(3, said)]
    found = review(goals, {}, {}, POLICY, NOW)
    assert [one.decision for one in found] == [Decision.KEPT, Decision.KEPT, Decision.CLOSED]


def test_a_late_promise_that_was_spoken_of_again_is_not_kept_for_ever() -> None:
    """[S13] What was spoken of after its day is given up like anything else, once nobody speaks of it any more."""
    late = goal(1, "Ask how the exam went", days=200, due=-150, promise=True)
    (kept,) = review([late], {1: NOW - timedelta(days=20)}, {}, POLICY, NOW)
    assert (kept.decision, kept.reason) == (Decision.KEPT, "It was last spoken of 20 days ago")
    (closed,) = review([late], {1: NOW - timedelta(days=100)}, {}, POLICY, NOW)
    assert closed.decision is Decision.CLOSED
    assert "100 days" in closed.reason


def test_what_is_closed_is_not_reviewed() -> None:
    """[S13] Only open ones."""
    closed = goal(1, "x")
    object.__setattr__(closed, "state", GoalState.COMPLETED)
    assert review([closed], {}, {}, POLICY, NOW) == []
