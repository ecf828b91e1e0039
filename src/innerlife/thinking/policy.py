"""The numbers of thinking in the background."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property

from innerlife.kernel import canonical
from innerlife.kernel.counts import whole_counts


@dataclass(frozen=True)
class ThinkingPolicy:
    """When background calls run, how long they may take, and what they may cost.

    - `quiet_s`: seconds since the last chat request ended before an engine counts as idle. Our choice: most people
      have read an answer and begun to type by then.
    - `breath_s`: seconds since a chat ended before what asks no model goes on. Our choice: programs send their side
      tasks right behind an answer, and both want this machine.
    - `starved_s`: a stage that got no turn for so many seconds may run between two turns. Source: P8, 24 h.
    - `backoff_first_s`, `backoff_factor`, `backoff_most_s`: seconds until a failed job is tried again: the first
      time, its growth, its bound. Our choice: a busy engine is met again soon, a hopeless job costs 4 calls a day.
    - `jitter`: share of that wait by which it is shortened at random, so that jobs that failed together part. Ours.
    - `rest_s`, `rest_most_s`: seconds a stage waits after its engine or model was not there: at first (then
      doubled), at most. Our choice: a started engine is noticed within a quarter of an hour.
    - `answer_s`: seconds a model has for one answer. Source: the longest stall the proxy allows.
    - `answer_bytes`: bytes of one answer, reasoning included, beyond which no more is read. Our choice: some ten
      thousand words are no answer to a bounded question.
    - `outward_grace_s`: seconds a shutdown waits for an outward action to come to its end. Our choice.
    - `warm_s`: seconds that reading the chat's prefix again may take. Our choice.
    - `day_seconds`, `day_tokens`, `day_requests`: what background calls may cost in any 24 hours; 0 sets no bound.
      Our choice: a laptop's fan is silent for most of the day, and a paid engine costs little.
    """

    quiet_s: float = 20.0
    breath_s: float = 0.5
    starved_s: float = 86_400.0
    backoff_first_s: float = 60.0
    backoff_factor: float = 2.0
    backoff_most_s: float = 21_600.0
    jitter: float = 0.25
    rest_s: float = 30.0
    rest_most_s: float = 900.0
    answer_s: float = 600.0
    answer_bytes: int = 131_072
    outward_grace_s: float = 30.0
    warm_s: float = 60.0
    day_seconds: float = 14_400.0
    day_tokens: int = 2_000_000
    day_requests: int = 2_000

    def __post_init__(self) -> None:
        whole_counts(self)

    @cached_property
    def digest(self) -> str:
        """A hash of all numbers (16 hex characters), for the derivation of what was decided under them."""
        return canonical.digest(asdict(self))[:16]
