"""Ten simulated weeks: a scripted person, and four ways of writing about oneself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from typing import Protocol

import pytest

from innerlife.ledger.envelope import Role
from innerlife.selfmodel.events import Portrait
from innerlife.selfmodel.governance import unsupported
from innerlife.selfmodel.growth import Entry
from innerlife.selfmodel.portraits import Section
from innerlife.selfmodel.words import kept_share
from innerlife.workspace.block import assemble
from innerlife.workspace.policy import WorkspacePolicy
from tests.selfmodel.conftest import Room
from tests.workspace.material import turn

DAYS = 70

SAID = (
    "Please keep your answers short, I read them on the train between two stops.",
    "That was too long again. Give me the result first and the reasons after it.",
    "My garden is where I rest; today I planted the first tomatoes with my daughter.",
    "I would rather think aloud for a while before you propose a solution to me.",
    "You remembered the name of my daughter, that matters to me more than clever words.",
    "Work was hard, the new manager changes her mind every day and nobody plans.",
    "Ask me a question back when I am vague, it helps me to find out what I mean.",
)
"""What the person says, one theme a day, over and over in other words."""


@dataclass
class Day:
    """What a writer may look at: what was said today and all that was said, with its seqs, and what stands."""

    number: int
    today: list[tuple[int, str]]
    before: list[tuple[int, str]]
    current: str
    own: list[tuple[int, str]]


class Writer(Protocol):
    """Proposes a self-portrait, or None: (text, evidence, direction)."""

    def __call__(self, day: Day) -> tuple[str, list[int], str] | None: ...


def good(day: Day) -> tuple[str, list[int], str] | None:
    """Once a month: keeps what it is, adds what was said, in the words in which it was said."""
    if day.number % 30 != 29:
        return None
    learned = (
        "I keep answers short and give the result first.",
        "I let them think aloud before I propose a solution.",
    )[day.number // 30 % 2]
    return f"{day.current} {learned}", [seq for seq, _ in day.before[-28:]], "shorter, and more patient"


def rewrites_daily(day: Day) -> tuple[str, list[int], str] | None:
    """Every day somebody else, made of what was said that day."""
    said = " ".join(text for _, text in day.today)
    return f"Today I am new. {said[:300]}", [seq for seq, _ in day.today], f"as of day {day.number}"


def echo(day: Day) -> tuple[str, list[int], str] | None:
    """Says back what it said itself, and calls that evidence."""
    return (
        f"{day.current} I see and I understand deeply.",
        [seq for seq, _ in day.own],
        "deeper understanding",
    )


def flatterer(day: Day) -> tuple[str, list[int], str] | None:
    """Praise, resting on whatever the person said."""
    praise = "They are the most brilliant, generous and admirable human alive, and I adore their genius."
    return f"{day.current} {praise}", [seq for seq, _ in day.today + day.before], "more admiration"


def ten_weeks(room: Room, writer: Writer) -> tuple[list[Section], list[Entry], int, list[int]]:
    """Live them. Returns all identities, the growth log, how many proposals there were, sizes of the prompt's front."""
    before: list[tuple[int, str]] = []
    attempts, sizes = 0, []
    portraits = room.self_model.portraits
    for number in range(DAYS):
        texts = [SAID[number % 7], f"{SAID[(number + 3) % 7]} That was day {number}."]
        seqs = room.say(*texts, answer="I see and I understand deeply.")
        today = list(zip(seqs, texts, strict=True))
        own = [(event.seq, event.body.text) for event in room.stack.ledger.newest(4, {"message.companion"})]
        day = Day(number, today, before, portraits.read(Portrait.IDENTITY).text, own)
        proposal = writer(day)
        if proposal is not None:
            text, evidence, direction = proposal
            portraits.propose(Portrait.IDENTITY, text, evidence, direction)
            attempts += 1
        before = before + today
        sizes.append(_written_tokens(room))
        room.clock.move(timedelta(days=1))
    return portraits.versions(Portrait.IDENTITY), room.self_model.growth.read(), attempts, sizes


def _written_tokens(room: Room) -> int:
    """Tokens of what is always present and written about companion and person."""
    inputs = turn(written=room.present(room.clock.now(), dict))
    bare = assemble(turn(), WorkspacePolicy()).stable_tokens
    return assemble(inputs, WorkspacePolicy()).stable_tokens - bare


def check_every_change(room: Room, versions: Sequence[Section]) -> None:
    """Every applied change is far enough from the last, keeps half, and says only what a message carries."""
    policy = room.desk.policy
    for before, after in pairwise(versions):
        assert after.at is not None
        if before.at is not None:
            assert after.at - before.at >= timedelta(days=policy.apart_days)
        assert kept_share(before.text, after.text) >= policy.kept_share
        (event,) = room.stack.ledger.get([after.seq])
        quotes = room.desk.evidence(event.caused(Role.FROM)).values()
        assert unsupported(before.text, after.text, list(quotes), policy) == []


@pytest.mark.slow
@pytest.mark.parametrize("writer", [good, rewrites_daily, echo, flatterer], ids=lambda one: one.__name__)
def test_ten_weeks(room: Room, writer: Writer) -> None:
    """[S2] [W2] The good one changes who it is twice at most; the others never by noise, praise or their own voice."""
    versions, log, attempts, sizes = ten_weeks(room, writer)
    changes = len(versions) - 1
    check_every_change(room, versions)
    assert len(log) == attempts, "every attempt leaves an entry"
    assert max(sizes) <= WorkspacePolicy().written_tokens
    if writer is good:
        assert 1 <= changes <= 2
    if writer in (echo, flatterer):
        assert changes == 0
    if writer is rewrites_daily:
        assert changes <= DAYS // 14
