"""Which stages rest for a while, and why: their engine or model was not there, or nobody is trusted with the role."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from innerlife.thinking.policy import ThinkingPolicy


@dataclass(frozen=True, slots=True)
class _Rest:
    until: float
    times: int
    why: str


class Resting:
    """In memory only: a restart tries everything once more. Times in seconds that only grow."""

    def __init__(self, policy: ThinkingPolicy, seconds: Callable[[], float]) -> None:
        self._policy = policy
        self._seconds = seconds
        self._rests: dict[str, _Rest] = {}

    def rest(self, stage: str, why: str, at_least_s: float = 0.0) -> None:
        """Let a stage wait, each time in a row twice as long."""
        before = self._rests.get(stage)
        times = before.times if before else 0
        wait = min(self._policy.rest_s * 2.0 ** min(times, 32), self._policy.rest_most_s)
        self._rests[stage] = _Rest(self._seconds() + max(wait, at_least_s), times + 1, why)

    def pause(self, stage: str, for_s: float, why: str) -> None:
        """Let a stage wait for once."""
        before = self._rests.get(stage)
        self._rests[stage] = _Rest(self._seconds() + for_s, before.times if before else 0, why)

    def rested(self, stage: str) -> None:
        """It worked: the next rest is a short one."""
        self._rests.pop(stage, None)

    def rests(self, stage: str) -> bool:
        """Whether a stage rests now."""
        found = self._rests.get(stage)
        return found is not None and found.until > self._seconds()

    def reasons(self) -> dict[str, str]:
        """Stages that rest now, and why."""
        now = self._seconds()
        return {stage: one.why for stage, one in self._rests.items() if one.until > now and one.why}
