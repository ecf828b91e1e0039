"""A Core with jobs, and the worker that carries them out: in a process that is killed, and in the one that looks."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from innerlife.adapters.sqlite.opening import OpenCore, open_core
from innerlife.ledger.ledger import Ledger
from innerlife.ledger.projector import Projector
from innerlife.thinking.gate import Gate
from innerlife.thinking.policy import ThinkingPolicy
from innerlife.thinking.runner import Runner
from innerlife.thinking.view import QueueView
from tests.support.clock import FixedClock
from tests.support.models import FixedRoles, ScriptedModel
from tests.thinking.conftest import REGISTRY, free
from tests.thinking.stages import Quoting, answer

NOTES = ("My sister lives in Graz", "My brother lives in Linz")


class Numbered(ScriptedModel):
    """Gives another answer each time it is asked, so that doing a job twice would show."""

    def answer(self, question: Any) -> Any:
        self.lines = [answer("lives in", f"answer {os.getpid()}-{len(self.asked)}")]
        return super().answer(question)


class Acting(Quoting):
    """Writes a line to a file for each time it acts."""

    def __init__(self, path: Path) -> None:
        self.path = path

    async def act(self, value: Any, inputs: Any) -> Any:
        descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.write(descriptor, f"{inputs.subject}\n".encode())
        os.close(descriptor)
        return value


class Place:
    """One open Core. `outward`: its stage acts, and writes to `acted` beside the folder."""

    def __init__(self, folder: Path, *, outward: bool) -> None:
        clock = FixedClock()
        config = folder.parent / f"{folder.name}.config"
        self.opened: OpenCore = open_core(folder, config, "file", None, clock.now)
        self.acted = folder.parent / f"{folder.name}.acted"
        stages = [Acting(self.acted) if outward else Quoting()]
        policy = ThinkingPolicy()
        self.ledger = Ledger(self.opened.core, REGISTRY, clock)
        self.projector = Projector(self.ledger, self.opened.runtime, [QueueView(stages)])
        self.projector.prepare()
        self.runner = Runner(
            self.ledger,
            self.opened.runtime,
            stages,
            FixedRoles(Numbered()),
            Gate(policy),
            policy,
            clock,
            draw=lambda: 0.5,
            lease=free,
        )

    async def think(self) -> None:
        """Work, and keep the views up, until nothing is left."""
        while True:
            self.projector.catch_up()
            if await self.runner.step():
                return


@contextlib.contextmanager
def place(folder: Path, *, outward: bool) -> Iterator[Place]:
    """Open, and close when the block ends."""
    one = Place(folder, outward=outward)
    try:
        yield one
    finally:
        one.opened.close()


def thinking(folder: Path, *, outward: bool) -> Callable[[Callable[[str], None]], None]:
    """The part during which a victim may be killed."""
    one = Place(folder, outward=outward)

    def live(tell: Callable[[str], None]) -> None:
        asyncio.run(one.think())
        tell("thought")

    return live
