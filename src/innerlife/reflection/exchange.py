"""After each exchange, without a model: what is on the mind, what was promised, what the person wants (F1, S13, L3)."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from innerlife.conversations.events import COMPANION
from innerlife.conversations.view import parent_of
from innerlife.errors import BadInput
from innerlife.ledger.envelope import Draft, Event
from innerlife.recall import table
from innerlife.recall.lexical import rarity_weight
from innerlife.reflection import by_rule
from innerlife.reflection.calling import call
from innerlife.reflection.events import Why
from innerlife.reflection.lines import Line
from innerlife.reflection.sources import Sources
from innerlife.selfmodel.desk import by_companion, rests_on
from innerlife.selfmodel.events import Hand, HumanField, PreferenceSaid
from innerlife.selfmodel.goals import Goal, due_of, same_day
from innerlife.selfmodel.human import Human
from innerlife.selfmodel.merge import same_words
from innerlife.selfmodel.preferences import Preference
from innerlife.selfmodel.promises import promises_in
from innerlife.selfmodel.rows import Noun
from innerlife.selfmodel.sizes import shortened
from innerlife.selfmodel.stated import preferences_in, wanted_name, without_preferences
from innerlife.thinking.stage import RuleStage

_LINES: Final = 8
"""Of the conversation, what the inner state by rule looks back on."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One exchange. `lines` are the last ones of its conversation, this exchange at their end."""

    said: Line | None
    answer: Line | None
    lines: tuple[Line, ...]
    rarity: Mapping[str, float]
    goals: tuple[Goal, ...]
    preferences: tuple[Preference, ...]
    human: Human
    heard: frozenset[tuple[Noun, str]]
    """What was taken from these two messages before, whatever became of it since: it was said once."""
    renamed: bool
    """Whether the person has said or set since what they are called."""
    unread: int
    subject: tuple[int, str]
    """The answer, and the conversation."""


class AfterExchange(RuleStage[Exchange]):
    """Runs after each answer, those that were asked for once more included, however late; it asks nobody."""

    name = "exchange"
    version = 1
    opens = frozenset({COMPANION})
    priority = 100

    def __init__(self, sources: Sources) -> None:
        self._lines = sources.lines
        self._runtime = sources.runtime
        self._self = sources.self_model
        self._policy = sources.reflection
        self.policy = sources.reflection.digest
        self.lapses_s = sources.reflection.lapses_s

    def subjects(self, event: Event) -> Collection[int]:
        """Every answer that is no part of a story."""
        return () if event.body.fiction else (event.seq,)

    def inputs(self, subject: Event, now: datetime) -> Exchange | None:
        """The exchange, and what stands beside it."""
        del now
        parent = parent_of(subject)
        lines = self._lines.leading_to(subject.stream, subject.seq, _LINES)
        answer = next((line for line in lines if line.seq == subject.seq), None)
        said = next((line for line in lines if line.seq == parent), None)
        if said is None and answer is None:
            return None
        return Exchange(
            said,
            answer,
            lines,
            self._rarity(lines),
            tuple(self._self.goals.read()),
            tuple(self._self.preferences.read()),
            self._self.human.read(),
            frozenset(self._heard(said, answer)),
            said is not None and self._renamed(said),
            self._lines.unread_exchanges(subject.stream, subject.seq),
            (subject.seq, subject.stream),
        )

    def results(self, inputs: Exchange) -> Sequence[Draft]:
        """What follows from the exchange by rule."""
        drafts = [*self._mind(inputs), *self._promises(inputs), *self._preferences(inputs)]
        if inputs.unread and inputs.unread % self._policy.every == 0:
            drafts.append(call(Why.THIRD, *inputs.subject))
        return drafts

    def _heard(self, *lines: Line | None) -> Iterator[tuple[Noun, str]]:
        seqs = {line.seq for line in lines if line is not None}
        for row in self._self.desk.rows(Noun.PREFERENCES, Noun.GOALS):
            if row.what in ("said", "promise") and seqs & set(row.evidence):
                yield row.noun, same_words(row.text)

    def _renamed(self, said: Line) -> bool:
        names = (row for row in self._self.desk.rows(Noun.HUMAN) if row.extra == HumanField.NAME.value)
        # What was set by hand has its own time; what was said in a chat was said when that message was.
        return any(
            row.at > said.at if row.by_user else max(row.evidence, default=0) >= said.seq
            for row in names
            if row.what == Hand.USER.value
        )

    def _rarity(self, lines: Sequence[Line]) -> dict[str, float]:
        terms = by_rule.candidates(lines)
        with self._runtime.reading() as rows:
            known, total = table.frequencies(rows, terms), table.total(rows)
        return {term: rarity_weight(known.get(term, 0), total) for term in terms}

    def _mind(self, inputs: Exchange) -> list[Draft]:
        said = inputs.said
        if said is None or not by_rule.substantive(said.text, self._policy.substantive_words):
            return []
        lines = [replace(line, text=without_preferences(line.text)) for line in inputs.lines]
        desk = self._self.desk
        # A question of the companion's may name a mood, which is nothing to be kept: then what was spoken of is.
        for threads in (True, False):
            if found := by_rule.on_mind(lines, inputs.rarity, threads=threads):
                text = shortened(found.text, desk.policy.state_tokens, desk.measure)
                with contextlib.suppress(BadInput):
                    return [self._self.minding.inner_state_draft(text, found.evidence)]
        return []

    def _promises(self, inputs: Exchange) -> list[Draft]:
        drafts: list[Draft] = []
        there = [(one.by, same_words(one.text), one.due) for one in inputs.goals if one.open]
        for line, hand in ((inputs.said, Hand.USER), (inputs.answer, Hand.COMPANION)):
            if line is None or line.broken:
                continue
            for promise in promises_in(line.text, hand):
                words = same_words(promise.text)
                if (Noun.GOALS, words) in inputs.heard:
                    continue
                try:
                    body = self._self.goals.promise_body(
                        promise.text, hand, promise.due, (line.at, line.zone)
                    )
                except BadInput:
                    # Too long to be kept in mind as it was said: the conversation still has it.
                    continue
                if any(
                    (by, text) == (hand, words) and same_day(due, due_of(body)) for by, text, due in there
                ):
                    continue
                drafts.append(self._self.goals.opening(body, [line.seq]))
        return drafts

    def _preferences(self, inputs: Exchange) -> list[Draft]:
        drafts: list[Draft] = []
        desk = self._self.desk
        there = {same_words(one.text) for one in inputs.preferences}
        evidence = rests_on([inputs.said.seq] if inputs.said else [])
        said = inputs.said
        for text in preferences_in(said.text) if said else ():
            words = same_words(text)
            if words in there or (Noun.PREFERENCES, words) in inputs.heard:
                continue
            if desk.measure(text) > desk.policy.item_tokens:
                continue
            if name := wanted_name(text):
                # It is known of the person from now on; as a wish it would stand in every prompt twice.
                if not inputs.renamed:
                    seqs = [cause.seq for cause in evidence]
                    drafts.append(self._self.human.called(inputs.human, name, seqs))
                continue
            drafts.append(by_companion(PreferenceSaid(text), evidence))
        return drafts
