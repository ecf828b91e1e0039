"""`innerlife observations`: what the companion noticed."""

from __future__ import annotations

from dataclasses import asdict

import click

from innerlife.cli.options import examples, json_option
from innerlife.cli.output import note as remark
from innerlife.cli.output import show_json
from innerlife.cli.selves import show_observations
from innerlife.cli.surroundings import Surroundings, context
from innerlife.cli.targets import handled
from innerlife.errors import BadInput


@click.command(
    "observations",
    short_help="What the companion noticed.",
    epilog=examples(
        "innerlife observations",
        'innerlife observations 3fa --revise "Mornings suit you now"',
        'innerlife observations 3fa --retire --note "That was one week."',
    ),
)
@click.argument("handle", metavar="[HANDLE]", required=False)
@click.option("--revise", metavar="TEXT", help="Give the observation named other words.")
@click.option("--retire", is_flag=True, help="Let the observation named hold no longer.")
@click.option("--note", metavar="TEXT", default="", help="What changed.")
@json_option
@context
def command(
    here: Surroundings, handle: str | None, revise: str | None, note: str, *, retire: bool, as_json: bool
) -> None:
    """Show the observations that hold; with HANDLE (the beginning of one's handle), change one."""
    if (revise is not None or retire or note) and not handle:
        raise BadInput("Name the observation that is meant", "`innerlife observations` shows their handles")
    if revise is not None and retire:
        raise BadInput("--revise and --retire are two changes", "Ask for one of them")
    if note and revise is None and not retire:
        raise BadInput("A note is given for a change", "Say what changes with --revise or --retire")
    with here.reading() as companion:
        observations = companion.self_model.observations
        if handle and revise is not None:
            observations.revise(handle, revise, note, user=True)
        elif handle and retire:
            observations.retire(handle, note, user=True)
        found = observations.read()
        strong = companion.mood.strong_moments([one.seq for one in found])
    if handle is not None and not retire:
        found = handled(found, handle, "observation", "innerlife observations")
    if as_json:
        show_json([{**asdict(one), "strong_moment": one.seq in strong} for one in found])
    elif not found:
        remark("Nothing that was noticed holds now." if retire else "Nothing was noticed yet.")
    else:
        show_observations(found, strong)
