"""Which engine the proxy talks to: the configured one, else Ollama on this machine, else the embedded one."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal, Protocol, assert_never
from urllib.parse import urlsplit

import httpx2

from innerlife.adapters.models.embedded_rules import Endpoint
from innerlife.errors import BadInput

Dialect = Literal["ollama", "openai"]

OLLAMA_URL: Final = "http://127.0.0.1:11434"
"""Where Ollama listens when nobody told it otherwise."""

LOCAL_PROBE_S: Final = 0.3
"""Seconds that Ollama on this machine has to answer; an idle one takes a few milliseconds."""

CONFIGURED_PROBE_S: Final = 3.0
"""Seconds that a configured engine has to answer; it may be on another machine."""

_THIS_MACHINE: Final = frozenset({"127.0.0.1", "localhost", "::1", "0.0.0.0"})  # noqa: S104 compared, not bound

_NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Upstream:
    """An engine to send requests to.

    `url` has no trailing slash and no `/v1`. `dialects` is empty when a configured engine did not answer: it
    may be started later, so ask `probe_dialects` again before its first use. `headers` go with every request
    to it.
    """

    url: str
    dialects: frozenset[Dialect]
    kind: Literal["configured", "ollama", "embedded"]
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class NoUpstream:
    """There is no engine: one sentence on it and the way to get one."""

    message: str = "no language model was found on this machine"
    hint: str = (
        "Fetch a small one with `innerlife model pull qwen2.5-1.5b`, or start Ollama, or name an engine with "
        "`--upstream URL`"
    )


class Embedded(Protocol):
    """What is needed of the embedded engine (`EmbeddedServer`)."""

    async def ensure_started(self, timeout_s: float | None = None) -> Endpoint:
        """Start it if need be. Raises EngineUnavailable, ModelUnavailable."""
        ...


def decide(
    configured: str | None, *, ollama_answers: bool, has_weights: bool
) -> Literal["configured", "ollama", "embedded", "none"]:
    """Which engine it is to be; what a person configured is never second-guessed."""
    if configured:
        return "configured"
    if ollama_answers:
        return "ollama"
    return "embedded" if has_weights else "none"


def tidy_url(url: str, own_port: int | None = None) -> str:
    """A configured address without trailing slash and `/v1`, `http://` in front where no scheme is given.

    Raises BadInput when it is no web address, or is the proxy's own (`own_port` on this machine).
    """
    text = url.strip()
    if "://" not in text:
        text = f"http://{text}"
    text = text.rstrip("/").removesuffix("/v1").rstrip("/")
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError as failure:
        raise BadInput(f"{url} is no address of an engine", "It reads http://HOST:PORT") from failure
    if parts.scheme not in {"http", "https"} or not host or parts.query or parts.fragment:
        raise BadInput(f"{url} is no address of an engine", "It reads http://HOST:PORT")
    if own_port is not None and port == own_port and host in _THIS_MACHINE:
        raise BadInput(f"{url} is Innerlife's own address", "Name the engine behind it, such as an Ollama")
    return text


async def probe_dialects(
    client: httpx2.AsyncClient,
    url: str,
    headers: Mapping[str, str] = _NOTHING,
    timeout_s: float = CONFIGURED_PROBE_S,
) -> frozenset[Dialect]:
    """What an engine speaks; empty when it does not answer in time. One that asks for a key still answers."""
    ollama, openai = await asyncio.gather(
        _speaks_ollama(client, url, headers, timeout_s), _speaks_openai(client, url, headers, timeout_s)
    )
    spoken: set[Dialect] = set()
    if ollama:
        spoken.add("ollama")
    if openai:
        spoken.add("openai")
    return frozenset(spoken)


async def find_upstream(
    client: httpx2.AsyncClient,
    *,
    configured: str | None = None,
    headers: Mapping[str, str] = _NOTHING,
    embedded: Embedded | None = None,
    ollama_url: str = OLLAMA_URL,
    own_port: int | None = None,
) -> Upstream | NoUpstream:
    """Look for an engine and, where it is the embedded one, start it.

    `headers` belong to the configured engine (such as its key) and go nowhere else; `embedded` is None where
    there are no weights. Raises BadInput (a bad configured address), EngineUnavailable, ModelUnavailable
    (embedded).
    """
    url = tidy_url(configured, own_port) if configured else None
    local = frozenset[Dialect]()
    if url is None:
        local = await probe_dialects(client, ollama_url, timeout_s=LOCAL_PROBE_S)
    choice = decide(url, ollama_answers="ollama" in local, has_weights=embedded is not None)
    match choice:
        case "configured":
            address = url or ""
            return Upstream(address, await probe_dialects(client, address, headers), "configured", headers)
        case "ollama":
            return Upstream(ollama_url, local, "ollama")
        case "embedded" if embedded is not None:
            return embedded_upstream(await embedded.ensure_started())
        case "embedded" | "none":
            return NoUpstream()
        case _:
            assert_never(choice)


def embedded_upstream(endpoint: Endpoint) -> Upstream:
    """The embedded engine as an upstream; address and key hold until its next restart."""
    return Upstream(endpoint.address, frozenset({"openai"}), "embedded", endpoint.headers)


async def _speaks_ollama(
    client: httpx2.AsyncClient, url: str, headers: Mapping[str, str], timeout_s: float
) -> bool:
    answer = await _json(client, f"{url}/api/version", headers, timeout_s)
    return answer is not None and isinstance(answer.get("version"), str)


async def _speaks_openai(
    client: httpx2.AsyncClient, url: str, headers: Mapping[str, str], timeout_s: float
) -> bool:
    answer = await _json(client, f"{url}/v1/models", headers, timeout_s)
    return answer is not None and (isinstance(answer.get("data"), list) or "error" in answer)


async def _json(
    client: httpx2.AsyncClient, url: str, headers: Mapping[str, str], timeout_s: float
) -> dict[str, object] | None:
    """The JSON object at an address that answers in time, a refusal for want of a key included; else None."""
    try:
        async with asyncio.timeout(timeout_s):
            answer = await client.get(url, headers=dict(headers))
        content = answer.json()
    # Whatever went wrong, no engine speaks here.
    except (httpx2.HTTPError, httpx2.InvalidURL, TimeoutError, ValueError):
        return None
    accepted = answer.is_success or answer.status_code in {401, 403}
    return content if accepted and isinstance(content, dict) else None
