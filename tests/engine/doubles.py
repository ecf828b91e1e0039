"""Stand-ins for what lies outside: a model hub, an engine's web address, the embedded child."""

from __future__ import annotations

import hashlib
import json
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast

REPO = "someone/Tiny-Instruct-GGUF"
FILE = "tiny-instruct-q4.gguf"
REFERENCE = f"{REPO}/{FILE}"
NAME = "tiny-instruct-q4"
COMMIT = "0123456789abcdef0123456789abcdef01234567"


def weights(size: int = 50_000, seed: int = 1) -> bytes:
    """Bytes that look like a GGUF file from outside."""
    body = b"".join(hashlib.sha256(f"{seed}:{n}".encode()).digest() for n in range(size // 32 + 1))
    return b"GGUF" + body[: size - 4]


@dataclass
class Seen:
    """A request as it arrived."""

    method: str
    host: str
    path: str
    headers: dict[str, str]


@dataclass
class FakeHub:
    """Serves one file as the hub does: a description that redirects, and a storage under another host name."""

    content: bytes = field(default_factory=weights)
    announced: bytes | None = None
    """What the description speaks of, where that differs from what is sent."""
    cuts: list[int] = field(default_factory=list)
    """Each download ends after so many bytes of its answer, until the list is used up."""
    honours_ranges: bool = True
    refusal: tuple[int, str] | None = None
    """Status and error code instead of any answer."""
    etag: str | None = None
    seen: list[Seen] = field(default_factory=list)
    sent: int = 0
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def downloads(self) -> list[Seen]:
        return [request for request in self.seen if request.path.startswith("/storage/")]


class _HubHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hub: FakeHub

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 the library's name for it
        pass

    def do_HEAD(self) -> None:
        self._note()
        if not self._refused():
            self._describe()

    def do_GET(self) -> None:
        self._note()
        if self._refused():
            return
        if self.path.startswith("/storage/"):
            self._send_bytes()
        else:
            self._describe()

    def _note(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.hub.seen.append(Seen(self.command, headers["host"], self.path, headers))

    def _refused(self) -> bool:
        refusal = self.hub.refusal
        if refusal is None and f"/{REPO}/resolve/" not in self.path and not self.path.startswith("/storage/"):
            refusal = (404, "RepoNotFound")
        elif refusal is None and FILE not in self.path:
            refusal = (404, "EntryNotFound")
        if refusal is None:
            return False
        self.send_response(refusal[0])
        self.send_header("X-Error-Code", refusal[1])
        self.send_header("Content-Length", "0")
        self.end_headers()
        return True

    def _describe(self) -> None:
        announced = self.hub.announced if self.hub.announced is not None else self.hub.content
        etag = self.hub.etag if self.hub.etag is not None else hashlib.sha256(announced).hexdigest()
        self.send_response(302)
        self.send_header("X-Repo-Commit", COMMIT)
        self.send_header("X-Linked-Etag", f'"{etag}"')
        self.send_header("X-Linked-Size", str(len(announced)))
        self.send_header("Location", f"http://localhost:{self.hub.port}/storage/{FILE}?signed=1")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _send_bytes(self) -> None:
        hub, start = self.hub, 0
        asked = self.headers.get("Range")
        if asked and hub.honours_ranges:
            start = int(asked.removeprefix("bytes=").rstrip("-"))
            if start >= len(hub.content):
                self.send_response(416)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{len(hub.content) - 1}/{len(hub.content)}")
        else:
            self.send_response(200)
        body = hub.content[start:]
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if hub.cuts:
            body = body[: hub.cuts.pop(0)]
            self.close_connection = True
        hub.sent += len(body)
        self.wfile.write(body)


@dataclass
class FakeEngine:
    """An engine's web address: path → (status, body); what is not named answers 404 in HTML."""

    answers: dict[str, tuple[int, object]]
    delay_s: float = 0.0
    seen: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


class _EngineHandler(BaseHTTPRequestHandler):
    engine: FakeEngine

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass

    def do_GET(self) -> None:
        engine = self.engine
        engine.seen.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
        time.sleep(engine.delay_s)
        status, content = engine.answers.get(self.path, (404, "<html>not here</html>"))
        body = content.encode() if isinstance(content, str) else json.dumps(content).encode()
        with suppress(OSError):  # who asked may be gone
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)


@contextmanager
def serving(double: FakeHub | FakeEngine) -> Iterator[None]:
    """Let a double listen on a free loopback port."""
    if isinstance(double, FakeHub):
        handler = cast("type[BaseHTTPRequestHandler]", type("Handler", (_HubHandler,), {"hub": double}))
    else:
        handler = cast("type[BaseHTTPRequestHandler]", type("Handler", (_EngineHandler,), {"engine": double}))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    double.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


_CHILD = """
import json, os, sys, time
from pathlib import Path
folder = Path(sys.argv[1])
order = json.loads(sys.stdin.readline())
started = folder / "started"
with started.open("a") as file:
    file.write(json.dumps({"pid": os.getpid(), "key": order["api_key"]}) + "\\n")
plan = json.loads((folder / "plan").read_text())
step = plan[min(len(started.read_text().splitlines()), len(plan)) - 1]
if step == "hang":
    time.sleep(60)
if step.startswith("say "):
    print(step[4:], flush=True)
    sys.exit(3)
if step.startswith("die "):
    sys.exit(int(step[4:]))
print(json.dumps({"address": f"http://127.0.0.1:{os.getpid()}"}), flush=True)
if step == "serve a moment":
    sys.exit(0)
sys.stdin.read()
"""


class FakeChild:
    """A child that follows a plan instead of loading a model; the last step holds for all later starts.

    Steps: `serve`, `serve a moment`, `hang`, `die CODE`, `say LINE` (then it ends).
    """

    def __init__(self, folder: Path, *plan: str) -> None:
        self._folder = folder
        (folder / "plan").write_text(json.dumps(plan))
        (folder / "child.py").write_text(_CHILD)
        self.command = (sys.executable, str(folder / "child.py"), str(folder))

    def starts(self) -> list[dict[str, Any]]:
        """Process id and key of every start so far."""
        path = self._folder / "started"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
