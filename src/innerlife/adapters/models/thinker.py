"""Background calls to an engine over HTTP (port `thinking.calls.Thinker`).

Answers are streamed even where nobody reads along, because a stream can be dropped at any byte: a cancelled call
closes its connection, and engines stop when the connection of a stream is closed.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Final
from urllib.parse import urlsplit

import anyio
import httpx2

from innerlife.adapters.models.embedded import EmbeddedServer
from innerlife.adapters.models.thinker_wire import PATHS, Dialect, EngineSaid, Gathered, request, warming
from innerlife.adapters.models.upstream import Upstream, embedded_upstream
from innerlife.errors import EngineUnavailable, ModelFailed, ModelUnavailable
from innerlife.thinking.calls import LastChat, Question, Reply
from innerlife.thinking.events import Flaw

_CONNECT_S: Final = 5.0
_WARM_S: Final = 60.0
_ERROR_BYTES: Final = 2000
_LOCAL: Final = frozenset({"127.0.0.1", "localhost", "::1"})

EMBEDDED: Final = "embedded"
"""The gate's name for the embedded engine: its address changes with every start."""


def engine_name(upstream: Upstream) -> str:
    """The gate's name for an engine. The proxy and the roles must use the same."""
    return EMBEDDED if upstream.kind == "embedded" else upstream.url


class UpstreamThinker:
    """Asks an engine that other programs use too. Of one event loop; close it with `aclose`."""

    def __init__(self, upstream: Upstream) -> None:
        """`upstream` must speak a dialect."""
        self._upstream = upstream
        self._dialect: Dialect = "ollama" if "ollama" in upstream.dialects else "openai"
        host = urlsplit(upstream.url).hostname or ""
        self._local = host in _LOCAL
        self._client = httpx2.AsyncClient(
            # No proxy of the environment stands between this machine and itself, nor a certificate.
            trust_env=not self._local,
            verify=not self._local,
            timeout=httpx2.Timeout(None, connect=_CONNECT_S),
            # Calls are minutes apart, and a connection kept for them would often be found shut.
            limits=httpx2.Limits(max_keepalive_connections=0),
        )
        self._takes_forms = True

    @property
    def upstream(self) -> Upstream:
        """The engine that is asked."""
        return self._upstream

    async def ask(self, question: Question, chat: LastChat | None = None) -> Reply:
        """One answer (see `Thinker.ask`)."""
        limits = question.limits
        try:
            async with asyncio.timeout(limits.seconds):
                return await self._ask(question, chat)
        except TimeoutError as error:
            raise ModelFailed(
                f"{question.model} had not answered after {limits.seconds:g} seconds", "", Flaw.TIMEOUT
            ) from error

    async def warm(self, chat: LastChat) -> None:
        """Have the prefix read again. Only engines on this machine have a cache that is ours to care for."""
        if not self._local or not self._speaks(chat.path):
            return
        async with asyncio.timeout(_WARM_S), self._answer(chat.path, warming(chat), chat.model) as answer:
            async for _ in answer.aiter_bytes():
                pass

    async def rest(self) -> None:
        """Other programs use the engine too: it stays as it is."""

    async def aclose(self) -> None:
        """Close all connections."""
        await self._client.aclose()

    def _speaks(self, path: str) -> bool:
        return ("ollama" if path.startswith("/api/") else "openai") in self._upstream.dialects

    async def _ask(self, question: Question, chat: LastChat | None) -> Reply:
        form = self._takes_forms and question.schema is not None
        try:
            return await self._asked(question, chat, form=form)
        except ModelFailed as error:
            # Some engines refuse what they do not know, and a form above all: the words alone have to do then.
            if not form or error.flaw != Flaw.REFUSED:
                raise
            reply = await self._asked(question, chat, form=False)
            self._takes_forms = False
            return reply

    async def _asked(self, question: Question, chat: LastChat | None, *, form: bool) -> Reply:
        llama = self._upstream.kind == "embedded"
        body = request(self._dialect, question, chat, llama=llama, form=form)
        gathered = Gathered(self._dialect, question.limits.bytes)
        async with self._answer(PATHS[self._dialect], body, question.model) as answer:
            try:
                async for data in answer.aiter_bytes():
                    if not gathered.feed(data):
                        break
                return gathered.reply()
            except EngineSaid as error:
                raise ModelFailed(
                    f"{question.model} gave no whole answer ({error})", "", Flaw.BROKEN_OFF
                ) from error

    @asynccontextmanager
    async def _answer(self, path: str, body: dict[str, Any], model: str) -> AsyncIterator[httpx2.Response]:
        """An answer whose head was read and is good. Its connection is closed when the block ends early."""
        if self._client.is_closed:
            raise EngineUnavailable(
                f"The engine at {self._upstream.url} was let go", "It is asked again later."
            )
        content = json.dumps(body).encode()
        headers = {**self._upstream.headers, "Content-Type": "application/json"}
        try:
            async with self._client.stream(
                "POST", self._upstream.url + path, content=content, headers=headers
            ) as answer:
                if not answer.is_success:
                    raise await self._refusal(answer, model)
                yield answer
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError) as error:
            raise EngineUnavailable(
                f"The engine at {self._upstream.url} does not answer or broke off", "Look whether it runs."
            ) from error

    async def _refusal(
        self, answer: httpx2.Response, model: str
    ) -> ModelFailed | EngineUnavailable | ModelUnavailable:
        said = b""
        async for data in answer.aiter_bytes():
            said += data
            if len(said) > _ERROR_BYTES:
                break
        status = answer.status_code
        if status == 404 or (status == 400 and b"not found" in said.lower() and b"model" in said.lower()):
            return ModelUnavailable(
                f"The engine at {self._upstream.url} has no model called {model}",
                "Fetch it, or name another.",
            )
        if status in {400, 413, 422, 500, 501}:
            return ModelFailed(f"{model} could not be asked: the engine said {status}", "", Flaw.REFUSED)
        return EngineUnavailable(
            f"The engine at {self._upstream.url} refuses background calls with {status}",
            "Look at its key and its log." if status in {401, 403} else "It is asked again later.",
        )


