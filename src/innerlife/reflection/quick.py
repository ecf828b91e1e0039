"""Quick reflection: minutes after a conversation went quiet, or at every third exchange (promises F1, F2).

One structured call; what it claims is held against the lines and turned into events by rule (`quick_results`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from innerlife.conversations.events import CHECKPOINT, COMPANION, USER, Checkpoint
from innerlife.conversations.view import parent_of
from innerlife.ledger.envelope import Draft, Event
from innerlife.reflection.calling import call
from innerlife.reflection.events import CALLED, Called, Reflected, Sort, Why
from innerlife.reflection.lines import Unread
from innerlife.reflection.quick_form import ANSWER_TOKENS, INSTRUCTIONS, Looked, material
from innerlife.reflection.quick_results import STAGE, Results
from innerlife.reflection.reflected import reflected, with_shown
from innerlife.reflection.sources import Sources
from innerlife.selfmodel.events import Hand
from innerlife.selfmodel.goals import Goal
from innerlife.selfmodel.minding import Held
from innerlife.selfmodel.portraits import Section
from innerlife.selfmodel.promises import promises_in
from innerlife.selfmodel.selfmodel import Selves
from innerlife.selfmodel.stated import preferences_in
from innerlife.thinking.calls import ModelRole
from innerlife.thinking.form import Form, form_of
from innerlife.thinking.stage import LeftTo, ModelStage
from innerlife.thinking.structured import Prompt


@dataclass(frozen=True, slots=True)
class Look:
    """What one quick reflection reads: the unread lines of a conversation, and what is held already."""

    unread: Unread
    selves: Selves
    let_go: tuple[Held, ...]
    minded: Section | None
    """The inner state, where it is of these lines."""


NO_MODEL = "Aims, insights and what was said of the person wait for a model that is trusted to reflect."


class QuickReflection(ModelStage[Look, Looked]):
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
        """Every message of either side, one that is still being answered anew with each piece, and a call."""
        match event.body:
            case Called():
                return (event.seq,) if event.body.sort is Sort.QUICK else ()
            case Checkpoint():
                parent = parent_of(event)
                return (parent,) if parent else ()
            case _:
                return () if event.body.fiction else (event.seq,)

    def inputs(self, subject: Event, now: datetime) -> Look | LeftTo | None:
        """What is unread in the subject's conversation, once it is quiet or a reflection is called for."""
        del now
        if not isinstance(subject.body, Called):
            if reflection := self._lines.read_in(subject.seq):
                return LeftTo(reflection)
            newest = self._lines.newest(subject.stream)
            if newest > subject.seq:
                return LeftTo(newest)
        unread = self._lines.unread(subject.stream, self._policy.lines)
        if not unread.lines:
            return None
        selves, let_go = self._self.as_of(), self._self.minding.let_go(unread.lines[0].at)
        state = selves.inner_state
        minded = state if state and self._lines.rests_on(state.seq, unread.seqs) else None
        return Look(unread, selves, tuple(let_go), minded)

    def prompt(self, inputs: Look) -> Prompt:
        """The lines, and what is held."""
        lines = inputs.unread.lines
        said = " ".join(line.text for line in lines if line.user)
        system = f"{self._constitution}\n\n{INSTRUCTIONS}"
        return Prompt(
            system,
            material(lines, [text for _, text in _held(inputs.selves)], self._policy.message_characters),
            said,
        )

    def form(self, inputs: Look) -> Form[Looked]:
        """The same for every conversation."""
        del inputs
        return form_of(Looked, ANSWER_TOKENS)

    def apply(self, value: Looked, inputs: Look) -> Sequence[Draft]:
        """What stands in the lines, as events; the rest is said to be left.

        It is held against what is known by now: what was learned, set or closed while the model thought is kept.
        """
        results = Results(self._self, self._mood, inputs.unread.lines, self._self.as_of(), self._policy)
        results.take(value)
        shown = {line.seq: line.text for line in inputs.unread.lines} | dict(_held(inputs.selves))
        drafts = with_shown(results.drafts, shown)
        concluded = (*results.concluded, *_over(inputs.let_go))
        done = Reflected(Sort.QUICK, concluded, tuple(results.left))
        return self._done(done, results.told, inputs, drafts)

    def without_model(self, inputs: Look) -> Sequence[Draft]:
        """What can be known by rule was written after each exchange; here it is looked at together."""
        minded = [inputs.minded.seq] if inputs.minded else []
        done = Reflected(Sort.QUICK, tuple(_by_rule(inputs)), (NO_MODEL,), model_free=True)
        return self._done(done, minded, inputs, [])

    def _done(
        self, done: Reflected, told: Collection[int], inputs: Look, drafts: Sequence[Draft]
    ) -> list[Draft]:
        unread = inputs.unread
        rests = {*unread.seqs, *told, *(one.seq for one in inputs.let_go)}
        more = [call(Why.MORE, unread.seqs[-1], unread.conversation)] if unread.more else []
        return [reflected(done, rests, unread.conversation), *drafts, *more]


def _by_rule(inputs: Look) -> list[str]:
    """What came of these lines without a model."""
    told = [f"On my mind: {inputs.minded.text}"] if inputs.minded else []
    for line in inputs.unread.lines:
        hand = Hand.USER if line.user else Hand.COMPANION
        whose = "The person" if line.user else "I"
        told += [f"{whose} promised: {one.text}" for one in promises_in(line.text, hand)]
        told += [f"They asked for this: {one}" for one in (preferences_in(line.text) if line.user else ())]
    return [*told, *_over(inputs.let_go)]


def _over(let_go: Sequence[Held]) -> list[str]:
    return [f"No longer in mind, its time is over: {one.text}" for one in let_go]


def _held(selves: Selves) -> list[tuple[int, str]]:
    """What the companion holds already, a line each, with the event whose words it is."""
    state = selves.inner_state
    lines = [(state.seq, f"on mind: {state.text}")] if state else []
    lines += [(one.seq, f"held: {one.text}") for one in selves.working_memory[-8:]]
    lines += [(one.words[0], _intended(one)) for one in selves.goals if one.open][-12:]
    for field in selves.human.fields:
        if field.shown:
            lines.append((field.shown.seq, f"{field.field.value}: {field.shown.text}"))
    lines += [(one.seq, f"{one.sort.value}: {one.text}") for one in selves.human.everything[-12:]]
    lines += [(one.words[0], f"noticed: {one.text}") for one in selves.observations[-6:]]
    return lines


def _intended(goal: Goal) -> str:
    what, whose = "promise" if goal.promise else "goal", "person" if goal.by is Hand.USER else "companion"
    return f"{what} {goal.handle} of the {whose}: {goal.text}"
