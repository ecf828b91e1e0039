"""A whole companion that is talked with and that thinks, by a clock a test sets; and rows made by hand."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from innerlife import bootstrap
from innerlife.companion import Companion
from innerlife.conversations.events import Ending
from innerlife.conversations.model import Answer, Said
from innerlife.learning import bodies as e
from innerlife.learning.bodies import Pattern
from innerlife.learning.rows import Row, What
from innerlife.learning.terms import Aspect, Criterion, Sort, Trigger
from innerlife.membrane.events import CONTEXT
from innerlife.membrane.turn import Plan, TurnRequest
from innerlife.settings import FILE, Configured, load
from innerlife.thinking.gate import Gate
from innerlife.thinking.policy import ThinkingPolicy
from tests.support.client import assistant, user
from tests.support.clock import FixedClock
from tests.support.models import FixedRoles, Model, ScriptedModel


@dataclass
class Life:
    """One companion and the person who talks with it."""

    companion: Companion
    clock: FixedClock
    configured: Configured
    history: list[Said] = field(default_factory=list)

    def begin(self) -> None:
        """Open another conversation, an hour later."""
        self.history = []
        self.clock.move(timedelta(hours=1))

    def say(self, text: str, reply: str) -> tuple[Plan, int]:
        """One exchange, its record written; (what was added, seq of the message)."""
        self.history.append(user(text))
        plan = self.companion.turns.begin(TurnRequest(tuple(self.history), "model", "test"))
        assert plan.opened is not None
        self.companion.turns.finish(plan.opened, Answer(reply, Ending.COMPLETE, "model"))
        self.history.append(assistant(reply))
        self._recorded(plan.opened.user_seq)
        self.companion.upkeep.catch_up()
        self.clock.move(timedelta(minutes=1))
        return plan, plan.opened.user_seq

    def talk(self, *exchanges: tuple[str, str]) -> list[int]:
        """A conversation of its own; the seqs of its messages."""
        self.begin()
        return [self.say(said, reply)[1] for said, reply in exchanges]

    def think(self, model: Model | None = None) -> None:
        """Let the stages work until nothing is left that can be done."""
        roles = FixedRoles(model or ScriptedModel("no JSON at all"))
        runner = self.companion.worker(roles, Gate(ThinkingPolicy(), lambda: 1e9))

        async def work() -> None:
            for _ in range(2_000):
                self.companion.upkeep.catch_up()
                if await runner.step():
                    return
            raise AssertionError("it never came to an end")

        asyncio.run(work())
        self.companion.upkeep.catch_up()

    def events(self, *kinds: str) -> list[object]:
        """Bodies of these kinds, in order."""
        return [event.body for event in self.companion.ledger.read(0, 100_000, set(kinds))]

    def _recorded(self, seq: int) -> None:
        for _ in range(500):
            effects = [one.effect for one in self.companion.ledger.store.effects([seq])]
            if any(event.kind == CONTEXT for event in self.companion.ledger.get(effects)):
                return
            time.sleep(0.01)
        raise AssertionError("no record was written")


@pytest.fixture
def living(tmp_path: Path) -> Iterator[Callable[[str], Life]]:
    """Makes the companion, under the settings of a text. Embeddings are off: everything is told by words."""
    lives: list[Life] = []

    def make(settings: str) -> Life:
        config = tmp_path / "config"
        config.mkdir()
        (config / FILE).write_text(settings, "utf-8")
        environment = {"INNERLIFE_CONFIG": str(config), "INNERLIFE_EMBEDDING": "off"}
        configured = load(home=tmp_path / "home", environment=environment)
        clock = FixedClock()
        lives.append(Life(bootstrap.open_companion(configured, clock=clock), clock, configured))
        return lives[-1]

    yield make
    for one in lives:
        one.companion.close()


@pytest.fixture
def life(living: Callable[[str], Life]) -> Life:
    """The companion as it comes."""
    return living("")


START = datetime(2026, 3, 1, 12, tzinfo=UTC)


@dataclass
class Rows:
    """Rows as the ledger would give them, one after the other."""

    every: list[Row] = field(default_factory=list)

    def add(self, what: What, body: e.LearningEvent, stream: str = "", *, by_user: bool = False) -> Row:
        seq = 10 * (len(self.every) + 1)
        at = START + timedelta(minutes=seq)
        row = Row(seq, f"01{seq:024d}", what, body, stream, at, "UTC", by_user, (seq - 5,))
        self.every.append(row)
        return row

    def feedback(
        self,
        aspect: Aspect,
        stream: str,
        trigger: Trigger = Trigger.ANY,
        sort: Sort = Sort.CORRECTION,
        sure: float = 0.9,
    ) -> Row:
        return self.add(What.FEEDBACK, e.FeedbackNoticed(sort, sure, (aspect,), trigger), stream)

    def rule(self, aspect: Aspect, trigger: Trigger = Trigger.ANY, pieces: int = 3) -> Pattern:
        """A rule with its evidence, each piece in a conversation of its own."""
        pattern = Pattern(aspect, trigger)
        for number in range(pieces):
            self.feedback(aspect, f"{pattern.name}-{number}", trigger)
        self.add(What.DERIVED, e.RuleDerived(pattern, f"Do {pattern.name}."))
        return pattern

    def tried(
        self,
        stream: str,
        held: Sequence[Pattern] = (),
        failed: Sequence[Pattern] = (),
        passed: Sequence[Pattern] = (),
        met: Sequence[Criterion] = (Criterion.NOT_ASKED_AGAIN, Criterion.NOT_LEFT),
    ) -> Row:
        body = e.RulesTried(
            tuple(one.name for one in held),
            tuple(one.name for one in failed),
            tuple(one.name for one in passed),
            tuple(met),
        )
        return self.add(What.TRIAL, body, stream)


@pytest.fixture
def rows() -> Rows:
    return Rows()
