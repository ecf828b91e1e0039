"""Background calls to engines: each runs in the gate, and engines are given back the way the chat left them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import anyio

from innerlife.errors import EngineUnavailable, InnerlifeError, ModelFailed, ModelUnavailable
from innerlife.thinking.calls import Assigned, LastChat, Meter, Thinker
from innerlife.thinking.events import Ended
from innerlife.thinking.gate import Gate
from innerlife.thinking.policy import ThinkingPolicy
from innerlife.thinking.settle import Bill

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Called:
    """How a background call ended: a value or an error, or neither where it was cut."""

    bill: Bill
    value: Any = None
    error: InnerlifeError | None = None


class Calling:
    """Makes the calls of one worker, and remembers which engines they left cold."""

    def __init__(self, gate: Gate, policy: ThinkingPolicy, seconds: Callable[[], float]) -> None:
        self._gate = gate
        self._policy = policy
        self._seconds = seconds
        self._cold: dict[str, Thinker] = {}

    async def call(self, assigned: Assigned, meter: Meter, work: Awaitable[T]) -> Called:
        """A background call in the gate: its value, its error, or neither where it was cut."""
        began = self._seconds()
        self._cold[assigned.engine] = assigned.thinker
        value: T | None = None
        error: InnerlifeError | None = None
        async with self._gate.turn(assigned.engine):
            try:
                value = await work
            except (ModelFailed, EngineUnavailable, ModelUnavailable) as failure:
                error = failure
        ended = Ended.FAILED if error else Ended.CUT if value is None else Ended.ANSWERED
        return Called(Bill(self._seconds() - began, meter, ended), value, error)

    async def last_chat(self, engine: str) -> LastChat | None:
        """The engine's last chat, without words that may have been forgotten since."""
        chat = self._gate.last_chat(engine)
        if chat is not None and not await asyncio.to_thread(chat.usable):
            self._gate.forget_chats()
            return chat.without_words()
        return chat

    async def warm(self) -> None:
        """There is leisure: read the chat's prefix again where a call displaced it, then let go of the engine."""
        cold, self._cold = self._cold, {}
        for engine, thinker in cold.items():
            chat = await self.last_chat(engine)
            # What could not be warmed is read when the chat goes on.
            with anyio.move_on_after(self._policy.warm_s):
                if chat and not chat.wordless and not self._gate.wait_s(engine, starved=True):
                    async with self._gate.turn(engine):
                        with contextlib.suppress(EngineUnavailable, ModelUnavailable, ModelFailed):
                            await thinker.warm(chat)
                await thinker.rest()

    async def rest(self) -> None:
        """It is over: let go of every engine."""
        cold, self._cold = self._cold, {}
        for thinker in cold.values():
            await thinker.rest()
