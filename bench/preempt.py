"""How fast a background call makes way for a conversation (promise P8).

`make bench-preempt`. First against a fake engine, which notes when its connection was closed: milliseconds from the
arrival of a chat request until the call was dropped on our side, and until the engine saw it. Then against the real
embedded engine with the bundled weights: a chat's time to its first word with and without background work, ours (a
child of its own, killed on arrival) beside both calls on one server. The rounds are interleaved, so that whatever
else the machine does meets all of them alike.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import httpx2

from bench.harness import figures, report, table
from innerlife.adapters.models.bundled import BUNDLED_ALIAS, bundled_weights
from innerlife.adapters.models.embedded import EmbeddedServer
from innerlife.adapters.models.embedded_rules import Endpoint
from innerlife.adapters.models.thinker import EMBEDDED, EmbeddedThinker, UpstreamThinker
from innerlife.adapters.models.upstream import Upstream, embedded_upstream
from innerlife.thinking.calls import Limits, Message, Question, Thinker
from innerlife.thinking.gate import Gate
from innerlife.thinking.policy import ThinkingPolicy

NOT_KEPT = httpx2.Limits(max_keepalive_connections=0)
"""Local servers drop an idle connection after five seconds."""

CUTS = 50
CHATS = 7
OURS = "ours: a child of its own, killed on arrival"
LIMIT_MS = 100.0
LIMIT_RATIO = 1.25
WORD = json.dumps({"choices": [{"index": 0, "delta": {"content": "word "}, "finish_reason": None}]})
LEFT_ALONE_S = 1.0
"""How long the fake engine's answer takes where nobody cuts it."""


class FakeEngine:
    """Streams a word each 20 ms, in a thread and a loop of its own; `closed` holds when connections were lost."""

    def __init__(self) -> None:
        self.closed: list[float] = []
        self.begun = threading.Event()
        self.port = 0
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)

    @contextlib.contextmanager
    def running(self) -> Iterator[str]:
        """Its address."""
        self._thread.start()
        self._ready.wait()
        try:
            yield f"http://127.0.0.1:{self.port}"
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0))
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(
            int(line.split(b":")[1])
            for line in head.split(b"\r\n")
            if line.lower().startswith(b"content-length")
        )
        await reader.readexactly(length)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
        lost = asyncio.ensure_future(reader.read())
        end = time.perf_counter() + LEFT_ALONE_S
        while not lost.done() and time.perf_counter() < end:
            writer.write(f"data: {WORD}\n\n".encode())
            self.begun.set()
            await asyncio.wait([lost], timeout=0.02)
        if lost.done():
            self.closed.append(time.perf_counter())
        else:
            writer.write(b"data: [DONE]\n\n")
            await writer.drain()
        writer.close()


