"""The weekly review of intentions: kept, closed or put more clearly, each with a reason (promise S13)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from innerlife.ledger.envelope import Draft, Event
from innerlife.reflection.events import CALLED, Reflected, Sort, wants
from innerlife.reflection.lines import Line
from innerlife.reflection.reflected import reflected
from innerlife.reflection.sources import Sources
from innerlife.selfmodel.goals import Goal, after
from innerlife.selfmodel.review import Decision, Reviewed, review
from innerlife.selfmodel.words import content_words
from innerlife.thinking.calls import ModelRole
from innerlife.thinking.events import DUE
from innerlife.thinking.form import Form, form_of
from innerlife.thinking.stage import ModelStage
from innerlife.thinking.structured import Prompt

TIMER: Final = "intentions"
ANSWER_TOKENS: Final = 700
_MOST: Final = 12
"""Goals that are put into other words at once; nobody has more that are unclear."""


class Wording(BaseModel):
    """A goal in clearer words."""

    model_config = ConfigDict(extra="forbid")

    handle: Annotated[str, Field(max_length=8)]
    text: Annotated[str, Field(max_length=140)]


class Wordings(BaseModel):
    """The whole answer; goals that are clear are left out."""

    model_config = ConfigDict(extra="forbid")

    goals: Annotated[list[Wording], Field(max_length=_MOST)]


@dataclass(frozen=True, slots=True)
class Agenda:
    """Every goal and promise, and when each open one was last spoken of, and where."""

    goals: tuple[Goal, ...]
    mentioned: Mapping[int, Line]
    now: datetime

    @property
    def open(self) -> tuple[Goal, ...]:
        """Those that are pursued."""
        return tuple(one for one in self.goals if one.open)


_INSTRUCTIONS: Final = """\
You help a companion to keep its intentions clear. You see its goals, each with a handle. For a goal that is \
unclear or too long, give it in fewer and clearer words, in its own language, saying the same. Leave out those \
that are clear."""


class ReviewIntentions(ModelStage[Agenda, Wordings]):
    """Goes through every open goal and promise."""

    name = "intentions"
    version = 1
    opens = frozenset({DUE, CALLED})
    role = ModelRole.REFLECTION
    priority = 30
    model_free = True

    def __init__(self, sources: Sources) -> None:
        self._lines = sources.lines
        self._self = sources.self_model
        self._policy = sources.reflection
        self.policy = sources.reflection.digest

    def subjects(self, event: Event) -> Collection[int]:
        """Its timer, and a call."""
        return (event.seq,) if wants(event, TIMER, Sort.INTENTIONS) else ()

    def inputs(self, subject: Event, now: datetime) -> Agenda | None:
        """All goals; None where none is open."""
        del subject
        goals = tuple(self._self.goals.read())
        wanted = [one for one in goals if one.open]
        if not wanted:
            return None
        since = min(one.at for one in wanted)
        lines = self._lines.said_lately(self._policy.mentions, since)
        share = self._self.desk.policy.kept_share
        # Each text is read once: there are as many pairs as goals times lines.
        said = [(line, content_words(line.text)) for line in lines]
        words = {goal.seq: content_words(goal.text) for goal in wanted}
        mentioned = {
            goal.seq: line
            for goal in wanted
            for line, there in said
            if line.at > goal.at and len(words[goal.seq] & there) >= max(1, share * len(words[goal.seq]))
        }
        return Agenda(goals, mentioned, now)

    def prompt(self, inputs: Agenda) -> Prompt:
        """The goals in their words; promises stay in the words in which they were given."""
        goals = [one for one in inputs.open if not one.promise][:_MOST]
        told = "\n".join(f"{one.handle} {one.text}" for one in goals) or "(none)"
        return Prompt(_INSTRUCTIONS, told)

    def form(self, inputs: Agenda) -> Form[Wordings]:
        """The same every time."""
        del inputs
        return form_of(Wordings, ANSWER_TOKENS)

    def apply(self, value: Wordings, inputs: Agenda) -> Sequence[Draft]:
        """The review, with the model's wordings where they still say half of the old ones."""
        measure, most = self._self.desk.measure, self._self.desk.policy.item_tokens
        fit = {one.handle.strip(): one.text for one in value.goals if measure(one.text) <= most}
        return self._reviewed(inputs, {one.seq: fit[one.handle] for one in inputs.open if one.handle in fit})

    def without_model(self, inputs: Agenda) -> Sequence[Draft]:
        """The review in the words there are."""
        return self._reviewed(inputs, {}, model_free=True)

    def _reviewed(
        self, inputs: Agenda, wordings: Mapping[int, str], *, model_free: bool = False
    ) -> list[Draft]:
        mentioned = {seq: line.at for seq, line in inputs.mentioned.items()}
        # What was changed or opened while the model thought is newer than what it looked at.
        looked_at = {(one.seq, one.last) for one in inputs.open}
        goals = [one for one in self._self.goals.read() if not one.open or (one.seq, one.last) in looked_at]
        found = review(goals, mentioned, wordings, self._self.desk.policy, inputs.now)
        # As it stands after each step, so that the eleventh closed one folds into the log.
        drafts: list[Draft] = []
        for one in found:
            if one.decision is not Decision.KEPT:
                drafts += self._self.goals.changes(goals, one.goal, one.state, f"{one.reason}.", one.text)
                goals = after(goals, one.goal, one.state, inputs.now, one.text)
        read = [inputs.mentioned[one.goal.seq].seq for one in found if one.goal.seq in inputs.mentioned] + [
            seq for one in found for seq in (one.goal.seq, one.goal.words[0])
        ]
        done = Reflected(Sort.INTENTIONS, tuple(_told(one) for one in found), model_free=model_free)
        return [reflected(done, read), *drafts]


def _told(one: Reviewed) -> str:
    what = {Decision.KEPT: "Kept", Decision.CLOSED: "Closed", Decision.REPHRASED: "Rephrased"}[one.decision]
    return f"{what}: {one.text or one.goal.text} ({one.reason}.)"
