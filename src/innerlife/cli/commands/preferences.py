"""`innerlife preferences`: what you said you want."""

from __future__ import annotations

from dataclasses import asdict

import click

from innerlife.cli.options import examples, json_option
from innerlife.cli.output import note, show_json
from innerlife.cli.selves import show_preferences
from innerlife.cli.surroundings import Surroundings, context


@click.command(
    "preferences",
    short_help="What you said you want: say more, take back.",
    epilog=examples(
        "innerlife preferences",
        'innerlife preferences --add "No emojis"',
        "innerlife preferences --retire 3fa",
    ),
)
@click.option("--add", metavar="TEXT", help="Say one.")
@click.option("--retire", metavar="HANDLE", help="Take one back.")
@json_option
@context
def command(here: Surroundings, add: str | None, retire: str | None, *, as_json: bool) -> None:
    """Show what you said you want. What the companion has inferred is kept apart."""
    with here.reading() as companion:
        preferences = companion.self_model.preferences
        if add is not None:
            preferences.say(add, user=True)
        if retire is not None:
            preferences.retire(retire)
        found = preferences.read()
    if as_json:
        show_json([asdict(one) for one in found])
    elif not found:
        note("You have asked for nothing in particular yet.")
    else:
        show_preferences(found)
