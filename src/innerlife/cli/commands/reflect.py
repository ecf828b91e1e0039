"""`innerlife reflect`: think about what was said now, not when it is quiet."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import click

from innerlife.cli.commands.reflections import data, show
from innerlife.cli.options import examples, json_option
from innerlife.cli.output import note, show_json
from innerlife.cli.presence import serving
from innerlife.cli.surroundings import Surroundings, context
from innerlife.cli.workers import think_here
from innerlife.companion import Companion
from innerlife.errors import BadInput
from innerlife.reflection.events import Sort

PATIENCE_SECONDS: Final = 180.0
"""How long the serving process is waited for; what takes longer, or has no engine, goes on there."""

TELL_SECONDS: Final = 5.0
"""After which it is said that it takes longer."""

STEP_SECONDS: Final = 0.3


@click.command(
    "reflect",
    short_help="Think about what was said now.",
    epilog=examples("innerlife reflect", "innerlife reflect --self", "innerlife reflect --intentions"),
)
@click.option("--self", "of_self", is_flag=True, help="Reconsider who it is and how it speaks.")
@click.option("--intentions", is_flag=True, help="Go through its goals and promises.")
@json_option
@context
def command(here: Surroundings, *, of_self: bool, intentions: bool, as_json: bool) -> None:
    """Look back on every conversation with something new in it, without waiting until it is quiet.

    With --self it reconsiders who it is, under the same rules as ever: identity is earned, so mostly nothing changes.
    Where Innerlife is running, that process does the thinking; else it is done here.
    """
    if of_self and intentions:
        raise BadInput("--self and --intentions are two reflections", "Ask for one after the other")
    sort = Sort.SELF if of_self else Sort.INTENTIONS if intentions else Sort.QUICK
    with here.reading() as companion:
        before = companion.ledger.head()
        subjects = companion.reflections.call(sort)
        waits = _thought(here, companion, sort, subjects) if subjects else ""
        found = [one for one in companion.reflections.newest(50, sort) if one.seq > before]
        told = [data(companion, one) for one in found]
    if as_json:
        show_json(told)
    else:
        show(told)
    if waits:
        note(f"It is not done yet ({waits}), and goes on by itself while Innerlife is running.")
    elif not told:
        note("There is nothing new to think about.")


def _thought(here: Surroundings, companion: Companion, sort: Sort, subjects: Sequence[int]) -> str:
    """Have it thought about, here or by the process that serves. Returns what it waits for."""
    done = partial(_is_done, companion, sort, subjects)
    note("Thinking …")
    if serving(here.configured.places.home):
        return _awaited(done)
    return asyncio.run(think_here(here.configured, companion, done, sort.value))


def _is_done(companion: Companion, sort: Sort, subjects: Sequence[int]) -> bool:
    companion.upkeep.catch_up()
    return companion.reflections.settled(sort, subjects)


def _awaited(done: Callable[[], bool]) -> str:
    began, told = time.monotonic(), False
    while (passed := time.monotonic() - began) < PATIENCE_SECONDS:
        if done():
            return ""
        if passed > TELL_SECONDS and not told:
            told = True
            note("The running Innerlife is at it; Ctrl-C ends the waiting, not the thinking.")
        time.sleep(STEP_SECONDS)
    return "the running Innerlife is at it"
