"""`innerlife constitution`: the fourteen values."""

from __future__ import annotations

import click

from innerlife.cli.options import examples, json_option
from innerlife.cli.output import facts, heading, say, show_json, wrapped
from innerlife.errors import BadInput, NotFound
from innerlife.workspace.shipped import Value, load_shipped


@click.command(
    "constitution",
    short_help="The fourteen values that bind the companion.",
    epilog=examples("innerlife constitution", "innerlife constitution kindness"),
)
@click.argument("value", required=False)
@json_option
def command(value: str | None, *, as_json: bool) -> None:
    """Show the constitution: fourteen values, fixed with each release; nothing learned changes them.

    VALUE, or the beginning of its name, shows one of them in full.
    """
    constitution = load_shipped().constitution
    values = constitution.values if value is None else (_named(constitution.values, value),)
    if as_json:
        shown = [{"name": one.name, "short": one.short, "text": one.text.strip()} for one in values]
        show_json({"version": constitution.version, "values": shown})
    elif value is None:
        gap = max(len(one.name) for one in values) + 2
        facts([(one.name, one.short) for one in values], gap)
        say()
        say("`innerlife constitution VALUE` shows one in full.")
    else:
        heading(values[0].name)
        say(wrapped(values[0].text.strip()))


def _named(values: tuple[Value, ...], name: str) -> Value:
    wanted = name.casefold()
    found = [one for one in values if one.name.casefold() == wanted]
    found = found or [one for one in values if one.name.casefold().startswith(wanted)]
    if not found:
        raise NotFound(f"There is no value {name!r}", "`innerlife constitution` lists the fourteen")
    if len(found) > 1:
        raise BadInput(
            f"{name!r} begins several values", f"Choose one of {', '.join(one.name for one in found)}"
        )
    return found[0]
