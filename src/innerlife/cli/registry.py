"""The commands there are: every module of `commands/`, loaded when it is asked for."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache
from typing import Final

import click

from innerlife.cli import commands

GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "Talk": ("serve", "say", "chat"),
    "See what it remembers": ("conversations", "recall", "preview", "why", "activity"),
    "See what it thinks": (
        "self", "persona", "goals", "observations", "skills", "reflect", "reflections", "growth", "as-of", "origin",
        "constitution", "queue",
    ),
    "Correct and erase": ("human", "preferences", "mood", "rules", "forget"),
    "Run and repair": ("init", "status", "doctor", "model", "profile", "key", "rebuild"),
}  # fmt: skip
"""The overview, by what a person wants; what they meet first stands first."""

REST: Final = "More"
"""Where a command stands that no group names."""


@cache
def groups() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Each group of the overview with its commands; none is left out."""
    found = {module.name.replace("_", "-") for module in pkgutil.iter_modules(commands.__path__)}
    grouped = [(title, tuple(name for name in names if name in found)) for title, names in GROUPS.items()]
    rest = tuple(sorted(found.difference(*GROUPS.values())))
    return (*grouped, (REST, rest)) if rest else tuple(grouped)


@cache
def names() -> tuple[str, ...]:
    """Names of all commands, in the order of the overview."""
    return tuple(name for _, members in groups() for name in members)


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
