"""Goals and promises: opened, changed, closed; the newest closed ones stay visible (promises S6, S13)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from innerlife.errors import BadInput
from innerlife.ledger.envelope import Draft
from innerlife.selfmodel.desk import Desk, by_companion, by_user, place_after, rests_on
from innerlife.selfmodel.due import due_day, end_of
from innerlife.selfmodel.events import (
    GoalChanged,
    GoalOpened,
    GoalState,
    GrowthEntered,
    GrowthSort,
    Hand,
    PromiseMade,
    about,
)
from innerlife.selfmodel.handles import handle_of, named
from innerlife.selfmodel.merge import same_words
from innerlife.selfmodel.rows import Noun, Row, row_of
from innerlife.selfmodel.sizes import fitting

NOUNS: Final = (Noun.GOALS,)


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal or promise as it stands.

    `words` is the event that gave it its present words, `last` the seq of the one that changed it last.
    """

    seq: int
    id: str
    handle: str
    text: str
    promise: bool
    by: Hand
    state: GoalState
    at: datetime
    zone: str
    changed: datetime
    words: tuple[int, str]
    due: datetime | None = None
    reason: str = ""
    last: int = 0

    @property
    def open(self) -> bool:
        """Whether it is still pursued."""
        return self.state is GoalState.ACTIVE


def goals_of(rows: Sequence[Row]) -> list[Goal]:
    """All of them, in the order in which they were opened."""
    found: dict[int, Goal] = {}
    for row in rows:
        if row.what in ("goal", "promise"):
            due = datetime.fromisoformat(row.note) if row.note else None
            found[row.seq] = Goal(
                row.seq, row.id, handle_of(row.id), row.text, row.what == "promise", Hand(row.extra), GoalState.ACTIVE,
                row.at, row.zone, row.at, (row.seq, row.id), due,
            )  # fmt: skip
        elif row.thing in found:
            now = found[row.thing]
            words = (row.seq, row.id) if row.text else now.words
            found[row.thing] = replace(
                now,
                state=GoalState(row.what),
                text=row.text or now.text,
                changed=row.at,
                words=words,
                reason=row.note,
                last=row.seq,
            )
    return list(found.values())


def due_of(body: GoalOpened | PromiseMade) -> datetime | None:
    """When what is opened is due, None where that is not said."""
    return datetime.fromisoformat(body.due) if isinstance(body, PromiseMade) and body.due else None


def closed_of(goals: Sequence[Goal]) -> list[Goal]:
    """Those that are closed, the last one closed first."""
    return sorted(
        (one for one in goals if not one.open), key=lambda one: (one.changed, one.seq), reverse=True
    )


def after(goals: Sequence[Goal], goal: Goal, state: GoalState, now: datetime, text: str = "") -> list[Goal]:
    """The goals as they stand once this one is changed: what the next of several changes at once starts from."""
    changed = replace(goal, state=state, text=text or goal.text, changed=now)
    return [changed if one.seq == goal.seq else one for one in goals]


def same_day(one: datetime | None, other: datetime | None) -> bool:
    """Whether two promises in the same words may be one: "I will call her on Sunday" is another each week."""
    return one is None or other is None or one == other


