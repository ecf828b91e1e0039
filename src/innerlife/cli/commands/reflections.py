"""`innerlife reflections`: what it thought about between conversations."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import click

from innerlife.cli.options import AT_MOST, examples, json_option
from innerlife.cli.output import clipped, count, heading, note, say, show_json, when, wrapped
from innerlife.cli.surroundings import Surroundings, context
from innerlife.companion import Companion
from innerlife.ledger.envelope import Event
from innerlife.reflection.events import Sort
from innerlife.reflection.quick import NO_MODEL
from innerlife.reflection.reflections import Reflection
from innerlife.selfmodel.events import OBSERVATION
from innerlife.selfmodel.handles import handle_of

TITLES = {
    Sort.QUICK: "Looked back on a conversation",
    Sort.SELF: "Reconsidered who it is",
    Sort.INTENTIONS: "Went through what it means to do",
}
WITH_HANDLES = frozenset({"self.goal", "self.promise", "self.preference", "self.working_memory", OBSERVATION})
"""Kinds that begin a thing which other commands name by its handle."""

WAITING = (
    "Aims, insights and what you said of yourself wait for a model that is trusted to reflect; `innerlife queue` says "
    "why."
)
"""What is left while no model is trusted, said once for all of them."""

SHOWN = 3
"""Messages that are shown of what was read; `--json` has all of them."""


@click.command(
    "reflections",
    short_help="What it thought about between conversations.",
    epilog=examples("innerlife reflections", "innerlife reflections --sort self --limit 3"),
)
@click.option("--limit", type=AT_MOST, default=10, show_default=True, help="How many at most.")
@click.option("--sort", type=click.Choice([one.value for one in Sort]), help="Only those of one sort.")
@json_option
@context
def command(here: Surroundings, limit: int, sort: str | None, *, as_json: bool) -> None:
    """Show each reflection: what it read, what it concluded, what it left, and what it changed."""
    with here.reading() as companion:
        found = companion.reflections.newest(limit, Sort(sort) if sort else None)
        told = [data(companion, one) for one in found]
    if as_json:
        show_json(told)
    elif not told:
        note("Nothing was reflected on yet. `innerlife reflect` does it now.")
    else:
        show(told)


def data(companion: Companion, one: Reflection) -> dict[str, Any]:
    """A reflection as data."""
    return {
        "id": one.id, "sort": one.sort.value, "at": one.at, "conversation": one.conversation,
        "model": one.model, "model_free": one.model_free,
        "read": [_message(companion, event) for event in one.read],
        "concluded": list(one.concluded), "left": list(one.left),
        "changed": [_message(companion, event) for event in one.changed],
    }  # fmt: skip


def _message(companion: Companion, event: Event) -> dict[str, Any]:
    sentence = companion.ledger.registry.named(event.kind).tells(event.body)
    handle = handle_of(event.id) if event.kind in WITH_HANDLES else ""
    return {
        "id": event.id, "kind": event.kind, "at": event.happened.at, "what": sentence, "handle": handle
    }  # fmt: skip


def show(told: Sequence[dict[str, Any]]) -> None:
    """Reflections for a person, the newest first; those that found nothing are counted on a line."""
    waiting = any(NO_MODEL in one["left"] for one in told)
    for empty, run in groupby(told, _is_empty):
        if empty:
            _show_empty(list(run))
            continue
        for one in run:
            _show_one(one)
    if waiting:
        say(wrapped(WAITING))


def _left(one: dict[str, Any]) -> list[str]:
    """What it left, without what holds of all of them and is said once."""
    return [line for line in one["left"] if line != NO_MODEL]


def _is_empty(one: dict[str, Any]) -> bool:
    """Whether it looked back on a conversation and found nothing to tell of."""
    return one["sort"] == Sort.QUICK.value and not (one["concluded"] or one["changed"] or _left(one))


def _show_empty(run: list[dict[str, Any]]) -> None:
    newest, oldest = when(run[0]["at"]), when(run[-1]["at"])
    what = TITLES[Sort.QUICK] if len(run) == 1 else f"Looked back {len(run)} times"
    moment = newest if newest == oldest else f"{oldest} to {newest}"
    heading(f"{what} · {moment} · nothing was to be changed")
    say()


def _show_one(one: dict[str, Any]) -> None:
    who = "by rule" if one["model_free"] or not one["model"] else f"with {one['model']}"
    heading(f"{TITLES[Sort(one['sort'])]} · {when(one['at'])} · {who}")
    if one["read"]:
        say(f"  Read {count(len(one['read']), 'message')}:")
        for message in one["read"][:SHOWN]:
            say(clipped(message["what"], "    "))
        if (more := len(one["read"]) - SHOWN) > 0:
            say(f"    …and {more} more")
    concluded = one["concluded"] or ([] if one["changed"] else ["Nothing was to be changed."])
    for title, lines in (("Concluded", concluded), ("Left", _left(one))):
        if lines:
            say(f"  {title}:")
            for line in lines:
                say(wrapped(line, "    "))
    if one["changed"]:
        say("  Changed:")
        for event in one["changed"]:
            say(clipped(" ".join(filter(None, (event["handle"], event["what"]))), "    "))
    say()
