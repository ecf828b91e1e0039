"""A language model's server that says what a test wants, in both languages."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class FakeEngine:
    """`answers` are given in turn, the last one again and again; `after` pieces it waits for `go`, if set."""

    answers: list[str] = field(default_factory=lambda: ["I hear you."])
    dialects: frozenset[str] = frozenset({"ollama", "openai"})
    received: list[dict[str, Any]] = field(default_factory=list)
    status: int = 200
    stall_after: int | None = None
    break_after: int | None = None
    finish: str = "stop"
    model: str = "fake"
    go: threading.Event = field(default_factory=threading.Event)
    stalled: threading.Event = field(default_factory=threading.Event)
    url: str = ""

    def next_answer(self) -> str:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    def last_user(self) -> str:
        return str(self.received[-1]["messages"][-1]["content"])


@contextmanager
def serving(engine: FakeEngine) -> Iterator[FakeEngine]:
    """The engine on a free port of this machine."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.engine = engine
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    engine.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield engine
    finally:
        engine.go.set()
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    engine: FakeEngine


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.0"
    server: _Server

    @property
    def engine(self) -> FakeEngine:
        return self.server.engine

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the library's name
        """Say nothing."""

    def do_GET(self) -> None:
        known: dict[tuple[str, str], Any] = {
            ("ollama", "/api/version"): {"version": "0.9.0"},
            ("ollama", "/api/tags"): {"models": [{"name": "fake:latest"}]},
            ("openai", "/v1/models"): {"data": [{"id": "fake"}]},
        }
        for (dialect, path), value in known.items():
            if self.path == path and dialect in self.engine.dialects:
                self._document(200, value)
                return
        self._document(404, {"error": "not found"})

    def do_POST(self) -> None:
        engine = self.engine
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        engine.received.append(body)
        if engine.status != 200:
            self._document(engine.status, {"error": "the fake has a headache"})
        elif body["stream"] is False:
            message = {"role": "assistant", "content": engine.next_answer()}
            self._document(200, {"model": "fake", "message": message, "done": True, "done_reason": "stop"})
        else:
            self.send_response(200)
            self.end_headers()
            self._stream(engine.next_answer())

    def _stream(self, answer: str) -> None:
        for at, word in enumerate(answer.split(" ")):
            if at == self.engine.stall_after:
                self.engine.stalled.set()
                self.engine.go.wait(20)
            if at == self.engine.break_after:
                return
            self._piece(("" if at == 0 else " ") + word)
        self._end()

    def _document(self, status: int, value: Any) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _piece(self, text: str) -> None:
        if self.path == "/api/chat":
            line = {
                "model": self.engine.model,
                "message": {"role": "assistant", "content": text},
                "done": False,
            }
            self.wfile.write(json.dumps(line).encode() + b"\n")
        else:
            event = {"model": self.engine.model, "choices": [{"index": 0, "delta": {"content": text}}]}
            self.wfile.write(b"data: " + json.dumps(event).encode() + b"\n\n")
        self.wfile.flush()

    def _end(self) -> None:
        finish = self.engine.finish
        if self.path == "/api/chat":
            self.wfile.write(
                json.dumps({"model": self.engine.model, "done": True, "done_reason": finish}).encode()
            )
        else:
            end = {
                "model": self.engine.model,
                "choices": [{"index": 0, "delta": {}, "finish_reason": finish}],
            }
            self.wfile.write(b"data: " + json.dumps(end).encode() + b"\n\ndata: [DONE]\n\n")
