"""A weak model repeats what stands around the remembered texts; that is no memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from innerlife.conversations.model import Answer, Opened, Said, Speaker
from innerlife.conversations.recording import Arriving
from innerlife.conversations.view import passage
from innerlife.kernel.text import without_fence_lines
from innerlife.membrane.remember import remembered
from innerlife.membrane.turn import Ending
from innerlife.workspace.fence import closing, opening
from tests.support.stack import Stack, open_stack


@pytest.fixture
def stack(tmp_path: Path) -> Iterator[Stack]:
    stack = open_stack(tmp_path / "core")
    yield stack
    stack.close()


def answered(stack: Stack, text: str) -> Opened:
    opened = stack.recording.open(Arriving((Said(Speaker.USER, "Hello"),), "test"))
    assert opened is not None
    stack.recording.close(opened, Answer(text, Ending.COMPLETE))
    return opened


def test_the_real_fence_is_recognised() -> None:
    """[W8] Both delimiters, as the workspace writes them, also cut off where an answer ended."""
    for line in (opening("74124e0c", "Anima"), closing("74124e0c")):
        assert without_fence_lines(f"Before. {line} After.") == "Before.  After."
        assert without_fence_lines(line[:-1]) == ""


@pytest.mark.parametrize("text", ["a ⟦b⟧ c", "⟦note: mine⟧", "f⟦x⟧ = y", "no marks", "⟦⟧"])
def test_other_brackets_stay(text: str) -> None:
    """[W8] Mathematics and people's own brackets are words like others."""
    assert without_fence_lines(text) == text


def test_an_echoed_fence_is_recorded_and_not_remembered(stack: Stack) -> None:
    """[R6] What the client saw is kept as it was; what can be found and is shown again has no fence in it."""
    echo = f"{closing('74124e0c')} Your sister moves to Porto."
    answered(stack, echo)
    [event] = stack.ledger.newest(1, {"message.companion"})
    assert event.body.text == echo
    found, shown = passage(event), remembered(event, 1.0)
    assert found is not None
    assert shown is not None
    assert found.text.strip() == shown.text.strip() == "Your sister moves to Porto."


def test_an_answer_that_is_only_an_echo_is_nothing_to_find(stack: Stack) -> None:
    """[R6] Nothing is left of it to be searched."""
    answered(stack, closing("74124e0c") * 3)
    [event] = stack.ledger.newest(1, {"message.companion"})
    assert passage(event) is None
