"""How many tokens a model's window has, as far as its engine says (promise P12).

What an engine was loaded with counts, not what the model was trained for: Ollama tells it in `/api/ps` (or by the
model's own `num_ctx`), llama.cpp in `/props`, vLLM and others beside the model's name in `/v1/models`.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Any, Final

import anyio

from innerlife.adapters.models.upstream import Upstream
from innerlife.proxy.asides import LIMIT_S, Asides, Key, Learned, Unanswered
from innerlife.proxy.headers import Headers
from innerlife.proxy.model_cards import ModelCards

_FRESH_NS: Final = 60 * 10**9
"""A model that was loaded anew with another window is noticed within a minute."""

LONGEST_WAIT_S: Final = 0.3
"""How long the very first request of a model waits for its window; later ones use what is known."""

_NUM_CTX: Final = re.compile(r"^\s*num_ctx\s+(\d+)", re.MULTILINE)
_SIZES: Final = ("n_ctx", "max_model_len", "max_context_length", "context_length", "context_window")


class Windows:
    """Knows the windows of models, by asking their engine beside the chats. Belongs to one event loop."""

    def __init__(self, asides: Asides, cards: ModelCards, elapsed_ns: Callable[[], int]) -> None:
        self._asides = asides
        self._cards = cards
        self._known: Learned[int] = Learned(elapsed_ns, _FRESH_NS)
        self._asking: dict[Key, asyncio.Task[None]] = {}

    async def of(self, upstream: Upstream, model: str, headers: Headers) -> int | None:
        """The window in tokens; None where nobody says. What is stale is asked anew in the background."""
        key = (upstream.url, model)
        if self._known.is_due(key):
            task = self._asking.get(key)
            if task is None:
                task = asyncio.create_task(self._learn(key, upstream, model, headers))
                self._asking[key] = task
            if key not in self._known:
                await asyncio.wait({task}, timeout=LONGEST_WAIT_S)
        return self._known.value(key)

    async def aclose(self) -> None:
        """Stop asking."""
        for task in list(self._asking.values()):
            task.cancel()
        await asyncio.gather(*self._asking.values(), return_exceptions=True)

    async def _learn(self, key: Key, upstream: Upstream, model: str, headers: Headers) -> None:
        window, sure = None, False
        try:
            with anyio.move_on_after(LIMIT_S):
                window, sure = await self._ask(upstream, model, headers)
        # An engine that does not say is treated as one that does not know; the chat itself shows its troubles.
        except Unanswered:
            pass
        finally:
            if sure:
                self._known.answered(key, window)
            else:
                self._known.unanswered(key, window)
            self._asking.pop(key, None)

    async def _ask(self, upstream: Upstream, model: str, headers: Headers) -> tuple[int | None, bool]:
        """The window, and whether all was answered that could tell it. Raises Unanswered."""
        if "ollama" in upstream.dialects:
            running = await self._asides.json(upstream, "GET", b"/api/ps", headers)
            card = await self._cards.card(upstream, model, headers)
            loaded = _loaded_window(running, model)
            return loaded or _own_window(card), card is not None or loaded is not None
        listing = await self._asides.json(upstream, "GET", b"/v1/models", headers)
        if (listed := _listed_window(listing, model)) is not None:
            return listed, True
        return _server_window(await self._asides.json(upstream, "GET", b"/props", headers)), True


def _loaded_window(running: Any, model: str) -> int | None:
    """`context_length` of a loaded model in Ollama's `/api/ps`."""
    for entry in _entries(running, "models"):
        if model.removesuffix(":latest") in {
            str(entry.get(k, "")).removesuffix(":latest") for k in ("name", "model")
        }:
            return _size(entry.get("context_length"))
    return None


def _own_window(card: Any) -> int | None:
    """`num_ctx` among a model's own parameters in Ollama's `/api/show`."""
    parameters = card.get("parameters") if isinstance(card, dict) else None
    found = _NUM_CTX.search(parameters) if isinstance(parameters, str) else None
    return _size(int(found[1])) if found else None


def _listed_window(listing: Any, model: str) -> int | None:
    """A size beside the model's name in `/v1/models`, or in its `meta`."""
    for entry in _entries(listing, "data"):
        if entry.get("id") == model or len(_entries(listing, "data")) == 1:
            meta = entry.get("meta")
            for place in (entry, meta if isinstance(meta, dict) else {}):
                for name in _SIZES:
                    if (size := _size(place.get(name))) is not None:
                        return size
    return None


def _server_window(props: Any) -> int | None:
    """`n_ctx` of llama.cpp's `/props`: what one conversation has."""
    defaults = props.get("default_generation_settings") if isinstance(props, dict) else None
    return _size(defaults.get("n_ctx")) if isinstance(defaults, dict) else None


def _entries(value: Any, name: str) -> list[dict[str, Any]]:
    found = value.get(name) if isinstance(value, dict) else None
    return [entry for entry in found if isinstance(entry, dict)] if isinstance(found, list) else []


def _size(value: object) -> int | None:
    """A believable window; anything else is taken as not said."""
    if isinstance(value, bool) or not isinstance(value, int) or not 256 <= value <= 100_000_000:
        return None
    return value
