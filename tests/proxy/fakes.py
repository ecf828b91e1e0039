"""Hand-written fakes: an engine that sends exactly what a test wants, when it wants, and a memory made of lists."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Literal

import httpx2
import uvicorn
from starlette.types import ASGIApp

from innerlife.adapters.models.upstream import Upstream
from innerlife.errors import EngineUnavailable
from innerlife.membrane.access import AccessBook
from innerlife.membrane.turn import Answer, Opened, Plan, Standing, TurnRequest
from innerlife.proxy.app import Behind, bound, create_app, server_config
from innerlife.proxy.counters import Counters
from innerlife.proxy.policy import ProxyPolicy
from innerlife.proxy.reply import CHAT_FORMATS

QUICK = ProxyPolicy(connect_s=1.0, stall_s=0.4, begin_s=0.5, finish_s=1.0, checkpoint_s=0.05, grace_s=5.0)


@dataclass
class Received:
    """A request as it arrived at the engine."""

    method: str
    target: str
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str | None:
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Wire:
    """The engine's end of one connection: writes bytes as they are."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    closed: asyncio.Event

    async def write(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def head(self, content_type: str, status: str = "200 OK", *more: str) -> None:
        lines = [f"HTTP/1.1 {status}", f"Content-Type: {content_type}", "Transfer-Encoding: chunked", *more]
        await self.write("\r\n".join([*lines, "", ""]).encode())

    async def chunk(self, data: bytes) -> None:
        await self.write(b"%x\r\n%s\r\n" % (len(data), data))

    async def end(self) -> None:
        await self.write(b"0\r\n\r\n")

    async def document(self, body: bytes, status: str = "200 OK", kind: str = "application/json") -> None:
        head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
        await self.write(head.encode() + body)

    def abort(self) -> None:
        transport = self.writer.transport
        transport.abort()

    async def gone(self) -> None:
        """Return when the other side has closed the connection."""
        await self.closed.wait()


Script = Callable[[Received, Wire], Awaitable[None]]


class Engine:
    """A fake engine. `script` answers each request; what came is in `requests`.

    What the proxy asks for itself is in `asides`, and answered from `knows` (target → JSON), else not found; with
    `refuses` nobody is let in.
    """

    def __init__(self, script: Script | None = None) -> None:
        self.script: Script = script or ordinary
        self.requests: list[Received] = []
        self.asides: list[Received] = []
        self.knows: dict[str, Any] = {"/v1/messages": {}, "/v1/responses": {}}
        self.refuses = False
        self.hang_ups: list[float] = []
        self.failures: list[BaseException] = []
        self.port = 0
        self._serving: list[asyncio.Task[Any]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Engine]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=2**26)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
            serving = [task for task in self._serving if not task.done()]
            for task in serving:
                task.cancel()
            await asyncio.gather(*serving, return_exceptions=True)
        assert not self.failures, self.failures

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if task := asyncio.current_task():
            self._serving.append(task)
        try:
            while request := await _read_request(reader):
                if (request.header("user-agent") or "").startswith("innerlife/"):
                    self.asides.append(request)
                    known = json.dumps(self.knows.get(request.target)).encode()
                    status = "200 OK" if request.target in self.knows else "404 Not Found"
                    status = "401 Unauthorized" if self.refuses else status
                    await Wire(reader, writer, asyncio.Event()).document(known, status)
                    continue
                self.requests.append(request)
                closed = asyncio.Event()
                watch = asyncio.create_task(self._watch(reader, closed))
                try:
                    await self.script(request, Wire(reader, writer, closed))
                finally:
                    watch.cancel()
                if closed.is_set() or writer.is_closing():
                    break
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        except AssertionError as error:
            self.failures.append(error)
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def _watch(self, reader: asyncio.StreamReader, closed: asyncio.Event) -> None:
        while not reader.at_eof() and reader.exception() is None:  # noqa: ASYNC110 reading would take bytes away
            await asyncio.sleep(0.002)
        self.hang_ups.append(time.monotonic())
        closed.set()


