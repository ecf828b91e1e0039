"""The server: every request through the guard post, then down the road of its path."""

from __future__ import annotations

import errno
import socket
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

import anyio
import uvicorn
from anyio import CapacityLimiter
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from innerlife.affect.guard.rules import rules
from innerlife.errors import BadInput, InnerlifeError
from innerlife.membrane.access import PREFIX, known_key
from innerlife.ports import Embedder
from innerlife.proxy.apart import Apart
from innerlife.proxy.asides import Asides
from innerlife.proxy.chat import ChatRoad
from innerlife.proxy.counters import Counters
from innerlife.proxy.doors import AccessSource, Doors, UpstreamSource
from innerlife.proxy.guardpost import Guardpost, check_binding, same_secret
from innerlife.proxy.local_answers import LISTS, NAMED, LocalAnswers
from innerlife.proxy.model_cards import ModelCards
from innerlife.proxy.offers import Offers
from innerlife.proxy.outbound import Outbound
from innerlife.proxy.passthrough import Passthrough
from innerlife.proxy.policy import DEFAULT_POLICY, ProxyPolicy
from innerlife.proxy.recording import RecordKeeper
from innerlife.proxy.reply import CHAT_FORMATS, plain_error
from innerlife.proxy.sending import Sending
from innerlife.proxy.stopping import PatientServer
from innerlife.proxy.threads import Threads
from innerlife.proxy.windows import Windows
from innerlife.proxy.wire.call import StageMaker
from innerlife.proxy.wire.translate_ollama_openai import Clocks
from innerlife.thinking.gate import Gate
from innerlife.thinking.policy import ThinkingPolicy

_WELCOME: Final = """\
Innerlife is running. It stands between a chat program and a language model, and remembers.

Point a chat program here:
  OpenAI-compatible   {here}/v1
  Ollama, Anthropic   {here}

`innerlife status` shows what it has recorded, `innerlife why` what a turn was given to remember.
"""


@dataclass(frozen=True, slots=True)
class Behind:
    """What the proxy stands in front of."""

    doors: Doors
    source: UpstreamSource
    access: AccessSource
    embedder: Embedder | None = None
    gate: Gate = field(default_factory=lambda: Gate(ThinkingPolicy()))


class _Roads:
    """Chooses the road of a request. Its parts belong to one event loop and live from startup to shutdown."""

    def __init__(self) -> None:
        self.chat: ChatRoad | None = None
        self.local: LocalAnswers | None = None
        self.passthrough: Passthrough | None = None
        self._open = 0

    async def at_rest(self, limit_s: float) -> None:
        """Return when no request is being answered: one that was ended still records what has gone out."""
        with anyio.move_on_after(limit_s):
            while self._open:  # noqa: ASYNC110 it is looked at once, when the server stops
                await anyio.sleep(0.02)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._open += 1
        try:
            await self._answer(scope, receive, send)
        finally:
            self._open -= 1

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.chat is None or self.local is None or self.passthrough is None:
            await plain_error(scope["path"], 503, "Innerlife is still starting; try again.")(
                scope, receive, send
            )
            return
        self.chat.keeper.counters.request()
        path, method = scope["path"], scope["method"]
        if method == "POST" and path in CHAT_FORMATS:
            await self.chat(scope, receive, send)
        elif (method == "POST" and path in NAMED) or (method == "GET" and path in LISTS):
            await self.local(scope, receive, send)
        else:
            await self.passthrough(scope, receive, send)


