"""The stage that notices feedback: each message of the user judges the answer before it; asks no model.

A correction, a question asked again or praise is read from the message; a message that was changed or answered once
more is a fact of the recording; the first message of a conversation tells how the one before it was left.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from innerlife.conversations.events import COMPANION, USER, CompanionMessage, Relation, UserMessage
from innerlife.conversations.own_words import own_words_of
from innerlife.conversations.reading import Conversations
from innerlife.conversations.view import parent_of
from innerlife.kernel.canonical import digest
from innerlife.learning.detectors import noticed
from innerlife.learning.detectors.reask import detect as asked_again
from innerlife.learning.judging import Observed, Tried, judge
from innerlife.learning.requests import kind_of
from innerlife.learning.rows import Row
from innerlife.learning.rules import Preferred, in_force_for
from innerlife.learning.turns import Detection, Followed, Turn, Window
from innerlife.ledger.envelope import Draft, Event, Role
from innerlife.reflection.exchanges import MOST, Answered, ending_with, leading_to, replaced_by
from innerlife.reflection.growing import entries_for
from innerlife.reflection.sources import Senses, Sources
from innerlife.thinking.stage import RuleStage


@dataclass(frozen=True, slots=True)
class Noticed:
    """What was observed, and all that it is judged with."""

    observed: Observed
    rows: Sequence[Row]
    preferred: Sequence[Preferred]


class Noticing(RuleStage[Noticed]):
    """Feedback, trials, rules and skills from what was said."""

    name = "noticing"
    version = 1
    opens = frozenset({USER, COMPANION})
    priority = 70

    def __init__(self, sources: Sources) -> None:
        self._ledger = sources.ledger
        self._learned = sources.learned
        self._conversations = Conversations(sources.runtime)
        self._policy = sources.learning
        self._senses = Senses(sources.serving, sources.ledger.epoch)
        self._most = max(MOST, sources.learning.follow_turns + 1)
        self._records = sources.records
        self.lapses_s = sources.reflection.lapses_s
        self.policy = digest({"learning": asdict(sources.learning)})[:16]

    def subjects(self, event: Event) -> Collection[int]:
        """A message of the user; an answer that was asked for once more."""
        match event.body:
            case UserMessage(fiction=False):
                return (event.seq,)
            case CompanionMessage(fiction=False, again=True):
                return (event.seq,)
            case _:
                return ()

    def inputs(self, subject: Event, now: datetime) -> Noticed | None:
        """What the subject tells of the exchanges before it. Raises StorageFailed."""
        match subject.body:
            case CompanionMessage():
                observed = self._answered_again(subject, now)
            case UserMessage(relation=Relation.EDIT):
                observed = self._edited(subject, now)
            case UserMessage():
                observed = self._said(subject, now)
            case _:
                return None
        if observed is None or not (observed.noticed or observed.tried):
            return None
        return Noticed(observed, self._learned.rows(), self._learned.preferred())

    def results(self, inputs: Noticed) -> Sequence[Draft]:
        """Feedback first, then what follows from it, then the growth log."""
        judged = judge(inputs.rows, inputs.observed, self._policy, inputs.preferred)
        return (*judged.drafts, *entries_for(judged.changes))

    # --- what happened -------------------------------------------------------------------------------------------

    def _answered_again(self, answer: Event, now: datetime) -> Observed | None:
        said = self._ledger.get([parent_of(answer)])
        exchanges = ending_with(self._ledger, said[0], answer.seq) if said else []
        found = self._found(exchanges, Followed.AGAIN)
        return Observed(now, tuple((one, answer.stream) for one in found))

    def _edited(self, message: Event, now: datetime) -> Observed | None:
        before = replaced_by(self._ledger, message)
        if before is None:
            return None
        exchanges = [*leading_to(self._ledger, message), before]
        found = self._found(exchanges, Followed.EDIT, _turn(message))
        return Observed(now, tuple((one, message.stream) for one in found))

    def _said(self, message: Event, now: datetime) -> Observed | None:
        exchanges = leading_to(self._ledger, message, self._most)
        if not exchanges:
            return None if parent_of(message) else self._left(message, now)
        found = self._found(exchanges, Followed.MESSAGE, _turn(message))
        tried = self._tried(exchanges, found, over=False)
        return Observed(now, tuple((one, message.stream) for one in found), tried)

    def _left(self, message: Event, now: datetime) -> Observed | None:
        """How the conversation before this one was left: it is over when another one begins."""
        last = self._conversations.last_before(message.seq)
        said = (
            self._ledger.get([last.seq]) if last is not None and last.conversation != message.stream else []
        )
        exchanges = ending_with(self._ledger, said[0], message.seq, self._most) if said else []
        if not exchanges:
            return None
        again = asked_again(self._window(exchanges, Followed.MESSAGE, _turn(message)), self._policy)
        found = (again,) if again is not None else self._found(exchanges, Followed.NOTHING)
        tried = self._tried(exchanges, found, over=True)
        return Observed(now, tuple((one, said[0].stream) for one in found), tried)

    # --- how it is read ------------------------------------------------------------------------------------------

    def _window(self, exchanges: Sequence[Answered], followed: Followed, coming: Turn | None) -> Window:
        turns = tuple(one.turn for one in exchanges[-MOST:])
        return Window(turns, followed, coming, self._senses.near, self._senses.read)

    def _found(
        self, exchanges: Sequence[Answered], followed: Followed, coming: Turn | None = None
    ) -> tuple[Detection, ...]:
        return noticed(self._window(exchanges, followed, coming), self._policy) if exchanges else ()

    def _tried(
        self, exchanges: Sequence[Answered], found: Sequence[Detection], *, over: bool
    ) -> tuple[Tried, ...]:
        """The exchange after which as many turns came as count, judged by what was noticed in them.

        Where the conversation is over, all those after which fewer came. `found` was noticed after the last exchange.
        """
        first = len(exchanges) - self._policy.follow_turns
        after = list(found)
        tried: list[Tried] = []
        for place in range(len(exchanges) - 1, max(first, 0) - 1, -1):
            if place < len(exchanges) - 1:
                coming = exchanges[place + 1].turn
                after = [*self._found(exchanges[: place + 1], Followed.MESSAGE, coming), *after]
            if over or place == first:
                tried += self._used(exchanges[: place + 1], after)
        return tuple(tried[::-1])

    def _used(self, exchanges: Sequence[Answered], after: Sequence[Detection]) -> list[Tried]:
        """The last of these exchanges, where its kind of request is one that rules are for."""
        message = exchanges[-1].message
        shown = self._shown_with(message.seq)
        if shown is None:
            return []
        standing = self._learned.standing()
        kind = kind_of([one.turn.said for one in exchanges[-MOST:]])
        met = [rule for rule in in_force_for(standing.rules, kind) if rule.first[0] < message.seq]
        if not met:
            return []
        patterns = frozenset(standing.shows[seq] for seq in shown if seq in standing.shows)
        every = tuple(rule.pattern for rule in met)
        return [Tried((message.seq, message.id), message.stream, every, patterns, tuple(after))]

    def _shown_with(self, user_seq: int) -> Collection[int] | None:
        """What the prompt of a message received; None where nothing tells: then nothing was left out either."""
        effects = [one.effect for one in self._ledger.store.effects([user_seq]) if one.role is Role.FROM]
        records = [event for event in self._ledger.get(effects) if event.kind in self._records]
        return {seq for event in records for seq in event.caused(Role.SHOWN)} if records else None


def _turn(message: Event) -> Turn:
    return Turn(message.seq, own_words_of(message.body))
