"""`innerlife skills`: rules that proved themselves."""

from __future__ import annotations

import click

from innerlife.cli.helping import show_skills, skill_data
from innerlife.cli.options import examples, json_option
from innerlife.cli.output import note, show_json
from innerlife.cli.surroundings import Surroundings, context


@click.command(
    "skills",
    short_help="Rules that proved themselves.",
    epilog=examples("innerlife skills", "innerlife skills --json"),
)
@json_option
@context
def command(here: Surroundings, *, as_json: bool) -> None:
    """Show the skills: when each is for, its steps, by what it is judged, and how it did.

    To give one up, retire or dispute its rule with `innerlife rules`.
    """
    with here.reading() as companion:
        skills = companion.helping.skills()
    if as_json:
        show_json([skill_data(skill) for skill in skills])
    elif not skills:
        note("No rule has become a skill yet.")
    else:
        show_skills(skills)
