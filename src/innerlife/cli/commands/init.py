"""`innerlife init`: make a Core."""

from __future__ import annotations

from dataclasses import replace

import click

from innerlife.cli.options import examples, json_option
from innerlife.cli.output import say, show_json, wrapped
from innerlife.cli.surroundings import Surroundings, called, context, nameable, new_passphrase, readable_here
from innerlife.errors import BadInput


@click.command(
    "init",
    short_help="Make the companion's Core.",
    epilog=examples("innerlife init", "innerlife init --name Mira --key passphrase"),
)
@click.option(
    "--name", metavar="NAME", help="The companion's name (default: Anima); fixed with the first exchange."
)
@click.option(
    "--key",
    type=click.Choice(["file", "keyring", "passphrase"]),
    help="Where the key is kept (default: a file apart from the home).",
)
@json_option
@context
def command(here: Surroundings, name: str | None, key: str | None, *, as_json: bool) -> None:
    """Make the companion's Core, with its name, its birth date and its key.

    `innerlife serve` does the same by itself; this is for choosing name and key first.
    """
    configured = here.with_flags({("key",): key})
    if here.exists:
        raise BadInput(
            f"The profile {here.profile!r} has a Core already",
            "`innerlife status` shows it; `innerlife origin --name` and `innerlife key` change name and key",
        )
    if configured.settings.key == "passphrase" and configured.passphrase is None:
        configured = replace(configured, passphrase=new_passphrase())
    with here.opened(name=name, configured=configured) as companion:
        origin = companion.origins.read()
    readable = readable_here(configured, here.profile)
    if as_json:
        show_json({
            "profile": here.profile, "name": origin.name, "born": origin.born, "folder": here.folder,
            "key": configured.settings.key, "readable": readable,
        })  # fmt: skip
        return
    say(wrapped(f"{origin.name} was born on {origin.born}, in {here.folder}."))
    say(wrapped(readable))
    say(wrapped(nameable(origin.name, here.profile)))
    say(f"Next: `{called(here.profile)} serve`, and point your chat program at it.")
