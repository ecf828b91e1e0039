"""`innerlife goals`: what is pursued and promised."""

from __future__ import annotations

import click

from innerlife.adapters.clock import SystemClock
from innerlife.cli.options import examples, json_option
from innerlife.cli.output import note, show_json
from innerlife.cli.selves import goal_data, show_goals
from innerlife.cli.surroundings import Surroundings, context
from innerlife.cli.targets import handled
from innerlife.errors import BadInput
from innerlife.selfmodel.events import GoalState, Hand
from innerlife.selfmodel.goals import checked_state


@click.command(
    "goals",
    short_help="What is pursued and promised, by either of you.",
    epilog=examples(
        "innerlife goals",
        'innerlife goals --open "Learn to play the cello"',
        'innerlife goals 3fa --state completed --reason "It works"',
    ),
)
@click.argument("handle", metavar="[HANDLE]", required=False)
@click.option("--open", "opened", metavar="TEXT", help="Open a goal of yours.")
@click.option(
    "--state", metavar="STATE", help="Set the goal named: " + ", ".join(s.value for s in GoalState) + "."
)
@click.option("--text", metavar="TEXT", help="Give the goal named other words.")
@click.option("--reason", metavar="TEXT", default="", help="Why it changed.")
@json_option
@context
def command(
    here: Surroundings,
    handle: str | None,
    opened: str | None,
    state: str | None,
    text: str | None,
    reason: str,
    *,
    as_json: bool,
) -> None:
    """Show goals and promises: the open ones, then the newest closed ones.

    HANDLE is the beginning of a goal's handle (#3fa9c1), for --state, --text and --reason.
    """
    changes = state is not None or text is not None
    if (changes or reason) and not handle:
        raise BadInput("Name the goal that is meant", "`innerlife goals` shows their handles")
    if reason and not changes:
        raise BadInput("A reason is given for a change", "Say what changed with --state or --text")
    if text is not None and not text.strip():
        raise BadInput("A goal needs words", "Give --text some, or leave it out")
    with here.reading() as companion:
        goals = companion.self_model.goals
        if opened is not None:
            goals.open_goal(opened, [], Hand.USER)
        if handle and changes:
            wanted = None if state is None else checked_state(state)
            goals.change(handle, wanted, reason, text or "", user=True)
        found = goals.read()
        strong = companion.mood.strong_moments([one.seq for one in found])
    if handle is not None:
        found = handled(found, handle, "goal", "innerlife goals")
    now = SystemClock().now()
    if as_json:
        show_json([{**goal_data(one, now), "strong_moment": one.seq in strong} for one in found])
    elif not found:
        note("Nothing is pursued yet.")
    else:
        show_goals(found, now, strong)
