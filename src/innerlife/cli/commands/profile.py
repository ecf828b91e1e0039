"""`innerlife profile`: several companions in one home, and the keys that open them."""

from __future__ import annotations

from dataclasses import replace

import click

from innerlife.adapters.access import AccessFile
from innerlife.adapters.clock import SystemClock
from innerlife.adapters.profiles import KEYS
from innerlife.adapters.sqlite.connection import CORE
from innerlife.adapters.sqlite.keys import read_record
from innerlife.bootstrap import open_companion
from innerlife.cli.editor import edited
from innerlife.cli.options import examples, json_option
from innerlife.cli.output import complain, note, say, show_json, size, table, wrapped
from innerlife.cli.profile_card import card, one_line, read_card, read_setting
from innerlife.cli.selves import human_data, show_human
from innerlife.cli.surroundings import Surroundings, context, nameable, new_passphrase, readable_here
from innerlife.errors import BadInput, InnerlifeError, NotFound
from innerlife.membrane.access import DEFAULT_PROFILE
from innerlife.settings import checked_profile


@click.group(
    "profile",
    short_help="Who you are; several companions, and their keys.",
    epilog=examples("innerlife profile list"),
)
def command() -> None:
    """Profiles: companions with a Core of their own. Nothing passes from one to another.

    While there is one profile, no key is asked for. Once there is a second, each opens only with a key.
    """


@command.command("list", epilog=examples("innerlife profile list"))
@json_option
@context
def list_command(here: Surroundings, *, as_json: bool) -> None:
    """Show the profiles of this home."""
    places = here.configured.places
    keys = AccessFile(places.home).list()
    found = []
    for name in places.profiles:
        folder = places.profile(name)
        try:
            method: str = read_record(folder / KEYS).method
        except InnerlifeError as error:
            method = error.message
        found.append({
            "name": name,
            "core_bytes": sum(one.stat().st_size for one in folder.glob(f"{CORE}*")),
            "key": method,
            "opened_by": [key.name for key in keys if name in key.profiles],
        })  # fmt: skip
    if as_json:
        show_json(found)
    elif not found:
        note("There is no profile yet; `innerlife serve` or `innerlife init` makes the first.")
    else:
        table(
            ("profile", "Core", "key kept in", "opened by"),
            [
                (
                    str(f["name"]),
                    size(_number(f["core_bytes"])),
                    str(f["key"]),
                    ", ".join(_names(f["opened_by"])),
                )
                for f in found
            ],
        )


@command.command(
    "edit", epilog=examples("innerlife profile edit", 'innerlife profile edit --set "work=I am a nurse."')
)
@click.option(
    "--set", "settings", multiple=True, metavar="FIELD=TEXT", help="Set one field; may be repeated."
)
@json_option
@context
def edit_command(here: Surroundings, settings: tuple[str, ...], *, as_json: bool) -> None:
    """Say who you are, in your editor ($EDITOR) or with --set: what you set outranks what was learned of you.

    The fields are name, family, work, style, matters and relationship.
    """
    with here.reading() as companion:
        layer = companion.self_model.human
        before = {one.field: one.set.text if one.set else "" for one in layer.read().fields}
        if settings:
            wanted = dict(map(read_setting, settings))
        else:
            text = edited(card(layer.read()), "--set FIELD=TEXT")
            wanted = read_card(text) if text is not None else {}
        changed = {field: text for field, text in wanted.items() if one_line(text) != one_line(before[field])}
        layer.set_all(changed)
        human = layer.read()
    if as_json:
        show_json(human_data(human))
    elif changed:
        show_human(human)
    else:
        note("Nothing was changed.")


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _names(value: object) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else []


