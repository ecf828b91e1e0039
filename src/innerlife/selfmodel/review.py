"""The weekly review of intentions: each is kept, closed or rephrased, with a reason (promise S13). Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from innerlife.selfmodel.events import GoalState, Hand
from innerlife.selfmodel.goals import Goal, same_day
from innerlife.selfmodel.merge import say_the_same
from innerlife.selfmodel.policy import SelfModelPolicy
from innerlife.selfmodel.words import denies, kept_share

GRACE = timedelta(days=7)
"""How long a promise may be late before the review gives it up: one review's time to come back to it."""


class Decision(StrEnum):
    """What the review decided."""

    KEPT = "kept"
    CLOSED = "closed"
    REPHRASED = "rephrased"


@dataclass(frozen=True, slots=True)
class Reviewed:
    """One intention after the review. `state` is where it ends, `text` its new words, empty where they stay."""

    goal: Goal
    decision: Decision
    reason: str
    state: GoalState = GoalState.ACTIVE
    text: str = ""


def review(
    goals: Sequence[Goal],
    mentioned: Mapping[int, datetime],
    wordings: Mapping[int, str],
    policy: SelfModelPolicy,
    now: datetime,
) -> list[Reviewed]:
    """Decide over every open goal and promise, in their order.

    `mentioned` tells when each (by seq) was last spoken of; `wordings` what a model would call it now. A wording is
    taken where it still says half of what the old one said.
    """
    reviewed: list[Reviewed] = []
    kept: list[Goal] = []
    for goal in (one for one in goals if one.open):
        one = _closing(goal, kept, mentioned, policy, now) or _rephrased(
            goal, wordings.get(goal.seq, ""), policy
        )
        if one is None:
            one = Reviewed(goal, Decision.KEPT, _why_kept(goal, mentioned, now))
        if one.decision is not Decision.CLOSED:
            kept.append(goal)
        reviewed.append(one)
    return reviewed


def _closing(
    goal: Goal,
    kept: Sequence[Goal],
    mentioned: Mapping[int, datetime],
    policy: SelfModelPolicy,
    now: datetime,
) -> Reviewed | None:
    for other in kept:
        if other.by is goal.by and same_day(other.due, goal.due) and say_the_same(other.text, goal.text):
            return _closed(goal, f"It says what {other.handle} says")
    last = max(mentioned.get(goal.seq, goal.at), goal.changed)
    if goal.due is not None and goal.due + GRACE < now and last <= goal.due:
        whose = "They did not come back to it" if goal.by is Hand.USER else "I did not come back to it"
        return _closed(goal, f"It was due {(now - goal.due).days} days ago. {whose}")
    if (goal.due is None or last > goal.due) and now - last >= timedelta(days=policy.quiet_goal_days):
        return _closed(goal, f"Nobody has spoken of it for {(now - last).days} days")
    return None


def _closed(goal: Goal, reason: str) -> Reviewed:
    return Reviewed(goal, Decision.CLOSED, reason, GoalState.ABANDONED)


def _rephrased(goal: Goal, wording: str, policy: SelfModelPolicy) -> Reviewed | None:
    wording = " ".join(wording.split())
    # A promise is kept in the words in which it was given.
    if not wording or goal.promise or wording == goal.text or denies(wording) != denies(goal.text):
        return None
    if kept_share(goal.text, wording) < policy.kept_share:
        return None
    return Reviewed(goal, Decision.REPHRASED, "It can be said more clearly now", GoalState.ACTIVE, wording)


def _why_kept(goal: Goal, mentioned: Mapping[int, datetime], now: datetime) -> str:
    if goal.due is not None and goal.due > now:
        return "It is not due yet"
    if goal.due is not None and goal.due + GRACE >= now:
        return "It was due a short while ago"
    days = (now - max(mentioned.get(goal.seq, goal.at), goal.changed)).days
    return "It was spoken of today" if days < 1 else f"It was last spoken of {days} days ago"
