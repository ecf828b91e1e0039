"""The commands there are: every module of `commands/`, loaded when it is asked for."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache

import click

from innerlife.cli import commands

OVERVIEW = (
    "serve", "say", "chat", "init", "status", "doctor", "conversations", "recall", "preview", "why", "forget",
    "activity", "queue", "origin", "constitution", "model", "profile", "key", "rebuild",
)  # fmt: skip
"""The order of the overview: what a person meets first stands first. A command not named here stands behind."""


@cache
def names() -> tuple[str, ...]:
    """Names of all commands, in the order of the overview."""
    found = {module.name.replace("_", "-") for module in pkgutil.iter_modules(commands.__path__)}
    return (*(name for name in OVERVIEW if name in found), *sorted(found - set(OVERVIEW)))


def load(name: str) -> click.Command:
    """The command of this name. Raises KeyError for one that does not exist."""
    if name not in names():
        raise KeyError(name)
    command: click.Command = importlib.import_module(f"{commands.__name__}.{name.replace('-', '_')}").command
    return command


def walk() -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command with its path, the members of families behind the family itself."""
    for name in names():
        yield from _walk((name,), load(name))


def _walk(path: tuple[str, ...], command: click.Command) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        for name, member in sorted(command.commands.items()):
            yield from _walk((*path, name), member)
