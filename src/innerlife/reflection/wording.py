"""The stage that puts a derived rule into better words than the template has, where a model is trusted with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final

from pydantic import BaseModel, Field

from innerlife.conversations.events import UserMessage
from innerlife.conversations.own_words import own_words_of
from innerlife.learning.bodies import RULE, Pattern, RuleDerived, RuleWorded
from innerlife.learning.journal import Journal
from innerlife.learning.known import known_from
from innerlife.learning.rephrasing import MOST_WORDS, accepted
from innerlife.ledger.envelope import Actor, Cause, Draft, Event, Role, Trust
from innerlife.reflection.sources import Sources
from innerlife.thinking.calls import ModelRole
from innerlife.thinking.form import Form, form_of
from innerlife.thinking.stage import ModelStage
from innerlife.thinking.structured import Prompt

_QUOTES: Final = 5
_QUOTED: Final = 240
"""Messages that are shown, and characters of each: enough to see what was wanted."""

_SYSTEM: Final = (
    "One rule follows from what a person said about the answers of their assistant. Put the rule "
    f"into one plain English sentence of at most {MOST_WORDS} words that tells the assistant what to do. Keep its "
    "meaning and its occasion. Say nothing of how anybody feels, name nobody, and add nothing."
)


class Sentence(BaseModel):
    """What the model answers."""

    sentence: Annotated[str, Field(min_length=1, max_length=240)]


@dataclass(frozen=True, slots=True)
class Unworded:
    """A rule in the template's words, and the messages that it was derived from: (seq, own words)."""

    seq: int
    pattern: Pattern
    text: str
    quotes: tuple[tuple[int, str], ...]


class Wording(ModelStage[Unworded, Sentence]):
    """A rule in words of its own; without a trusted model the template's words stay."""

    name = "wording"
    version = 1
    opens = frozenset({RULE})
    role = ModelRole.REFLECTION
    model_free = True

    def __init__(self, sources: Sources) -> None:
        self._ledger = sources.ledger
        self._journal = Journal(sources.ledger, sources.runtime)

    def inputs(self, subject: Event, now: datetime) -> Unworded | None:  # noqa: ARG002 - nothing here depends on it
        """The rule with its evidence; None where the person worded it or closed it. Raises StorageFailed."""
        body: RuleDerived = subject.body
        marks = known_from(self._journal.told()).marks.get(body.pattern)
        if marks is None or marks.by_user or marks.closed or marks.derived is None:
            return None
        return Unworded(subject.seq, body.pattern, body.text, self._quotes(subject))

    def prompt(self, inputs: Unworded) -> Prompt:
        """The rule, and what was said, as quotations."""
        said = "\n".join(f"- {words!r}" for _, words in inputs.quotes)
        return Prompt(_SYSTEM, f"The rule: {inputs.text}\n\nWhat was said:\n{said}")

    def form(self, inputs: Unworded) -> Form[Sentence]:  # noqa: ARG002 - it is the same for every rule
        """One sentence."""
        return form_of(Sentence, 120)

    def apply(self, value: Sentence, inputs: Unworded) -> Sequence[Draft]:
        """The sentence, where it may stand; else the template's words stay (promise A2)."""
        text = accepted(value.sentence, inputs.pattern)
        if not text or text == inputs.text:
            return ()
        seqs = sorted({inputs.seq, *(seq for seq, _ in inputs.quotes)})
        causes = tuple(Cause(seq, Role.FROM) for seq in seqs)
        return (Draft(RuleWorded(inputs.pattern, text), Actor.COMPANION, Trust.COMPANION, causes=causes),)

    def _quotes(self, rule: Event) -> tuple[tuple[int, str], ...]:
        """The user's own words behind a rule: of the messages that it, or its feedback, rests on."""
        behind = self._ledger.get(rule.caused(Role.FROM))
        seqs = {seq for event in behind for seq in (event.seq, *event.caused(Role.FROM))}
        found = [
            (event.seq, own_words_of(event.body)[:_QUOTED])
            for event in self._ledger.get(sorted(seqs))
            if isinstance(event.body, UserMessage) and not event.body.fiction
        ]
        return tuple((seq, words) for seq, words in found if words)[-_QUOTES:]
