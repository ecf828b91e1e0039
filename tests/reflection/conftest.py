"""A whole companion with a clock, a chat and a model that a test controls."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from innerlife.bootstrap import open_companion
from innerlife.companion import Companion
from innerlife.conversations.events import Ending
from innerlife.conversations.model import Answer, Said, Speaker
from innerlife.ledger.envelope import Event
from innerlife.membrane.turn import Hints, Opened, TurnRequest
from innerlife.settings import load
from innerlife.thinking import probes
from innerlife.thinking.calls import Assigned
from innerlife.thinking.gate import Gate
from innerlife.thinking.policy import ThinkingPolicy
from innerlife.thinking.runner import Runner
from tests.support.clock import FixedClock
from tests.support.models import FixedRoles, Model, ScriptedModel

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
"""A Monday."""


async def until(so: Callable[[], bool]) -> None:
    """Wait, ten seconds at most, until something is so."""
    async with asyncio.timeout(10):
        while not so():  # noqa: ASYNC110 - a fake model has nothing to wait on but what it was asked
            await asyncio.sleep(0.01)


def questions(model: Model, about: str) -> list[str]:
    """What a model was asked for the first time, of the questions that contain some words."""
    return [
        one.messages[1].text
        for one in model.asked
        if about in one.messages[1].text and len(one.messages) == 2
    ]


@dataclass
class Chat:
    """One chat window that resends its history."""

    mind: Mind
    name: str
    history: list[Said] = field(default_factory=list)

    def ask(self, text: str, *, fiction: bool = False) -> Opened:
        """Say something; nothing answers yet."""
        self.history.append(Said(Speaker.USER, text))
        return self.ask_again(fiction=fiction)

    def ask_again(self, *, fiction: bool = False) -> Opened:
        """Send the history as it stands once more."""
        request = TurnRequest(
            tuple(self.history), "model", "proxy", Hints(task="", chat=self.name), fiction=fiction
        )
        plan = self.mind.companion.turns.begin(request)
        assert plan.opened is not None
        return plan.opened

    def answer(self, opened: Opened, text: str, ending: Ending = Ending.COMPLETE) -> None:
        """The answer arrives."""
        self.mind.companion.turns.finish(opened, Answer(text, ending, "model"))
        self.history.append(Said(Speaker.ASSISTANT, text))

    def say(self, text: str, answer: str = "I see.", *, fiction: bool = False) -> int:
        """One whole exchange; the seq of the message."""
        opened = self.ask(text, fiction=fiction)
        self.answer(opened, answer)
        return opened.user_seq


@dataclass
class Mind:
    """The companion, its clock, and who thinks for it. `trusted`: the model has passed every probe."""

    companion: Companion
    clock: FixedClock
    chats: int = 0

    def chat(self) -> Chat:
        """A new chat window."""
        self.chats += 1
        return Chat(self, f"chat-{self.chats}")

    def trust(self, model: Model) -> None:
        """The model was tried before, and found fit for everything."""
        passed = dict.fromkeys((probe.name for probe in probes.PROBES), "")
        assigned = Assigned("http://engine", "wise", model)
        self.companion.ledger.append_all(probes.verdicts(assigned, passed, ThinkingPolicy()))

    def distrust(self, model: Model) -> None:
        """The model was tried before, and found fit for nothing."""
        failed = dict.fromkeys((probe.name for probe in probes.PROBES), "made it up")
        assigned = Assigned("http://engine", "wise", model)
        self.companion.ledger.append_all(probes.verdicts(assigned, failed, ThinkingPolicy()))

    def worker(self, model: Model) -> Runner:
        """A worker over this model; nobody has chatted through its gate, so nothing waits for quiet."""
        return self.companion.worker(FixedRoles(model), Gate(ThinkingPolicy()))

    async def think(self, model: Model | None = None, steps: int = 200) -> None:
        """Let it think until there is nothing to do now. Without a model: one that is trusted with nothing."""
        if model is None:
            model = ScriptedModel("{}")
            self.distrust(model)
        runner = self.worker(model)
        for _ in range(steps):
            self.companion.upkeep.catch_up()
            if await runner.step():
                return
        raise AssertionError("it never came to an end")

    def pass_time(self, **span: float) -> None:
        """Time goes by: `minutes=6`."""
        self.clock.move(timedelta(**span))

    def events(self, kind: str) -> list[Event]:
        """All events of a kind, oldest first."""
        return self.companion.ledger.read(0, 100_000, {kind})


@contextlib.contextmanager
def opened_mind(folder: Path, embedding: str = "off", start: datetime = START) -> Iterator[Mind]:
    """A companion in a folder, made where there is none, with an embedding model or none."""
    clock = FixedClock(start)
    environment = {"INNERLIFE_CONFIG": str(folder / "config"), "INNERLIFE_EMBEDDING": embedding}
    companion = open_companion(load(home=folder / "home", environment=environment), clock=clock)
    try:
        yield Mind(companion, clock)
    finally:
        companion.close()


@pytest.fixture
def mind(tmp_path: Path) -> Iterator[Mind]:
    """A companion made just now."""
    with opened_mind(tmp_path) as one:
        yield one
