"""Events of thinking, a closed union.

No body names another event. The subject of a job is the one `trigger` cause; it is a `from` cause too, beside the
evidence that the results rest on, so that an outcome goes with any of them and its job opens again for what is left.
Stage, run, model, prompt version and policy stand in the derivation.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from innerlife.ledger.envelope import Cause, Event, Role
from innerlife.ledger.registry import Kind, Retention


class Status(StrEnum):
    """How a job ended: with results, with nothing to say, or in a way that trying again cannot mend."""

    DONE = "done"
    NOTHING = "nothing"
    FAILED = "failed"


class Flaw(StrEnum):
    """What was wrong with a model's answer, or with the model."""

    GONE = "gone"
    BROKEN_OFF = "broken_off"
    TIMEOUT = "timeout"
    TOO_LONG = "too_long"
    EMPTY = "empty"
    TRUNCATED = "truncated"
    TOOL_CALL = "tool_call"
    NOT_JSON = "not_json"
    NOT_THE_FORM = "not_the_form"
    LANGUAGE = "language"
    REFUSED = "refused"


class Ended(StrEnum):
    """How the calls of a job ended: `cut` by a chat request, a pause or a shutdown."""

    ANSWERED = "answered"
    FAILED = "failed"
    CUT = "cut"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A job is settled. `attempts` counts the failed ones before it; `model_free` says that no model was asked."""

    status: Status
    attempts: int = 0
    model_free: bool = False
    error: str = ""


@dataclass(frozen=True, slots=True)
class ModelFailed:
    """A model failed at a job, which keeps its place (promise F8). `share`, in [0, 1), was drawn for the jitter."""

    flaw: Flaw
    error: str
    share: float


@dataclass(frozen=True, slots=True)
class Begun:
    """An outward action begins. Without an outcome after it, nobody knows how far it came: it is not repeated."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What the calls of one attempt cost."""

    seconds: float
    requests: int
    tokens_in: int
    tokens_out: int
    ended: Ended


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """Whether a model is trusted with a role (promise P11). `details`: probe → what was wrong, empty where nothing."""

    engine: str
    model: str
    role: str
    passed: bool
    details: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Due:
    """A timer went off: the subject of periodic stages."""

    timer: str


@dataclass(frozen=True, slots=True)
class NewRun:
    """A stage derives everything afresh; views show its newest run. `run` is an identifier of its own."""

    stage: str
    run: str


@dataclass(frozen=True, slots=True)
class Pause:
    """The user stops background thinking, or lets it go on."""

    on: bool


ThinkingEvent = Outcome | ModelFailed | Begun | Spent | ProbeResult | Due | NewRun | Pause

OUTCOME = "thinking.outcome"
FAILED = "thinking.failed"
BEGUN = "thinking.begun"
SPENT = "thinking.spent"
PROBE = "thinking.probe"
DUE = "thinking.due"
RUN = "thinking.run"
PAUSE = "thinking.pause"


def _told_of_outcome(outcome: Outcome) -> str:
    return f"Thought something over: {outcome.status.value}{f' ({outcome.error})' if outcome.error else ''}"


def _told_of_spent(spent: Spent) -> str:
    tokens = spent.tokens_in + spent.tokens_out
    times = f"{spent.requests} times, {spent.seconds:.1f} s, {tokens} tokens"
    return f"Asked a model in the background: {times}, {spent.ended.value}"


def _told_of_probe(probe: ProbeResult) -> str:
    wrong = "; ".join(f"{name}: {what}" for name, what in probe.details.items() if what)
    return f"Tried {probe.model} for {probe.role}: {'trusted' if probe.passed else f'not trusted ({wrong})'}"


KINDS = (
    Kind(OUTCOME, Outcome, Retention.ARCHIVE, tells=_told_of_outcome),
    Kind(
        RUN, NewRun, Retention.ARCHIVE, tells=lambda run: f"Thinks everything of {run.stage} over once more"
    ),
    # What only this machine and its engines are concerned with stays here.
    Kind(
        FAILED,
        ModelFailed,
        Retention.VOLATILE,
        tells=lambda failed: f"A model gave no usable answer: {failed.error}",
    ),
    Kind(BEGUN, Begun, Retention.VOLATILE, tells=lambda _: "Began something that reaches outside"),
    Kind(SPENT, Spent, Retention.VOLATILE, tells=_told_of_spent),
    Kind(PROBE, ProbeResult, Retention.VOLATILE, tells=_told_of_probe),
    Kind(DUE, Due, Retention.VOLATILE, tells=lambda due: f"It was time for {due.timer}"),
    Kind(
        PAUSE,
        Pause,
        Retention.VOLATILE,
        tells=lambda pause: f"You {'stopped' if pause.on else 'resumed'} thinking in the background",
    ),
)
"""Kinds this room registers."""

OWN = frozenset(kind.name for kind in KINDS)


def subject_of(event: Event) -> int:
    """The seq of the event that an event of this room is about, or 0 where that was forgotten."""
    causes = event.caused(Role.TRIGGER)
    return causes[0] if causes else 0


def about(subject: int) -> tuple[Cause, Cause]:
    """The causes that make an event one about `subject`."""
    return Cause(subject, Role.TRIGGER), Cause(subject, Role.FROM)
