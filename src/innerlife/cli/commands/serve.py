"""`innerlife serve`: the proxy."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

import click

from innerlife.adapters.access import AccessFile
from innerlife.bootstrap import Household
from innerlife.cli.engines import TOY, Choice, Engines
from innerlife.cli.errors import log_handler, sentence
from innerlife.cli.household import HouseholdDoors
from innerlife.cli.options import examples
from innerlife.cli.output import facts, heading, note, say, wrapped
from innerlife.cli.presence import Presence, Serving, address, serving
from innerlife.cli.surroundings import Surroundings, context, readable_here
from innerlife.errors import BadInput, InnerlifeError
from innerlife.proxy.app import Behind, create_app, serve
from innerlife.proxy.counters import Counters
from innerlife.proxy.guardpost import check_binding
from innerlife.proxy.policy import ProxyPolicy
from innerlife.settings import Configured

Application = Callable[[MutableMapping[str, Any], Any, Any], Awaitable[None]]
"""An ASGI application."""


@click.command(
    "serve",
    short_help="Start Innerlife for your chat program.",
    epilog=examples("innerlife serve", "innerlife serve --port 8000 --upstream http://127.0.0.1:8080"),
)
@click.option("--host", metavar="ADDRESS", help="Where to listen (default: 127.0.0.1; others need a token).")
@click.option(
    "--port", type=click.IntRange(0, 65535), help="Which port (default: 11435; 0 takes a free one)."
)
@click.option(
    "--upstream", metavar="URL", help="The engine behind it (default: Ollama, else the embedded one)."
)
@click.option("--token", metavar="TEXT", help="What programs on other machines show as their API key.")
@context
def command(
    here: Surroundings, host: str | None, port: int | None, upstream: str | None, token: str | None
) -> None:
    """Start Innerlife, and say where a chat program finds it.

    It asks nothing. Ctrl-C stops it; open answers are finished first.
    """
    configured = here.with_flags({
        ("proxy", "host"): host, ("proxy", "port"): port, ("proxy", "upstream"): upstream, ("proxy", "token"): token
    })  # fmt: skip
    check_binding(configured.settings.proxy.host, configured.settings.proxy.token)
    here.may_begin()
    for other in serving(configured.places.home):
        if other.port == configured.settings.proxy.port:
            raise BadInput(
                f"Innerlife is already running at {other.address}", "Use that one, or add --port with another"
            )
    first = not here.exists
    configured = here.unlocked(configured)
    _Server(configured, Engines(configured, configured.settings.proxy.port)).run(first=first)


class _Server:
    """One serving process."""

    def __init__(self, configured: Configured, engines: Engines) -> None:
        self._configured = configured
        self._proxy = configured.settings.proxy
        self._engines = engines
        self._counters = Counters()
        self._doors = HouseholdDoors(Household(configured))
        self._port = self._proxy.port
        self._since = datetime.now().astimezone().isoformat(timespec="seconds")
        self._choice = Choice("none")
        self._presence = Presence(configured.places.home, self._serving)

    def run(self, *, first: bool) -> None:
        """Serve until stopped. Raises BadInput where it cannot listen."""
        home = self._configured.places.home
        policy = ProxyPolicy(stall_s=self._proxy.stall_seconds)
        with _logging(self._configured), _stopping():
            behind = Behind(self._doors, self._engines, AccessFile(home))
            app = create_app(behind, counters=self._counters, policy=policy, token=self._proxy.token)
            try:
                serve(
                    _closing(app, self._engines),
                    self._proxy.host,
                    self._proxy.port,
                    token=self._proxy.token,
                    policy=policy,
                    started=lambda port: self._started(port, first=first),
                )
            except KeyboardInterrupt:
                note("\nStopping …")
            finally:
                self._presence.stop()
                self._doors.close()

    def _started(self, port: int, *, first: bool) -> None:
        """The port is ours: open the Core, look for an engine, and say what a person needs to know."""
        self._port = port
        trouble = self._open()
        self._choice = asyncio.run(self._engines.look())
        if self._choice.kind == "embedded":
            self._engines.begin()
        self._presence.start()
        _screen(self._configured, self._choice, address(self._proxy.host, port), trouble, first=first)

    def _open(self) -> str:
        """Open the profile in question. Returns why not, or nothing."""
        try:
            companion = self._doors.companion(self._configured.settings.profile)
        except InnerlifeError as error:
            return sentence(error)
        for notice in companion.notices:
            note(notice)
        return ""

    def _serving(self) -> Serving:
        return Serving(
            pid=os.getpid(),
            host=self._proxy.host,
            port=self._port,
            since=self._since,
            engine=str(self._choice),
            counts=asdict(self._counters.counts()),
            troubles=self._doors.troubles(),
        )


def _screen(configured: Configured, choice: Choice, here: str, trouble: str, *, first: bool) -> None:
    heading("Innerlife is running.")
    if trouble:
        say()
        say(wrapped(f"It does not remember now: {trouble} Chats go on without memory until that is mended."))
    elif first:
        say()
        say(wrapped(readable_here(configured, configured.settings.profile)))
    say()
    facts([("Engine", f"{choice}. {TOY}" if choice.toy else str(choice))])
    if choice.kind == "none":
        facts(
            [
                (
                    "",
                    "Fetch a model with `innerlife model pull qwen2.5-1.5b`, or start Ollama, or name one with --upstream.",
                )
            ]
        )
    facts([
        ("Chat programs", f"{here} for those that speak Ollama's language"),
        ("", f"{here}/v1 for those that speak OpenAI's"),
    ])  # fmt: skip
    if len(configured.places.profiles) > 1:
        facts(
            [
                (
                    "Keys",
                    "several profiles are here, so each opens with a key: `innerlife profile key add NAME`",
                )
            ]
        )
    say()
    say(
        f'Next: give your chat program that address; or, in another terminal, {_command(configured)} say "Hello".'
    )
    say(f"`{_command(configured)} status` shows what is remembered. Ctrl-C stops Innerlife.")
    sys.stdout.flush()


def _command(configured: Configured) -> str:
    """How a person calls Innerlife for the same profile."""
    profile = configured.settings.profile
    return "innerlife" if profile == "default" else f"innerlife --profile {profile}"


def _closing(app: Application, engines: Engines) -> Application:
    """The application, with the engines closed when it shuts down, in its own loop."""

    async def closing(scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        try:
            await app(scope, receive, send)
        finally:
            if scope["type"] == "lifespan":
                await engines.close()

    return closing


@contextlib.contextmanager
def _stopping() -> Iterator[None]:
    """SIGTERM stops as Ctrl-C does: uvicorn raises the signal again when everything is answered."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    former = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, former)


@contextlib.contextmanager
def _logging(configured: Configured) -> Iterator[None]:
    """Warnings go to the log, without messages of exceptions; a home without room for one has none."""
    try:
        configured.places.logs.mkdir(parents=True, exist_ok=True, mode=0o700)
        handler: logging.Handler = log_handler(configured.places.logs)
    except OSError:
        handler = logging.NullHandler()
    handler.setLevel(logging.WARNING)
    loggers = [logging.getLogger(name) for name in ("innerlife", "uvicorn")]
    for logger in loggers:
        logger.addHandler(handler)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeHandler(handler)
        handler.close()