async def _read_request(reader: asyncio.StreamReader) -> Received | None:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    first, *lines = head[:-4].decode("latin-1").split("\r\n")
    method, target, _ = first.split(" ")
    headers = [(name, value.strip()) for name, _, value in (line.partition(":") for line in lines)]
    found = {name.lower(): value for name, value in headers}
    if found.get("transfer-encoding") == "chunked":
        body = b""
        while size := int(await reader.readline(), 16):
            body += (await reader.readexactly(size + 2))[:-2]
        await reader.readexactly(2)
    else:
        body = await reader.readexactly(int(found.get("content-length", "0")))
    return Received(method, target, headers, body)


WORDS = ("Hel", "lo ", "wörld ", "🙂", "!")


def ollama_lines(words: tuple[str, ...] = WORDS, path: str = "/api/chat") -> list[bytes]:
    found = []
    for word in words:
        said = (
            {"message": {"role": "assistant", "content": word}} if path == "/api/chat" else {"response": word}
        )
        line = json.dumps({"model": "m", "created_at": "2026-01-01T00:00:00Z", **said, "done": False})
        found.append(line.encode() + b"\n")
    said = {"message": {"role": "assistant", "content": ""}} if path == "/api/chat" else {"response": ""}
    last = {"model": "m", "created_at": "2026-01-01T00:00:01Z", **said, "done": True, "done_reason": "stop"}
    return [*found, json.dumps({**last, "eval_count": len(words)}).encode() + b"\n"]


def openai_events(words: tuple[str, ...] = WORDS, path: str = "/v1/chat/completions") -> list[bytes]:
    head = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    found = []
    for word in words:
        part: dict[str, Any] = {"delta": {"content": word}} if "chat" in path else {"text": word}
        choice = {"index": 0, **part, "finish_reason": None}
        found.append(
            b"data: " + json.dumps({**head, "choices": [choice]}, ensure_ascii=False).encode() + b"\n\n"
        )
    part = {"delta": {}} if "chat" in path else {"text": ""}
    last = {**head, "choices": [{"index": 0, **part, "finish_reason": "stop"}]}
    usage = {**head, "choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 5, "total_tokens": 8}}
    return [
        *found,
        b"data: " + json.dumps(last).encode() + b"\n\n",
        b"data: " + json.dumps(usage).encode() + b"\n\n",
        b"data: [DONE]\n\n",
    ]


def named(*events: dict[str, Any]) -> list[bytes]:
    """Events that bear the name of their type."""
    lines = ((one["type"], json.dumps(one, ensure_ascii=False)) for one in events)
    return [f"event: {kind}\ndata: {data}\n\n".encode() for kind, data in lines]


def anthropic_events(words: tuple[str, ...] = WORDS) -> list[bytes]:
    """A stream as Anthropic's API sends it; the words are events 3 to 2 + len(words)."""
    usage = {"input_tokens": 3, "output_tokens": 1}
    message = {**json.loads(whole("/v1/messages")), "content": [], "stop_reason": None, "usage": usage}
    return named(
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "ping"},
        *(
            {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": word}}
            for word in words
        ),
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "end_turn", "stop_sequence": None},
            "usage": {"output_tokens": 5},
        },
        {"type": "message_stop"},
    )


def responses_events(words: tuple[str, ...] = WORDS) -> list[bytes]:
    """A stream as OpenAI's API sends it; the words are events 4 to 3 + len(words)."""
    done = json.loads(whole("/v1/responses", words))
    begun = {**done, "status": "in_progress", "output": [], "usage": None}
    item = done["output"][0]
    part = item["content"][0]
    at = {"output_index": 0, "item_id": "msg_1", "content_index": 0}
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": begun},
        {"type": "response.in_progress", "response": begun},
        {
            "type": "response.output_item.added",
            "output_index": 0,
            "item": {**item, "content": [], "status": "in_progress"},
        },
        {"type": "response.content_part.added", **at, "part": {**part, "text": ""}},
        *({"type": "response.output_text.delta", **at, "delta": word, "logprobs": []} for word in words),
        {"type": "response.output_text.done", **at, "text": part["text"], "logprobs": []},
        {"type": "response.content_part.done", **at, "part": part},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": done},
    ]
    return named(*({**event, "sequence_number": number} for number, event in enumerate(events)))


