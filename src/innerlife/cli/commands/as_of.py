"""`innerlife as-of`: who the companion was, and what it knew, on a day."""

from __future__ import annotations

from datetime import datetime

import click

from innerlife.adapters.clock import SystemClock
from innerlife.cli.helping import rule_data, show_rules, show_skills, skill_data
from innerlife.cli.options import examples, json_option
from innerlife.cli.output import heading, say, show_json
from innerlife.cli.selves import selves_data, show_selves
from innerlife.cli.surroundings import Surroundings, context
from innerlife.errors import BadInput
from innerlife.selfmodel.due import due_day, end_of, local_day


@click.command(
    "as-of",
    short_help="Who the companion was on a day.",
    epilog=examples("innerlife as-of 2026-03-31", 'innerlife as-of "last Tuesday"'),
)
@click.argument("date", metavar="DATE")
@json_option
@context
def command(here: Surroundings, date: str, *, as_json: bool) -> None:
    """Show everything that was written about the companion and about you at the end of DATE, and how it helped then.

    Rules and skills stand as they did, with the uses that there were and by the preferences of then.
    """
    clock = SystemClock()
    until = _end_of(date, clock)
    with here.reading() as companion:
        selves = companion.self_model.as_of(until)
        rules, skills = companion.helping.rules(until), companion.helping.skills(until)
        policy = companion.helping.policy
        born = datetime.fromisoformat(f"{companion.origins.read().born}T00:00:00+00:00")
    if until < born:
        raise BadInput(f"The companion was born on {born:%Y-%m-%d}", "Name that day or a later one")
    if as_json:
        learned = {
            "rules": [rule_data(rule, policy) for rule in rules],
            "skills": [skill_data(skill) for skill in skills],
        }
        show_json({"until": until, **selves_data(selves), **learned})
        return
    heading(f"At the end of {until.astimezone():%Y-%m-%d}")
    show_selves(selves)
    if rules:
        heading("What it inferred of how to help you")
        show_rules(rules, policy)
        say()
    if skills:
        heading("Rules that proved themselves")
        show_skills(skills)


def _end_of(date: str, clock: SystemClock) -> datetime:
    day = due_day(date, clock.now(), clock.zone())
    if day is None:
        raise BadInput(f"{date!r} names no day", "Write it as 2026-03-31")
    if day > local_day(clock.now(), clock.zone()):
        raise BadInput(
            f"{date!r} is {day}, which has not come yet", "Write the day that is meant as 2026-03-31"
        )
    return end_of(day, clock.zone())