@command.command("add", epilog=examples("innerlife profile add work --name Mira"))
@click.argument("profile", metavar="NAME")
@click.option("--name", metavar="NAME", help="The companion's name (default: Anima).")
@click.option("--key", type=click.Choice(["file", "keyring", "passphrase"]), help="Where its key is kept.")
@json_option
@context
def add_command(
    here: Surroundings, profile: str, name: str | None, key: str | None, *, as_json: bool
) -> None:
    """Make a profile with a companion of its own."""
    configured = here.with_flags({("key",): key})
    profile = checked_profile(profile)
    if profile in configured.places.profiles:
        raise BadInput(f"There is already a profile {profile!r}", "Choose another name")
    if configured.settings.key == "passphrase" and (key or configured.passphrase is None):
        configured = replace(configured, passphrase=configured.passphrase or new_passphrase())
    companion = open_companion(configured, profile, name=name)
    origin = companion.origins.read()
    companion.close()
    several = len(set(configured.places.profiles) | {"default"}) > 1
    readable = readable_here(configured, profile)
    if as_json:
        show_json({
            "profile": profile, "name": origin.name, "born": origin.born, "readable": readable, "needs_key": several
        })  # fmt: skip
        return
    say(f"The profile {profile} is made; its companion is {origin.name}.")
    say(wrapped(readable))
    say(wrapped(nameable(origin.name, profile)))
    if several:
        say(wrapped("There are several profiles now, so a chat program opens one only with a key:"))
        say(f"  innerlife profile key add {profile}")


@command.group("key", epilog=examples("innerlife profile key list"))
def keys() -> None:
    """Keys that chat programs give as their API key. Only hashes of them are kept."""


@keys.command(
    "add",
    epilog=examples("innerlife profile key add work", "innerlife profile key add phone --profile work"),
)
@click.argument("name")
@click.option(
    "--profile",
    "profiles",
    multiple=True,
    metavar="PROFILE",
    help="A profile that it opens; may be repeated.",
)
@json_option
@context
def key_add(here: Surroundings, name: str, profiles: tuple[str, ...], *, as_json: bool) -> None:
    """Make a key. It is shown once and kept nowhere.

    NAME is what the key is called, to revoke it by. A profile's own name makes a key for that profile; any other
    name needs --profile, once there are several.
    """
    places = here.configured.places
    opens = profiles or (_meant(here, name),)
    for one in opens:
        if one not in places.profiles and one != DEFAULT_PROFILE:
            raise NotFound(f"There is no profile {one!r}", "`innerlife profile list` names those there are")
    key = AccessFile(places.home).add(name, opens, SystemClock().now())
    if as_json:
        show_json({"name": name, "key": key, "profiles": opens})
        return
    say(key)
    complain(
        f"This key opens {' and '.join(opens)}. It is not shown again: give it to the chat program as its API key now."
    )


def _meant(here: Surroundings, name: str) -> str:
    """The profile of a key that was asked for by its name alone. Raises BadInput where it might be any of several."""
    there = here.configured.places.profiles or [here.profile]
    if here.named:
        return here.profile
    if name in there or len(there) == 1:
        return name if name in there else there[0]
    if here.profile == DEFAULT_PROFILE:
        raise BadInput(
            f"There are several profiles, and {name!r} is none of them",
            f"Say which one the key opens: `innerlife profile key add {name} --profile PROFILE`, "
            f"where PROFILE is {' or '.join(there)}",
        )
    return here.profile


@keys.command("list", epilog=examples("innerlife profile key list"))
@json_option
@context
def key_list(here: Surroundings, *, as_json: bool) -> None:
    """Show the keys by name, with what they open."""
    found = AccessFile(here.configured.places.home).list()
    if as_json:
        show_json([{"name": one.name, "profiles": one.profiles, "created": one.created} for one in found])
    elif not found:
        note("There are no keys; `innerlife profile key add PROFILE` makes one.")
    else:
        table(("name", "opens", "made"), [(one.name, ", ".join(one.profiles), one.created) for one in found])


@keys.command("revoke", epilog=examples("innerlife profile key revoke phone"))
@click.argument("name")
@json_option
@context
def key_revoke(here: Surroundings, name: str, *, as_json: bool) -> None:
    """Make a key useless at once."""
    AccessFile(here.configured.places.home).revoke(name)
    if as_json:
        show_json({"revoked": name})
    else:
        say(f"The key {name} opens nothing any more.")
