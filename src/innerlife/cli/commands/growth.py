"""`innerlife growth`: how the companion changed."""

from __future__ import annotations

from dataclasses import asdict

import click

from innerlife.cli.helping import month_data, scales_of, show_months
from innerlife.cli.options import AT_MOST, examples, json_option
from innerlife.cli.output import count, note, say, show_json
from innerlife.cli.selves import show_growth
from innerlife.cli.surroundings import Surroundings, context


@click.command(
    "growth",
    short_help="How the companion changed, and what it did not change.",
    epilog=examples("innerlife growth", "innerlife growth --limit 100", "innerlife growth --measures"),
)
@click.option("--limit", type=AT_MOST, default=20, help="How many entries, the newest ones (20).")
@click.option("--measures", is_flag=True, help="How well it helps, month by month, instead of the log.")
@json_option
@context
def command(here: Surroundings, limit: int, *, measures: bool, as_json: bool) -> None:
    """Show the growth log: changes, scars, and proposals that were noted or held back, with both texts.

    With --measures: how often in a hundred exchanges you corrected an answer, asked again, or left a question open; and
    of what you said of how you are, how much was overridden or not followed (`innerlife mood --measures`).
    """
    if measures:
        _measures(here, as_json=as_json)
        return
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


def _measures(here: Surroundings, *, as_json: bool) -> None:
    with here.reading() as companion:
        months = companion.helping.months(scales_of(companion.mood.measures()))
    if as_json:
        show_json([month_data(month) for month in months])
    elif not months:
        note("Nothing was said yet.")
    else:
        show_months(months)
