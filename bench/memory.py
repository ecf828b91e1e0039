"""Resident memory and idle processor time of a serving process, beside an empty Starlette server's imports.

`make bench-memory`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.harness import report, table
from bench.seed import seed, seed_vectors
from bench.serving import ask, fake_upstream, free_port, serving, until_answered
from bench.startup import LIBRARIES
from innerlife.adapters.models.embedders import choose_embedder
from innerlife.adapters.sqlite.opening import open_core
from innerlife.adapters.sqlite.vectors import SqliteVectors
from innerlife.bootstrap import EXTRACTORS

MESSAGES = 100_000
QUESTIONS = 50
SETTLE_SECONDS = 45
"""What the questions gave to think about is done by then; idle is what comes after."""
IDLE_SECONDS = 20


def _resident(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text("ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return float("nan")


def _processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _prepare(home: Path) -> None:
    companion = seed(home, MESSAGES)
    embedder = choose_embedder("minilm")
    if embedder is not None:
        opened = open_core(
            home / "profiles" / "default",
            home / "config",
            "file",
            None,
            lambda: companion.ledger.newest(1)[0].recorded_at,
        )
        seed_vectors(SqliteVectors(opened.core), embedder.model, embedder.dimension, list(EXTRACTORS))
        opened.close()
    companion.close()


def _imports_only() -> float:
    script = f"{LIBRARIES}\nfrom bench.harness import resident_mb\nprint(resident_mb())"
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    return float(done.stdout)


def main() -> None:
    """Run the bench."""
    with tempfile.TemporaryDirectory() as folder, fake_upstream() as upstream:
        home = Path(folder)
        _prepare(home)
        port = free_port()
        address = f"http://127.0.0.1:{port}"
        with serving(home, upstream, port) as process:
            until_answered(address, "Are you there?")
            for number in range(QUESTIONS):
                ask(address, f"What did we say about kaloka number {number}?")
            time.sleep(SETTLE_SECONDS)
            resident = _resident(process.pid)
            before = _processor_seconds(process.pid)
            time.sleep(IDLE_SECONDS)
            idle = (_processor_seconds(process.pid) - before) / IDLE_SECONDS * 100
    plain = _imports_only()
    rows = [
        ["serving, after 50 questions", f"{resident:.0f} MB", f"{idle:.2f} %"],
        ["Python with the same libraries imported", f"{plain:.0f} MB", "-"],
    ]
    text = table(
        f"Memory, {MESSAGES:,} messages with synthetic vectors",
        ["what", "resident", "idle, of one core"],
        rows,
    )
    report("memory", text, {"resident_mb": resident, "idle_percent": idle, "imports_mb": plain})


if __name__ == "__main__":
    main()
