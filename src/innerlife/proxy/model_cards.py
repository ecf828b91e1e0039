"""What Ollama says of a model: its own parameters, and the system text that ours would push out.

Ollama puts a model's own system text (`SYSTEM` in its Modelfile) in front of a chat only while the request brings
none. Adding ours to a request without one would silently replace it, so it is asked for once and sent along
(promise P3: added, never substituted).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

import anyio

from innerlife.adapters.models.upstream import Upstream
from innerlife.proxy.asides import LIMIT_S, Asides, Key, Learned, Unanswered
from innerlife.proxy.headers import Headers

_FRESH_NS: Final = 300 * 10**9
"""A model that was made anew is noticed within five minutes."""


class ModelCards:
    """Knows what `/api/show` says of models, by asking once in a while. Belongs to one event loop."""

    def __init__(self, asides: Asides, elapsed_ns: Callable[[], int]) -> None:
        self._asides = asides
        self._known: Learned[dict[str, Any]] = Learned(elapsed_ns, _FRESH_NS)
        self._asking: dict[Key, asyncio.Task[None]] = {}

    async def card(self, upstream: Upstream, model: str, headers: Headers) -> dict[str, Any] | None:
        """The model's card; None where the engine has none, or does not answer."""
        if "ollama" not in upstream.dialects:
            return None
        key = (upstream.url, model)
        if self._known.is_due(key):
            task = self._asking.get(key)
            if task is None:
                task = asyncio.create_task(self._learn(key, upstream, model, headers))
                self._asking[key] = task
            # One answer serves all who wait; who stops waiting does not take it from the others.
            await asyncio.wait({task})
        return self._known.value(key)

    async def system_text(self, upstream: Upstream, model: str, headers: Headers) -> str:
        """The model's own system text; "" where it has none, or where nobody says."""
        text = (await self.card(upstream, model, headers) or {}).get("system")
        return text if isinstance(text, str) else ""

    async def aclose(self) -> None:
        """Stop asking."""
        for task in list(self._asking.values()):
            task.cancel()
        await asyncio.gather(*self._asking.values(), return_exceptions=True)

    async def _learn(self, key: Key, upstream: Upstream, model: str, headers: Headers) -> None:
        card: Any = None
        try:
            with anyio.move_on_after(LIMIT_S):
                card = await self._asides.json(upstream, "POST", b"/api/show", headers, {"model": model})
        # The chat itself shows what is wrong with the engine.
        except Unanswered:
            pass
        finally:
            # A model that is not there is no answer either: it may be fetched in the next moment.
            if isinstance(card, dict):
                self._known.answered(key, card)
            else:
                self._known.unanswered(key)
            self._asking.pop(key, None)
