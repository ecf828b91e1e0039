"""What is not ours to understand goes through byte for byte."""

import asyncio
import gzip
import hashlib
import json
import os
from collections.abc import AsyncIterator

import httpx2
import pytest

from innerlife.adapters.models.upstream import Upstream
from innerlife.membrane.turn import Opened, Plan, Standing
from tests.proxy.fakes import (
    Engine,
    House,
    Memory,
    RawClient,
    Received,
    Wire,
    eventually,
    ollama_lines,
    proxy,
)

pytestmark = pytest.mark.anyio

BLOCK = Plan(Standing.OK, stable="STABLE", block="BLOCK", opened=Opened("c", 1, "u"))


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE"])
async def test_unknown_paths_keep_everything(method: str) -> None:
    """[P1] Method, path, query, headers and body arrive as sent; so do the answer's."""
    body = os.urandom(3000)

    async def script(request: Received, wire: Wire) -> None:
        await wire.document(body[::-1], "418 Teapot", "application/odd")

    async with proxy(Engine(script)) as place:
        target = "/some/%2Fodd%20path/x?a=1&b=%C3%BC&&c"
        headers = {"X-Own": "1", "Cookie": "a=b", "Accept-Encoding": "br", "User-Agent": "me"}
        content = body if method != "GET" else None
        answer = await place.http.request(method, target, content=content, headers=headers)
        sent = place.engine.requests[0]
        assert (sent.method, sent.target) == (method, target)
        assert sent.body == (content or b"")
        for name, value in headers.items():
            assert sent.header(name) == value
        assert sent.header("host") == place.engine.url.removeprefix("http://")
        assert (answer.status_code, answer.content) == (418, body[::-1])
        assert answer.headers["content-type"] == "application/odd"
        assert answer.headers["x-innerlife"] == "passthrough"
        assert not place.memory.begun


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/generate", {"model": "m", "prompt": "x", "raw": True, "stream": False}),
        ("/api/generate", {"model": "m", "prompt": "x", "suffix": "y", "stream": False}),
        ("/api/generate", {"model": "m", "prompt": "x", "context": [1], "stream": False}),
        ("/api/generate", {"model": "m", "stream": False}),
        ("/api/chat", {"model": "m", "messages": [], "stream": False}),
        ("/v1/completions", {"model": "m", "prompt": "a", "suffix": "b"}),
        ("/api/chat", {"model": "m", "messages": "what is this", "stream": False}),
        ("/v1/embeddings", {"model": "m", "input": "x"}),
        ("/api/embed", {"model": "m", "input": "x"}),
        ("/api/pull", {"model": "m"}),
    ],
)
async def test_untouched_calls_arrive_byte_for_byte(path: str, body: dict[str, object]) -> None:
    """[P5] Raw, filling, loading, odd and embedding calls: nothing added, nothing recorded."""
    raw = json.dumps(body, indent=1).encode()
    async with proxy(house=House(default=Memory(plan=BLOCK))) as place:
        answer = await place.http.post(path, content=raw)
        assert place.engine.requests[0].body == raw
        assert answer.headers["x-innerlife"] == "passthrough"
        assert not place.memory.begun


async def test_large_bodies_stream_through() -> None:
    """[P1] 40 MB pass both ways; the engine has the first part while the last has not been sent."""
    piece = os.urandom(1 << 20)
    began = asyncio.Event()

    async def script(request: Received, wire: Wire) -> None:
        await wire.document(request.body)

    async with proxy(Engine(script)) as place:

        async def pieces() -> AsyncIterator[bytes]:
            for number in range(40):
                if number == 20:
                    began.set()
                yield piece

        answer = await place.http.put("/api/blobs/sha256:x", content=pieces())
        assert began.is_set()
        assert place.engine.requests[0].header("transfer-encoding") == "chunked"
        assert hashlib.sha256(answer.content).digest() == hashlib.sha256(piece * 40).digest()


async def test_an_upload_arrives_while_it_is_sent() -> None:
    """[P1] What the client has sent is with the engine before the client sends more."""
    arrived = asyncio.Event()

    async def watch(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"first")
        arrived.set()
        await reader.readuntil(b"last")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        await writer.drain()
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(watch, "127.0.0.1", 0)
    async with proxy() as place:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        place.source.upstream = Upstream(url, frozenset({"ollama"}), "ollama")

        async def pieces() -> AsyncIterator[bytes]:
            yield b"first"
            await asyncio.wait_for(arrived.wait(), 2)
            yield b"last"

        answer = await place.http.put("/api/blobs/x", content=pieces())
        assert answer.content == b"ok"
    server.close()


