"""`innerlife rebuild`: the views anew."""

from __future__ import annotations

import time

import click

from innerlife.cli.options import examples, json_option
from innerlife.cli.output import count, note, say, show_json
from innerlife.cli.surroundings import Surroundings, context


@click.command(
    "rebuild", short_help="Work all views out anew from the Core.", epilog=examples("innerlife rebuild")
)
@json_option
@context
def command(here: Surroundings, *, as_json: bool) -> None:
    """Throw the views and the search index away and work them out anew from the Core.

    Nothing that was said is lost by it, and no model is asked.
    """
    here.must_exist()
    with here.opened() as companion:
        note("Rebuilding …")
        began = time.monotonic()
        events = companion.upkeep.rebuild()
        seconds = time.monotonic() - began
    if as_json:
        show_json({"events": events, "seconds": round(seconds, 3)})
    else:
        say(f"The views are rebuilt from {count(events, 'event')}, in {seconds:.1f} seconds.")
