"""A request on its way to the engine: what was added is written in, the dialect crossed where need be, and sent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import httpx2
from starlette.responses import Response

from innerlife.adapters.models.upstream import Upstream
from innerlife.errors import BadInput
from innerlife.membrane.turn import Standing, always
from innerlife.proxy.apart import Apart
from innerlife.proxy.crossings import Crossed, crossed
from innerlife.proxy.guard import ONCE_MORE, Guard
from innerlife.proxy.headers import Headers, to_upstream
from innerlife.proxy.model_cards import ModelCards
from innerlife.proxy.offers import Offers
from innerlife.proxy.outbound import Outbound
from innerlife.proxy.recording import TurnRecord
from innerlife.proxy.relay import Crossing
from innerlife.proxy.reply import document, status_of
from innerlife.proxy.wire.call import Chat, Format, Untouched
from innerlife.proxy.wire.frame import Stage
from innerlife.proxy.wire.translate_ollama_openai import Clocks
from innerlife.proxy.wire.writing import GAP, Additions, written


@dataclass(frozen=True, slots=True)
class Incoming:
    """A request as it came, its body whole."""

    form: Format
    path: str
    target: bytes
    headers: Headers
    body: bytes


@dataclass(frozen=True, slots=True)
class Outgoing:
    """What goes to the engine, and what the client is told of it.

    `reading` is None where the request is sent on as it came, `recording` where nothing is kept; `unreadable`
    says why only the engine can judge the request. `stands` says later whether nothing in it was forgotten since.
    `stages` and `guard` stand in the way of the answer.
    """

    reading: Chat | Untouched | None
    added: Additions
    recording: TurnRecord | None
    standing: Standing
    headers: Headers
    model: str
    profile: str = ""
    unreadable: str = ""
    stands: Callable[[], bool] = always
    stages: Sequence[Stage] = ()
    guard: Guard | None = None

    @property
    def asked_stream(self) -> bool:
        """Whether the client asked for a stream; of what could not be read it is assumed."""
        return self.reading is None or self.reading.stream


@dataclass(frozen=True, slots=True)
class Sendable:
    """A request in the engine's dialect; `crossing` turns the answer back, where that is another one."""

    target: bytes
    body: bytes
    crossing: Crossing | None = None


@dataclass(frozen=True, slots=True)
class Sending:
    """Makes requests ready for an engine and sends them. Belongs to one event loop."""

    outbound: Outbound
    cards: ModelCards
    offers: Offers
    apart: Apart
    clocks: Clocks
    token: str | None

    async def ready(self, came: Incoming, out: Outgoing, upstream: Upstream) -> Sendable | Response:
        """The request for the engine; or the answer, where there is nothing to ask the engine."""
        body = await self._body(came, out, upstream)
        native = await self.offers.speaks(upstream, came.form.name, came.headers)
        if native or "openai" not in upstream.dialects:
            return Sendable(came.target, body)
        if out.unreadable:
            sentence = f"The request cannot be understood: {out.unreadable}."
            return document(came.form.error(400, sentence), 400, out.headers)
        try:
            found = await self._crossed(came, out, body, upstream)
        except BadInput as error:
            status = status_of(error)
            return document(came.form.error(status, str(error)), status, out.headers)
        if isinstance(found, bytes):
            return document(found, 200, out.headers)
        return Sendable(found.target, found.body, found.crossing)

    async def sent(self, came: Incoming, upstream: Upstream, sendable: Sendable) -> httpx2.Response:
        """The engine's answer, its body still to be read. Raises httpx2.RequestError."""
        headers = to_upstream(came.headers, self.token, upstream.headers, length=len(sendable.body))
        return await self.outbound.send(upstream, "POST", sendable.target, headers, sendable.body)

    async def again(self, came: Incoming, out: Outgoing, upstream: Upstream) -> httpx2.Response | None:
        """The answer to the same request with one sentence behind the user's words. Raises httpx2.RequestError."""
        more = replace(out, added=replace(out.added, after=ONCE_MORE))
        sendable = await self.ready(came, more, upstream)
        return await self.sent(came, upstream, sendable) if isinstance(sendable, Sendable) else None

    async def _body(self, came: Incoming, out: Outgoing, upstream: Upstream) -> bytes:
        """The request's bytes with all that is added."""
        if out.reading is None:
            return came.body
        added = out.added
        if added.stable and isinstance(out.reading, Chat) and out.reading.brings_no_system_text:
            own = await self.cards.system_text(upstream, out.model, came.headers)
            added = replace(added, stable=GAP.join(text for text in (added.stable, own) if text))
        return await self.apart.run(len(came.body), partial(written, out.reading, added))

    async def _crossed(
        self, came: Incoming, out: Outgoing, body: bytes, upstream: Upstream
    ) -> Crossed | bytes:
        """The request translated; or the answer. Raises BadInput."""
        work = partial(crossed, came.form.name, came.path, body, out.model, upstream, self.clocks)
        return await self.apart.run(len(body), work)
