"""`innerlife rules`: what the companion inferred of how to help you."""

from __future__ import annotations

import click

from innerlife.cli.helping import rule_data, show_rules
from innerlife.cli.options import examples, json_option
from innerlife.cli.output import note, show_json
from innerlife.cli.surroundings import Surroundings, context
from innerlife.companion import Companion
from innerlife.learning.rules import Rule


@click.group(
    "rules",
    short_help="What it inferred of how to help you.",
    invoke_without_command=True,
    epilog=examples("innerlife rules", "innerlife rules dispute 3fa"),
)
@json_option
@click.pass_context
def command(click_context: click.Context, *, as_json: bool) -> None:
    """Show the rules the companion derived from conversations: evidence, confidence, and how each stands.

    A rule is inferred and may be wrong. What you said you want is kept apart, in `innerlife preferences`, and
    outranks it.
    """
    if click_context.invoked_subcommand is not None:
        return
    with click_context.find_object(Surroundings).reading() as companion:  # type: ignore[union-attr]
        rules = companion.helping.rules()
        _show(companion, rules, "No rule was derived yet.", as_json=as_json)


@command.command("edit", epilog=examples('innerlife rules edit 3fa "Code first, then two sentences."'))
@click.argument("handle")
@click.argument("text")
@json_option
@context
def edit_command(here: Surroundings, handle: str, text: str, *, as_json: bool) -> None:
    """Put the rule that HANDLE begins to name into your own words. It holds so from now on."""
    with here.reading() as companion:
        _show(companion, [companion.helping.edit(handle, text)], "", as_json=as_json)


@command.command(
    "retire", epilog=examples("innerlife rules retire 3fa", 'innerlife rules retire 3fa --note "No longer"')
)
@click.argument("handle")
@click.option("--note", "reason", metavar="TEXT", default="", help="Why.")
@json_option
@context
def retire_command(here: Surroundings, handle: str, reason: str, *, as_json: bool) -> None:
    """Let a rule hold no longer. It comes back only from new conversations, or when you edit it."""
    with here.reading() as companion:
        _show(companion, [companion.helping.retire(handle, reason)], "", as_json=as_json)


@command.command("dispute", epilog=examples('innerlife rules dispute 3fa --note "That was one bad week."'))
@click.argument("handle")
@click.option("--note", "reason", metavar="TEXT", default="", help="Why it is not so.")
@json_option
@context
def dispute_command(here: Surroundings, handle: str, reason: str, *, as_json: bool) -> None:
    """Say that a rule is not so. It holds no longer at once, and is not derived again."""
    with here.reading() as companion:
        _show(companion, [companion.helping.dispute(handle, reason)], "", as_json=as_json)


def _show(companion: Companion, rules: list[Rule], none: str, *, as_json: bool) -> None:
    policy = companion.helping.policy
    if as_json:
        show_json([rule_data(rule, policy) for rule in rules])
    elif not rules:
        note(none)
    else:
        show_rules(rules, policy)