def frames_of(path: str) -> list[bytes]:
    """The stream of a friendly engine on that path."""
    if path == "/v1/messages":
        return anthropic_events()
    if path == "/v1/responses":
        return responses_events()
    return ollama_lines(path=path) if path.startswith("/api") else openai_events(path=path)


def whole(path: str, words: tuple[str, ...] = WORDS) -> bytes:
    text = "".join(words)
    value: dict[str, Any]
    if path == "/v1/messages":
        value = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_sequence": None}
        value |= {"content": [{"type": "text", "text": text}], "stop_reason": "end_turn"}
        value["usage"] = {"input_tokens": 3, "output_tokens": 5}
    elif path == "/v1/responses":
        part = {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
        item = {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "status": "completed",
            "content": [part],
        }
        value = {"id": "resp_1", "object": "response", "created_at": 1, "model": "m", "output": [item]}
        value |= {"status": "completed", "error": None, "incomplete_details": None, "tools": []}
        value |= {"tool_choice": "auto", "parallel_tool_calls": True}
        value["usage"] = {"input_tokens": 3, "output_tokens": 5, "total_tokens": 8}
    elif path == "/api/chat":
        value = {"model": "m", "created_at": "2026-01-01T00:00:00Z", "done": True}
        value |= {"message": {"role": "assistant", "content": text}, "done_reason": "stop"}
    elif path == "/api/generate":
        value = {"model": "m", "created_at": "2026-01-01T00:00:00Z", "response": text, "done": True}
    else:
        choice = {"message": {"role": "assistant", "content": text}} if "chat" in path else {"text": text}
        value = {"id": "c1", "object": "chat.completion", "created": 1, "model": "m"}
        value["choices"] = [{"index": 0, **choice, "finish_reason": "stop"}]
        value["usage"] = {"prompt_tokens": 3, "completion_tokens": 5, "total_tokens": 8}
    return json.dumps(value, ensure_ascii=False).encode()


async def ordinary(request: Received, wire: Wire) -> None:
    """Answer as a friendly engine does."""
    path = request.target.partition("?")[0]
    if path == "/v1/models":
        meta = {"n_ctx_train": 2048, "n_params": 135_000_000, "size": 100_000_000}
        model = {"id": "small-talk", "object": "model", "created": 1, "owned_by": "x", "meta": meta}
        await wire.document(json.dumps({"object": "list", "data": [model]}).encode())
    elif path not in CHAT_FORMATS:
        await wire.document(request.body or b"{}")
    elif request.json().get("stream", path.startswith("/api/")):
        lines = path.startswith("/api/")
        await wire.head("application/x-ndjson" if lines else "text/event-stream")
        for frame in frames_of(path):
            await wire.chunk(frame)
        await wire.end()
    else:
        await wire.document(whole(path))


@dataclass
class Memory:
    """The turns of one profile, in lists. Set `plan`, `begin_delay` or errors to make it behave otherwise."""

    plan: Plan = field(default_factory=lambda: Plan(Standing.OK, opened=Opened("c", 1, "u")))
    begun: list[TurnRequest] = field(default_factory=list)
    kept: list[tuple[str, int, str]] = field(default_factory=list)
    finished: list[Answer] = field(default_factory=list)
    happened: list[str] = field(default_factory=list)
    begin_error: Exception | None = None
    finish_error: Exception | None = None
    hold_begin: threading.Event | None = None
    hold_finish: threading.Event | None = None

    def begin(self, request: TurnRequest) -> Plan:
        if self.hold_begin is not None:
            self.hold_begin.wait(10)
        if self.begin_error is not None:
            raise self.begin_error
        self.begun.append(request)
        self.happened.append("begun")
        return self.plan

    def checkpoint(self, opened: Opened, text: str, offset: int, model: str) -> None:
        self.kept.append((text, offset, model))

    def finish(self, opened: Opened, answer: Answer) -> None:
        if self.hold_finish is not None:
            self.hold_finish.wait(10)
        if self.finish_error is not None:
            raise self.finish_error
        self.finished.append(answer)
        self.happened.append("finished")


class House:
    """Doors to any number of memories."""

    def __init__(self, **rooms: Memory) -> None:
        self.rooms = rooms or {"default": Memory()}
        self.error: Exception | None = None

    def open(self, profile: str) -> Memory:
        if self.error is not None:
            raise self.error
        return self.rooms[profile]


class Source:
    """An engine that is always there, or never."""

    def __init__(
        self,
        url: str,
        kind: Literal["configured", "ollama", "embedded"] = "ollama",
        headers: dict[str, str] | None = None,
    ) -> None:
        dialects = frozenset({"openai"}) if kind == "embedded" else frozenset({"openai", "ollama"})
        self.upstream: Upstream | None = Upstream(url, dialects, kind, headers or {})  # type: ignore[arg-type]

    async def current(self) -> Upstream:
        if self.upstream is None:
            raise EngineUnavailable("no language model was found on this machine", "Start Ollama")
        return self.upstream


class Keys:
    """A book of keys that a test can change."""

    def __init__(self, book: AccessBook | None = None) -> None:
        self.now = book or AccessBook()

    def book(self) -> AccessBook:
        return self.now


@dataclass
class Place:
    """A running proxy in front of a fake engine."""

    url: str
    engine: Engine
    house: House
    source: Source
    keys: Keys
    counters: Counters
    http: httpx2.AsyncClient
    server: uvicorn.Server

    @property
    def memory(self) -> Memory:
        return self.house.rooms["default"]

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])


