"""A stage of thinking: what a room implements, one file each (inputs, prompt, form, results)."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from innerlife.ledger.envelope import Draft, Event
from innerlife.thinking.calls import ModelRole
from innerlife.thinking.form import Form
from innerlife.thinking.structured import Prompt


@dataclass(frozen=True, slots=True)
class LeftTo:
    """What `inputs` gives where there is nothing to do, because another subject's job takes this one in.

    The outcome rests on that subject: when it is forgotten, this job is open again.
    """

    subject: int


I = TypeVar("I")  # noqa: E741 - inputs, beside V for the value
V = TypeVar("V")


class Stage(ABC, Generic[I]):
    """One kind of background work: what queue and runner know of all of them. `inputs` alone reads anything.

        event ─ subjects ─► subject ─ inputs ─► I ─ … ─► [Draft]

    The runner gives drafts their key, their derivation, and the subject as a `from` cause where a draft names none.
    A draft's `from` causes are what it rests on: when one of them is forgotten, the draft goes and the job is open
    again for what is left.
    """

    name: str
    """Unique; part of keys and derivations, so it never changes."""
    version: int
    """Raised when prompt, form or rule change; part of the derivation, and of the queue's stamp."""
    opens: frozenset[str]
    """Kinds of events that make a subject."""
    rests: frozenset[str] = frozenset()
    """Those of them whose subjects rest for `after_s` seconds first, counted from the newest such event."""
    after_s: float = 0.0
    """How long that is; not part of what is stored, so it may change at any time."""
    lapses_s: float = math.inf
    """A subject that has waited longer is not worked on any more: a new stage leaves old years alone."""
    priority: int = 0
    """Among waiting jobs the stage with the highest goes first."""
    policy: str = ""
    """Digest of the numbers that the stage decides by."""

    def subjects(self, event: Event) -> Collection[int]:
        """Seqs of the subjects that an event makes: itself, or events that it names as causes. Pure."""
        return (event.seq,)

    @abstractmethod
    def inputs(self, subject: Event, now: datetime) -> I | LeftTo | None:
        """What the stage works on, read from ledger and views; None or `LeftTo` where there is nothing to do.

        Called in a worker thread. Raises BadInput for a subject it can never work on, StorageFailed.
        """

    def beaten(self, draft: Draft) -> Sequence[Draft]:  # noqa: ARG002 - for those whose results take a place
        """What follows where another writer took the place (the key) of a result first. Pure."""
        return ()


class RuleStage(Stage[I]):
    """A stage that asks nobody, and runs whatever engine there is."""

    @abstractmethod
    def results(self, inputs: I) -> Sequence[Draft]:
        """The events that follow. Pure. Raises BadInput."""


class ModelStage(Stage[I], Generic[I, V]):
    """A stage that asks a model: I ─ prompt ─► model ─ form ─► V ─ apply ─► [Draft]."""

    role: ModelRole = ModelRole.ANALYSIS
    model_free: bool = False
    """Whether `without_model` is a way, for as long as no model is trusted with the role."""

    @abstractmethod
    def prompt(self, inputs: I) -> Prompt:
        """What the model is asked. Pure."""

    @abstractmethod
    def form(self, inputs: I) -> Form[V]:
        """What its answer must look like. Pure."""

    @abstractmethod
    def apply(self, value: V, inputs: I) -> Sequence[Draft]:
        """The events that follow. Pure; drops whatever does not stand in the evidence. Raises BadInput."""

    def without_model(self, inputs: I) -> Sequence[Draft]:  # noqa: ARG002 - for those who have such a way
        """What follows where no model is trusted with the role. Pure."""
        return ()


@runtime_checkable
class Outward(Protocol):
    """A stage that acts on the world outside between the model's answer and its results.

    `act` is never cut by a chat request, and never begun a second time for the same job: where it was interrupted by
    a crash, nobody knows how far it came, and the job is settled as failed.
    """

    async def act(self, value: Any, inputs: Any) -> Any:
        """Do it; returns the value that `apply` is given. Raises InnerlifeError."""
        ...


AnyStage = RuleStage[Any] | ModelStage[Any, Any]
"""A stage whatever it works on, and whoever thinks."""


def prompt_version(stage: AnyStage, frame: int) -> str:
    """How a stage's prompt is named in derivations: its own version and that of the words around it."""
    return f"{stage.version}.{frame}"
