"""`innerlife origin`: name and birth date."""

from __future__ import annotations

from datetime import date

import click

from innerlife.cli.options import examples, json_option
from innerlife.cli.output import say, show_json, wrapped
from innerlife.cli.surroundings import Surroundings, context
from innerlife.conversations.events import COMPANION
from innerlife.workspace.when import calendar_date


@click.command(
    "origin",
    short_help="The companion's name and birth date.",
    epilog=examples("innerlife origin", "innerlife origin --name Mira"),
)
@click.option("--name", metavar="NAME", help="Give it this name; possible until the first exchange.")
@json_option
@context
def command(here: Surroundings, name: str | None, *, as_json: bool) -> None:
    """Show who the companion is, as every prompt says it first.

    The name may be changed until the first exchange is recorded; then it stays.
    """
    here.must_exist()
    with here.opened() as companion:
        origin = companion.origins.read() if name is None else companion.origins.rename(name)
        text = companion.texts.origin_for(origin.name, calendar_date(date.fromisoformat(origin.born)))
        frozen = companion.ledger.count({COMPANION}) > 0
    if as_json:
        show_json({"name": origin.name, "born": origin.born, "frozen": frozen, "text": text})
        return
    say(f"{origin.name}, born on {origin.born}.")
    say(
        "The name is part of what was lived together and stays."
        if frozen
        else "The name may still be changed."
    )
    say()
    say(wrapped(text))
