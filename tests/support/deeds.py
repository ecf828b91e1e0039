"""What the victims do: each deed opens a Core and returns the part during which it may be killed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from innerlife.conversations.events import Ending
from innerlife.conversations.model import Answer, Image
from innerlife.conversations.recording import Arriving
from tests.support.client import user
from tests.support.stack import open_stack

Tell = Callable[[str], None]
Deed = Callable[[Tell], None]

SLICE = 2


def exchange(folder: Path, said: str, answer: str) -> Deed:
    """Record a message with an image, a piece of its answer, and the answer."""
    stack = open_stack(folder)

    def live(tell: Tell) -> None:
        image = Image(b"picture of " + said.encode(), "image/png")
        opened = stack.recording.open(Arriving((user(said, image),), "test"))
        assert opened is not None
        tell("recorded")
        stack.recording.checkpoint(opened, answer[:5], 0)
        tell("kept")
        stack.recording.close(opened, Answer(answer, Ending.COMPLETE, "model"))
        tell("answered")

    return live


def project(folder: Path) -> Deed:
    """Catch the views up in small slices."""
    stack = open_stack(folder, slice_size=SLICE)

    def live(tell: Tell) -> None:
        stack.upkeep.catch_up()
        tell("caught up")

    return live


def rebuild(folder: Path) -> Deed:
    """Build the views anew."""
    stack = open_stack(folder, slice_size=SLICE)

    def live(tell: Tell) -> None:
        stack.upkeep.rebuild()
        tell("rebuilt")

    return live


def forget(folder: Path, seqs: Sequence[int]) -> Deed:
    """Forget events and finish."""
    stack = open_stack(folder, slice_size=SLICE)

    def live(tell: Tell) -> None:
        intent = stack.forgetting.carry_out(stack.forgetting.preview(seqs))
        tell("acknowledged")
        stack.forgetting.finish(intent)
        tell("finished")

    return live


def first_opening(folder: Path) -> Deed:
    """Make a new Core."""

    def live(tell: Tell) -> None:
        open_stack(folder)
        tell("opened")

    return live


def rebuild_often(folder: Path, count: int) -> Deed:
    """Build the views anew again and again, beside another process."""
    stack = open_stack(folder, slice_size=SLICE)

    def live(tell: Tell) -> None:
        for _ in range(count):
            stack.upkeep.rebuild()
        tell("rebuilt")

    return live


def speak_ann(folder: Path, count: int) -> Deed:
    """One of two who speak at once."""
    return _speak(folder, count, "ann")


def speak_ben(folder: Path, count: int) -> Deed:
    """The other one."""
    return _speak(folder, count, "ben")


def _speak(folder: Path, count: int, name: str) -> Deed:
    """Append many messages as fast as it goes, beside another process."""
    stack = open_stack(folder)

    def live(tell: Tell) -> None:
        for number in range(count):
            opened = stack.recording.open(Arriving((user(f"{name} says number {number}"),), "test"))
            assert opened is not None
            stack.recording.close(opened, Answer(f"{name} hears number {number}", Ending.COMPLETE))
            if number % 5 == 0:
                stack.upkeep.catch_up()
        stack.upkeep.catch_up()
        tell(f"spoke {count}")

    return live


def think(folder: Path, outward: bool = False) -> Deed:
    """Carry out the jobs that wait (see `tests.thinking.deed`)."""
    # Imported here, because only these victims think.
    from tests.thinking.deed import thinking  # noqa: PLC0415

    return thinking(folder, outward=outward)
