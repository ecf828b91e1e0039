"""`innerlife recall`: what comes to mind."""

from __future__ import annotations

import click

from innerlife.adapters.clock import SystemClock
from innerlife.cli.options import AT_MOST, examples, json_option
from innerlife.cli.output import note, one_line, short, show_json, table, when
from innerlife.cli.surroundings import Surroundings, context, wake_memory
from innerlife.errors import BadInput


@click.command(
    "recall",
    short_help="What comes to mind for some words.",
    epilog=examples('innerlife recall "the trip to Lisbon"', "innerlife recall Anna -n 3 --json"),
)
@click.argument("query", metavar="QUERY")
@click.option("-n", "limit", type=AT_MOST, default=10, show_default=True, help="How many at most.")
@json_option
@context
def command(here: Surroundings, query: str, limit: int, *, as_json: bool) -> None:
    """Search everything that was said, by words and by meaning, best first."""
    if not query.strip():
        raise BadInput(
            "There is nothing to look for", 'Put some words behind it: `innerlife recall "the trip"`'
        )
    with here.reading() as companion:
        wake_memory(companion)
        recollection = companion.remember(query, SystemClock().now())
        name = companion.origins.read().name
    found = recollection.items[:limit]
    if as_json:
        show_json({
            "degraded": recollection.degraded,
            "items": [
                {
                    "message": one.event_id, "conversation": one.conversation, "speaker": one.speaker,
                    "at": one.at, "score": one.score, "text": one.text,
                }
                for one in found
            ],
        })  # fmt: skip
        return
    if recollection.degraded:
        note(f"(Searched with less than everything: {recollection.degraded}.)")
    if not found:
        note("Nothing comes to mind.")
        return
    who = {"user": "you", "companion": name}
    table(
        ("message", "when", "who", "said"),
        [(short(o.event_id), when(o.at), who.get(o.speaker, o.speaker), one_line(o.text, 56)) for o in found],
        cut_last=True,
    )