async def test_head_requests() -> None:
    """[P1] The length of what a GET would bring passes, without a body."""

    async def script(request: Received, wire: Wire) -> None:
        await wire.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1234\r\nX-A: b\r\n\r\n")

    async with proxy(Engine(script)) as place:
        answer = await place.http.head("/api/blobs/x")
        assert (answer.status_code, answer.content) == (200, b"")
        assert (answer.headers["content-length"], answer.headers["x-a"]) == ("1234", "b")
        assert place.engine.requests[0].method == "HEAD"


async def test_streams_of_other_paths_arrive_as_they_come() -> None:
    """[P2] Progress of a pull is seen line by line."""
    seen = asyncio.Event()

    async def script(request: Received, wire: Wire) -> None:
        await wire.head("application/x-ndjson")
        await wire.chunk(b'{"status":"pulling"}\n')
        await asyncio.wait_for(seen.wait(), 2)
        await wire.chunk(b'{"status":"success"}\n')
        await wire.end()

    async with (
        proxy(Engine(script)) as place,
        place.http.stream("POST", "/api/pull", json={"model": "m"}) as answer,
    ):
        lines = []
        async for line in answer.aiter_lines():
            lines.append(line)
            seen.set()
        assert lines == ['{"status":"pulling"}', '{"status":"success"}']


async def test_a_hang_up_stops_a_forwarded_call() -> None:
    """[P2] Also where nothing is read or recorded, and before the engine has answered."""

    async def script(request: Received, wire: Wire) -> None:
        await asyncio.wait_for(wire.gone(), 3)

    async with proxy(Engine(script)) as place:
        client = RawClient(place.port)
        client.send(b"POST /api/pull HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}")
        await eventually(lambda: place.engine.requests)
        client.close()
        await eventually(lambda: place.engine.hang_ups)


async def test_a_forwarded_answer_that_breaks_off_looks_broken() -> None:
    """[P1] The client must not take a part for the whole."""

    async def script(request: Received, wire: Wire) -> None:
        await wire.head("application/octet-stream")
        await wire.chunk(b"half")
        await asyncio.sleep(0.05)
        wire.abort()

    async with proxy(Engine(script)) as place:
        with pytest.raises(httpx2.RemoteProtocolError):
            await place.http.get("/file")
        assert place.counters.counts().upstream_errors == 1


async def test_engine_cookies_reach_only_their_client() -> None:
    """[C8] Nothing that one client was given is sent with another's request."""

    async def script(request: Received, wire: Wire) -> None:
        await wire.write(
            b"HTTP/1.1 200 OK\r\nSet-Cookie: who=anna\r\nSet-Cookie: b=2\r\nContent-Length: 0\r\n\r\n"
        )

    async with proxy(Engine(script)) as place:
        first = await place.http.get("/x")
        assert first.headers.get_list("set-cookie") == ["who=anna", "b=2"]
        place.http.cookies.clear()
        await place.http.get("/x")
        assert place.engine.requests[1].header("cookie") is None


async def test_the_engines_own_headers_replace_the_clients() -> None:
    """[P9] The embedded engine's random key goes with every request."""
    async with proxy(upstream_headers={"Authorization": "Bearer random"}) as place:
        for path in ("/x", "/v1/chat/completions"):
            hello = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
            await place.http.post(path, json=hello, headers={"Authorization": "Bearer sk-client"})
            assert place.engine.requests[-1].header("authorization") == "Bearer random"


async def test_compressed_requests_are_left_to_the_engine() -> None:
    """[P1] What we cannot read is forwarded as it is."""
    async with proxy() as place:
        await place.http.post("/api/blobs", content=b"\x1f\x8b...", headers={"Content-Encoding": "gzip"})
        assert place.engine.requests[0].body == b"\x1f\x8b..."


async def test_an_engine_that_compresses_against_our_wish() -> None:
    """[P2] Chats are asked for uncompressed; an engine that compresses all the same is read."""

    async def script(request: Received, wire: Wire) -> None:
        assert request.header("accept-encoding") == "identity"
        packed = gzip.compress(b"".join(ollama_lines()))
        await wire.head("application/x-ndjson", "200 OK", "Content-Encoding: gzip")
        await wire.chunk(packed)
        await wire.end()

    async with proxy(Engine(script)) as place:
        hello = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
        answer = await place.http.post("/api/chat", json=hello, headers={"Accept-Encoding": "gzip"})
        assert answer.content == b"".join(ollama_lines())
        assert place.memory.finished[0].text == "Hello wörld 🙂!"
