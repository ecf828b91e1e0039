"""Seconds from starting the process to the first answer served, beside Python importing the same libraries.

`make bench-startup`.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.harness import report, table, timed
from bench.seed import seed
from bench.serving import fake_upstream, free_port, serving, until_answered

MESSAGES = 100_000
RUNS = 5
LIBRARIES = (
    "import starlette.applications, uvicorn, httpx2, sqlalchemy, numpy, onnxruntime, tokenizers, pydantic"
)


def main() -> None:
    """Run the bench."""
    with tempfile.TemporaryDirectory() as folder, fake_upstream() as upstream:
        home = Path(folder)
        seed(home, MESSAGES).close()
        ours: list[float] = []
        for _ in range(RUNS):
            port = free_port()
            with serving(home, upstream, port):
                ours.append(until_answered(f"http://127.0.0.1:{port}", "Are you there?"))
    plain = [
        timed(lambda: subprocess.run([sys.executable, "-c", LIBRARIES], check=True)) for _ in range(RUNS)
    ]
    rows = [
        ["start to first answer served", f"{statistics.median(ours):.2f}", f"{max(ours):.2f}"],
        ["Python importing the same libraries", f"{statistics.median(plain):.2f}", f"{max(plain):.2f}"],
    ]
    text = table(f"Startup, {MESSAGES:,} messages, {RUNS} runs", ["what", "median s", "worst s"], rows)
    report("startup", text, {"ours_s": ours, "imports_s": plain})


if __name__ == "__main__":
    main()