class EmbeddedThinker:
    """Asks a second child of the embedded engine, on the same mapped weights: the chat's slot and cache stay its own.

    A cancelled call kills the child, which frees the processor at once; the next call starts another one.
    """

    def __init__(self, server: EmbeddedServer) -> None:
        """`server` must be an instance of its own, never the chat's."""
        self._server = server
        self._thinker: UpstreamThinker | None = None

    async def ask(self, question: Question, chat: LastChat | None = None) -> Reply:  # noqa: ARG002 - the port's
        """One answer (see `Thinker.ask`); the child's own options never change."""
        return await self._or_end(lambda thinker: thinker.ask(question))

    async def warm(self, chat: LastChat) -> None:
        """The chat's cache was never touched."""

    async def rest(self) -> None:
        """End the child: it holds memory for nothing."""
        await self._end()

    async def aclose(self) -> None:
        """End the child."""
        await self._end()

    async def _or_end(self, work: Callable[[UpstreamThinker], Awaitable[Reply]]) -> Reply:
        try:
            endpoint = await self._server.ensure_started()
            if self._thinker is None or self._thinker.upstream.headers != endpoint.headers:
                await self._let_go()
                self._thinker = UpstreamThinker(embedded_upstream(endpoint))
            return await work(self._thinker)
        except asyncio.CancelledError:
            await self._end()
            raise
        except ModelFailed as error:
            # One that was left in the middle of an answer goes on computing for a while.
            if error.flaw == Flaw.TIMEOUT:
                await self._end()
            raise

    async def _end(self) -> None:
        with anyio.CancelScope(shield=True):
            await asyncio.to_thread(self._server.stop)
            await self._let_go()

    async def _let_go(self) -> None:
        thinker, self._thinker = self._thinker, None
        if thinker is not None:
            await thinker.aclose()
