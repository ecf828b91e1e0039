"""What every bench shares: figures, a table on the terminal, a JSON file beside it."""

from __future__ import annotations

import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

RESULTS = Path("build/bench")


@dataclass(frozen=True, slots=True)
class Figures:
    """Median, 95th and 99th percentile of a list of seconds, in milliseconds."""

    p50: float
    p95: float
    p99: float
    count: int

    def cells(self) -> list[str]:
        """The three figures as table cells."""
        return [f"{value:.2f}" for value in (self.p50, self.p95, self.p99)]


def figures(seconds: Sequence[float]) -> Figures:
    """The figures of measured seconds."""
    ordered = sorted(seconds)

    def at(share: float) -> float:
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1000

    return Figures(statistics.median(ordered) * 1000, at(0.95), at(0.99), len(ordered))


def timed(work: Callable[[], Any]) -> float:
    """Seconds that `work` takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def table(title: str, header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A markdown table, ready for docs/benchmarks.md."""
    lines = [f"### {title}", "", "| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def report(name: str, text: str, values: dict[str, Any]) -> None:
    """Print the table and write the values to `build/bench/NAME.json` with the machine they were measured on."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    machine = {"python": platform.python_version(), "cores": os.cpu_count(), "system": platform.platform()}
    (RESULTS / f"{name}.json").write_text(json.dumps({"machine": machine, **values}, indent=1) + "\n")
    sys.stdout.write(text + "\n")


def resident_mb() -> float:
    """Resident memory of this process in MB (Linux)."""
    for line in Path("/proc/self/status").read_text("ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return float("nan")