class Goals:
    """Use-case: goals and promises. Every method raises StorageFailed on a broken store."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def read(self, until: datetime | None = None) -> list[Goal]:
        """All that are kept track of, or were at `until`: the open ones, then the newest closed ones."""
        goals = goals_of(self._desk.rows(*NOUNS, until=until))
        return [one for one in goals if one.open] + closed_of(goals)[: self._desk.policy.closed_goals]

    def open_goal(self, text: str, evidence_seqs: Collection[int], by: Hand = Hand.COMPANION) -> Goal:
        """Pursue something; an open one in the same words is that one. Raises BadInput for a long one."""
        return self._opened(GoalOpened(self._fitting(text), by), evidence_seqs)

    def promise(self, text: str, evidence_seqs: Collection[int], by: Hand, due: str = "") -> Goal:
        """Keep track of a promise of either side; `due` in words, left out where they name no day. Raises BadInput."""
        return self._opened(self.promise_body(text, by, due), evidence_seqs)

    def promise_body(
        self, text: str, by: Hand, due: str = "", said: tuple[datetime, str] | None = None
    ) -> PromiseMade:
        """What records a promise. `said` is when and in which zone it was given, now and here unless it is told.

        Raises BadInput.
        """
        at, zone = said or (self._desk.clock.now(), self._desk.clock.zone())
        day = due_day(due, at, zone) if due else None
        return PromiseMade(self._fitting(text), by, end_of(day, zone).isoformat() if day else "")

    def opening(self, body: GoalOpened | PromiseMade, evidence_seqs: Collection[int]) -> Draft:
        """The event that opens one, appended by the caller."""
        return (by_user if body.by is Hand.USER and not evidence_seqs else by_companion)(
            body, rests_on(evidence_seqs)
        )

    def change(
        self, handle: str, state: GoalState | None, reason: str = "", text: str = "", *, user: bool = False
    ) -> Goal:
        """Complete, abandon, take up again or rephrase one; without a state it keeps its own.

        Raises NotFound, BadInput for a handle of several.
        """
        with self._desk.alone:
            goals = goals_of(self._desk.rows(*NOUNS))
            goal = named(goals, handle, "goal")
            state = state or goal.state
            if goal.state is state and not text.strip():
                return goal
            self._desk.append(*self.changes(goals, goal, state, reason, text, user=user))
            return next(one for one in goals_of(self._desk.rows(*NOUNS)) if one.seq == goal.seq)

    def changes(
        self,
        goals: Sequence[Goal],
        goal: Goal,
        state: GoalState,
        reason: str = "",
        text: str = "",
        *,
        user: bool = False,
    ) -> list[Draft]:
        """The events of a change, appended by the caller: the oldest closed goal folds into the growth log."""
        make = by_user if user else by_companion
        words = self._fitting(text) if text.strip() else ""
        drafts = [make(GoalChanged(state, words, " ".join(reason.split())), about(goal.seq))]
        if state is not GoalState.ACTIVE and goal.open:
            drafts += [_folded(one) for one in closed_of(goals)[self._desk.policy.closed_goals - 1 :]]
        return drafts

    def _opened(self, body: GoalOpened | PromiseMade, evidence_seqs: Collection[int]) -> Goal:
        with self._desk.alone:
            goals = goals_of(self._desk.rows(*NOUNS))
            due = due_of(body)
            for one in goals:
                same = one.open and one.by is body.by and same_words(one.text) == same_words(body.text)
                if same and same_day(one.due, due):
                    return one
            event = self._desk.append(self.opening(body, evidence_seqs))[0]
            return goals_of([row_of(event)])[0]

    def _fitting(self, text: str) -> str:
        return fitting(text, self._desk.policy.item_tokens, "A goal", self._desk.measure)[0]


def _folded(goal: Goal) -> Draft:
    """What the growth log keeps of a goal that is not shown among the closed ones any more; once only."""
    did = "Completed" if goal.state is GoalState.COMPLETED else "Gave up"
    why = f" ({goal.reason})" if goal.reason else ""
    body = GrowthEntered(GrowthSort.GOAL, f"{did}: {goal.text}{why}")
    # Its words may be those of a later wording, and the reason quotes what the change rests on.
    causes = rests_on({goal.seq, goal.words[0], goal.last or goal.seq})
    return by_companion(body, causes, place_after("folded goal", goal.id))


def checked_state(word: str) -> GoalState:
    """A state by its name. Raises BadInput."""
    try:
        return GoalState(word.strip().casefold())
    except ValueError:
        raise BadInput(f"{word!r} is no state of a goal", "It is active, completed or abandoned.") from None
