"""What a command stands in: home, profile, settings, and the companion it opens."""

from __future__ import annotations

import logging
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import click

from innerlife import settings
from innerlife.adapters.clock import SystemClock
from innerlife.adapters.profiles import KEYS
from innerlife.adapters.sqlite.keys import KeyRecord, read_record
from innerlife.bootstrap import open_companion
from innerlife.cli.output import count, note, wrapped
from innerlife.companion import Companion
from innerlife.errors import BadInput, InnerlifeError, NotFound
from innerlife.membrane.access import DEFAULT_PROFILE
from innerlife.settings import Configured

PATIENCE_SECONDS = 0.5
"""After this long a person is told what is being waited for."""


WAKING_SECONDS = 5.0
"""How long a command waits for the embedding model: several times what a slow disk takes."""

WAKING_STEP_SECONDS = 0.05
"""How often it looks."""

NO_WAY_BACK = "A lost passphrase cannot be replaced: nothing opens this memory without it."


class Surroundings:
    """Home and profile as they were given before the command; the rest is read when it is needed."""

    def __init__(self, home: Path | None = None, profile: str | None = None) -> None:
        self._home = home
        self._profile = profile
        logging.getLogger("innerlife").addHandler(logging.NullHandler())

    @cached_property
    def configured(self) -> Configured:
        """The settings. Raises BadInput."""
        return self.with_flags({})

    def with_flags(self, flags: Mapping[tuple[str, ...], Any]) -> Configured:
        """The settings with flags of a command over them. Raises BadInput."""
        return settings.load({("profile",): self._profile, **flags}, self._home)

    @property
    def profile(self) -> str:
        """The profile in question."""
        return self.configured.settings.profile

    @property
    def named(self) -> bool:
        """Whether the profile was named on the command line, by the `--profile` in front of the command."""
        return self._profile is not None

    @property
    def folder(self) -> Path:
        """Its folder."""
        return self.configured.places.profile(self.profile)

    @property
    def exists(self) -> bool:
        """Whether the profile has a Core."""
        return (self.folder / KEYS).exists()

    def must_exist(self) -> None:
        """Raises NotFound where the profile has no Core: commands that read make none."""
        if self.exists or (self.folder / "core.db").exists():
            return
        if (
            self.profile in ("default", *self.configured.places.profiles)
            or not self.configured.places.profiles
        ):
            raise NotFound(
                f"There is no Core in {self.configured.places.home} yet",
                "`innerlife serve` or `innerlife init` makes one",
            )
        raise NotFound(
            f"There is no profile {self.profile!r}",
            f"`innerlife profile list` names those there are; `innerlife profile add {self.profile}` makes it",
        )

    def may_begin(self) -> None:
        """Raises NotFound for a profile that was never made, so that a slip of the pen makes none."""
        if self.profile != "default" and self.configured.places.profiles:
            self.must_exist()

    def record(self) -> KeyRecord:
        """The key record of the profile. Raises NotFound, KeyMissing, CoreCorrupted, CoreTooNew."""
        self.must_exist()
        return read_record(self.folder / KEYS)

    def unlocked(self, configured: Configured | None = None, profile: str | None = None) -> Configured:
        """The settings with the passphrase in them; asked for where it is needed and somebody can type it."""
        configured = configured or self.configured
        path = configured.places.profile(profile or configured.settings.profile) / KEYS
        if configured.passphrase is not None or not path.exists():
            return configured
        if read_record(path).method != "passphrase" or not sys.stdin.isatty():
            return configured
        return replace(configured, passphrase=click.prompt("Passphrase", hide_input=True, err=True))

    @contextmanager
    def reading(self) -> Iterator[Companion]:
        """The companion with its views up to date, for a command that reads. Raises NotFound, InnerlifeError."""
        self.must_exist()
        with self.opened() as companion:
            wait_for_views(companion)
            yield companion

    @contextmanager
    def opened(self, *, name: str | None = None, configured: Configured | None = None) -> Iterator[Companion]:
        """The companion, made where there is none. Raises InnerlifeError."""
        configured = self.unlocked(configured)
        companion = open_companion(configured, name=name)
        try:
            for notice in companion.notices:
                note(notice)
            yield companion
        finally:
            companion.close()


def wait_for_views(companion: Companion) -> None:
    """Bring the views up to date, and say so where it takes longer than a moment. Raises StorageFailed."""
    behind = companion.upkeep.behind()
    if not behind:
        return
    telling = threading.Timer(
        PATIENCE_SECONDS, note, (f"Reading what is new first ({count(behind, 'event')}) …",)
    )
    telling.daemon = True
    telling.start()
    try:
        companion.upkeep.catch_up()
    finally:
        telling.cancel()
    for notice in companion.upkeep.notices:
        note(notice)


def wake_memory(companion: Companion) -> None:
    """Wait until recall works by meaning too: the model is read from disk first. Raises StorageFailed.

    Where it does not come, recall goes by words and says so.
    """
    companion.warm()
    clock, ends = SystemClock(), time.monotonic() + WAKING_SECONDS
    while companion.remember("memory", clock.now()).degraded and time.monotonic() < ends:
        time.sleep(WAKING_STEP_SECONDS)


def new_passphrase() -> str:
    """A passphrase typed twice, or read as one line where nobody types. Raises BadInput for an empty one."""
    if sys.stdin.isatty():
        note(wrapped(NO_WAY_BACK))
        chosen = str(
            click.prompt("New passphrase", hide_input=True, confirmation_prompt="Once more", err=True)
        )
    else:
        chosen = sys.stdin.readline().rstrip("\r\n")
    if not chosen:
        raise BadInput("A passphrase may not be empty", "Type one, or give it as one line of input")
    return chosen


def readable_here(configured: Configured, profile: str) -> str:
    """What can be read on this disk, in two sentences (promise C4)."""
    home = configured.places.home
    try:
        method = read_record(configured.places.profile(profile) / KEYS).method
    except InnerlifeError:
        method = configured.settings.key
    open_to = {
        "file": f"its key is apart from it, in {configured.places.config / 'keys'}, so whoever can use your account "
        "can read it, and a copy of the home alone is useless.",
        "keyring": "its key is in this system's keyring, so whoever is logged in as you can read it, and a copy of the "
        "home alone is useless.",
        "passphrase": "nobody reads it without your passphrase, and a lost passphrase cannot be replaced.",
    }[method]
    return (
        "What can be read on this disk: settings, logs and models, and none of your words is in them. "
        f"What you say is encrypted in {home}; {open_to}"
    )


def nameable(name: str, profile: str) -> str:
    """That a new companion's name can still be chosen, and how."""
    return (
        f"The companion's name is {name}; until the first exchange you can give it another: "
        f"`{called(profile)} origin --name NAME`."
    )


def called(profile: str) -> str:
    """How a person calls Innerlife for this profile."""
    return "innerlife" if profile == DEFAULT_PROFILE else f"innerlife --profile {profile}"


context = click.make_pass_decorator(Surroundings)
"""Gives a command its surroundings as the first argument."""
