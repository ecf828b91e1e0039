"""`innerlife queue`: what is thought about in the background."""

from __future__ import annotations

import click

from innerlife.cli.options import examples, json_option
from innerlife.cli.output import count, facts, note, say, show_json, table, when
from innerlife.cli.surroundings import Surroundings, context
from innerlife.thinking.probes import Verdict
from innerlife.thinking.thoughts import State


@click.command(
    "queue",
    short_help="What is thought about in the background.",
    epilog=examples("innerlife queue", "innerlife queue --pause", "innerlife queue --resume --json"),
)
@click.option(
    "--pause/--resume", "pause", default=None, help="Stop thinking in the background, or let it go on."
)
@json_option
@context
def command(here: Surroundings, *, pause: bool | None, as_json: bool) -> None:
    """Show what waits, what failed and why, what the last day cost, and which models are trusted with it.

    Innerlife thinks while `innerlife serve` runs and nobody is talking.
    """
    with here.reading() as companion:
        if pause is not None:
            companion.thoughts.pause(on=pause)
            companion.upkeep.catch_up()
        state = companion.thoughts.state()
        verdicts = companion.thoughts.verdicts()
    if as_json:
        show_json(_plain(state, verdicts))
    else:
        _show(state, verdicts)


def _show(state: State, verdicts: list[Verdict]) -> None:
    jobs, cost = sum(one.jobs for one in state.waiting), state.cost
    going = "whenever nobody talks"
    calls = f"{count(cost.requests, 'call')}, {cost.seconds:.0f} s, {count(cost.tokens, 'token')}"
    facts([
        ("Thinking", "paused; `innerlife queue --resume` lets it go on" if state.paused else going),
        ("Waiting", count(jobs, "job") if jobs else "nothing"),
        ("Last day", calls if cost.requests else "no model was asked"),
    ])  # fmt: skip
    if state.bound:
        note(f"Nothing more is asked of a model for now: {state.bound}.")
    if state.waiting:
        say()
        rows = [(one.stage, str(one.jobs), str(one.failed), when(one.since)) for one in state.waiting]
        table(("stage", "jobs", "failed before", "waits since"), rows)
    if state.failures:
        say()
        table(
            ("when", "stage", "what was wrong"),
            [(when(one.at), one.stage, one.error) for one in state.failures],
        )
    if verdicts:
        say()
        judged = [(v.model, v.role, "yes" if v.passed else "no", wrong(v)) for v in verdicts]
        table(("model", "role", "trusted", "why not"), judged)


def wrong(verdict: Verdict) -> str:
    """What was wrong with a model's answers when it was tried, in one line."""
    return "; ".join(f"{name}: {what}" for name, what in verdict.details.items() if what)


def _plain(state: State, verdicts: list[Verdict]) -> dict[str, object]:
    return {
        "paused": state.paused,
        "limit_reached": state.bound,
        "waiting": [
            {"stage": one.stage, "jobs": one.jobs, "failed": one.failed, "since": one.since}
            for one in state.waiting
        ],
        "failures": [
            {"stage": one.stage, "at": one.at, "error": one.error, "settled": one.settled}
            for one in state.failures
        ],
        "last_day": {
            "seconds": state.cost.seconds,
            "requests": state.cost.requests,
            "tokens": state.cost.tokens,
        },
        "models": [
            {"engine": v.engine, "model": v.model, "role": v.role, "trusted": v.passed, "details": v.details}
            for v in verdicts
        ],
    }
