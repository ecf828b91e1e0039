"""A large request costs its own sender time, and nobody else."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Literal

import pytest

from innerlife.membrane.turn import Opened, Plan, Standing
from innerlife.proxy.policy import DEFAULT_POLICY
from innerlife.proxy.reply import OLLAMA
from innerlife.proxy.wire.call import LISTS
from innerlife.proxy.wire.jsontext import decode, read_object
from tests.proxy.fakes import (
    WORDS,
    Engine,
    House,
    Memory,
    Received,
    Wire,
    openai_events,
    proxy,
    request_bytes,
    whole,
)

pytestmark = pytest.mark.anyio

TEXT = "".join(WORDS)
HELLO = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
LONG = {"model": "m", "stream": False, "messages": [{"role": "user", "content": "hello"}] * 60_000}
"""Megabytes that take half a second to read: what costs most is not the bytes but how many messages there are."""


async def _sent(port: int, path: str, body: bytes) -> bytes:
    """The answer to a request whose bytes are made and sent without work for this loop."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request_bytes(path, body, "Connection: close"))
    try:
        return await reader.read()
    finally:
        writer.close()


@pytest.mark.parametrize("kind", ["ollama", "embedded"])
async def test_other_streams_go_on_while_a_large_body_is_read(kind: Literal["ollama", "embedded"]) -> None:
    """[P2] Each frame goes on within a moment, while another request's megabytes are read, translated, written."""
    over = asyncio.Event()

    async def script(request: Received, wire: Wire) -> None:
        if len(request.body) > 2**20:
            await wire.document(whole(request.target))
            return
        frames = openai_events()
        await wire.head("text/event-stream")
        while not over.is_set():
            await wire.chunk(frames[0])
            await asyncio.sleep(0.01)
        await wire.chunk(b"".join(frames[-3:]))
        await wire.end()

    plan = Plan(Standing.OK, stable="STABLE", block="BLOCK", opened=Opened("c", 1, "u"))
    body = json.dumps(LONG).encode()
    began = time.monotonic()
    OLLAMA.read("/api/chat", read_object(decode(body), LISTS))
    alone = time.monotonic() - began
    async with proxy(Engine(script), House(default=Memory(plan=plan)), kind, policy=DEFAULT_POLICY) as place:
        gaps: list[float] = []
        small = {**HELLO, "stream": True}
        sending: asyncio.Task[bytes] | None = None
        async with place.http.stream("POST", "/v1/chat/completions", json=small) as answer:
            last = time.monotonic()
            async for _ in answer.aiter_raw():
                gaps.append(time.monotonic() - last)
                last = time.monotonic()
                if sending is None:
                    sending = asyncio.create_task(_sent(place.port, "/api/chat", body))
                    sending.add_done_callback(lambda _: over.set())
        assert sending is not None
        assert TEXT.encode() in sending.result()
        assert len(gaps) > 10
        # Against what reading alone takes here and now, for machines that run tests are busy.
        assert max(gaps) < 0.7 * alone, (sorted(gaps)[-5:], alone)
