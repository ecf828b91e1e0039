"""A self-model over a Core of its own, with a person who says things."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest

from innerlife.conversations.events import Ending
from innerlife.conversations.model import Answer, Said
from innerlife.conversations.recording import Arriving
from innerlife.conversations.view import ConversationsView
from innerlife.membrane.lived import Lived
from innerlife.membrane.present import Present
from innerlife.membrane.selves import prompt_tokens
from innerlife.selfmodel.desk import Desk
from innerlife.selfmodel.gates import Calibration, Gate
from innerlife.selfmodel.journal import SelfModelView
from innerlife.selfmodel.policy import SelfModelPolicy
from innerlife.selfmodel.selfmodel import SelfModel
from tests.support.client import ChatClient, assistant, user
from tests.support.clock import FixedClock
from tests.support.stack import Stack, open_stack


class MovingClock(FixedClock):
    """Stands still until it is moved, in a zone that a test may change."""

    zone_name = "Europe/Vienna"

    def zone(self) -> str:
        return self.zone_name


def shared_words(text: str, others: Sequence[str]) -> list[float]:
    """Stands in for embeddings: the share of words that two texts have in common."""
    mine = set(text.lower().strip(".").split())
    return [
        len(mine & (its := set(one.lower().strip(".").split()))) / max(len(mine | its), 1) for one in others
    ]


@dataclass
class Room:
    """A self-model, its clock, and the chat beside it."""

    stack: Stack
    clock: MovingClock
    self_model: SelfModel
    present: Present
    desk: Desk
    gates: list[Gate] = field(default_factory=list)

    def say(self, *texts: str, answer: str = "I see.") -> list[int]:
        """The person says this in a conversation of its own; the seqs of their messages."""
        client = ChatClient(self.stack.recording)
        seqs = [client.say(text, answer).user_seq for text in texts]
        self.stack.upkeep.catch_up()
        return seqs

    def tell_a_story(self, *texts: str) -> list[int]:
        """The same in a conversation that is fiction."""
        history: list[Said] = []
        seqs = []
        for text in texts:
            history.append(user(text))
            opened = self.stack.recording.open(Arriving(tuple(history), "test", fiction=True))
            assert opened is not None
            self.stack.recording.close(opened, Answer("And then?", Ending.COMPLETE, "model"))
            history.append(assistant("And then?"))
            seqs.append(opened.user_seq)
        self.stack.upkeep.catch_up()
        return seqs

    def live(self, days: int, *texts: str) -> list[int]:
        """One conversation a day for some days, each with these texts in it."""
        seqs = []
        for day in range(days):
            seqs += self.say(*(f"{text} ({day})" for text in texts))
            self.clock.move(timedelta(days=1))
        return seqs


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    clock = MovingClock()
    stack = open_stack(tmp_path / "core", clock=clock, views=[ConversationsView(), SelfModelView()])
    gates = [Gate(shared_words, Calibration("shared", 0.5, 0.6))]
    desk = Desk(
        stack.ledger,
        stack.opened.runtime,
        clock,
        SelfModelPolicy(),
        prompt_tokens,
        Lived(stack.ledger, stack.opened.runtime),
        lambda: gates[0],
    )
    yield Room(stack, clock, SelfModel(desk), Present(desk), desk, gates)
    stack.close()
