"""From the engine to the client: frames leave at once with their own bytes, and what left is what is recorded.

bytes ──► frames ──► crossing (where dialects differ) ──► stages, guard ──► tally ──► client
                                                                      │
                                                       finished before the final frame leaves
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, Protocol

import anyio
import httpx2
from anyio import to_thread
from starlette.types import Send

from innerlife.errors import InnerlifeError
from innerlife.membrane.turn import Answer, Ending
from innerlife.proxy.guard import Guard
from innerlife.proxy.headers import Headers, to_client
from innerlife.proxy.recording import TurnRecord
from innerlife.proxy.wire.call import Format
from innerlife.proxy.wire.frame import Frame, Stage, Tally

ENDED_EARLY: Final = "The language model's server ended the answer before it was complete."
UNREADABLE: Final = "The language model's server sent something that is no answer."

LONG_ANSWER: Final = 16_000
"""Characters of an answer that comes as a whole, from which it is read beside the loop, where others are answered."""

_STREAMS: Final = ("text/event-stream", "application/x-ndjson")


class Crossing(Protocol):
    """Turns the engine's frames into frames of the client's dialect; a new one is made for each answer."""

    source: Format

    def frames(self, frame: Frame) -> Iterable[Frame]:
        """The client's frames for one of the engine's."""
        ...

    def ending(self) -> Iterable[Frame]:
        """The client's last frames once the engine's stream has ended."""
        ...

    def whole(self, frame: Frame, status: int) -> Frame:
        """The client's answer for one of the engine's that is not streamed; `status` is HTTP's."""
        ...


