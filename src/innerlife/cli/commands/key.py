"""`innerlife key`: where the key lies, and keeping it another way."""

from __future__ import annotations

import click

from innerlife.adapters.profiles import KEYS
from innerlife.adapters.sqlite.keys import KeyRecord, Method, key_file
from innerlife.adapters.sqlite.rewrapping import rewrap
from innerlife.cli.options import examples, json_option
from innerlife.cli.output import say, show_json, wrapped
from innerlife.cli.surroundings import NO_WAY_BACK, Surroundings, context, new_passphrase


@click.group(
    "key",
    invoke_without_command=True,
    short_help="Where the Core's key lies; set a passphrase.",
    epilog=examples("innerlife key", "innerlife key passphrase"),
)
@json_option
@click.pass_context
def command(click_context: click.Context, *, as_json: bool) -> None:
    """Show where the key of the Core lies, or keep it another way.

    The Core itself is not written anew: its own key stays, and is locked with another one.
    """
    if click_context.invoked_subcommand is None:
        here = click_context.ensure_object(Surroundings)
        record = here.record()
        if as_json:
            show_json(_data(here, record))
        else:
            say(_where(here, record))


@command.command("passphrase", epilog=examples("innerlife key passphrase"))
@json_option
@context
def passphrase_command(here: Surroundings, *, as_json: bool) -> None:
    """Lock the Core with a passphrase, or change it.

    It is typed twice, or read as one line where nobody types. From then on it is asked for at a terminal, or
    taken from INNERLIFE_PASSPHRASE. A lost passphrase cannot be replaced.
    """
    _change(here, "passphrase", as_json=as_json)


@command.command("file", epilog=examples("innerlife key file"))
@json_option
@context
def file_command(here: Surroundings, *, as_json: bool) -> None:
    """Keep the key in a file apart from the home, so that nothing is asked."""
    _change(here, "file", as_json=as_json)


@command.command("keyring", epilog=examples("innerlife key keyring"))
@json_option
@context
def keyring_command(here: Surroundings, *, as_json: bool) -> None:
    """Keep the key in this system's keyring."""
    _change(here, "keyring", as_json=as_json)


def _change(here: Surroundings, method: Method, *, as_json: bool) -> None:
    here.record()
    configured = here.unlocked()
    fresh = new_passphrase() if method == "passphrase" else None
    record = rewrap(here.folder / KEYS, configured.places.config, configured.passphrase, method, fresh)
    if as_json:
        show_json(_data(here, record))
        return
    say(_where(here, record))
    if method == "passphrase":
        say(
            wrapped("From now on Innerlife asks for it at a terminal, or takes it from INNERLIFE_PASSPHRASE.")
        )
        say(wrapped(f"{NO_WAY_BACK} Keep a copy of it in a safe place."))


def _where(here: Surroundings, record: KeyRecord) -> str:
    match record.method:
        case "file":
            place = key_file(here.configured.places.config, record.core_id)
            return (
                f"The key of {here.profile} lies in {place}. Whoever has it and the home can read everything; "
                "keep a copy of it in a safe place."
            )
        case "keyring":
            return (
                f"The key of {here.profile} lies in this system's keyring, under innerlife, {record.core_id}."
            )
        case "passphrase":
            return f"The key of {here.profile} is made from a passphrase; it lies nowhere."


def _data(here: Surroundings, record: KeyRecord) -> dict[str, object]:
    place = key_file(here.configured.places.config, record.core_id) if record.method == "file" else None
    return {"profile": here.profile, "core": record.core_id, "method": record.method, "file": place}
