"""Large bodies are worked on apart from the event loop, so that other streams go on meanwhile."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Final, TypeVar

from anyio import CapacityLimiter, to_thread

LARGE: Final = 2**20
"""Bytes. Reading as many takes some 10 ms, which nobody notices; 40 MB of images take more than a second."""

_T = TypeVar("_T")


class Apart:
    """A thread for work on large bodies. Belongs to one event loop."""

    def __init__(self) -> None:
        # One at a time: two would not be done sooner, and the loop would wait for both.
        self._one = CapacityLimiter(1)

    async def run(self, size: int, work: Callable[[], _T]) -> _T:
        """What `work` returns or raises; done at once where the body of `size` bytes is small."""
        if size < LARGE:
            return work()
        return await to_thread.run_sync(_undisturbed, work, limiter=self._one)


def _undisturbed(work: Callable[[], _T]) -> _T:
    """Work without the collector of cycles: a million new objects make it stop every thread again and again."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        return work()
    finally:
        if was_on:
            gc.enable()
