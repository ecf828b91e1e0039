"""Who may speak to the server at all: Host, Origin and token checks in front of everything (promise X2).

A web page that a person happens to open can send requests to this machine; its Origin gives it away, and a name
that was rebound to 127.0.0.1 is given away by Host. Programs on this machine send neither and pass.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from innerlife.errors import BadInput
from innerlife.proxy.headers import Headers, bearer, value_of
from innerlife.proxy.loopback import loopback_host
from innerlife.proxy.reply import plain_error

_APP_SCHEMES: Final = frozenset({"app", "tauri", "vscode-webview", "vscode-file"})
"""Origins that only an installed program can have, never a web page."""

_SHOWN: Final = b"X-Innerlife, X-Innerlife-Profile"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is not let in."""

    status: int
    sentence: str


def friendly_origin(origin: str) -> bool:
    """Whether an Origin header belongs to this machine: a page served from loopback, or an installed program."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    if parts.scheme in _APP_SCHEMES:
        return True
    return parts.scheme in {"http", "https"} and loopback_host(parts.netloc)


def verdict(host: str, origin: str, peer: str, *, has_token: bool) -> Refusal | None:
    """Whether a request comes in. `peer` is the address it comes from, "" where the server knows none."""
    if origin and not friendly_origin(origin):
        return Refusal(
            403, f"Requests from the web page {origin} are refused: only pages of this machine may ask."
        )
    if has_token:
        return None
    if not loopback_host(host):
        return Refusal(
            401,
            f"Under the name {host or '(none)'} Innerlife answers only with a token: "
            "send an Innerlife key as the API key, or use http://127.0.0.1.",
        )
    if peer and not loopback_host(peer):
        return Refusal(
            401,
            "From another machine Innerlife answers only with a token: send an Innerlife key as the API key.",
        )
    return None


def check_binding(host: str, token: str | None) -> None:
    """Raises BadInput when the server would listen beyond loopback without a token to ask for."""
    if not token and not (loopback_host(host) and host != "host.docker.internal"):
        raise BadInput(
            f"Listening on {host} lets other machines in, so a token is needed",
            "Add `--token TEXT`, which they then show as their API key, or listen on 127.0.0.1",
        )


class Guardpost:
    """ASGI middleware that lets in what `verdict` lets in, and answers browsers' preflight questions.

    `accepts` tells whether a bearer token opens the server: the configured token or any key that was given out.
    """

    def __init__(self, app: ASGIApp, accepts: Callable[[str], bool]) -> None:
        self._app = app
        self._accepts = accepts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers: Headers = scope["headers"]
        origin = value_of(headers, b"origin")
        peer = scope["client"][0] if scope.get("client") else ""
        host = value_of(headers, b"host")
        needs_token = not loopback_host(host) or bool(peer and not loopback_host(peer))
        has_token = needs_token and any(self._accepts(key) for key in bearer(headers))
        refusal = verdict(host, origin, peer, has_token=has_token) or _ambiguous(headers)
        preflight = scope["method"] == "OPTIONS" and value_of(headers, b"access-control-request-method")
        if refusal and not (preflight and friendly_origin(origin) and refusal.status == 401):
            await plain_error(scope["path"], refusal.status, refusal.sentence)(scope, receive, send)
            return
        if preflight:
            await _answer_preflight(headers, origin, send)
            return
        await self._app(scope, receive, _with_origin(send, origin) if origin else send)


def _ambiguous(headers: Headers) -> Refusal | None:
    """Two hosts or two origins in one request: whoever looks at the other one would see another request."""
    names = [name.lower() for name, _ in headers]
    if names.count(b"host") > 1 or names.count(b"origin") > 1:
        return Refusal(400, "The request names its host or its origin twice.")
    return None


def same_secret(given: str, kept: str) -> bool:
    """Whether two secrets are equal, in a time that tells nothing of them."""
    return hmac.compare_digest(given.encode("utf-8", "surrogateescape"), kept.encode("utf-8"))


async def _answer_preflight(headers: Headers, origin: str, send: Send) -> None:
    asked = value_of(headers, b"access-control-request-headers") or "*"
    answer: list[tuple[bytes, bytes]] = [
        (b"access-control-allow-origin", origin.encode("latin-1")),
        (b"access-control-allow-methods", b"GET, HEAD, POST, PUT, PATCH, DELETE"),
        (b"access-control-allow-headers", asked.encode("latin-1")),
        (b"access-control-max-age", b"600"),
        (b"vary", b"Origin"),
        (b"content-length", b"0"),
    ]
    if value_of(headers, b"access-control-request-private-network"):
        answer.append((b"access-control-allow-private-network", b"true"))
    await send({"type": "http.response.start", "status": 204, "headers": answer})
    await send({"type": "http.response.body", "body": b""})


def _with_origin(send: Send, origin: str) -> Send:
    """Let the page read the answer; what the engine itself said about origins does not apply here."""
    ours: Iterable[tuple[bytes, bytes]] = (
        (b"access-control-allow-origin", origin.encode("latin-1")),
        (b"access-control-expose-headers", _SHOWN),
        (b"vary", b"Origin"),
    )

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            kept = [pair for pair in message.get("headers", ()) if not _about_origin(pair[0])]
            message = {**message, "headers": [*kept, *ours]}
        await send(message)

    return sending


def _about_origin(name: bytes) -> bool:
    return name.lower() in {b"access-control-allow-origin", b"access-control-expose-headers"}
