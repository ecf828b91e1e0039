"""What the proxy asks an engine for itself, beside the chats, and for how long it believes the answer."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

import httpx2

from innerlife import __version__
from innerlife.adapters.models.upstream import Upstream
from innerlife.proxy.headers import Headers, to_upstream
from innerlife.proxy.outbound import Outbound

LIMIT_S: Final = 2.0
"""Seconds for one look-up: an engine that answers takes a few milliseconds; one that does not is not waited for."""

_RETRY_NS: Final = 2 * 10**9
"""An engine that did not answer is asked again soon, but not by every request of the same second."""

_MOST: Final = 256
"""Engines and models remembered; clients send the names, and could send any number."""

_OF_THE_CHAT: Final = frozenset({b"user-agent", b"content-type", b"accept"})
_OURS: Final = (b"user-agent", f"innerlife/{__version__}".encode())
_SHUT: Final = frozenset({401, 403, 408, 429})

Key = tuple[str, str]
"""An engine's address and a model's name."""

_V = TypeVar("_V")


class Unanswered(Exception):
    """The engine gave no answer, which is not the same as an answer that says nothing."""


class Asides:
    """Asks engines. Belongs to one event loop."""

    def __init__(self, outbound: Outbound, token: str | None) -> None:
        self._outbound = outbound
        self._token = token

    async def json(
        self, upstream: Upstream, method: str, target: bytes, headers: Headers, value: Any = None
    ) -> Any:
        """The JSON at `target`, None where the engine has nothing there. Raises Unanswered.

        `headers` are those of the chat that wants to know: its key opens the engine, no word of it goes along.
        """
        body = None if value is None else json.dumps(value).encode()
        sent = to_upstream(headers, self._token, upstream.headers, length=len(body or b""))
        sent = [(name, text) for name, text in sent if name.lower() not in _OF_THE_CHAT] + [_OURS]
        try:
            answer = await self._outbound.send(upstream, method, target, sent, body)
            try:
                said = await answer.aread()
            finally:
                await answer.aclose()
            if answer.status_code in _SHUT or answer.status_code >= 500:
                raise Unanswered
            return json.loads(said) if answer.status_code == 200 else None
        except (httpx2.RequestError, ValueError, RecursionError) as error:
            raise Unanswered from error


@dataclass(slots=True)
class Learned(Generic[_V]):
    """What was learned of models, the newest of it; `fresh_ns` is how long an answer is believed."""

    elapsed_ns: Callable[[], int]
    fresh_ns: int
    _entries: OrderedDict[Key, tuple[int, _V | None]] = field(default_factory=OrderedDict)

    def __contains__(self, key: Key) -> bool:
        """Whether anybody asked for it lately, with whatever success."""
        return key in self._entries

    def is_due(self, key: Key) -> bool:
        """Whether it is time to ask."""
        entry = self._entries.get(key)
        return entry is None or self.elapsed_ns() >= entry[0]

    def value(self, key: Key) -> _V | None:
        """What was answered last."""
        entry = self._entries.get(key)
        return None if entry is None else entry[1]

    def answered(self, key: Key, value: _V | None) -> None:
        """The engine answered; `value` may be None where it says nothing."""
        self._put(key, self.fresh_ns, value)

    def unanswered(self, key: Key, value: _V | None = None) -> None:
        """The engine did not answer, or only in part: what was known before holds, where nothing better is."""
        self._put(key, _RETRY_NS, self.value(key) if value is None else value)

    def _put(self, key: Key, lasts_ns: int, value: _V | None) -> None:
        self._entries[key] = (self.elapsed_ns() + lasts_ns, value)
        self._entries.move_to_end(key)
        while len(self._entries) > _MOST:
            self._entries.popitem(last=False)
