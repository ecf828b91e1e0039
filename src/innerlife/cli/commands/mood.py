"""`innerlife mood`: how you seemed, what it rests on, and your word over it."""

from __future__ import annotations

from datetime import timedelta

import click

from innerlife.affect.display import periods_of
from innerlife.affect.manner import days_trajectory
from innerlife.affect.signals import faded
from innerlife.affect.trajectory import Trajectory
from innerlife.cli.channels import differences_data, register_data, show_registers
from innerlife.cli.moods import (
    month_data,
    period_data,
    reading_data,
    report_data,
    show_chart,
    show_evidence,
    show_measures,
)
from innerlife.cli.options import examples, json_option
from innerlife.cli.output import heading, note, one_line, say, short, show_json, wrapped
from innerlife.cli.surroundings import Surroundings, context
from innerlife.companion import Companion
from innerlife.errors import BadInput

_HEADING = {
    Trajectory.ESCALATING: "It has been getting harder.",
    Trajectory.DE_ESCALATING: "It has been getting easier.",
    Trajectory.STABLE: "It has stayed much the same.",
    Trajectory.SHIFTED: "It has turned.",
    Trajectory.UNKNOWN: "",
}


@click.group(
    "mood",
    short_help="How you seemed, and your word over it.",
    invoke_without_command=True,
    epilog=examples(
        "innerlife mood",
        "innerlife mood --evidence",
        "innerlife mood --weeks --days 90",
        "innerlife mood --measures",
        "innerlife mood --channels",
    ),
)
@click.option(
    "--days", type=click.IntRange(1, 3660), default=14, show_default=True, help="How many days to look back."
)
@click.option("--weeks", is_flag=True, help="A week a line.")
@click.option("--evidence", is_flag=True, help="Every reading, with what it rests on.")
@click.option("--measures", is_flag=True, help="Month by month: was your word over it respected?")
@click.option("--channels", is_flag=True, help="How you write, by channel and by whom it is for.")
@json_option
@click.pass_context
def command(
    click_context: click.Context,
    *,
    days: int,
    weeks: bool,
    evidence: bool,
    measures: bool,
    channels: bool,
    as_json: bool,
) -> None:
    """Show how you seemed: readings that fade, never a label, and each can be corrected or dropped.

    A reading changes only the manner of the next answers, and what it changes now stands below the chart.
    """
    if click_context.invoked_subcommand is not None:
        return
    with click_context.find_object(Surroundings).reading() as companion:  # type: ignore[union-attr]
        if channels:
            _channels(companion, as_json=as_json)
        elif measures:
            _measures(companion, as_json=as_json)
        else:
            _mood(companion, days, weeks=weeks, evidence=evidence, as_json=as_json)


def _mood(companion: Companion, days: int, *, weeks: bool, evidence: bool, as_json: bool) -> None:
    mood, desk = companion.mood, companion.mood.desk
    now = desk.clock.now()
    course = mood.course(now - timedelta(days=days))
    guidance = [one.text for one in mood.guidance(now)]
    heading_to = days_trajectory(course.readings, desk.clock.zone(), desk.policy, desk.day_of)
    periods = periods_of(course.readings, desk.day_of, weeks=weeks)
    messages = [one.message for one in course.readings] + [one.message for one in course.reports]
    words = desk.own_words(messages)
    left = {one.seq: faded(one.confidence, one.at, now, desk.policy) for one in course.readings}
    if as_json:
        show_json({
            "periods": [period_data(one) for one in periods],
            "trajectory": heading_to.value,
            "manner": guidance,
            "readings": [reading_data(one, left[one.seq], words) for one in course.readings],
            "said": [report_data(one, words) for one in course.reports],
        })  # fmt: skip
        return
    if not course.readings and not course.reports:
        note("Nothing stood out in these days.")
        return
    if periods:
        show_chart(periods, weeks=weeks)
        if _HEADING[heading_to]:
            say(_HEADING[heading_to])
        say()
    if evidence:
        show_evidence(course, words, left)
        say()
    heading("What it changes now")
    for text in guidance or ["Nothing."]:
        say(wrapped(text, "  "))


def _measures(companion: Companion, *, as_json: bool) -> None:
    months = companion.mood.measures()
    if as_json:
        show_json([month_data(one) for one in months])
    elif not months:
        note("You have not said yet how you are, and corrected nothing.")
    else:
        show_measures(months)


def _channels(companion: Companion, *, as_json: bool) -> None:
    registers, policy = companion.registers.read(), companion.registers.policy
    if as_json:
        show_json({
            "registers": [register_data(one, policy) for one in registers],
            "differences": differences_data(registers, policy),
        })  # fmt: skip
    elif not registers:
        note("There is no message of yours yet.")
    else:
        show_registers(registers, policy)


@command.command(
    "correct",
    epilog=examples(
        'innerlife mood correct "I was only in a hurry"', 'innerlife mood correct 01K9ZC3M8Q "That was joy"'
    ),
)
@click.argument("said", metavar="[SIGNAL] WORDS", nargs=-1, required=True)
@json_option
@context
def correct_command(here: Surroundings, said: tuple[str, ...], *, as_json: bool) -> None:
    """Say how it was. Your words win over whatever was read in that message.

    SIGNAL is the beginning of a reading's id, as `innerlife mood --evidence` shows it; without it, the newest one that
    counts is meant.
    """
    # An id begins with its time, and that with a zero until the year 3084.
    ident, words = (said[0], said[1:]) if said[0].startswith("0") else ("", said)
    if not words:
        raise BadInput("A correction needs words", "Say how it was behind the id.")
    with here.reading() as companion:
        one = companion.mood.correct(ident, " ".join(words))
        own = companion.mood.desk.own_words([one.message])
    if as_json:
        show_json(reading_data(one, one.confidence, own))
    else:
        said_then = one_line(own.get(one.message, ""), 60)
        say(f"What was read in “{said_then}” ({short(one.id)}) stands corrected: “{one.corrected}”")


@command.command("drop", epilog=examples("innerlife mood drop 01K9ZC3M8Q"))
@click.argument("signal", metavar="SIGNAL")
@json_option
@context
def drop_command(here: Surroundings, signal: str, *, as_json: bool) -> None:
    """Drop a reading: nothing rests on it any more, and its message is not read again. The message itself stays.

    SIGNAL is the beginning of a reading's id, as `innerlife mood --evidence` shows it.
    """
    if not signal.strip():
        raise BadInput("Name the reading that is meant", "`innerlife mood --evidence` shows their ids")
    with here.reading() as companion:
        one = companion.mood.drop(signal)
    if as_json:
        show_json({"dropped": one.id, "at": one.at})
    else:
        say(f"{short(one.id)} is dropped.")