@dataclass(slots=True)
class Relay:
    """One answer on its way. `headers` are ours, to be added to the engine's.

    `noted` is told the answer's name and the answer before its end leaves, recorded or not. `again` asks the engine
    once more, where the `guard` left nothing of its answer.
    """

    client: Format
    recording: TurnRecord | None
    headers: Headers
    crossing: Crossing | None = None
    stages: Sequence[Stage] = ()
    guard: Guard | None = None
    again: Callable[[], Awaitable[httpx2.Response | None]] | None = None
    checkpoint_s: float = 3.0
    noted: Callable[[str, Answer], None] | None = None
    tally: Tally = field(default_factory=Tally)
    lost: str = ""
    _recorded: bool = False
    _last: bytes = b""

    @property
    def _source(self) -> Format:
        return self.crossing.source if self.crossing else self.client

    async def stream(self, answer: httpx2.Response, send: Send) -> str:
        """Relay a streamed answer to its end. Returns what went wrong at the engine, or ""."""
        await send(self._start(answer))
        trouble = ""
        async with anyio.create_task_group() as group:
            if self.recording is not None:
                group.start_soon(self._checkpoints, self.recording)
            trouble = await self._pump(answer, send)
            group.cancel_scope.cancel()
        await send({"type": "http.response.body", "body": b""})
        return trouble

    async def whole(self, answer: httpx2.Response) -> tuple[bytes, str]:
        """Read and record an answer that is not streamed: the client's body, and what went wrong or "".

        The caller sends the body. Raises httpx2.RequestError.
        """
        frame = self._source.whole(b"".join([chunk async for chunk in _chunks(answer)]))
        failed = answer.status_code >= 400
        if not failed and not frame.error and (frame.content or frame.tools):
            # A document is over when it has been read, whether or not it says why it ended.
            frame = replace(frame, final=True)
        if self.crossing is not None:
            frame = self.crossing.whole(frame, answer.status_code)
        if len(frame.content) < LONG_ANSWER:
            kept = list(self._staged([frame]))
        else:
            kept = await to_thread.run_sync(lambda: list(self._staged([frame])))
        if self.guard is not None and self.guard.bereft:
            await self._second(self.guard, _nowhere, streamed=False)
            kept = self.guard.over()
        elif self.guard is not None:
            kept += self.guard.rest()
        for one in kept:
            self.tally.add(one)
        seen = self.tally.answer()
        trouble = ""
        if failed or not self.tally.final:
            trouble = seen.error or (f"status {answer.status_code}" if failed else UNREADABLE)
            seen = Answer(seen.text, Ending.FAILED, seen.model, error=trouble)
        await self.record(seen)
        return b"".join(one.raw for one in kept), trouble

    async def close(self) -> None:
        """Record as interrupted what has gone out, where nothing was recorded: the client hung up."""
        if not self._recorded:
            await self.record(self.tally.answer(broken=True))

    async def record(self, answer: Answer) -> None:
        """Record the answer, once; `lost` then says why that failed."""
        self._recorded = True
        if self.noted is not None and self.tally.answer_id:
            self.noted(self.tally.answer_id, answer)
        if self.recording is None:
            return
        # A client that hangs up in this very moment must not undo what it has already seen.
        with anyio.CancelScope(shield=True):
            self.lost = await self.recording.finish(answer)

    def streams(self, answer: httpx2.Response, *, asked: bool) -> bool:
        """Whether an answer is a stream of frames."""
        if answer.status_code >= 400:
            return False
        kind = answer.headers.get("content-type", "")
        if kind.startswith(_STREAMS):
            return True
        # A line of JSON and a document look alike, and some servers name a stream of lines plainly.
        return asked and self._source.name == "ollama"

    async def _pump(self, answer: httpx2.Response, send: Send) -> str:
        splitter = self._source.splitter()
        trouble = ""
        try:
            async for chunk in _chunks(answer):
                await self._send_on([self._source.frame(raw) for raw in splitter.feed(chunk)], send)
            if rest := splitter.rest():
                await self._send_on([self._source.frame(rest)], send)
        except httpx2.RequestError as error:
            trouble = f"{ENDED_EARLY[:-1]} ({type(error).__name__})."
        if self.crossing is not None:
            await self._deliver(self._staged(self.crossing.ending()), send)
        if self.guard is not None and self.guard.bereft:
            await self._second(self.guard, partial(self._deliver, send=send), streamed=True)
            await self._deliver(self.guard.over(), send)
        if not self.tally.final and not self.tally.error:
            trouble = trouble or ENDED_EARLY
            # Parted from what came before where that was half a frame; some clients choke on an empty line.
            half = self._last and not self._last.endswith(self.client.ends)
            raw = (self.client.between if half else b"") + self.client.error_frame(trouble)
            await self._deliver(self._staged([Frame(raw, error=trouble)]), send, broken=True)
        return trouble or self.tally.error

    async def _second(
        self, guard: Guard, deliver: Callable[[list[Frame]], Awaitable[None]], *, streamed: bool
    ) -> None:
        """Ask once more and pass the words on through the guard; what fails here leaves the answer to the guard."""
        if self.again is None:
            return
        try:
            answer = await self.again()
        except (httpx2.RequestError, InnerlifeError):
            return
        if answer is None:
            return
        try:
            if answer.status_code < 400:
                async for words in self._words(answer, streamed=streamed):
                    await deliver(guard.again(words))
        except httpx2.RequestError:
            return
        finally:
            with anyio.CancelScope(shield=True):
                await answer.aclose()

    async def _words(self, answer: httpx2.Response, *, streamed: bool) -> AsyncIterator[str]:
        """The words of an answer of the engine's. Raises httpx2.RequestError."""
        source = self._source
        if not self.streams(answer, asked=streamed):
            yield source.whole(b"".join([chunk async for chunk in _chunks(answer)])).content
            return
        splitter = source.splitter()
        async for chunk in _chunks(answer):
            for raw in splitter.feed(chunk):
                yield source.frame(raw).content
        yield source.frame(splitter.rest()).content

    async def _send_on(self, frames: Iterable[Frame], send: Send) -> None:
        if self.crossing is not None:
            frames = [ours for frame in frames for ours in self.crossing.frames(frame)]
        await self._deliver(self._staged(frames), send)

    def _staged(self, frames: Iterable[Frame]) -> Iterable[Frame]:
        guards = () if self.guard is None else (self.guard,)
        for stage in (*self.stages, *guards):
            frames = [passed for frame in frames for passed in stage(frame)]
        return frames

    async def _deliver(self, frames: Iterable[Frame], send: Send, *, broken: bool = False) -> None:
        """Send frames as one piece; before one that ends the answer, send what stands before it and record."""
        waiting = bytearray()
        for frame in frames:
            self.tally.add(frame)
            if (frame.final or frame.error) and not self._recorded:
                if waiting:
                    await send(_body(bytes(waiting)))
                    waiting.clear()
                await self.record(self.tally.answer(broken=broken))
            waiting += frame.raw
            self._last = frame.raw or self._last
        if waiting:
            await send(_body(bytes(waiting)))

    async def _checkpoints(self, recording: TurnRecord) -> None:
        kept = 0
        while True:
            await anyio.sleep(self.checkpoint_s)
            if self.tally.pieces > kept and not self._recorded:
                kept = self.tally.pieces
                await recording.checkpoint(self.tally.text, self.tally.model)

    def _start(self, answer: httpx2.Response) -> dict[str, object]:
        # The length may change with an error at the end; compression was undone, where there was any.
        headers = to_client(answer.headers.raw, b"content-length", b"content-encoding")
        if self.crossing is not None:
            headers = [pair for pair in headers if pair[0] != b"content-type"]
            headers.append((b"content-type", self.client.media_type))
        return {
            "type": "http.response.start",
            "status": answer.status_code,
            "headers": [*headers, *self.headers],
        }


async def _nowhere(frames: list[Frame]) -> None:
    """An answer that is not streamed keeps its words until its end."""
    del frames


def _body(data: bytes) -> dict[str, object]:
    return {"type": "http.response.body", "body": data, "more_body": True}


def _chunks(answer: httpx2.Response) -> AsyncIterator[bytes]:
    """The answer's bytes as they arrive; decompressed where the engine compressed against our wish."""
    if answer.headers.get("content-encoding", "identity") == "identity":
        return answer.aiter_raw()
    return answer.aiter_bytes()
