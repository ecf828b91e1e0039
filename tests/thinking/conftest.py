"""A desk to think at: ledger, views, gate and worker, with a clock and a model that a test controls."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from innerlife.adapters.sqlite.runtime import SqliteRuntime
from innerlife.ledger.envelope import Event
from innerlife.ledger.ledger import Ledger
from innerlife.ledger.projector import Projector
from innerlife.ledger.registry import Registry
from innerlife.ledger.store import Intent
from innerlife.thinking import events, probes, queue
from innerlife.thinking.calls import Assigned
from innerlife.thinking.gate import Gate
from innerlife.thinking.policy import ThinkingPolicy
from innerlife.thinking.runner import Runner
from innerlife.thinking.stage import AnyStage
from innerlife.thinking.timers import Timer
from innerlife.thinking.view import QueueView
from tests.ledger.notes import KIND, draft
from tests.support.clock import FixedClock
from tests.support.memory import MemoryStore
from tests.support.models import FixedRoles, Model
from tests.support.victim import victims
from tests.thinking.stages import INSIGHT, INSIGHT_KIND

__all__ = ["desk", "victims"]

KEY = bytes(range(32))
REGISTRY = Registry((*events.KINDS, KIND, INSIGHT_KIND))
POLICY = ThinkingPolicy(quiet_s=20.0, outward_grace_s=2.0)


@contextlib.contextmanager
def free() -> Iterator[bool]:
    """A lease that nobody else wants."""
    yield True


@dataclass
class Desk:
    """Everything of one Core's thinking. `monotonic` is the gate's time in seconds."""

    folder: Path
    stages: Sequence[AnyStage]
    policy: ThinkingPolicy = POLICY
    clock: FixedClock = field(default_factory=FixedClock)
    monotonic: float = 1000.0

    def __post_init__(self) -> None:
        self.store = MemoryStore()
        self.ledger = Ledger(self.store, REGISTRY, self.clock)
        self.runtime = SqliteRuntime(self.folder / "runtime.db", KEY)
        self.view = QueueView(self.stages)
        self.projector = Projector(self.ledger, self.runtime, [self.view])
        self.projector.prepare()
        self.gate = Gate(self.policy, lambda: self.monotonic)

    def close(self) -> None:
        self.runtime.close()

    def note(self, text: str, *causes: int) -> Event:
        return self.ledger.append(draft(text, *causes))

    def runner(self, thinker: Model | FixedRoles, timers: Sequence[Timer] = (), **options: Any) -> Runner:
        roles = thinker if isinstance(thinker, FixedRoles) else FixedRoles(thinker)
        return Runner(
            self.ledger,
            self.runtime,
            self.stages,
            roles,
            self.gate,
            self.policy,
            self.clock,
            draw=lambda: 0.5,
            lease=options.get("lease", free),
            timers=timers,
            seconds=lambda: self.monotonic,
        )

    def already_tried(self, thinker: Model) -> None:
        """The model passed every probe before, so that nothing is asked to get to know it."""
        passed = dict.fromkeys((probe.name for probe in probes.PROBES), "")
        assigned = Assigned("http://engine", "wise", thinker)
        self.ledger.append_all(probes.verdicts(assigned, passed, self.policy))

    async def think(self, runner: Runner, steps: int = 20) -> float:
        """Let it work until there is nothing to do; the views keep up. Returns how long it would wait."""
        for _ in range(steps):
            self.projector.catch_up()
            if wait := await runner.step():
                return wait
        raise AssertionError("it never came to an end")

    def pass_time(self, seconds: float) -> None:
        self.clock.move(timedelta(seconds=seconds))
        self.monotonic += seconds

    def forget(self, *seqs: int) -> None:
        """Forget these and what rests on them by `from`, as the product does."""
        reached, frontier = set(seqs), list(seqs)
        while frontier:
            found = {e.effect for e in self.store.effects(frontier) if e.role.value == "from"} - reached
            reached |= found
            frontier = list(found)
        self.store.forget(lambda: Intent("x", tuple(sorted(reached)), ()))
        self.projector.purge(reached)

    def read(self, kind: str) -> list[Any]:
        return [event.body for event in self.ledger.read(0, 100_000, {kind})]

    def insights(self) -> list[str]:
        return [body.text for body in self.read(INSIGHT)]

    def jobs(self) -> list[tuple[str, int, int]]:
        """(stage, subject, attempts) of every open job."""
        self.projector.catch_up()
        with self.runtime.reading() as rows:
            return list(rows.execute("SELECT stage, subject, attempts FROM thinking_open ORDER BY 1, 2"))

    def asked(self, question: Callable[..., Any], *arguments: Any) -> Any:
        """A question to the view, with the views caught up."""
        self.projector.catch_up()
        with self.runtime.reading() as rows:
            return question(rows, *arguments)

    def failures(self) -> list[queue.Failure]:
        found: list[queue.Failure] = self.asked(queue.failures)
        return found

    def rebuilt(self) -> list[tuple[Any, ...]]:
        """The dump of views made anew from the ledger."""
        fresh = SqliteRuntime(self.folder / "fresh.db", KEY)
        try:
            self.projector.prepare(fresh)
            self.projector.catch_up(fresh)
            return list(self.projector.dump(fresh))
        finally:
            fresh.discard()
            fresh.close()

    def dump(self) -> list[tuple[Any, ...]]:
        self.projector.catch_up()
        return list(self.projector.dump())


DeskMaker = Callable[..., Desk]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[DeskMaker]:
    """Makes a desk for some stages."""
    made: list[Desk] = []

    def make(*stages: AnyStage, **options: Any) -> Desk:
        made.append(Desk(tmp_path, stages, **options))
        return made[-1]

    yield make
    for one in made:
        one.close()
