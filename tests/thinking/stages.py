"""Stages that only these tests know, over notes: one that asks a model, one that asks nobody, one that acts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field

from innerlife.errors import BadInput
from innerlife.ledger.envelope import Actor, Cause, Draft, Event, Role, Trust
from innerlife.ledger.registry import Kind, Retention
from innerlife.thinking.calls import ModelRole
from innerlife.thinking.form import Form, form_of
from innerlife.thinking.quotes import find_quote
from innerlife.thinking.stage import ModelStage, RuleStage, Stage
from innerlife.thinking.structured import Prompt
from tests.ledger.notes import NOTE

INSIGHT = "test.insight"


@dataclass(frozen=True, slots=True)
class Insight:
    text: str


INSIGHT_KIND = Kind(INSIGHT, Insight, Retention.SOUL)


class Found(BaseModel):
    quote: Annotated[str, Field(max_length=200)]
    says: Annotated[str, Field(max_length=200)]


@dataclass(frozen=True, slots=True)
class Given:
    subject: int
    text: str


def insight(text: str, *causes: int) -> Draft:
    every = tuple(Cause(seq, Role.FROM) for seq in causes)
    return Draft(Insight(text), Actor.COMPANION, Trust.COMPANION, causes=every)


class OfNotes(Stage[Given]):
    """What all of them work on."""

    version = 1
    opens = frozenset({NOTE})

    def subjects(self, event: Event) -> Collection[int]:
        return () if event.body.text.startswith("skip") else (event.seq,)

    def inputs(self, subject: Event, now: datetime) -> Given | None:
        if subject.body.text.startswith("impossible"):
            raise BadInput("This note cannot be worked on")
        return None if subject.body.text.startswith("dull") else Given(subject.seq, subject.body.text)


class Quoting(OfNotes, ModelStage[Given, Found]):
    """Derives an insight from a note where the model quotes it."""

    name = "quoting"
    role = ModelRole.CHAT  # asks for no probe

    def prompt(self, inputs: Given) -> Prompt:
        return Prompt("Quote the note and say what it means.", inputs.text)

    def form(self, inputs: Given) -> Form[Found]:
        return form_of(Found, 100)

    def apply(self, value: Found, inputs: Given) -> Sequence[Draft]:
        if find_quote(value.quote, inputs.text) is None:
            return ()
        return (insight(value.says), insight(f"quoted: {value.quote}"))

    def without_model(self, inputs: Given) -> Sequence[Draft]:
        return (insight(f"by rule: {inputs.text}"),)


class Analysing(Quoting):
    """The same in a role that a model has to be tried for."""

    name = "analysing"
    role = ModelRole.ANALYSIS


class Plain(OfNotes, RuleStage[Given]):
    """The same by rule, whatever model there is."""

    name = "plain"

    def results(self, inputs: Given) -> Sequence[Draft]:
        if inputs.text.startswith("defect"):
            raise KeyError(inputs.text)
        return (insight(f"by rule: {inputs.text}"),)


def answer(quote: str, says: str = "it says so") -> str:
    return Found(quote=quote, says=says).model_dump_json()
