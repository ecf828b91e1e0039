"""The worker: takes the best job, has it thought about, and appends what came of it.

A job's results, its outcome and its costs are appended in one transaction. Killed at any instant before that, nothing
of it is there and the job is found again; after it, the job is gone. The views may lag behind the ledger, so a job is
looked up by its key before it is begun, and one that was just settled is passed over until they have caught up.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from innerlife.errors import InnerlifeError
from innerlife.ledger.ledger import Ledger
from innerlife.ports import Clock, Rows, Runtime
from innerlife.thinking import queue
from innerlife.thinking.attempt import Attempt, Thinking
from innerlife.thinking.calls import ModelRole, Roles
from innerlife.thinking.gate import Gate
from innerlife.thinking.policy import ThinkingPolicy
from innerlife.thinking.queue import Job
from innerlife.thinking.resting import Resting
from innerlife.thinking.stage import AnyStage, RuleStage
from innerlife.thinking.timers import Timer, due_in, firing
from innerlife.thinking.wishes import pause

LOOK_S: Final = 5.0
"""How often the queue is looked at for what other processes appended or time made ready."""

SETTLE_S: Final = 0.25
"""How long after an append the views are given to know of it."""

LET_PASS_S: Final = 0.25
"""How long a step waits for turns that begin, at most."""

log = logging.getLogger(__name__)

Lease = Callable[[], AbstractContextManager[bool]]
"""Held by the one worker of a Core among all processes; gives False where another one holds it."""


@dataclass(frozen=True, slots=True)
class Pick:
    """The best job now, or how many seconds there is nothing to do, and why."""

    stage: AnyStage | None = None
    job: Job | None = None
    starved: bool = False
    wait_s: float = LOOK_S
    why: str = ""


@dataclass(frozen=True, slots=True)
class Live:
    """What the worker of this process is at: the rest of a status is read from the view (`queue`)."""

    running: str = ""
    subject: int = 0
    for_s: float = 0.0
    waits_for: str = ""
    trouble: str = ""
    resting: dict[str, str] = field(default_factory=dict)


class Runner:
    """One Core's worker. `run` lives in an event loop until `stop`."""

    def __init__(
        self,
        ledger: Ledger,
        runtime: Runtime,
        stages: Sequence[AnyStage],
        roles: Roles,
        gate: Gate,
        policy: ThinkingPolicy,
        clock: Clock,
        *,
        draw: Callable[[], float],
        lease: Lease,
        timers: Sequence[Timer] = (),
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        """`draw` gives random numbers in [0, 1); `seconds` a time that only grows."""
        self._ledger = ledger
        self._runtime = runtime
        self._stages = {stage.name: stage for stage in stages}
        self._gate = gate
        self._policy = policy
        self._clock = clock
        self._lease = lease
        self._timers = tuple(timers)
        self._seconds = seconds
        self._resting = Resting(policy, seconds)
        self._thinking = Thinking(
            ledger, runtime, roles, gate, policy, clock, self._resting, draw=draw, seconds=seconds
        )
        self._lag: dict[tuple[str, int, str], int] = {}
        self._paused: tuple[bool, int] | None = None
        self._now: tuple[Job, float] | None = None
        self._why = ""
        self._trouble = ""
        self._stopping = False
        self._only = ""
        self._wake: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        ledger.on_append(self.wake)
        gate.on_change(self.wake)

    # --- from outside ----------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Work until `stop`. Where another process works for this Core, wait for it to end."""
        self._loop, self._wake = asyncio.get_running_loop(), asyncio.Event()
        while not self._stopping:
            with self._lease() as mine:
                while mine and not self._stopping:
                    if wait := await self._safely():
                        await self._sleep(wait)
            if not mine:
                self._why = "another Innerlife thinks for this Core"
                await self._sleep(LOOK_S)
        await self._thinking.rest()

    async def work(self, done: Callable[[], bool], stage: str) -> bool:
        """Work in this process on what `stage` has to do, and on what asks no model, until `done` or nothing is ready.

        `done` is asked before each step, and may bring the views up to date. Returns False where another process
        thinks already. Raises StorageFailed.
        """
        self._only = stage
        with self._lease() as mine:
            while mine and not await asyncio.to_thread(done):
                if await self.step():
                    break
        await self._thinking.rest()
        return mine

    async def stop(self) -> None:
        """End the running call, let an outward action come to its end, and let `run` return."""
        self._stopping = True
        self._gate.cut_all()
        self.wake()
        end = time.monotonic() + self._policy.outward_grace_s
        while self._now is not None and time.monotonic() < end:  # noqa: ASYNC110 - a flag is all there is
            await asyncio.sleep(0.005)

    def wake(self) -> None:
        """Look at the queue soon. From any thread."""
        loop, event = self._loop, self._wake
        if loop is not None and event is not None:
            # A loop that was closed has nobody left to wake.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(event.set)

    def pause(self, *, on: bool) -> None:
        """Stop thinking in the background, or go on; known to every process. Raises StorageFailed."""
        self._paused = (on, pause(self._ledger, on=on))
        if on:
            self._gate.cut_all()
        self.wake()

    def live(self) -> Live:
        """What the worker is at."""
        now = self._now
        resting = self._resting.reasons()
        if now is None:
            return Live(waits_for=self._why, trouble=self._trouble, resting=resting)
        job, since = now
        return Live(job.stage, job.subject, self._seconds() - since, "", self._trouble, resting)

    async def step(self) -> float:
        """Do one thing. Returns the seconds until there may be another one; 0 says: at once.

        Raises StorageFailed, and nothing is lost.
        """
        await asyncio.to_thread(self._ledger.courtesy.let_pass, LET_PASS_S)
        await asyncio.to_thread(self._fire)
        pick = await asyncio.to_thread(self._pick)
        self._why = pick.why
        if pick.job is None or pick.stage is None:
            await self._thinking.leisure()
            if not pick.why:
                await self._thinking.get_to_know(ModelRole.REFLECTION)
            return pick.wait_s
        self._now = (pick.job, self._seconds())
        try:
            attempt = await self._thinking.attempt(pick.stage, pick.job, starved=pick.starved)
        finally:
            self._now = None
        return await self._after(pick.job, attempt)

    # --- inside ----------------------------------------------------------------------------------------------

    async def _safely(self) -> float:
        try:
            wait = await self.step()
            self._trouble = ""
            return wait
        except InnerlifeError as error:
            # Shown in `status`; what could not be written is thought about again.
            self._trouble = error.message
        # A defect must not end all thinking until the next start; it is shown, and nothing was recorded of it.
        except Exception as error:
            log.exception("background thinking")
            self._trouble = f"background thinking has a defect ({type(error).__name__})"
        return LOOK_S

    async def _after(self, job: Job, attempt: Attempt) -> float:
        if attempt.appended:
            self._lag[job.key] = attempt.appended
        self._why = attempt.waits_for
        if attempt.wait_s:
            await self._thinking.leisure()
        return min(attempt.wait_s, LOOK_S)

    async def _sleep(self, wait: float) -> None:
        event = self._wake
        if event is None or self._stopping:
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(wait):
                await event.wait()
                await asyncio.sleep(min(wait, SETTLE_S))
        event.clear()

    def _pick(self) -> Pick:
        now = self._clock.now()
        with self._runtime.reading() as rows:
            known = queue.position(rows)
            self._lag = {key: seq for key, seq in self._lag.items() if seq > known}
            if self._paused is not None and self._paused[1] <= known:
                self._paused = None
            if self._paused[0] if self._paused else queue.paused(rows):
                return Pick(why="it is paused")
            awake = self._awake()
            if why := queue.over_limit(queue.cost_of_a_day(rows, now), self._policy):
                # What asks no model costs nothing and goes on.
                awake = [stage for stage in awake if isinstance(stage, RuleStage)]
            wait = LOOK_S
            for stage, starved in queue.ranked(rows, awake, now, self._policy):
                job = queue.next_job(
                    rows, stage.name, self._policy, self._lag, stage.after_s, queue.not_lapsed(stage, now)
                )
                if job is None:
                    continue
                # A clock that was set back does not make a job wait for the hour to come again.
                ahead = (job.ready - now) / timedelta(seconds=1)
                if ahead <= 0 or ahead > self._policy.backoff_most_s:
                    return Pick(stage, job, starved)
                wait = min(wait, ahead)
        return Pick(wait_s=min(wait, self._until_timer()), why=why)

    def _awake(self) -> list[AnyStage]:
        awake = [stage for name, stage in self._stages.items() if not self._resting.rests(name)]
        return [
            one for one in awake if not self._only or one.name == self._only or isinstance(one, RuleStage)
        ]

    def _until_timer(self) -> float:
        """Seconds until the next timer goes off, a moment at least."""
        now, quiet = self._clock.now(), self._gate.quiet_s()
        with self._runtime.reading() as rows:
            waits = [due_in(t, queue.last_due(rows, t.name), now, quiet) for t in self._timers]
        return max(SETTLE_S, min([LOOK_S, *waits]))

    def _is_open(self, rows: Rows, stage: str, now: datetime) -> bool:
        """Whether a stage still has a job that has not lapsed."""
        known = self._stages.get(stage)
        return known is not None and queue.has_jobs(rows, stage, queue.not_lapsed(known, now))

    def _fire(self) -> None:
        """Append what is due."""
        if not self._timers or self._only:
            return
        now, quiet = self._clock.now(), self._gate.quiet_s()
        with self._runtime.reading() as rows:
            if queue.paused(rows):
                return
            last = {timer.name: queue.last_due(rows, timer.name) for timer in self._timers}
            waiting = {timer.name for timer in self._timers if self._is_open(rows, timer.stage, now)}
        for timer in self._timers:
            if timer.name not in waiting and due_in(timer, last[timer.name], now, quiet) <= 0:
                draft = firing(timer, last[timer.name], now)
                # The views may not know the last one yet: it has the same key.
                if self._ledger.by_key(str(draft.key)) is None:
                    self._ledger.append(draft)
