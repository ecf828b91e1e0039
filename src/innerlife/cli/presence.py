"""What a serving process tells the others of this home: a small file in `run/`, without a word of anyone.

The file `serve-PID.json` is believed only while its writer holds the lock beside it, so that a process that was killed
leaves no ghost.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from innerlife.adapters.files import held, write_private
from innerlife.errors import HomeBusy, StorageFailed

RUN: Final = "run"
EVERY_SECONDS: Final = 2.0
"""How often the file is brought up to date, if anything in it changed."""


@dataclass(frozen=True, slots=True)
class Serving:
    """A serving process as others see it. `counts` are the proxy's; `troubles` name what failed, by profile.

    `engine` is the one it uses, in words; `choice` is the same as data (the fields of `engines.Choice`).
    """

    pid: int
    host: str
    port: int
    since: str
    engine: str
    counts: dict[str, Any] = field(default_factory=dict)
    troubles: dict[str, str] = field(default_factory=dict)
    choice: dict[str, Any] = field(default_factory=dict)

    @property
    def address(self) -> str:
        """Where chat programs find it."""
        return address(self.host, self.port)


def address(host: str, port: int) -> str:
    """The address of a server for programs on this machine."""
    shown = "127.0.0.1" if host in ("0.0.0.0", "::", "") else host  # noqa: S104 - compared, not bound
    return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"


class Presence:
    """Keeps the file while this process serves. A home that cannot be written to has none, and serves all the same."""

    def __init__(self, home: Path, read: Callable[[], Serving]) -> None:
        self._path = home / RUN / f"serve-{os.getpid()}.json"
        self._held = contextlib.ExitStack()
        self._read = read
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._written = ""

    def start(self) -> None:
        """Write the file and keep it up to date in the background."""
        with contextlib.suppress(StorageFailed):
            self._held.enter_context(_alone(self._path))
            self._write()
            self._thread = threading.Thread(target=self._run, name="presence", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Remove the file."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
        with contextlib.suppress(OSError):
            self._path.unlink(missing_ok=True)
            self._held.close()
            _lock_of(self._path).unlink(missing_ok=True)

    def _run(self) -> None:
        while not self._stop.wait(EVERY_SECONDS):
            with contextlib.suppress(StorageFailed):
                self._write()

    def _write(self) -> None:
        text = json.dumps(asdict(self._read()))
        if text != self._written:
            write_private(self._path, text.encode())
            self._written = text


def serving(home: Path) -> list[Serving]:
    """The processes that serve this home now; files of dead ones are cleared away."""
    return [
        found for path in sorted((home / RUN).glob("serve-*.json")) if (found := _alive(path)) is not None
    ]


def _alive(path: Path) -> Serving | None:
    try:
        with _alone(path):
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)
                _lock_of(path).unlink(missing_ok=True)
            return None
    except StorageFailed:
        # Held by the one who serves. Or a home that cannot be written to: the lock cannot be tried, the file tells
        # what it can.
        pass
    try:
        return Serving(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _lock_of(path: Path) -> Path:
    return path.with_suffix(".lock")


def _alone(path: Path) -> contextlib.AbstractContextManager[None]:
    """The lock of a serving process; not waited for."""
    return held(_lock_of(path), 0, HomeBusy("It serves"))
