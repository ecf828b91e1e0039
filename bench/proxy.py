"""Added time to first token and throughput with 1, 8 and 64 clients: the engine alone, the relay alone, Innerlife.

`make bench-proxy` (`ARGS="--messages 10000"` for a smaller Core, `ARGS="--home DIR"` for a prepared one). The fake
engine, the server in the middle and the load are processes of their own, all in one run on one machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bench.harness import Figures, figures, report, table
from bench.seed import seed, words
from bench.serving import free_port, serving
from innerlife.adapters.models.upstream import Upstream
from innerlife.membrane.access import AccessBook
from innerlife.membrane.turn import Answer, Opened, Plan, Standing, TurnRequest
from innerlife.proxy.app import Behind, create_app, serve

CLIENTS = (1, 8, 64)
MESSAGES = 100_000
PACE_S = 0.02
"""Seconds between tokens while time to first token is measured: a quick engine's fifty a second."""

PACED_TOKENS = 25
FLOOD_TOKENS = 400
"""Tokens of an answer while throughput is measured; they come as fast as they are taken."""

TOKEN = (
    b'{"model":"fake","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":" word"},'
    b'"done":false}\n'
)
LAST = (
    b'{"model":"fake","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":""},'
    b'"done":true,"done_reason":"stop"}\n'
)
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n"
SMALL = b'{"version":"0.12.0","data":[]}'
VERSION = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (
    len(SMALL),
    SMALL,
)


@dataclass(frozen=True, slots=True)
class Measured:
    """One row: first tokens of a paced engine, tokens per second of one that does not wait."""

    clients: int
    first: Figures
    tokens_per_s: float


# --- the fake engine --------------------------------------------------------------------------------------------------


async def _engine(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while head := await reader.readuntil(b"\r\n\r\n"):
            fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:-2])
            body = await reader.readexactly(int(fields.get(b"content-length", b"0")))
            if not head.startswith(b"POST /api/chat"):
                # What the proxy asks for itself (the model's window) is answered at once, as an engine does.
                writer.write(VERSION)
                continue
            paced = b"flood" not in body
            writer.write(HEAD)
            for _ in range(1 if b"once" in body else PACED_TOKENS if paced else FLOOD_TOKENS):
                writer.write(b"%x\r\n%s\r\n" % (len(TOKEN), TOKEN))
                await writer.drain()
                await asyncio.sleep(PACE_S if paced and b"once" not in body else 0)
            writer.write(b"%x\r\n%s\r\n0\r\n\r\n" % (len(LAST), LAST))
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def _engine_forever(port: int) -> None:
    server = await asyncio.start_server(_engine, "127.0.0.1", port, backlog=1024)
    await server.serve_forever()


# --- the relay alone --------------------------------------------------------------------------------------------------


class _Lists:
    """A memory that forgets at once: what is left is the cost of the relay."""

    def open(self, _profile: str) -> _Lists:
        return self

    def begin(self, _request: TurnRequest) -> Plan:
        return Plan(Standing.OK, stable="s" * 800, block="b" * 3000, opened=Opened("c", 1, "u"))

    def checkpoint(self, opened: Opened, text: str, offset: int, model: str) -> None:
        del opened, text, offset, model

    def finish(self, opened: Opened, answer: Answer) -> None:
        del opened, answer


class _Known:
    """Engine and keys that are known beforehand."""

    def __init__(self, url: str) -> None:
        self._upstream = Upstream(url, frozenset({"ollama", "openai"}), "ollama")

    async def current(self) -> Upstream:
        return self._upstream

    def book(self) -> AccessBook:
        return AccessBook()


@contextmanager
def _role(*arguments: str) -> Iterator[None]:
    """This file as another process."""
    with subprocess.Popen(
        [sys.executable, "-m", "bench.proxy", *arguments], env=os.environ.copy()
    ) as process:
        try:
            yield
        finally:
            process.terminate()
            process.wait(30)


# --- the load ---------------------------------------------------------------------------------------------------------