@asynccontextmanager
async def proxy(
    engine: Engine | None = None,
    house: House | None = None,
    kind: Literal["configured", "ollama", "embedded"] = "ollama",
    keys: Keys | None = None,
    policy: ProxyPolicy = QUICK,
    upstream_headers: dict[str, str] | None = None,
    **options: Any,
) -> AsyncIterator[Place]:
    """A proxy served by uvicorn on a free port of 127.0.0.1, in front of a fake engine."""
    async with (engine or Engine()).running() as running:
        rooms, book, counters = house or House(), keys or Keys(), Counters()
        source = Source(running.url, kind, upstream_headers)
        embedder = options.pop("embedder", None)
        app = create_app(Behind(rooms, source, book, embedder), counters=counters, policy=policy, **options)
        async with served(app, policy) as (port, server):
            url = f"http://127.0.0.1:{port}"
            async with httpx2.AsyncClient(base_url=url, timeout=10, trust_env=False, verify=False) as http:
                yield Place(url, running, rooms, source, book, counters, http, server)


@asynccontextmanager
async def served(app: ASGIApp, policy: ProxyPolicy = QUICK) -> AsyncIterator[tuple[int, uvicorn.Server]]:
    """An application served in this event loop; gives its port."""
    listener = bound("127.0.0.1", 0)
    port = listener.getsockname()[1]
    server = _Quick(server_config(app, policy))
    task = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        while not server.started:
            assert not task.done(), "the server did not start"
            await asyncio.sleep(0.002)
        yield port, server
    finally:
        server.should_exit = True
        await task
        listener.close()


class _Quick(uvicorn.Server):
    """Looks more often whether it is to stop, so that a hundred tests do not wait a tick each."""

    async def main_loop(self) -> None:
        while not self.should_exit:  # noqa: ASYNC110 a flag is all there is
            await asyncio.sleep(0.005)


async def eventually(check: Callable[[], Any], within_s: float = 2.0) -> None:
    """Wait until a check holds."""
    end = time.monotonic() + within_s
    while not check():
        assert time.monotonic() < end, "it did not happen"
        await asyncio.sleep(0.005)


class RawClient:
    """A client that speaks bytes and can go away at any of them."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port))

    def send(self, data: bytes) -> None:
        self._socket.sendall(data)

    async def receive(self) -> bytes:
        self._socket.setblocking(False)
        return await asyncio.wait_for(asyncio.get_running_loop().sock_recv(self._socket, 65536), 2)

    def close(self) -> None:
        self._socket.close()


def request_bytes(path: str, body: bytes, *more: str) -> bytes:
    head = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {len(body)}", *more, "", ""]
    return "\r\n".join(head).encode() + body


def split_points(data: bytes, size: int) -> Iterator[bytes]:
    for start in range(0, len(data), size):
        yield data[start : start + size]
