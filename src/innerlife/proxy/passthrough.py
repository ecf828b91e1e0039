"""Everything that is not ours to understand: forwarded byte for byte, both ways, while it arrives."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, Final

import anyio
import httpx2
from starlette.types import Receive, Scope, Send

from innerlife.errors import InnerlifeError
from innerlife.membrane.access import check_key
from innerlife.membrane.turn import Standing
from innerlife.proxy.counters import Counters
from innerlife.proxy.doors import AccessSource, UpstreamSource
from innerlife.proxy.headers import Headers, own_key, standing_headers, to_client, to_upstream, value_of
from innerlife.proxy.incoming import HungUp, announced_length, body_chunks, while_listening
from innerlife.proxy.outbound import Outbound, trouble
from innerlife.proxy.reply import plain_error, status_of

_NO_OLLAMA: Final = (
    "The engine here is no Ollama and has no {path}. Models are fetched and chosen with `innerlife model`."
)


@dataclass(frozen=True, slots=True)
class Passthrough:
    """Forwards requests whole; nothing is held in memory but what is on its way."""

    source: UpstreamSource
    access: AccessSource
    outbound: Outbound
    counters: Counters
    token: str | None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward one request and its answer."""
        self.counters.unknown(scope["path"])
        headers: Headers = scope["headers"]
        try:
            check_key(self.access.book(), own_key(headers))
            upstream = await self.source.current()
        except InnerlifeError as error:
            status = status_of(error)
            await plain_error(scope["path"], status, str(error))(scope, receive, send)
            return
        if scope["path"].startswith("/api/") and "ollama" not in upstream.dialects and upstream.dialects:
            await plain_error(scope["path"], 404, _NO_OLLAMA.format(path=scope["path"]))(scope, receive, send)
            return
        outgoing = to_upstream(headers, self.token, upstream.headers, length=None)
        chunked = value_of(headers, b"transfer-encoding")
        if chunked:
            outgoing.append((b"transfer-encoding", b"chunked"))
        body_read = anyio.Event()
        body = _announced(receive, body_read) if chunked or announced_length(headers) else None
        if body is None:
            body_read.set()

        async def work() -> None:
            try:
                answer = await self.outbound.send(upstream, scope["method"], target_of(scope), outgoing, body)
            except HungUp:
                return
            except httpx2.RequestError as error:
                status, sentence = trouble(error, upstream)
                self.counters.upstream_error(sentence)
                await plain_error(scope["path"], status, sentence)(scope, receive, send)
                return
            if broke := await forward(answer, standing_headers(Standing.PASSTHROUGH, ""), send):
                self.counters.upstream_error(broke)

        await while_listening(receive, work, body_read)


async def _announced(receive: Receive, read: anyio.Event) -> AsyncIterator[bytes]:
    async for chunk in body_chunks(receive):
        yield chunk
    read.set()


def target_of(scope: Scope) -> bytes:
    """Path and query as they stood in the request line."""
    path: bytes = scope.get("raw_path") or scope["path"].encode("utf-8", "surrogateescape")
    query: bytes = scope["query_string"]
    return path + b"?" + query if query else path


async def forward(answer: httpx2.Response, ours: Headers, send: Send) -> str:
    """Send an answer on, byte for byte, with headers of ours beside the engine's, and close it.

    Returns why it broke off, or "". A broken answer is left open towards the client too, so that the server
    cuts the connection and the client sees that something is missing.
    """
    headers = [*to_client(answer.headers.raw), *ours]
    try:
        await send({"type": "http.response.start", "status": answer.status_code, "headers": headers})
        async for chunk in answer.aiter_raw():
            part: dict[str, Any] = {"type": "http.response.body", "body": chunk, "more_body": True}
            await send(part)
    except httpx2.RequestError as error:
        return f"the engine broke off ({type(error).__name__})"
    finally:
        with anyio.CancelScope(shield=True):
            await answer.aclose()
    await send({"type": "http.response.body", "body": b""})
    return ""