def question(words: int, tokens: int) -> Question:
    """A background call that takes its time."""
    material = " ".join(f"{number} stones lay on the shore." for number in range(words // 6))
    text = f"Retell this at length, leaving nothing out. {material}"
    return Question(BUNDLED_ALIAS, (Message("user", text),), Limits(tokens, 1_000_000, 900.0))


async def cuts(address: str, engine: FakeEngine) -> tuple[list[float], list[float], list[float]]:
    """Seconds from a chat's arrival until the call was dropped, until the engine saw it, and where nobody cuts."""
    gate = Gate(ThinkingPolicy())
    thinker = UpstreamThinker(Upstream(address, frozenset({"openai"}), "configured"))
    dropped: list[float] = []
    left: list[float] = []

    async def background(*, cut: bool) -> float:
        if not cut:
            await thinker.ask(question(10, 10))
            return time.perf_counter()
        async with gate.turn(address):
            await thinker.ask(question(10, 10))
        return time.perf_counter()

    arrivals: list[float] = []
    for number in range(CUTS + 5):
        engine.begun.clear()
        cut = number < CUTS
        working = asyncio.create_task(background(cut=cut))
        await asyncio.to_thread(engine.begun.wait)
        await asyncio.sleep(0.01 + number % 7 * 0.003)
        arrival = time.perf_counter()
        token = gate.chat_began(address) if cut else None
        ended = await working
        (dropped if cut else left).append(ended - arrival)
        if token is not None:
            arrivals.append(arrival)
            gate.chat_ended(token)
            while len(engine.closed) < len(arrivals):  # noqa: ASYNC110 - it happens in another thread
                await asyncio.sleep(0.001)
    await thinker.aclose()
    seen = [closed - arrival for closed, arrival in zip(engine.closed, arrivals, strict=True)]
    return dropped, seen, left


async def first_word(client: httpx2.AsyncClient, endpoint: Endpoint, number: int) -> float:
    """When the first word of a chat's answer came. Each question is new, its beginning is not."""
    asked = f"You are kind. Somebody asks: how was day {number} of the journey along the river, and what came after?"
    body = {
        "model": BUNDLED_ALIAS,
        "messages": [{"role": "user", "content": asked}],
        "max_tokens": 4,
        "stream": True,
    }
    url = f"{endpoint.address}/v1/chat/completions"
    came = 0.0
    async with client.stream("POST", url, json=body, headers=dict(endpoint.headers)) as answer:
        async for line in answer.aiter_lines():
            if not came and '"content":"' in line.replace(" ", ""):
                came = time.perf_counter()
    return came


def under_way_s(number: int) -> float:
    """How long before a chat arrives the background call begins."""
    return 0.5 + number % 3 * 0.25


@contextlib.asynccontextmanager
async def load(thinker: Thinker, engine: str, gate: Gate, number: int) -> AsyncIterator[asyncio.Task[None]]:
    """A background call that has been under way for some time."""

    async def work() -> None:
        async with gate.turn(engine):
            await thinker.ask(question(180, 80))

    working = asyncio.create_task(work())
    await asyncio.sleep(under_way_s(number))
    try:
        yield working
    finally:
        gate.cut_all()
        await working


@dataclasses.dataclass(frozen=True)
class Bench:
    """The real engine: the chat's server, a second one for background calls, and the ways to run both."""

    chat: EmbeddedServer
    own: EmbeddedServer
    endpoint: Endpoint
    client: httpx2.AsyncClient
    gate: Gate

    async def alone(self, number: int) -> float:
        """Nothing else runs, for as long as a background call would have run elsewhere."""
        await asyncio.sleep(under_way_s(number))
        arrival = time.perf_counter()
        return await first_word(self.client, self.endpoint, number) - arrival

    async def own_child(self, number: int) -> float:
        """Ours."""
        await self.own.ensure_started()
        thinker = EmbeddedThinker(self.own)
        async with load(thinker, EMBEDDED, self.gate, number):
            arrived = await self.arriving(number, tell=True)
        await thinker.aclose()
        return arrived

    async def one_server(self, number: int, *, tell: bool = False) -> float:
        """Both calls on the chat's server, the background call left to its end or cut."""
        thinker = UpstreamThinker(embedded_upstream(self.endpoint))
        async with load(thinker, EMBEDDED, self.gate, number):
            arrived = await self.arriving(number, tell=tell)
        await thinker.aclose()
        return arrived

    async def one_server_cut(self, number: int) -> float:
        """The same, cut on arrival."""
        return await self.one_server(number, tell=True)

    async def arriving(self, number: int, *, tell: bool) -> float:
        """Seconds from a chat's arrival to its first word; `tell` the gate of it."""
        arrival = time.perf_counter()
        token = self.gate.chat_began(EMBEDDED) if tell else None
        # The chat is sent on at once, while the background call is still being dropped.
        came = await first_word(self.client, self.endpoint, number)
        if token is not None:
            self.gate.chat_ended(token)
        return came - arrival


async def embedded(folder: Path, weights: Path) -> dict[str, list[float]]:
    """Seconds to the first word, by condition."""
    chat = EmbeddedServer(weights, BUNDLED_ALIAS, folder / "chat.log")
    own = EmbeddedServer(weights, BUNDLED_ALIAS, folder / "own.log")
    endpoint = await chat.ensure_started()
    async with httpx2.AsyncClient(timeout=900, trust_env=False, limits=NOT_KEPT) as client:
        bench = Bench(chat, own, endpoint, client, Gate(ThinkingPolicy()))
        ways: dict[str, Callable[[int], Awaitable[float]]] = {
            "no background call": bench.alone,
            OURS: bench.own_child,
            "both on one server, cut on arrival": bench.one_server_cut,
            "both on one server": bench.one_server,
        }
        found: dict[str, list[float]] = {name: [] for name in ways}
        await bench.alone(0)
        for turn in range(CHATS):
            for place, (name, way) in enumerate(ways.items()):
                number = 1 + 2 * (turn * len(ways) + place)
                found[name].append(await way(number))
                # What a cut call left undone on the server is not the next condition's burden.
                await bench.alone(number + 1)
    await own.aclose()
    await chat.aclose()
    return found


def main() -> None:
    """Measure and print."""
    engine = FakeEngine()
    with engine.running() as address:
        dropped, seen, left = asyncio.run(cuts(address, engine))
    rows = [
        ["request dropped on our side", *figures(dropped).cells(), f"{max(dropped) * 1000:.2f}"],
        ["connection closed, seen by the engine", *figures(seen).cells(), f"{max(seen) * 1000:.2f}"],
        ["plain: the call is left to its end", *figures(left).cells(), f"{max(left) * 1000:.2f}"],
    ]
    text = table(
        f"A chat arrives during a background call, {CUTS} times, ms", ["", "p50", "p95", "p99", "worst"], rows
    )
    values: dict[str, object] = {"dropped_s": dropped, "seen_s": seen, "left_s": left}
    values["kept_limit"] = max(*dropped, *seen) * 1000 <= LIMIT_MS
    weights = bundled_weights()
    if weights is None:
        sys.stdout.write("the bundled weights are not installed; the embedded engine is left out\n")
    else:
        with tempfile.TemporaryDirectory() as folder:
            found = asyncio.run(embedded(Path(folder), weights))
        plain = statistics.median(found["no background call"])
        cells = [
            [name, *figures(times).cells()[:2], f"{statistics.median(times) / plain:.2f}"]
            for name, times in found.items()
        ]
        header = ["", "p50", "p95", "× without load"]
        text += "\n\n" + table(
            f"Embedded engine: time to the first word, {CHATS} chats each, ms", header, cells
        )
        values["first_word_s"] = found
        ratio = statistics.median(found[OURS]) / plain
        values["ratio"] = ratio
        values["kept_ratio"] = ratio <= LIMIT_RATIO
    report("preempt", text, values)


if __name__ == "__main__":
    main()
