"""One turn's recording: begun before the engine is called, finished before the last frame leaves (promise C9).

All of it happens in worker threads with a limit on each step, so that storage that fails, hangs or is locked
costs the memory of a turn and never the turn itself (promise P6).
"""

from __future__ import annotations

import logging
import threading
from enum import Enum, auto
from functools import partial
from typing import Final

import anyio

from innerlife.errors import InnerlifeError
from innerlife.membrane.clients import Purpose, purpose
from innerlife.membrane.turn import Answer, Ending, Opened, Plan, Standing, TurnRequest
from innerlife.proxy.counters import Counters
from innerlife.proxy.doors import Doors, ProfileTurns
from innerlife.proxy.policy import ProxyPolicy
from innerlife.proxy.slots import Slots

_log: Final = logging.getLogger(__name__)


class RecordKeeper:
    """What all recordings share. Made inside the event loop that serves."""

    def __init__(self, doors: Doors, counters: Counters, policy: ProxyPolicy) -> None:
        self.doors = doors
        self.counters = counters
        self.policy = policy
        # Apart, so that turns which hang while they begin leave room for others to be finished.
        self.beginning = Slots(policy.workers, policy.begin_s)
        self.ending = Slots(policy.workers, policy.finish_s)


class _Stage(Enum):
    """Where the beginning of a turn stands: waiting for a thread, in it, or over."""

    WAITING = auto()
    BEGINNING = auto()
    OVER = auto()


