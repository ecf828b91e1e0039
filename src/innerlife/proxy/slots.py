"""Room for work in threads: so many at once, however long any of it hangs."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable
from time import monotonic
from typing import Final, TypeVar

from anyio import CapacityLimiter, to_thread

from innerlife.errors import StorageFailed

_log: Final = logging.getLogger(__name__)
_T = TypeVar("_T")


class Slots:
    """So many slots for calls in threads. Belongs to one event loop.

    A call that nobody waits for any more keeps its slot until it really ends, so that storage which hangs costs a
    bounded number of threads. Once every slot has been held for longer than `patience_s`, nobody waits for one.
    """

    def __init__(self, count: int, patience_s: float) -> None:
        self._free = asyncio.Semaphore(count)
        self._patience_s = patience_s
        self._held: dict[object, float] = {}
        # The slots are the limit; anyio's own must not be one more.
        self._threads = CapacityLimiter(math.inf)

    async def run(self, work: Callable[[], _T]) -> _T:
        """What `work` returns or raises. Cancelled before it has a slot, the work never runs; after that it goes on.

        Raises StorageFailed where every slot is held by work that hangs.
        """
        if self._all_hang():
            raise StorageFailed(
                f"Memory is still busy with {len(self._held)} turns that hang",
                "Look whether the disk with the home answers, then restart Innerlife",
            )
        await self._free.acquire()
        slot = object()
        self._held[slot] = monotonic()
        task = asyncio.create_task(self._hold(slot, work))
        try:
            # Unlike an await of the task, this leaves it alone when whoever waits here is cancelled.
            await asyncio.wait({task})
        except asyncio.CancelledError:
            task.add_done_callback(_noted)
            raise
        return task.result()

    async def _hold(self, slot: object, work: Callable[[], _T]) -> _T:
        try:
            return await to_thread.run_sync(work, limiter=self._threads)
        finally:
            del self._held[slot]
            self._free.release()

    def _all_hang(self) -> bool:
        since = max(self._held.values(), default=math.inf)
        return self._free.locked() and monotonic() - since > self._patience_s


def _noted(task: asyncio.Task[_T]) -> None:
    """Take note of how a call ended for which nobody waits."""
    if not task.cancelled() and (error := task.exception()) is not None:
        _log.warning("work that nobody waited for failed: %s", type(error).__name__)
