"""`innerlife reflections`: what it thought about between conversations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from innerlife.cli.options import examples, json_option
from innerlife.cli.output import count, heading, note, one_line, say, short, show_json, when, wrapped
from innerlife.cli.surroundings import Surroundings, context
from innerlife.companion import Companion
from innerlife.ledger.envelope import Event
from innerlife.reflection.events import Sort
from innerlife.reflection.reflections import Reflection

TITLES = {
    Sort.QUICK: "Looked back on a conversation",
    Sort.SELF: "Reconsidered who it is",
    Sort.INTENTIONS: "Went through what it means to do",
}
SHOWN = 3
"""Messages that are shown of what was read; `--json` has all of them."""


@click.command(
    "reflections",
    short_help="What it thought about between conversations.",
    epilog=examples("innerlife reflections", "innerlife reflections --sort self --limit 3"),
)
@click.option("--limit", type=click.IntRange(1), default=10, show_default=True, help="How many at most.")
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
    return {"id": event.id, "kind": event.kind, "at": event.happened.at, "what": sentence}


def show(told: Sequence[dict[str, Any]]) -> None:
    """Reflections for a person, the newest first."""
    for one in told:
        who = "by rule" if one["model_free"] or not one["model"] else f"with {one['model']}"
        heading(f"{TITLES[Sort(one['sort'])]} · {when(one['at'])} · {who} · {short(one['id'])}")
        if one["read"]:
            say(f"  Read {count(len(one['read']), 'message')}:")
            for message in one["read"][-SHOWN:]:
                say(f"    {one_line(message['what'], 88)}")
        concluded = one["concluded"] or ([] if one["changed"] else ["Nothing was to be changed."])
        for title, lines in (("Concluded", concluded), ("Left", one["left"])):
            if lines:
                say(f"  {title}:")
                for line in lines:
                    say(wrapped(line, "    "))
        if one["changed"]:
            say("  Changed:")
            for event in one["changed"]:
                say(f"    {short(event['id'])}  {one_line(event['what'], 78)}")
        say()