async def _ask(port: int, text: str, first: list[float]) -> int:
    """One request on a connection of its own; returns the tokens that came."""
    body = json.dumps({"model": "fake", "messages": [{"role": "user", "content": text}]}).encode()
    head = f"POST /api/chat HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n\r\n"
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    start = time.perf_counter()
    writer.write(head.encode() + body)
    seen = await reader.readuntil(b"\r\n\r\n")
    if b" 200 " not in seen.partition(b"\r\n")[0]:
        message = f"the answer was {seen[:200]!r}"
        raise RuntimeError(message)
    tokens = 0
    tail = b""
    while b"0\r\n\r\n" not in tail[-7:]:
        data = await reader.read(65536)
        if not data:
            message = "the answer broke off"
            raise RuntimeError(message)
        if not tokens:
            first.append(time.perf_counter() - start)
        tokens += data.count(b'" word"')
        tail = tail[-7:] + data
    writer.close()
    return tokens


async def _load(
    port: int, clients: int, rounds: int, texts: Iterator[str], mark: str
) -> tuple[list[float], float]:
    """(Seconds to each first token, tokens per second) of `clients` that each ask `rounds` times in a row."""
    first: list[float] = []

    async def one() -> int:
        return sum([await _ask(port, f"{mark} {next(texts)}", first) for _ in range(rounds)])

    start = time.perf_counter()
    tokens = sum(await asyncio.gather(*(one() for _ in range(clients))))
    return first, tokens / (time.perf_counter() - start)


def _measure(port: int, texts: Iterator[str]) -> list[Measured]:
    found: list[Measured] = []
    asyncio.run(_load(port, 4, 3, texts, "warm"))
    for clients in CLIENTS:
        first, _ = asyncio.run(_load(port, clients, max(5, 60 // clients), texts, "paced"))
        _, flow = asyncio.run(_load(port, clients, max(2, 24 // clients), texts, "flood"))
        found.append(Measured(clients, figures(first), flow))
    return found


def _until_open(port: int, limit_s: float = 120.0) -> None:
    end = time.monotonic() + limit_s
    while True:
        try:
            asyncio.run(_load(port, 1, 1, iter(["hello"]), "flood"))
            return
        except (OSError, RuntimeError, asyncio.IncompleteReadError):
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


def _rows(found: dict[str, list[Measured]]) -> list[list[object]]:
    plain = {row.clients: row for row in found["the engine alone"]}
    return [
        [
            name,
            row.clients,
            *row.first.cells(),
            f"{row.first.p50 - plain[row.clients].first.p50:+.2f}",
            f"{row.first.p95 - plain[row.clients].first.p95:+.2f}",
            f"{row.tokens_per_s:,.0f}",
        ]
        for name, rows in found.items()
        for row in rows
    ]


def _bench(home: Path | None, messages: int) -> None:
    texts = words(np.random.default_rng(7))
    engine, relay, ours = free_port(), free_port(), free_port()
    url = f"http://127.0.0.1:{engine}"
    found: dict[str, list[Measured]] = {}
    with tempfile.TemporaryDirectory() as folder, _role("--role", "engine", "--port", str(engine)):
        _until_open(engine)
        found["the engine alone"] = _measure(engine, texts)
        with _role("--role", "relay", "--port", str(relay), "--upstream", url):
            _until_open(relay)
            found["the relay, remembering nothing"] = _measure(relay, texts)
        place = home or Path(folder)
        if home is None and messages:
            seed(place, messages).close()
        # By words alone: with a model it would spend the whole run embedding what the home was filled with.
        with serving(place, url, ours, "off"):
            _until_open(ours)
            found[f"Innerlife, {messages:,} messages"] = _measure(ours, texts)
    header = ["", "clients", "first token ms p50", "p95", "p99", "added p50", "added p95", "tokens/s"]
    text = table("Proxy: added time to first token, and throughput", header, _rows(found))
    report("proxy", text, {name: [asdict(row) for row in rows] for name, rows in found.items()})


def main() -> None:
    """Run the bench, or one of its processes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, help="a prepared home; else one is filled for the run")
    parser.add_argument(
        "--messages", type=int, default=MESSAGES, help="messages in the Core (default: %(default)s)"
    )
    parser.add_argument(
        "--role", choices=["bench", "engine", "relay"], default="bench", help=argparse.SUPPRESS
    )
    parser.add_argument("--port", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--upstream", default="", help=argparse.SUPPRESS)
    asked: Any = parser.parse_args()
    match asked.role:
        case "engine":
            asyncio.run(_engine_forever(asked.port))
        case "relay":
            known = _Known(asked.upstream)
            serve(create_app(Behind(_Lists(), known, known)), port=asked.port)
        case _:
            _bench(asked.home, asked.messages)


if __name__ == "__main__":
    main()
