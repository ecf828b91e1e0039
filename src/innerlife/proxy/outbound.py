"""The way to the engine: one shared client that changes nothing in what it carries."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

import httpx2

from innerlife.adapters.models.upstream import Upstream
from innerlife.proxy.headers import Headers
from innerlife.proxy.loopback import loopback_host
from innerlife.proxy.policy import ProxyPolicy

_LOCAL_IDLE_S: Final = 4.0
"""Local servers drop an idle connection after five seconds; one that is not reused after four is never found shut."""

_REMOTE_IDLE_S: Final = 20.0


class Outbound:
    """Sends requests to an engine. Made inside the event loop that serves; close it with `aclose`."""

    def __init__(self, policy: ProxyPolicy) -> None:
        self._timeouts = httpx2.Timeout(
            connect=policy.connect_s, read=policy.stall_s, write=policy.stall_s, pool=policy.stall_s
        ).as_dict()
        # A proxy that the environment names is for the world outside, never for this machine; and nobody stands
        # between this machine and itself, so a certificate would prove nothing.
        self._local = httpx2.AsyncHTTPTransport(
            verify=False,
            limits=_limits(policy, _LOCAL_IDLE_S),
            trust_env=False,
        )
        self._remote: httpx2.AsyncClient | None = None
        self._policy = policy

    async def send(
        self,
        upstream: Upstream,
        method: str,
        target: bytes,
        headers: Headers,
        body: bytes | AsyncIterator[bytes] | None,
    ) -> httpx2.Response:
        """Send a request; the answer's headers are there on return, its body is still to be streamed.

        `target` is path and query as they stand in the request line. Raises httpx2.RequestError.
        """
        url = httpx2.URL(upstream.url)
        prefix = url.raw_path.rstrip(b"/")
        if not any(name == b"host" for name, _ in headers):
            headers = [(b"host", url.netloc), *headers]
        request = httpx2.Request(
            method,
            url,
            headers=headers,
            stream=_Body(body),
            extensions={"timeout": self._timeouts, "target": prefix + target},
        )
        if loopback_host(url.host):
            return await self._local.handle_async_request(request)
        if self._remote is None:
            # Made when it is first needed, because reading the authorities' certificates takes a while.
            self._remote = httpx2.AsyncClient(limits=_limits(self._policy, _REMOTE_IDLE_S))
        return await self._remote.send(request, stream=True)

    async def aclose(self) -> None:
        """Close all connections."""
        await self._local.aclose()
        if self._remote is not None:
            await self._remote.aclose()


class _Body(httpx2.AsyncByteStream):
    """A request's body, streamed or held; headers are written by the caller alone."""

    def __init__(self, body: bytes | AsyncIterator[bytes] | None) -> None:
        self._body = body

    async def __aiter__(self) -> AsyncIterator[bytes]:
        if isinstance(self._body, bytes):
            yield self._body
        elif self._body is not None:
            async for chunk in self._body:
                yield chunk


def trouble(error: httpx2.RequestError, upstream: Upstream) -> tuple[int, str]:
    """The status and the sentence for an engine that cannot be talked to."""
    if isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout):
        return 502, f"No language model answers at {upstream.url}. {_way_out(upstream)}"
    if isinstance(error, httpx2.TimeoutException):
        return (
            504,
            "The language model stopped answering. Try again, or look whether its server is overloaded.",
        )
    return 502, "The language model broke off the connection. Try again, or look at its server's log."


def _way_out(upstream: Upstream) -> str:
    if upstream.kind == "embedded":
        return "The built-in engine is being started again; try once more in a moment."
    return "Start its server, or name another with --upstream."


def _limits(policy: ProxyPolicy, idle_s: float) -> httpx2.Limits:
    return httpx2.Limits(
        max_connections=policy.connections,
        max_keepalive_connections=policy.connections,
        keepalive_expiry=idle_s,
    )
