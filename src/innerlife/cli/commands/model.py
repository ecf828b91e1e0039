"""`innerlife model`: the embedded engine's models."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import click

from innerlife.adapters.models.bundled import BUNDLED_ALIAS
from innerlife.adapters.models.catalogue import CURATED, LocalModel, list_models, use
from innerlife.adapters.models.pull import pull as fetch
from innerlife.cli.options import examples, json_option
from innerlife.cli.output import heading, note, say, show_json, size, table
from innerlife.cli.surroundings import Surroundings, context
from innerlife.cli.toml_edit import write_setting

TELL_SECONDS = 5.0
"""How often a download speaks up where no bar can be drawn."""


@click.group("model", short_help="Models of the embedded engine.", epilog=examples("innerlife model list"))
def command() -> None:
    """Models for the embedded engine, which serves where no other engine is found."""


@command.command("list", epilog=examples("innerlife model list"))
@json_option
@context
def list_command(here: Surroundings, *, as_json: bool) -> None:
    """Show the models on this disk, and some that are worth fetching."""
    configured = here.configured
    found = list_models(configured.places.models, configured.settings.models.embedded)
    names = {model.name for model in found}
    others = [model for model in CURATED if model.name not in names]
    if as_json:
        show_json({"here": [asdict(one) for one in found], "to_fetch": [asdict(one) for one in others]})
        return
    if found:
        heading("On this disk")
        table(
            ("name", "size", "", ""),
            [(m.name, size(m.size_bytes), "in use" if m.in_use else "", _kind(m)) for m in found],
        )
    else:
        say("No model is on this disk.")
    say()
    heading("To fetch with `innerlife model pull NAME`")
    table(
        ("name", "size", "memory", "licence", ""),
        [(m.name, size(m.size_bytes), f"{m.memory_gib:g} GiB", m.licence, m.note) for m in others],
    )


def _kind(model: LocalModel) -> str:
    if model.name == BUNDLED_ALIAS:
        return "came with Innerlife; a toy"
    return {"pulled": "fetched", "own file": "put there by hand"}.get(model.kind, model.kind)


@command.command(
    "pull", epilog=examples("innerlife model pull qwen2.5-1.5b", "innerlife model pull OWNER/REPO/FILE.gguf")
)
@click.argument("name")
@json_option
@context
def pull_command(here: Surroundings, name: str, *, as_json: bool) -> None:
    """Fetch a model from the Hugging Face hub; the same command goes on where it broke off.

    NAME is a short name of `innerlife model list`, or owner/repo/file.gguf. The newest model is used unless you
    chose one. Nothing about you is sent, but the hub sees your address; and your account, where HF_TOKEN names one.
    """
    configured = here.configured
    try:
        token = os.environ.get("HF_TOKEN", "").strip() or None
        model = fetch(name, configured.places.models, token=token, progress=_progress())
    except KeyboardInterrupt:
        note("\nStopped. What came so far is kept; the same command goes on from there.")
        raise
    if sys.stderr.isatty():
        note("")
    if as_json:
        show_json(asdict(model))
        return
    say(f"{model.name} is here ({size(model.size_bytes)}), and its checksum is right.")
    chosen = configured.settings.models.embedded
    if chosen and chosen != model.name:
        say(f"{chosen} is still in use; `innerlife model use {model.name}` changes that.")
    else:
        say("The next `innerlife serve` uses it.")


def _progress() -> Callable[[int, int], None]:
    """A line that is drawn over on a terminal, and now and then a line elsewhere."""
    told = time.monotonic()

    def show(done: int, total: int) -> None:
        nonlocal told
        share = f"{size(done)} of {size(total)} ({100 * done // max(total, 1)} %)"
        if sys.stderr.isatty():
            click.echo(f"\r{share}   ", nl=False, err=True)
        elif time.monotonic() - told > TELL_SECONDS:
            told = time.monotonic()
            note(share)

    return show


@command.command("use", epilog=examples("innerlife model use qwen2.5-1.5b"))
@click.argument("name")
@json_option
@context
def use_command(here: Surroundings, name: str, *, as_json: bool) -> None:
    """Choose the model that the embedded engine runs, in `innerlife.toml`."""
    places = here.configured.places
    key, value = use(name, places.models)
    write_setting(places.file, key, value)
    if as_json:
        show_json({"model": value, "settings": Path(places.file)})
    else:
        say(f"The next `innerlife serve` runs {value}; {places.file} says so.")
