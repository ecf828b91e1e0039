"""`innerlife serve`: the proxy."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Collection, Iterator, MutableMapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

import click

from innerlife.adapters.access import AccessFile
from innerlife.bootstrap import Household, policy_of
from innerlife.cli.engines import NO_ENGINE, TOY, Choice, Engines
from innerlife.cli.errors import NotDone, log_handler, sentence
from innerlife.cli.household import HouseholdDoors
from innerlife.cli.options import examples
from innerlife.cli.output import count, facts, heading, note, say, wrapped
from innerlife.cli.presence import Presence, Serving, address, serving
from innerlife.cli.surroundings import Surroundings, called, context, nameable, readable_here
from innerlife.cli.workers import Workers
from innerlife.companion import Companion
from innerlife.errors import InnerlifeError
from innerlife.proxy.app import Behind, create_app, serve
from innerlife.proxy.counters import Counters
from innerlife.proxy.guardpost import check_binding
from innerlife.proxy.policy import ProxyPolicy
from innerlife.settings import Configured
from innerlife.thinking.gate import Gate
from innerlife.thinking.policy import ThinkingPolicy

Application = Callable[[MutableMapping[str, Any], Any, Any], Awaitable[None]]
"""An ASGI application."""


@click.command(
    "serve",
    short_help="Start Innerlife for your chat program.",
    epilog=examples("innerlife serve", "innerlife serve --port 8000 --upstream http://127.0.0.1:8080"),
)
@click.option("--host", metavar="ADDRESS", help="Where to listen (default: 127.0.0.1; others need a token).")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="NUMBER",
    help="Which port (default: 11435; 0 takes a free one).",
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
            raise NotDone(
                f"Innerlife is already running at {other.address}. Use that one, or add --port with another."
            )
    first = not here.exists
    # A Core that cannot be opened costs memory, not the chat; the screen says so.
    with contextlib.suppress(InnerlifeError):
        configured = here.unlocked(configured)
    _Server(configured, Engines(configured, configured.settings.proxy.port)).run(first=first)


class _Server:
    """One serving process."""

    def __init__(self, configured: Configured, engines: Engines) -> None:
        self._configured = configured
        self._proxy = configured.settings.proxy
        self._engines = engines
        self._counters = Counters()
        self._gate = Gate(policy_of(ThinkingPolicy, configured.settings.thinking))
        self._workers: Workers | None = None
        self._household = Household(configured, self._greet)
        self._doors = HouseholdDoors(self._household)
        self._port = self._proxy.port
        self._since = datetime.now().astimezone().isoformat(timespec="seconds")
        self._choice = Choice("none")
        self._name = ""
        self._failure: Exception | None = None
        self._presence = Presence(configured.places.home, self._serving)

    def run(self, *, first: bool) -> None:
        """Serve until stopped. Raises BadInput where it cannot listen, and what goes wrong at the start."""
        home = self._configured.places.home
        policy = ProxyPolicy(stall_s=self._proxy.stall_seconds)
        with _logging(self._configured), _stopping():
            access = AccessFile(home, self._configured.settings.profile)
            behind = Behind(self._doors, self._engines, access, self._household.embedder, self._gate)
            app = create_app(behind, counters=self._counters, policy=policy, token=self._proxy.token)
            try:
                # Where signals are ignored by whoever started this, it comes back without one.
                with contextlib.suppress(KeyboardInterrupt):
                    serve(
                        self._told(app, first=first),
                        self._proxy.host,
                        self._proxy.port,
                        token=self._proxy.token,
                        policy=policy,
                        started=self._bound,
                        finishing=_finishing,
                    )
                if self._failure is not None:
                    raise self._failure
                note("\nStopping …")
            finally:
                self._presence.stop()
                self._doors.close()
            note(_kept(self._counters.counts().unrecorded))

    def _bound(self, port: int) -> None:
        self._port = port

    def _told(self, app: Application, *, first: bool) -> Application:
        """The application, with the screen shown when it is ready, and the engines closed when it ends."""

        async def application(scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
            async def telling(message: MutableMapping[str, Any]) -> None:
                match message["type"]:
                    case "lifespan.startup.complete":
                        await self._begin(first=first)
                    case "lifespan.shutdown.complete":
                        # Once this is sent, the loop is torn down.
                        if self._workers is not None:
                            await self._workers.aclose()
                        await self._engines.close()
                    case _:
                        pass
                await send(message)

            await app(scope, receive, telling if scope["type"] == "lifespan" else send)

        return application

    async def _begin(self, *, first: bool) -> None:
        """The port is ours and signals are heard: open the Core, look for an engine, say what one needs to know."""
        try:
            self._workers = Workers(self._configured, self._engines, self._gate)
            trouble = await asyncio.to_thread(self._open)
            self._choice = await self._engines.look()
            if self._choice.kind == "embedded":
                self._engines.begin()
            self._presence.start()
            born = self._name if first else ""
            _screen(self._configured, self._choice, address(self._proxy.host, self._port), trouble, born)
        except Exception as error:  # noqa: BLE001 - whatever it is, the server stops cleanly and `run` tells it
            self._failure = error
            signal.raise_signal(signal.SIGINT)

    def _open(self) -> str:
        """Open the profile in question. Returns why not, or nothing."""
        try:
            companion = self._doors.companion(self._configured.settings.profile)
        except InnerlifeError as error:
            return sentence(error)
        self._name = companion.origins.read().name
        for notice in companion.notices:
            note(notice)
        return ""

    def _greet(self, companion: Companion) -> None:
        if self._workers is not None:
            self._workers.attach(companion)

    def _serving(self) -> Serving:
        used = self._engines.used() or self._choice
        return Serving(
            pid=os.getpid(),
            host=self._proxy.host,
            port=self._port,
            since=self._since,
            engine=str(used),
            counts=asdict(self._counters.counts()),
            troubles=self._doors.troubles() | (self._workers.troubles() if self._workers else {}),
            choice=asdict(used),
        )


def _screen(configured: Configured, choice: Choice, here: str, trouble: str, born: str) -> None:
    """What one needs to know, the addresses first. `born` is the companion's name where it was made just now."""
    heading("Innerlife is running.")
    say()
    facts([
        ("Chat programs", f"{here} for those that speak Ollama's language or Anthropic's"),
        ("", f"{here}/v1 for those that speak OpenAI's"),
        ("Engine", f"{choice}. {TOY}" if choice.toy else str(choice)),
    ])  # fmt: skip
    if choice.kind == "none":
        facts([("", NO_ENGINE)])
    profile = configured.settings.profile
    if profiles := set(configured.places.profiles) - {profile}:
        facts([("Keys", _keys(profile, profiles))])
    if trouble:
        say()
        say(wrapped(f"It does not remember now: {trouble} Chats go on without memory until that is mended."))
    elif born:
        say()
        say(wrapped(readable_here(configured, profile)))
        say(wrapped(nameable(born, profile)))
    say()
    command = called(profile)
    say(wrapped(
        f'Next: give your chat program that address; or, in another terminal, `{command} say "Hello"`. '
        f"`{command} status` shows what is remembered. Ctrl-C stops Innerlife."
    ))  # fmt: skip
    sys.stdout.flush()


def _keys(profile: str, others: Collection[str]) -> str:
    make = "`innerlife profile key add {0}` makes one for {0}"
    return (
        f"there are several profiles, so each opens only with a key: {make.format(profile)}, {make.format(min(others))}"
        + (", and so on" if len(others) > 1 else "")
    )


def _kept(unrecorded: int) -> str:
    """The last line, once all is closed."""
    if unrecorded:
        return f"Stopped. {count(unrecorded, 'exchange')} could not be recorded; everything else is kept."
    return "Stopped. Everything is kept."


def _finishing() -> None:
    note("\nFinishing open answers; Ctrl-C again stops at once.")


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
    loggers = [logging.getLogger(name) for name in ("innerlife", "uvicorn", "asyncio")]
    for logger in loggers:
        logger.addHandler(handler)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeHandler(handler)
        handler.close()
