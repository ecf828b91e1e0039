"""Registers from what was really said, and that nothing but the person's own look at them reads them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import innerlife
from innerlife.affect.registers import Register
from innerlife.companion import Companion
from innerlife.conversations.events import USER, Ending
from innerlife.conversations.model import Answer
from innerlife.errors import StorageFailed
from innerlife.membrane.turn import TurnRequest
from innerlife.reflection.registers import Registers
from tests.support.client import user

PACKAGE = Path(innerlife.__file__).parent
MEASURING = {"affect.address", "affect.addressing", "affect.registers", "reflection.registers"}
READERS = {
    "affect/registers.py", "reflection/registers.py", "companion.py", "bootstrap/opening.py",
    "cli/channels.py",
}  # fmt: skip
"""Who may know of registers: what measures them, what constructs that, and what shows it to the person."""


def ask(companion: Companion, text: str, surface: str = "chat", *, fiction: bool = False) -> str:
    """Say something through a surface; the block of its prompt."""
    plan = companion.turns.begin(TurnRequest((user(text),), "model", surface, fiction=fiction))
    assert plan.opened is not None
    companion.turns.finish(plan.opened, Answer("Very well.", Ending.COMPLETE, "model"))
    return plan.block


def counted(companion: Companion) -> dict[tuple[str, str], int]:
    return {(one.channel, one.addressee): one.messages for one in companion.registers.read()}


def test_manner_is_measured_by_channel_and_addressee(companion: Companion) -> None:
    """[A10] Through which surface, and for whom as the person names them; the request itself is not counted."""
    assert companion.registers.read() == ()
    ask(companion, "What grows in the shade?", "say")
    ask(companion, "What grows by the wall?")
    ask(companion, "Write to my boss: I am ill.")
    ask(companion, "Escríbele a mi jefa: no puedo ir mañana.")
    ask(companion, "Tell her that I am ill.")
    assert counted(companion) == {
        ("say", ""): 1, ("chat", ""): 1, ("chat", "my boss"): 1, ("chat", "mi jefa"): 1,
    }  # fmt: skip
    (boss,) = [one for one in companion.registers.read() if one.addressee == "my boss"]
    assert boss.values["length"] == (3.0,)


def test_stories_and_quoted_words_are_in_no_register(companion: Companion) -> None:
    """[A10] What the person did not say as themselves says nothing of how they write."""
    ask(companion, "A DRAGON ROARS!!!", fiction=True)
    ask(companion, "> We regret to inform you that the offer is closed.\n> Kind regards")
    assert companion.registers.read() == ()
    ask(
        companion,
        "> We regret to inform you of this.\n\nI was told this today, and I do not know what to say to it",
    )
    (one,) = companion.registers.read()
    assert one.values["length"] == (15.0,)


def test_a_forgotten_message_is_in_no_register(companion: Companion) -> None:
    """[A10] Registers are worked out when they are read, and nothing of them is stored."""
    ask(companion, "Write to my boss: I am ill.")
    ask(companion, "What grows in the shade?")
    # The record of what a turn was given is written beside it.
    companion.turns.close()
    before = companion.ledger.count()
    assert counted(companion) == {("chat", "my boss"): 1, ("chat", ""): 1}
    assert companion.ledger.count() == before
    first = companion.ledger.read(0, 1, {USER})[0]
    companion.forgetting.carry_out(companion.forgetting.preview([first.seq]))
    assert counted(companion) == {("chat", ""): 1}


def test_a_bounded_number_of_messages_is_read(companion: Companion) -> None:
    """[A10] The newest, as many as the policy says."""
    for number in range(4):
        ask(companion, f"What grows in bed {number}?", f"surface {number}")
    policy = companion.registers.policy
    assert policy.register_messages >= 100 * policy.known_from
    object.__setattr__(policy, "register_messages", 2)
    assert set(counted(companion)) == {("surface 2", ""), ("surface 3", "")}


def test_a_turn_does_without_them(companion: Companion, monkeypatch: pytest.MonkeyPatch) -> None:
    """[A10] Where they cannot be read, every prompt is the same, and what is looked up afterwards too."""

    def broken(_: Registers) -> tuple[Register, ...]:
        raise StorageFailed("not to be read")

    for _ in range(companion.registers.policy.known_from):
        ask(companion, "Write to my boss: I am ill!!!")
    block = ask(companion, "What grows in the shade?")
    monkeypatch.setattr(Registers, "read", broken)
    assert ask(companion, "What grows in the shade?") == block
    assert "my boss" not in ask(companion, "Hello there")


def imported(file: Path) -> set[str]:
    """The modules of the package that a file names in its imports."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
    return {name.removeprefix("innerlife.") for name in found if name.startswith("innerlife.")}


def test_nothing_else_knows_them() -> None:
    """[A10] No room imports what measures them, and only the command line asks the companion for them."""
    readers, askers = set(), set()
    for file in PACKAGE.rglob("*.py"):
        name = file.relative_to(PACKAGE).as_posix()
        if any(one == known or one.startswith(f"{known}.") for one in imported(file) for known in MEASURING):
            readers.add(name)
        tree = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if any(isinstance(node, ast.Attribute) and node.attr == "registers" for node in tree):
            askers.add(name)
    assert {name for name in readers if not name.startswith("affect/addressing/")} == READERS
    assert askers == {"cli/commands/mood.py"}
