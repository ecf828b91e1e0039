"""Looking at what is thought about in the background, and asking for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from innerlife.ledger.ledger import Ledger
from innerlife.ports import Clock, Runtime
from innerlife.thinking import probes, queue, wishes
from innerlife.thinking.policy import ThinkingPolicy
from innerlife.thinking.probes import Verdict
from innerlife.thinking.queue import Cost, Failure, Waiting
from innerlife.thinking.stage import AnyStage


@dataclass(frozen=True, slots=True)
class State:
    """The queue at a glance. `bound` says which limit of the day is reached, or is empty."""

    waiting: tuple[Waiting, ...]
    failures: tuple[Failure, ...]
    cost: Cost
    bound: str
    paused: bool


class Thoughts:
    """Use-case: the queue, what it costs, whom it trusts. Every method raises StorageFailed on a broken store."""

    def __init__(
        self,
        ledger: Ledger,
        runtime: Runtime,
        policy: ThinkingPolicy,
        clock: Clock,
        stages: Sequence[AnyStage] = (),
    ) -> None:
        self._stages = tuple(stages)
        self._ledger = ledger
        self._runtime = runtime
        self._policy = policy
        self._clock = clock

    def state(self) -> State:
        """What waits, what failed, what the last day cost."""
        with self._runtime.reading() as rows:
            now = self._clock.now()
            cost = queue.cost_of_a_day(rows, now)
            return State(
                tuple(queue.waiting(rows, self._stages, now)),
                tuple(queue.failures(rows)),
                cost,
                queue.over_limit(cost, self._policy),
                queue.paused(rows),
            )

    def verdicts(self) -> list[Verdict]:
        """Which models are trusted with which roles (promise P11)."""
        with self._runtime.reading() as rows:
            return probes.newest_verdicts(rows)

    def pause(self, *, on: bool) -> None:
        """Stop thinking in the background, or let it go on; known to every process."""
        wishes.pause(self._ledger, on=on)
