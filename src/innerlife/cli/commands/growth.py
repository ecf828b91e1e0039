"""`innerlife growth`: how the companion changed."""

from __future__ import annotations

from dataclasses import asdict

import click

from innerlife.cli.options import examples, json_option
from innerlife.cli.output import count, note, say, show_json
from innerlife.cli.selves import show_growth
from innerlife.cli.surroundings import Surroundings, context


@click.command(
    "growth",
    short_help="How the companion changed, and what it did not change.",
    epilog=examples("innerlife growth", "innerlife growth --limit 100"),
)
@click.option("--limit", type=click.IntRange(1), default=20, help="How many entries, the newest ones (20).")
@json_option
@context
def command(here: Surroundings, limit: int, *, as_json: bool) -> None:
    """Show the growth log: changes, scars, and proposals that were noted or held back, with both texts."""
    with here.reading() as companion:
        entries = companion.self_model.growth.read()
    shown = entries[-limit:]
    if as_json:
        show_json([asdict(one) for one in shown])
    elif not shown:
        note("Nothing has changed yet.")
    else:
        show_growth(shown)
        if len(entries) > len(shown):
            say(f"{count(len(entries) - len(shown), 'entry', 'entries')} before these; --limit shows more.")
