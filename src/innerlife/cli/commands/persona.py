"""`innerlife persona`: how the companion speaks."""

from __future__ import annotations

import click

from innerlife.cli.options import examples, json_option
from innerlife.cli.output import heading, say, show_json, when, wrapped
from innerlife.cli.selves import section_data, show_section
from innerlife.cli.surroundings import Surroundings, context
from innerlife.selfmodel.events import Portrait


@click.command(
    "persona",
    short_help="How the companion speaks, and how it used to.",
    epilog=examples("innerlife persona", "innerlife persona --all", "innerlife self edit persona"),
)
@click.option("--all", "everything", is_flag=True, help="Show every earlier version too.")
@json_option
@context
def command(here: Surroundings, *, everything: bool, as_json: bool) -> None:
    """Show how the companion speaks. `innerlife self edit persona` changes it."""
    with here.reading() as companion:
        versions = companion.self_model.portraits.versions(Portrait.PERSONA)
    if as_json:
        show_json([section_data(one) for one in (versions if everything else versions[-1:])])
        return
    show_section(versions[-1])
    for one in reversed(versions[:-1]) if everything else ():
        say()
        heading(f"Before ({when(one.at) if one.at else 'as it was shipped'})")
        say(wrapped(one.text, "  "))
