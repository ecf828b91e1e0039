"""What is appended when a job ends, one way or another. Pure: drafts in, drafts out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from innerlife.errors import InnerlifeError, ModelFailed, ModelUnavailable
from innerlife.kernel import canonical
from innerlife.ledger.envelope import Actor, Cause, Derivation, Draft, Event, Role, Trust
from innerlife.ledger.registry import Registry
from innerlife.thinking import events
from innerlife.thinking.calls import Meter
from innerlife.thinking.events import Begun, Ended, Flaw, Outcome, Spent, Status, about
from innerlife.thinking.queue import Job
from innerlife.thinking.stage import AnyStage, prompt_version
from innerlife.thinking.structured import FRAME_VERSION


@dataclass(frozen=True, slots=True)
class Bill:
    """What an attempt cost: seconds, and what the meter counted."""

    seconds: float
    meter: Meter
    ended: Ended

    def spent(self) -> Spent:
        """As an event's body."""
        meter = self.meter
        return Spent(round(self.seconds, 3), meter.requests, meter.tokens_in, meter.tokens_out, self.ended)


@dataclass(frozen=True, slots=True)
class Settling:
    """A job with its stage and its subject; `model` is empty where none was asked."""

    stage: AnyStage
    job: Job
    subject: Event
    model: str = ""
    policy: str = ""

    def key(self, what: str) -> str:
        """A key that names no event to whoever reads it, the same in every process."""
        return canonical.digest([self.stage.name, self.job.run, self.subject.id, what])[:40]

    @property
    def outcome_key(self) -> str:
        """Under it a job is settled at most once."""
        return self.key(events.OUTCOME)

    @property
    def begun_key(self) -> str:
        """Under it an outward action begins at most once."""
        return self.key(events.BEGUN)

    @property
    def derivation(self) -> Derivation:
        """Where the results come from."""
        version = prompt_version(self.stage, FRAME_VERSION)
        return Derivation(
            self.stage.name, self.job.run, self.model, version, self.stage.policy or self.policy
        )

    def draft(self, body: Any, key: str | None = None, causes: Sequence[Cause] = ()) -> Draft:
        """An event about the job."""
        every = tuple(dict.fromkeys((*about(self.subject.seq), *causes)))
        return Draft(body, Actor.SYSTEM, Trust.COMPANION, None, every, key, derivation=self.derivation)

    def results(self, drafts: Sequence[Draft], registry: Registry) -> list[Draft]:
        """The stage's drafts with what makes them its own. The same words again make no second event.

        The key is made of the content and of what it is about: where part of what a job derived was forgotten, it runs
        again, and what is still there is recognised while the rest is new.
        """
        made: list[Draft] = []
        for draft in drafts:
            rests = any(cause.role is Role.FROM for cause in draft.causes)
            causes = draft.causes if rests else (*draft.causes, Cause(self.subject.seq, Role.FROM))
            words = registry.of(draft.body).encode(draft.body)
            # Two goals may be closed for one reason, in the same words.
            things = "".join(f"/{one.seq}" for one in draft.causes if one.role is Role.TRIGGER)
            key = draft.key or self.key(f"{registry.of(draft.body).name}/{words}{things}")
            made.append(
                replace(draft, causes=causes, key=key, derivation=draft.derivation or self.derivation)
            )
        return made

    def settled(
        self, outcome: Outcome, drafts: Sequence[Draft], registry: Registry, bill: Bill | None = None
    ) -> list[Draft]:
        """Everything that ends the job, to be appended at once: results, outcome, costs."""
        made = self.results(drafts, registry)
        evidence = [cause for draft in made for cause in draft.causes if cause.role is Role.FROM]
        costs = [self.draft(bill.spent())] if bill else []
        return [*made, self.draft(outcome, self.outcome_key, evidence), *costs]

    def done(self, drafts: Sequence[Draft], *, model_free: bool = False) -> Outcome:
        """The outcome of a job that came to its end."""
        status = Status.DONE if drafts else Status.NOTHING
        return Outcome(status, self.job.attempts, model_free)

    def left_to(self, subject: int) -> list[Draft]:
        """The end of a job that another subject's job takes in."""
        return [self.draft(self.done(()), self.outcome_key, (Cause(subject, Role.FROM),))]

    def impossible(self, error: InnerlifeError | str) -> Outcome:
        """The outcome of a job that trying again cannot mend."""
        return Outcome(Status.FAILED, self.job.attempts, error=str(error))

    def failed(self, error: InnerlifeError, share: float, bill: Bill) -> list[Draft]:
        """A model failed: the job keeps its place."""
        return [self.draft(events.ModelFailed(_flaw(error), str(error), share)), self.draft(bill.spent())]

    def begun(self) -> Draft:
        """An outward action begins."""
        return self.draft(Begun(), self.begun_key)


def _flaw(error: InnerlifeError) -> Flaw:
    match error:
        case ModelFailed(flaw=str(flaw)) if flaw:
            return Flaw(flaw)
        case ModelUnavailable():
            return Flaw.GONE
        case _:
            return Flaw.BROKEN_OFF