def create_app(
    behind: Behind,
    *,
    counters: Counters | None = None,
    policy: ProxyPolicy = DEFAULT_POLICY,
    token: str | None = None,
    stages: Sequence[StageMaker] = (),
    routes: Sequence[BaseRoute] = (),
    clocks: Clocks | None = None,
) -> Starlette:
    """The proxy as an ASGI application; its connections live from startup to shutdown (lifespan).

    `token` opens the server from beyond loopback, as does any key that was given out. `stages` are made anew for
    each answer that is remembered. `routes` are answered before everything is forwarded.
    """
    counting = counters or Counters()
    roads = _Roads()
    times = clocks or Clocks(lambda: datetime.now(UTC), time.monotonic_ns)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        # Made now, so that no first answer waits for it.
        rules()
        keeper = RecordKeeper(behind.doors, counting, policy)
        outbound = Outbound(policy)
        embedding = CapacityLimiter(1)
        source, access = behind.source, behind.access
        apart = Apart()
        passthrough = Passthrough(source, access, outbound, counting, token)
        asides = Asides(outbound, token)
        cards = ModelCards(asides, times.elapsed_ns)
        windows = Windows(asides, cards, times.elapsed_ns)
        offers = Offers(outbound, times.elapsed_ns, token)
        sending = Sending(outbound, cards, offers, apart, times, token)
        roads.chat = ChatRoad(
            keeper, source, access, sending, passthrough, windows, behind.gate, Threads(), apart, stages
        )
        roads.local = LocalAnswers(
            source, access, outbound, behind.embedder, embedding, apart, policy, times, token
        )
        roads.passthrough = passthrough
        try:
            yield
        finally:
            await roads.at_rest(policy.finish_s)
            roads.chat = roads.local = roads.passthrough = None
            await windows.aclose()
            await cards.aclose()
            await outbound.aclose()

    return Starlette(
        routes=[Route("/", _welcome, methods=["GET"]), *routes, Route("/{path:path}", roads)],
        middleware=[Middleware(Guardpost, accepts=_token_check(behind.access, token))],
        lifespan=lifespan,
    )


def serve(
    app: ASGIApp,
    host: str = "127.0.0.1",
    port: int = 11435,
    *,
    token: str | None = None,
    policy: ProxyPolicy = DEFAULT_POLICY,
    started: Callable[[int], None] | None = None,
    finishing: Callable[[], None] | None = None,
) -> None:
    """Serve until stopped by a signal; answers that are being given are finished first.

    `started` is told the port once it is bound (of use with port 0); `finishing` is called when it is to stop and
    answers are open, which a second Ctrl-C ends. Raises BadInput when the port is taken or the host needs a token.
    """
    check_binding(host, token)
    listener = bound(host, port)
    try:
        if started is not None:
            started(listener.getsockname()[1])
        PatientServer(server_config(app, policy), finishing).run(sockets=[listener])
    finally:
        listener.close()


def server_config(app: ASGIApp, policy: ProxyPolicy = DEFAULT_POLICY) -> uvicorn.Config:
    """How the application is served: the engine's own headers pass, nothing is logged per request.

    What goes wrong is logged under `uvicorn`, for whoever set up logging; nothing is set up here.
    """
    return uvicorn.Config(
        app,
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        lifespan="on",
        ws="none",
        timeout_graceful_shutdown=int(policy.grace_s),
    )


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens on `host` and `port`. Raises BadInput when it cannot."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        # Listening now shows a taken port at once, before anything is started behind it.
        listener.listen(2048)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise BadInput(
                f"Port {port} on {host} is taken by another program, perhaps by Innerlife itself",
                "Stop it, or choose another port with --port",
            ) from error
        raise BadInput(
            f"Cannot listen on {host}:{port} ({error.strerror})", "Choose another address"
        ) from error
    listener.setblocking(False)  # noqa: FBT003 the standard library's own signature
    return listener


def _token_check(access: AccessSource, token: str | None) -> Callable[[str], bool]:
    def accepts(key: str) -> bool:
        if token is not None and same_secret(key, token):
            return True
        if not key.startswith(PREFIX):
            return False
        try:
            return known_key(access.book(), key) is not None
        except InnerlifeError:
            # Keys that cannot be read open nothing.
            return False

    return accepts


async def _welcome(request: Request) -> PlainTextResponse:
    return PlainTextResponse(_WELCOME.format(here=str(request.base_url).rstrip("/")))
