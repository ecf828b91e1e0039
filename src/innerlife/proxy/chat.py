"""A request for an answer, from its first byte to its last: read, remembered, added to, relayed, recorded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import anyio
import httpx2
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from innerlife.errors import InnerlifeError
from innerlife.membrane.access import AccessBook, Admission, Asked, admit, check_key, split_model
from innerlife.membrane.turn import Answer, Ending, Standing, TurnRequest
from innerlife.proxy.apart import Apart
from innerlife.proxy.choices import others_for
from innerlife.proxy.doors import AccessSource, UpstreamSource
from innerlife.proxy.guard import guard_for
from innerlife.proxy.headers import (
    PROFILE,
    Headers,
    hints_of,
    own_key,
    standing_headers,
    to_client,
    value_of,
)
from innerlife.proxy.incoming import HungUp, TooLarge, while_listening, whole_body
from innerlife.proxy.outbound import trouble
from innerlife.proxy.passthrough import Passthrough, forward, target_of
from innerlife.proxy.recording import RecordKeeper, TurnRecord
from innerlife.proxy.relay import Relay
from innerlife.proxy.reply import CHAT_FORMATS, document, status_of
from innerlife.proxy.sending import Incoming, Outgoing, Sending
from innerlife.proxy.threads import Threads
from innerlife.proxy.way import Way
from innerlife.proxy.windows import LONGEST_WAIT_S, Windows
from innerlife.proxy.wire.call import LISTS, Awaited, Chat, Reading, StageMaker, Untouched
from innerlife.proxy.wire.jsontext import NotJson, TooDeep, decode, read_object
from innerlife.proxy.wire.writing import Additions
from innerlife.thinking.gate import Gate

_FORWARDED: Final = standing_headers(Standing.PASSTHROUGH, "")


@dataclass(frozen=True, slots=True)
class ChatRoad:
    """Answers requests on the paths of `CHAT_FORMATS`."""

    keeper: RecordKeeper
    source: UpstreamSource
    access: AccessSource
    sending: Sending
    passthrough: Passthrough
    windows: Windows
    gate: Gate
    threads: Threads
    apart: Apart
    stages: Sequence[StageMaker]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        form = CHAT_FORMATS[scope["path"]]
        headers: Headers = scope["headers"]
        if value_of(headers, b"content-encoding"):
            # What is compressed is the engine's to read.
            await self.passthrough(scope, receive, send)
            return
        limit = self.keeper.policy.body_bytes
        try:
            body = await whole_body(receive, headers, limit)
        except HungUp:
            return
        except TooLarge:
            sentence = f"The request is larger than {limit // 2**20} MB, the most that is read as a chat."
            await document(form.error(413, sentence), 413, _FORWARDED)(scope, receive, send)
            return
        came = Incoming(form, scope["path"], target_of(scope), headers, body)

        async def work() -> None:
            answer = await self._answer(came, send)
            if answer is not None:
                await answer(scope, receive, send)

        await while_listening(receive, work)

    async def _answer(self, came: Incoming, send: Send) -> Response | None:
        with Way(self.gate) as way:
            return await self._answer_on(way, came, send)

    async def _answer_on(self, way: Way, came: Incoming, send: Send) -> Response | None:
        """Relay an answer; or return one of ours, where the engine has none to give."""
        reading: Reading | None
        try:
            reading = await self.apart.run(len(came.body), partial(_read, came))
        except NotJson:
            sentence = "The request is not a JSON object, so nothing was sent on."
            return document(came.form.error(400, sentence), 400, _FORWARDED)
        except TooDeep:
            reading = None
        try:
            out = await self._outgoing(way, came, self.access.book(), reading)
        except InnerlifeError as error:
            status = status_of(error)
            return document(came.form.error(status, str(error)), status, _FORWARDED)
        relay = Relay(
            came.form,
            out.recording,
            out.headers,
            stages=out.stages,
            guard=out.guard,
            checkpoint_s=self.keeper.policy.checkpoint_s,
        )
        if isinstance(reading := out.reading, Chat):
            chat = reading
            relay.noted = lambda name, answer: self.threads.keep(out.profile, chat, name, answer, out.stands)
        try:
            return await self._relay(way, came, out, relay, send)
        except InnerlifeError as error:
            return await self._failed(came, out, relay, status_of(error), str(error))
        finally:
            await relay.close()

    async def _outgoing(
        self, way: Way, came: Incoming, book: AccessBook, reading: Reading | None
    ) -> Outgoing:
        key = own_key(came.headers)
        if isinstance(reading, Chat):
            model, suffixes = split_model(reading.model, book.profiles)
            admission = admit(book, Asked(key, value_of(came.headers, PROFILE), suffixes))
            reading = self.threads.joined(admission.profile, reading)
            window = await self._window(way, model, came.headers, known=reading.window is not None)
            request = turn_request(reading, model, came.headers, admission)
            request = replace(request, window=reading.window or window)
            recording = TurnRecord(self.keeper, admission.profile, request)
            plan = await recording.begin()
            added = Additions(plan.stable, plan.block, model if suffixes else None, plan.kept)
            kept = None if plan.standing is Standing.PASSTHROUGH else recording
            headers = standing_headers(plan.standing, plan.why, admission.profile)
            out = Outgoing(
                reading, added, kept, plan.standing, headers, model, admission.profile, stands=plan.stands
            )
            if kept is None:
                return out
            awaited = Awaited(came.form, request, plan.opened, reading.structured)
            guard = guard_for(awaited)
            others = others_for(awaited) if guard is not None else None
            stages = [make(awaited) for make in self.stages]
            return replace(out, stages=[*stages, others] if others else stages, guard=guard)
        check_key(book, key)
        self.keeper.counters.passthrough()
        if isinstance(reading, Untouched):
            model, suffixes = split_model(reading.model, book.profiles)
            added = Additions(model=model if suffixes else None)
            return Outgoing(reading, added, None, Standing.PASSTHROUGH, _FORWARDED, model)
        why = reading.why if reading else "it is nested too deeply"
        return Outgoing(None, Additions(), None, Standing.PASSTHROUGH, _FORWARDED, "", unreadable=why)

    async def _window(self, way: Way, model: str, headers: Headers, *, known: bool) -> int | None:
        """Claim the engine, and ask for the model's window where the request did not say it.

        An engine that is only starting is waited for when the request is sent on, after it was recorded.
        """
        with anyio.move_on_after(LONGEST_WAIT_S):
            try:
                upstream = await self.source.current()
                way.cleared(upstream)
                return None if known else await self.windows.of(upstream, model, headers)
            except InnerlifeError:
                return None
        return None

    async def _relay(
        self, way: Way, came: Incoming, out: Outgoing, relay: Relay, send: Send
    ) -> Response | None:
        upstream = await self.source.current()
        way.cleared(upstream)
        sendable = await self.sending.ready(came, out, upstream)
        if isinstance(sendable, Response):
            if sendable.status_code >= 400:
                await relay.record(Answer("", Ending.FAILED, error="the engine cannot do this"))
            return sendable
        relay.crossing = sendable.crossing
        relay.again = partial(self.sending.again, came, out, upstream)
        try:
            answer = await self.sending.sent(came, upstream, sendable)
        except httpx2.RequestError as error:
            status, sentence = trouble(error, upstream)
            return await self._failed(came, out, relay, status, sentence)
        if out.recording is not None:
            way.sent(sendable.target.partition(b"?")[0].decode("latin-1"), sendable.body, out.stands)
        if out.standing is Standing.PASSTHROUGH and relay.crossing is None:
            broke = await forward(answer, out.headers, send)
            if broke:
                self.keeper.counters.upstream_error(broke)
            return None
        try:
            return await self._read(out, relay, answer, send)
        except httpx2.RequestError as error:
            status, sentence = trouble(error, upstream)
            return await self._failed(came, out, relay, status, sentence)
        finally:
            with anyio.CancelScope(shield=True):
                await answer.aclose()

    async def _read(
        self, out: Outgoing, relay: Relay, answer: httpx2.Response, send: Send
    ) -> Response | None:
        """Relay an answer frame by frame, or as a whole. Raises httpx2.RequestError for a whole that broke off."""
        if relay.streams(answer, asked=out.asked_stream):
            if broke := await relay.stream(answer, send):
                self.keeper.counters.upstream_error(broke)
            return None
        body, broke = await relay.whole(answer)
        if broke:
            self.keeper.counters.upstream_error(broke)
        response = Response(body, answer.status_code)
        theirs = to_client(answer.headers.raw, b"content-length", b"content-encoding")
        ours = standing_headers(Standing.UNRECORDED, relay.lost) if relay.lost else out.headers
        response.raw_headers = [*theirs, (b"content-length", str(len(body)).encode()), *ours]
        return response

    async def _failed(
        self, came: Incoming, out: Outgoing, relay: Relay, status: int, sentence: str
    ) -> Response:
        """The engine gave no answer; that is recorded too."""
        self.keeper.counters.upstream_error(sentence)
        await relay.record(Answer("", Ending.FAILED, error=sentence))
        return document(came.form.error(status, sentence), status, out.headers)


def _read(came: Incoming) -> Reading:
    """What a request asks for. Raises NotJson, TooDeep."""
    return came.form.read(came.path, read_object(decode(came.body), LISTS))


def turn_request(chat: Chat, model: str, headers: Headers, admission: Admission) -> TurnRequest:
    """A chat in the companion's own words."""
    return TurnRequest(
        messages=chat.said,
        model=model,
        surface="proxy",
        hints=hints_of(headers, keyed=admission.keyed),
        window=chat.window,
        fiction=admission.fiction,
        lone_prompt=chat.lone_prompt,
        offers_tools=chat.offers_tools,
        tools_size=chat.tools_size,
    )
