"""A chat makes its way: what thinks in the background on the same engine steps aside while it lasts (promise P8)."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import TracebackType
from typing import Final, Self

from innerlife.adapters.models.thinker import engine_name
from innerlife.adapters.models.upstream import Upstream
from innerlife.thinking.calls import LastChat
from innerlife.thinking.gate import Gate, Token

LARGEST_PREFIX: Final = 256 * 1024
"""Bytes of a request up to which it is kept to warm the engine again; reading a longer one anew would take too long."""


class Way:
    """One request's claim on its engine, from its arrival to the end of its answer."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._token: Token | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._token is not None:
            self._gate.chat_ended(self._token)

    def cleared(self, upstream: Upstream) -> None:
        """Claim the engine, once it is known which one; what runs there in the background is cut."""
        if self._token is None:
            self._token = self._gate.chat_began(engine_name(upstream))

    def sent(self, path: str, body: bytes, stands: Callable[[], bool]) -> None:
        """The request as it went out: its options and its prefix serve the calls that follow."""
        if self._token is None or len(body) > LARGEST_PREFIX:
            return
        try:
            value = json.loads(body)
        except ValueError:
            return
        if isinstance(value, dict):
            self._gate.chat_sent(self._token, LastChat(path, value, stands))
