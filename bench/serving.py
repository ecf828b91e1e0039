"""A fake upstream and a real `innerlife serve`, each a process of its own: shared by the startup and memory benches."""

from __future__ import annotations

import http.server
import json
import os
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ANSWER = json.dumps(
    {
        "model": "fake",
        "created_at": "2026-01-01T00:00:00Z",
        "message": {"role": "assistant", "content": "Yes."},
        "done": True,
        "done_reason": "stop",
    }
).encode()


class _Upstream(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer(b'{"version":"0.0.0","models":[]}')

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self._answer(ANSWER)

    def _answer(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        """Nothing: a bench prints figures only."""


@contextmanager
def fake_upstream() -> Iterator[str]:
    """The address of an Ollama-like engine that answers at once."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Upstream)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def free_port() -> int:
    """A port nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving(
    home: Path, upstream: str, port: int, embedding: str = "auto"
) -> Iterator[subprocess.Popen[bytes]]:
    """`innerlife serve` on that home."""
    environment = os.environ | {
        "INNERLIFE_CONFIG": str(home / "config"),
        "INNERLIFE_HOME": str(home),
        "INNERLIFE_EMBEDDING": embedding,
    }
    command = [sys.executable, "-m", "innerlife", "serve", "--port", str(port), "--upstream", upstream]
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.terminate()
            process.wait(30)


def ask(address: str, text: str, timeout: float = 30.0) -> bytes:
    """One chat request, not streamed."""
    body = json.dumps(
        {"model": "fake", "stream": False, "messages": [{"role": "user", "content": text}]}
    ).encode()
    request = urllib.request.Request(
        f"{address}/api/chat", data=body, headers={"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=timeout) as response:
        return bytes(response.read())


def until_answered(address: str, text: str, limit: float = 60.0) -> float:
    """Seconds until the first answer is served. Raises TimeoutError."""
    start = time.perf_counter()
    while time.perf_counter() - start < limit:
        try:
            ask(address, text)
            return time.perf_counter() - start
        except OSError:
            time.sleep(0.02)
    raise TimeoutError(f"no answer within {limit} s")