class TurnRecord:
    """The recording of one turn."""

    def __init__(self, keeper: RecordKeeper, profile: str, request: TurnRequest) -> None:
        self._keeper = keeper
        self._profile = profile
        self._request = request
        self._writing = threading.Lock()
        self._finished = False
        self._kept = 0
        # What follows is changed by the loop and by the thread that begins, under this lock only.
        self._state = threading.Lock()
        self._stage = _Stage.WAITING
        self._turns: ProfileTurns | None = None
        self._opened: Opened | None = None
        self._owed: Answer | None = None
        self._late = False
        self._why = ""

    async def begin(self) -> Plan:
        """Record the request and learn what to add to it. Never raises; the plan's standing tells of trouble."""
        keeper = self._keeper
        plan: Plan | None = None
        try:
            with anyio.move_on_after(keeper.policy.begin_s):
                plan = await self._try_begin()
        except anyio.get_cancelled_exc_class():
            # The client is gone, but its message may have been recorded, so it gets an ending.
            with anyio.CancelScope(shield=True):
                if not self._given_up() and purpose(self._request) is Purpose.CHAT:
                    keeper.counters.unrecorded("the client hung up before its message could be recorded")
                await self.finish(Answer("", Ending.INTERRUPTED))
            raise
        slow = f"remembering took longer than {keeper.policy.begin_s:g} s; it is recorded when it can be"
        if plan is None:
            busy = f"memory was busy with other turns for {keeper.policy.begin_s:g} s"
            plan = Plan(Standing.UNRECORDED, slow) if self._given_up() else Plan(Standing.UNRECORDED, busy)
        match plan.standing:
            case Standing.DEGRADED:
                keeper.counters.degraded()
            case Standing.UNRECORDED if plan.why == slow:
                # It may be recorded yet; if not, that is counted then.
                keeper.counters.degraded()
            case Standing.UNRECORDED if purpose(self._request) is Purpose.TEMPORARY:
                # That it is not kept is what was wished for.
                keeper.counters.passthrough()
            case Standing.UNRECORDED:
                keeper.counters.unrecorded(plan.why)
            case Standing.PASSTHROUGH:
                keeper.counters.passthrough()
            case Standing.OK:
                pass
        return plan

    async def checkpoint(self, text: str, model: str) -> None:
        """Keep what has come of the answer, where the turn is being recorded."""
        with self._state:
            turns, opened = self._turns, self._opened
        if turns is None or opened is None:
            return
        try:
            await self._keeper.ending.run(partial(self._checkpoint, turns, opened, text, model))
        # The answer goes on; whether it is kept in the end, `finish` will tell.
        except Exception as error:  # noqa: BLE001
            _log.warning("an answer could not be checkpointed: %s", type(error).__name__)

    async def finish(self, answer: Answer) -> str:
        """Record the answer; durable on return. Returns why it was not recorded, "" where nothing went wrong."""
        with self._state:
            if self._finished:
                return ""
            self._finished = True
            turns, opened = self._turns, self._opened
            # What was known in time is counted already.
            why = self._why if self._late else ""
            if self._stage is _Stage.BEGINNING:
                self._owed = answer
                why = "remembering took too long; the turn is recorded when storage comes back"
        if turns is None or opened is None:
            return self._lost(why) if why else ""
        why = f"recording took longer than {self._keeper.policy.finish_s:g} s"
        with anyio.move_on_after(self._keeper.policy.finish_s):
            why = await self._try_finish(turns, opened, answer)
        if why:
            return self._lost(why)
        self._keeper.counters.recorded()
        return ""

    async def _try_begin(self) -> Plan:
        try:
            return await self._keeper.beginning.run(self._begin)
        except InnerlifeError as error:
            return Plan(Standing.UNRECORDED, str(error))
        # Whatever is wrong with memory, the person gets an answer (promise P6).
        except Exception as error:  # noqa: BLE001
            _log.exception("a turn could not be begun")
            return Plan(Standing.UNRECORDED, f"memory failed ({type(error).__name__})")

    async def _try_finish(self, turns: ProfileTurns, opened: Opened, answer: Answer) -> str:
        try:
            await self._keeper.ending.run(partial(self._finish, turns, opened, answer))
        except InnerlifeError as error:
            return str(error)
        # Whatever is wrong with memory, the answer reaches the person to its end (promise P6).
        except Exception as error:  # noqa: BLE001
            _log.exception("an answer could not be recorded")
            return f"memory failed ({type(error).__name__})"
        return ""

    def _lost(self, why: str) -> str:
        self._keeper.counters.unrecorded(why)
        return why

    def _given_up(self) -> bool:
        """Stop waiting for the beginning. Whether it has begun, and so goes on by itself."""
        with self._state:
            self._late = True
            if self._stage is _Stage.WAITING:
                self._stage = _Stage.OVER
                return False
            return True

    def _begin(self) -> Plan:
        with self._state:
            if self._stage is _Stage.OVER:
                return Plan(Standing.UNRECORDED, "nobody waits for it any more")
            self._stage = _Stage.BEGINNING
        turns: ProfileTurns | None = None
        plan = Plan(Standing.UNRECORDED, "memory failed")
        try:
            turns = self._keeper.doors.open(self._profile)
            plan = turns.begin(self._request)
        finally:
            # In one step, so that an answer which ends now is either owed to this thread or finds where it belongs.
            with self._state:
                self._stage = _Stage.OVER
                self._turns, self._opened, owed = turns, plan.opened, self._owed
                if plan.standing is Standing.UNRECORDED and purpose(self._request) is not Purpose.TEMPORARY:
                    self._why = plan.why
        if owed is not None and plan.opened is not None:
            # Nobody waits any more, but the answer has gone out, so it is recorded as soon as that is possible.
            self._finish(turns, plan.opened, owed)
            self._keeper.counters.recorded()
        return plan

    def _checkpoint(self, turns: ProfileTurns, opened: Opened, text: str, model: str) -> None:
        with self._writing:
            # A checkpoint that waited here must not overwrite the finished answer.
            if not self._finished:
                turns.checkpoint(opened, text, self._kept, model)
                self._kept = len(text)

    def _finish(self, turns: ProfileTurns, opened: Opened, answer: Answer) -> None:
        with self._writing:
            turns.finish(opened, answer)
