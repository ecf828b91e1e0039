"""The system text that belongs to an Ollama model itself, kept where ours would push it out.

Ollama puts a model's own system text (`SYSTEM` in its Modelfile) in front of a chat only while the request brings
none. Adding ours to a request without one would silently replace it, so it is asked for once and sent along
(promise P3: added, never substituted).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import anyio
import httpx2

from innerlife.adapters.models.upstream import Upstream
from innerlife.proxy.headers import Headers, to_upstream
from innerlife.proxy.outbound import Outbound

_FRESH_NS: Final = 300 * 10**9
"""A model that was made anew is noticed within five minutes."""

_LIMIT_S: Final = 2.0
"""An Ollama that answers takes a few milliseconds; one that does not is not waited for."""


@dataclass(slots=True)
class ModelCards:
    """Knows models' own system texts, by asking once in a while."""

    outbound: Outbound
    elapsed_ns: Callable[[], int]
    token: str | None
    _known: dict[tuple[str, str], tuple[int, str]] = field(default_factory=dict)

    async def system_text(self, upstream: Upstream, model: str, headers: Headers) -> str:
        """The model's own system text; "" where it has none, or where nobody says."""
        if "ollama" not in upstream.dialects:
            return ""
        asked, text = self._known.get((upstream.url, model), (None, ""))
        now = self.elapsed_ns()
        if asked is not None and now - asked < _FRESH_NS:
            return text
        with anyio.move_on_after(_LIMIT_S):
            text = await self._ask(upstream, model, headers)
        self._known[upstream.url, model] = (now, text)
        return text

    async def _ask(self, upstream: Upstream, model: str, headers: Headers) -> str:
        body = json.dumps({"model": model}).encode()
        sent = to_upstream(headers, self.token, upstream.headers, length=len(body))
        try:
            answer = await self.outbound.send(upstream, "POST", b"/api/show", sent, body)
            try:
                card = json.loads(await answer.aread())
            finally:
                await answer.aclose()
        # Whatever is wrong here, the chat itself will tell the client.
        except (httpx2.RequestError, ValueError, RecursionError):
            return ""
        text = card.get("system") if isinstance(card, dict) else None
        return text if isinstance(text, str) else ""
