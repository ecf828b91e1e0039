"""How long one search takes, both arms, on an encrypted home with a Zipfian vocabulary (promises R1, R7).

    python -m bench.latency --sizes 10000,100000,1000000 [--keep FOLDER]

With `--keep` the homes stay in FOLDER and are taken from there the next time: a million messages take minutes to make.
Processor time is given beside the time that passed: on a machine that does other things only it can be compared.

Beside it: the same question to SQLite's full text (any word, BM25) and to LIKE, on the same encrypted file. Vectors are
synthetic (seeded perturbations of random directions); the question's own vector is computed by the real model, and
what that costs is a row of its own.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from bench.harness import Figures, figures, report, resident_mb, table, timed
from bench.seed import configured, seed, seed_vectors, words
from innerlife.adapters.clock import SystemClock
from innerlife.adapters.models.embedders import minilm
from innerlife.adapters.sqlite.opening import OpenCore, open_core
from innerlife.adapters.sqlite.vectors import SqliteVectors
from innerlife.bootstrap import EXTRACTORS
from innerlife.ports import Embedder
from innerlife.recall.policy import RecallPolicy
from innerlife.recall.search import Recall

QUESTIONS = 200
PLAIN_QUESTIONS = 20
NOW = datetime(2026, 1, 1, tzinfo=UTC)

Measured = tuple[Figures, Figures]
"""Time that passed, and processor time."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", default="10000,100000")
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    sizes = [int(size) for size in given.sizes.split(",")]
    embedder = minilm()
    rows: list[list[object]] = []
    values: dict[str, dict[str, float]] = {}
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            home = given.keep / f"n{size}" if given.keep else Path(folder)
            for name, (passed, spent) in _measured(home, size, embedder).items():
                rows.append([f"{size:,}", name, *passed.cells(), f"{spent.p50:.2f}", f"{spent.p95:.2f}"])
                values[f"{size} {name}"] = {
                    "p50": passed.p50,
                    "p95": passed.p95,
                    "p99": passed.p99,
                    "cpu_p50": spent.p50,
                    "cpu_p95": spent.p95,
                }
        values[f"{size} resident"] = {"MB": resident_mb()}
    load = os.getloadavg()[0]
    header = ["messages", "what", "p50", "p95", "p99", "CPU p50", "CPU p95"]
    text = table(f"Latency of one search (ms), load average {load:.1f}", header, rows)
    report("latency", text, {"rows": values, "vectors": "synthetic", "load": load})


def _measured(home: Path, size: int, embedder: Embedder | None) -> dict[str, Measured]:
    started = time.perf_counter()
    if not (home / "profiles").exists():
        seed(home, size).close()
    sys.stdout.write(f"{size:,} messages recorded and indexed in {time.perf_counter() - started:.0f} s\n")
    places = configured(home).places
    opened = open_core(places.profile("default"), places.config, "file", None, SystemClock().now)
    try:
        return _searched(opened, embedder)
    finally:
        opened.close()


def _searched(opened: OpenCore, embedder: Embedder | None) -> dict[str, Measured]:
    vectors = SqliteVectors(opened.core)
    questions = _questions()
    policy = RecallPolicy(meaning_seconds=30.0)
    by_words = Recall(opened.runtime, vectors, None, policy)
    rows = {"words alone": _timed(lambda text: by_words.search(text, NOW), questions)}
    if embedder:
        seed_vectors(vectors, embedder.model, embedder.dimension, sorted(EXTRACTORS))
        both = Recall(opened.runtime, vectors, embedder, policy)
        loading = _spent(both.freshen)
        rows["first load of the codes"] = (figures([loading[0]]), figures([loading[1]]))
        rows = {"Innerlife, both arms": _timed(lambda text: both.search(text, NOW), questions), **rows}
        rows["the question's vector"] = _timed(embedder.embed_query, questions)
    rows["SQLite full text, any word"] = _timed(_full_text(opened), questions[:PLAIN_QUESTIONS])
    rows["SQL LIKE, any word"] = _timed(_like(opened), questions[:PLAIN_QUESTIONS])
    return rows


def _questions() -> list[str]:
    texts = words(np.random.default_rng(23))
    return [" ".join(next(texts).split()[:12]) for _ in range(QUESTIONS)]


def _timed(search: Callable[[str], object], questions: Sequence[str]) -> Measured:
    search(questions[0])
    spent = [_spent(lambda text=text: search(text)) for text in questions]  # type: ignore[misc]
    return figures([passed for passed, _ in spent]), figures([cpu for _, cpu in spent])


def _spent(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds that passed, and seconds of all processors of this process."""
    before = time.process_time()
    return timed(work), time.process_time() - before


def _full_text(opened: OpenCore) -> Callable[[str], object]:
    def search(text: str) -> object:
        query = "SELECT rowid FROM passages_text WHERE passages_text MATCH ? ORDER BY rank LIMIT 20"
        with opened.runtime.reading() as rows:
            return rows.execute(query, (" OR ".join(f'"{word}"' for word in text.split()),)).fetchall()

    return search


def _like(opened: OpenCore) -> Callable[[str], object]:
    def search(text: str) -> object:
        parts = text.split()
        tests = " OR ".join(["text LIKE ?"] * len(parts))
        query = f"SELECT seq FROM conversations_message WHERE {tests} ORDER BY seq DESC LIMIT 20"  # noqa: S608 - marks
        with opened.runtime.reading() as rows:
            return rows.execute(query, [f"%{part}%" for part in parts]).fetchall()

    return search


if __name__ == "__main__":
    main()
