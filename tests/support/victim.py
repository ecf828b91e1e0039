"""Processes that are killed at a chosen instant.

`Victims` keeps one child process with everything imported; for each round that child forks, the fork does its deed and
kills itself (SIGKILL, nothing is cleaned up) just before or just after the n-th operation that can change what is on
disk. Nothing of this is known to the product: the instants are counted by `sys.setprofile`.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
DURABLE = frozenset(
    {"execute", "executemany", "commit", "backup", "fsync", "unlink", "replace", "link", "write"}
)
"""C functions (of the database driver and of `os`) around which a process is killed."""


class Victims:
    """The parent's side."""

    def __init__(self) -> None:
        path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
        self._zygote = subprocess.Popen(
            [sys.executable, "-m", "tests.support.victim"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": path},
            text=True,
        )

    def run(self, deed: str, folder: Path, at: int = 0, **given: Any) -> tuple[int, list[str], int]:
        """Do `deed` and die at the n-th instant (0: live). Returns (wait status, what was acknowledged, instants)."""
        assert self._zygote.stdin is not None
        assert self._zygote.stdout is not None
        told = folder.parent / f"{folder.name}.{deed}.told"
        told.unlink(missing_ok=True)
        order = {"deed": deed, "folder": str(folder), "at": at, "told": str(told), "given": given}
        self._zygote.stdin.write(json.dumps(order) + "\n")
        self._zygote.stdin.flush()
        status = int(self._zygote.stdout.readline())
        lines = told.read_text("utf-8").splitlines() if told.exists() else []
        instants = [int(line.split()[1]) for line in lines if line.startswith("instants ")]
        return status, [line for line in lines if not line.startswith("instants ")], (instants or [0])[0]

    def close(self) -> None:
        """End the child."""
        assert self._zygote.stdin is not None
        assert self._zygote.stdout is not None
        self._zygote.stdin.close()
        self._zygote.wait(10)
        self._zygote.stdout.close()


class Countdown:
    """Counts instants and kills at one of them."""

    def __init__(self, at: int) -> None:
        self._at = at
        self.seen = 0

    def __call__(self, frame: FrameType, event: str, arg: Any) -> None:
        if event in ("c_call", "c_return") and getattr(arg, "__name__", "") in DURABLE:
            self.seen += 1
            if self.seen == self._at:
                os.kill(os.getpid(), signal.SIGKILL)


Tell = Callable[[str], None]


def _fork(order: dict[str, Any]) -> int:
    from tests.support import deeds  # noqa: PLC0415 - imported once in the child, before its first fork

    pid = os.fork()
    if pid:
        return os.waitpid(pid, 0)[1]
    descriptor = os.open(order["told"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def tell(line: str) -> None:
        # Not through `os.write` by name: what the victim says is no instant of the product.
        sys.setprofile(None)
        os.write(descriptor, f"{line}\n".encode())
        sys.setprofile(countdown)

    countdown = Countdown(order["at"])
    code = 1
    try:
        deed = getattr(deeds, order["deed"])
        prepared = deed(Path(order["folder"]), **order["given"])
        threading.setprofile(countdown)
        sys.setprofile(countdown)
        prepared(tell)
        sys.setprofile(None)
        os.write(descriptor, f"instants {countdown.seen}\n".encode())
        code = 0
    finally:
        os._exit(code)


def main() -> None:
    """Fork once for each order that comes in."""
    for line in sys.stdin:
        print(_fork(json.loads(line)), flush=True)  # noqa: T201 - the parent reads it


@pytest.fixture(scope="session")
def victims() -> Iterator[Victims]:
    """One child for all kill tests of a run."""
    every = Victims()
    yield every
    every.close()


def instants(total: int, most: int) -> list[int]:
    """Some of the instants 1 to `total`, evenly spread, the first and the last included."""
    step = max(1, total // most)
    return sorted({*range(1, total + 1, step), total})


if __name__ == "__main__":
    main()
