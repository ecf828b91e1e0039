"""Quick reflection: minutes after a conversation went quiet, or at every third exchange (promises F1, F2).

One structured call; what it claims is held against the lines and turned into events by rule (`quick_results`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from innerlife.conversations.events import CHECKPOINT, COMPANION, USER, UserMessage
from innerlife.conversations.view import parent_of
from innerlife.ledger.envelope import Draft, Event
from innerlife.reflection.events import CALLED, Called, Reflected, Sort, about
from innerlife.reflection.lines import Unread
from innerlife.reflection.quick_form import ANSWER_TOKENS, INSTRUCTIONS, Looked, material
from innerlife.reflection.quick_results import STAGE, Results
from innerlife.reflection.reflected import reflected
from innerlife.reflection.sources import Sources
from innerlife.selfmodel.events import Hand
from innerlife.selfmodel.minding import Held
from innerlife.selfmodel.promises import promises_in
from innerlife.selfmodel.selfmodel import Selves
from innerlife.selfmodel.stated import preferences_in
from innerlife.thinking.calls import ModelRole
from innerlife.thinking.form import Form, form_of
from innerlife.thinking.stage import LeftTo, Stage
from innerlife.thinking.structured import Prompt


@dataclass(frozen=True, slots=True)
class Look:
    """What one quick reflection reads: the unread lines of a conversation, and what is held already."""

    unread: Unread
    selves: Selves
    let_go: tuple[Held, ...]
    minded: str
    """The inner state, where it is of these lines."""
    now: datetime


NO_MODEL = "Aims, insights and what was said of the person wait for a model that is trusted to reflect."


class QuickReflection(Stage[Look, Looked]):
    """Looks back on what is new in one conversation."""

    name = STAGE
    version = 1
    opens = frozenset({USER, COMPANION, CHECKPOINT, CALLED})
    rests = frozenset({USER, COMPANION, CHECKPOINT})
    role = ModelRole.REFLECTION
    priority = 50
    model_free = True

    def __init__(self, sources: Sources) -> None:
        policy = sources.reflection
        self._lines = sources.lines
        self._mood = sources.mood
        self._self = sources.self_model
        self._policy = policy
        self._constitution = sources.texts.constitution.short_form()
        self.policy = policy.digest
        self.after_s = policy.quiet_s
        self.lapses_s = policy.lapses_s

    def subjects(self, event: Event) -> Collection[int]:
        """The message of the user that was said, answered, is being answered, or was called for."""
        if isinstance(event.body, Called):
            return (about(event),) if event.body.sort is Sort.QUICK else ()
        seq = event.seq if event.kind == USER else parent_of(event)
        return (seq,) if seq else ()

    def inputs(self, subject: Event, now: datetime) -> Look | LeftTo | None:
        """What is unread in the subject's conversation, once it is quiet or a reflection is called for."""
        if not isinstance(subject.body, UserMessage) or subject.body.fiction:
            return None
        if self._lines.was_read(subject.seq):
            return None
        newest = self._lines.newest_said(subject.stream)
        if newest > subject.seq and not self._lines.is_called(subject.seq):
            return LeftTo(newest)
        unread = self._lines.unread(subject.stream, self._policy.lines)
        if not unread.lines:
            return None
        selves, let_go = self._self.as_of(), self._self.minding.let_go(unread.lines[0].at)
        state = selves.inner_state
        minded = state.text if state and self._lines.rests_on(state.seq, unread.seqs) else ""
        return Look(unread, selves, tuple(let_go), minded, now)

    def prompt(self, inputs: Look) -> Prompt:
        """The lines, and what is held."""
        lines = inputs.unread.lines
        said = " ".join(line.text for line in lines if line.user)
        system = f"{self._constitution}\n\n{INSTRUCTIONS}"
        return Prompt(system, material(lines, _held(inputs.selves), self._policy.message_characters), said)

    def form(self, inputs: Look) -> Form[Looked]:
        """The same for every conversation."""
        del inputs
        return form_of(Looked, ANSWER_TOKENS)

    def apply(self, value: Looked, inputs: Look) -> Sequence[Draft]:
        """What stands in the lines, as events; the rest is said to be left."""
        results = Results(
            self._self, self._mood, inputs.unread.lines, inputs.selves, inputs.now, self._policy
        )
        results.take(value)
        concluded = (*results.concluded, *_over(inputs.let_go))
        done = Reflected(Sort.QUICK, concluded, tuple(results.left))
        return [reflected(done, inputs.unread.seqs, inputs.unread.conversation), *results.drafts]

    def without_model(self, inputs: Look) -> Sequence[Draft]:
        """What can be known by rule was written after each exchange; here it is looked at together."""
        done = Reflected(Sort.QUICK, tuple(_by_rule(inputs)), (NO_MODEL,), model_free=True)
        return [reflected(done, inputs.unread.seqs, inputs.unread.conversation)]


def _by_rule(inputs: Look) -> list[str]:
    """What came of these lines without a model."""
    told = [f"On my mind: {inputs.minded}"] if inputs.minded else []
    for line in inputs.unread.lines:
        hand = Hand.USER if line.user else Hand.COMPANION
        whose = "The person" if line.user else "I"
        told += [f"{whose} promised: {one.text}" for one in promises_in(line.text, hand)]
        told += [f"They asked for this: {one}" for one in (preferences_in(line.text) if line.user else ())]
    return [*told, *_over(inputs.let_go)]


def _over(let_go: Sequence[Held]) -> list[str]:
    return [f"No longer in mind, its time is over: {one.text}" for one in let_go]


def _held(selves: Selves) -> list[str]:
    """What the companion holds already, a line each."""
    lines = [f"on mind: {selves.inner_state.text}"] if selves.inner_state else []
    lines += [f"held: {one.text}" for one in selves.working_memory[-8:]]
    lines += [
        f"{'promise' if one.promise else 'goal'} {one.handle} of the "
        f"{'person' if one.by.value == 'user' else 'companion'}: {one.text}"
        for one in selves.goals
        if one.open
    ][-12:]
    lines += [f"{one.field.value}: {one.shown.text}" for one in selves.human.fields if one.shown]
    lines += [f"{one.sort.value}: {one.text}" for one in selves.human.everything[-12:]]
    lines += [f"noticed: {one.text}" for one in selves.observations[-6:]]
    return lines
