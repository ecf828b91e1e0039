"""Which of the newer formats an engine speaks by itself; where it does not, its answers are translated.

An engine is asked once in a while, before the first request of a format: with an empty request to the format's own
path. Whoever has the path complains of what is missing; whoever has not says that there is none. So no request of a
person is sent twice, and a model that is not found is never taken for a path that is not there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

import anyio
import httpx2

from innerlife import __version__
from innerlife.adapters.models.upstream import Upstream
from innerlife.proxy.headers import Headers, to_upstream
from innerlife.proxy.outbound import Outbound
from innerlife.proxy.wire import anthropic, responses
from innerlife.proxy.wire.call import FormatName

_PATHS: Final[Mapping[FormatName, str]] = {
    "anthropic": anthropic.MESSAGES,
    "responses": responses.RESPONSES,
}

_EMBEDDED: Final = frozenset[FormatName]({"openai", "anthropic"})
"""What the embedded engine speaks well. It has /v1/responses too, but its events lack the `output_index` without which
the official client's stream helper breaks, and answers that were cut off are called complete."""

_FRESH_NS: Final = 300 * 10**9
"""An engine that was replaced by a newer one is noticed within five minutes."""

_LIMIT_S: Final = 5.0
"""An engine that does not answer an empty request in this time is taken to have the path, and asked again later."""

_NO_SUCH_PATH: Final = frozenset({404, 405, 501})
_UNEXPECTED: Final = b"Unexpected endpoint"
"""How LM Studio says it, under status 200."""

_OURS: Final = (b"user-agent", f"innerlife/{__version__}".encode())


@dataclass(slots=True)
class Offers:
    """Knows the formats of engines, by asking beside the chats."""

    outbound: Outbound
    elapsed_ns: Callable[[], int]
    token: str | None
    _known: dict[tuple[str, FormatName], tuple[int, bool]] = field(default_factory=dict)

    async def speaks(self, upstream: Upstream, form: FormatName, headers: Headers) -> bool:
        """Whether requests of that format go to the engine as they are."""
        path = _PATHS.get(form)
        if path is None:
            return form in upstream.dialects
        if upstream.kind == "embedded":
            return form in _EMBEDDED
        asked, has = self._known.get((upstream.url, form), (None, True))
        now = self.elapsed_ns()
        if asked is not None and now - asked < _FRESH_NS:
            return has
        answer: bool | None = None
        with anyio.move_on_after(_LIMIT_S):
            answer = await self._ask(upstream, path, headers)
        if answer is None:
            return has
        self._known[upstream.url, form] = (now, answer)
        return answer

    async def _ask(self, upstream: Upstream, path: str, headers: Headers) -> bool | None:
        sent = to_upstream(headers, self.token, upstream.headers, length=2)
        sent = [(name, value) for name, value in sent if name.lower() != b"user-agent"] + [_OURS]
        try:
            answer = await self.outbound.send(upstream, "POST", path.encode(), sent, b"{}")
            try:
                said = await answer.aread()
            finally:
                await answer.aclose()
        except httpx2.RequestError:
            # The chat itself shows what is wrong.
            return None
        if answer.status_code in {401, 403, 429} or answer.status_code >= 502:
            # A door that is shut does not say what is behind it.
            return None
        return answer.status_code not in _NO_SUCH_PATH and _UNEXPECTED not in said
