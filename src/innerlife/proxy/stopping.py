"""How the server stops: open answers are finished, unless the person is in a hurry; nothing is left half closed."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable
from typing import Final

import uvicorn

_LOOK_S: Final = 0.05


class PatientServer(uvicorn.Server):
    """Says so when it waits for open answers, and ends them when it is told to stop once more."""

    def __init__(self, config: uvicorn.Config, finishing: Callable[[], None] | None = None) -> None:
        super().__init__(config)
        self._finishing = finishing

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Finish what is open, then shut the application down, in a hurry too: it has an engine to end."""
        if self.server_state.tasks and self._finishing is not None:
            self._finishing()
        hurry = asyncio.create_task(self._end_when_forced())
        try:
            await super().shutdown(sockets)
        finally:
            hurry.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await hurry
        if self.force_exit:
            self._end_answers()
            await self.lifespan.shutdown()

    async def _end_when_forced(self) -> None:
        while not self.force_exit:  # noqa: ASYNC110 a signal handler sets it, and a flag is all there is
            await asyncio.sleep(_LOOK_S)
        self._end_answers()

    def _end_answers(self) -> None:
        for task in list(self.server_state.tasks):
            task.cancel()
