"""`innerlife chat`: a conversation, line by line."""

from __future__ import annotations

import asyncio
import re
import sys

import click

from innerlife.adapters.clock import SystemClock
from innerlife.cli.commands.say import tell_standing, tell_unfinished
from innerlife.cli.engines import TOY, Engines
from innerlife.cli.errors import sentence
from innerlife.cli.options import examples
from innerlife.cli.output import facts, heading, note, say, visible, wrapped
from innerlife.cli.surroundings import Surroundings, context, readable_here, wait_for_views, wake_memory
from innerlife.cli.talk import Spoken, Talk, carry_on, conversing, new_chat
from innerlife.cli.targets import conversation_named
from innerlife.companion import Companion
from innerlife.errors import EngineUnavailable, ModelUnavailable

QUIT = frozenset({"/quit", "/exit", "/bye"})

HELP = frozenset({"/help", "/?"})

HELP_TEXT = (
    ("/help", "shows this"),
    ("/quit", "ends the talk, as Ctrl-D does; /exit and /bye do the same"),
    ("Ctrl-C", "stops an answer; what was said of it is kept"),
)
"""What is meant for this command line and not for the model."""

_COMMAND = re.compile(r"/[a-z?]+", re.IGNORECASE)
"""A line that is one word behind a slash is a command, known or not; any other is something said."""


@click.command(
    "chat",
    short_help="Talk, line by line.",
    epilog=examples("innerlife chat", "innerlife chat --conversation c01k9"),
)
@click.option("--conversation", metavar="ID", help="Carry on this conversation (the beginning of its id).")
@click.option("--model", default="", metavar="NAME", help="Which of the engine's models answers.")
@click.option("--upstream", metavar="URL", help="The engine that answers.")
@context
def command(here: Surroundings, conversation: str | None, model: str, upstream: str | None) -> None:
    """Talk with the companion, one line at a time.

    /quit or Ctrl-D ends the talk, /help says what else there is. Ctrl-C stops an answer; what was said of it is kept.
    """
    here.may_begin()
    first = not here.exists
    configured = here.with_flags({("proxy", "upstream"): upstream})
    with here.opened(configured=configured) as companion:
        if first:
            note(wrapped(readable_here(configured, here.profile)))
        engines = Engines(configured)
        talk = _talk(companion, engines, conversation, model)
        with conversing(engines) as runner:
            choice = runner.run(engines.look())
            heading(f"{companion.origins.read().name}, with {choice}.")
            say("/help says what can be typed, /quit ends, Ctrl-C stops an answer.")
            if choice.toy:
                note(wrapped(TOY))
            _converse(runner, talk)


def _talk(companion: Companion, engines: Engines, conversation: str | None, model: str) -> Talk:
    wait_for_views(companion)
    wake_memory(companion)
    companion.upkeep.start()
    if conversation is None:
        return Talk(companion, engines, "chat", model, new_chat("chat", SystemClock().now()))
    return carry_on(companion, engines, conversation_named(companion, conversation), "chat", model)


def _converse(runner: asyncio.Runner, talk: Talk) -> None:
    told = False
    while True:
        try:
            line = _read_line()
        except (EOFError, KeyboardInterrupt):
            say()
            return
        word = line.strip().lower()
        if word in QUIT:
            return
        if word in HELP:
            facts(HELP_TEXT, 9)
        elif _COMMAND.fullmatch(word):
            note(f"There is no command {visible(word)} here; /help says which there are.")
        elif word:
            spoken = _one(runner, talk, line)
            told = told or (spoken is not None and tell_unfinished(spoken, " This is said once in a talk."))


def _read_line() -> str:
    """One line as typed. Raises EOFError at the end."""
    if sys.stdin.isatty():
        return input("\n> ")
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.rstrip("\r\n")


def _one(runner: asyncio.Runner, talk: Talk, line: str) -> Spoken | None:
    """One exchange; None where it did not come to its end, which the person was told."""
    try:
        spoken = runner.run(talk.exchange(line, lambda piece: click.echo(visible(piece), nl=False)))
    except KeyboardInterrupt:
        say()
        note("(Stopped. What was said is kept.)")
    except (EngineUnavailable, ModelUnavailable) as error:
        # The engine may come back; the conversation goes on.
        say()
        note(visible(sentence(error)))
    else:
        say()
        tell_standing(spoken)
        return spoken
    return None
