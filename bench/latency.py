"""How long one search takes, both arms, on an encrypted home with a Zipfian vocabulary (promises R1, R7).

    python -m bench.latency --sizes 10000,100000,1000000

Beside it: the same question to SQLite's full text (any word, BM25) and to LIKE, on the same encrypted file. Vectors are
synthetic (seeded perturbations of random directions); the question's own vector is computed by the real model, and
what that costs is a row of its own.
"""

from __future__ import annotations

import argparse
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


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", default="10000,100000")
    sizes = [int(size) for size in parser.parse_args().sizes.split(",")]
    embedder = minilm()
    rows: list[list[object]] = []
    values: dict[str, dict[str, float]] = {}
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            for name, found in _measured(Path(folder), size, embedder).items():
                rows.append([f"{size:,}", name, *found.cells()])
                values[f"{size} {name}"] = {"p50": found.p50, "p95": found.p95, "p99": found.p99}
        values[f"{size} resident"] = {"MB": resident_mb()}
    text = table("Latency of one search (ms)", ["messages", "what", "p50", "p95", "p99"], rows)
    report("latency", text, {"rows": values, "vectors": "synthetic"})


def _measured(home: Path, size: int, embedder: Embedder | None) -> dict[str, Figures]:
    started = time.perf_counter()
    seed(home, size).close()
    sys.stdout.write(f"{size:,} messages recorded and indexed in {time.perf_counter() - started:.0f} s\n")
    places = configured(home).places
    opened = open_core(places.profile("default"), places.config, "file", None, SystemClock().now)
    try:
        return _searched(opened, embedder)
    finally:
        opened.close()


def _searched(opened: OpenCore, embedder: Embedder | None) -> dict[str, Figures]:
    vectors = SqliteVectors(opened.core)
    questions = _questions()
    policy = RecallPolicy(meaning_seconds=30.0)
    by_words = Recall(opened.runtime, vectors, None, policy)
    rows = {"words alone": _timed(lambda text: by_words.search(text, NOW), questions)}
    if embedder:
        seed_vectors(vectors, embedder.model, embedder.dimension, sorted(EXTRACTORS))
        both = Recall(opened.runtime, vectors, embedder, policy)
        loading = timed(both.freshen)
        rows["first load of the codes"] = figures([loading])
        rows = {"Innerlife, both arms": _timed(lambda text: both.search(text, NOW), questions), **rows}
        rows["the question's vector"] = _timed(embedder.embed_query, questions)
    rows["SQLite full text, any word"] = _timed(_full_text(opened), questions[:PLAIN_QUESTIONS])
    rows["SQL LIKE, any word"] = _timed(_like(opened), questions[:PLAIN_QUESTIONS])
    return rows


def _questions() -> list[str]:
    texts = words(np.random.default_rng(23))
    return [" ".join(next(texts).split()[:12]) for _ in range(QUESTIONS)]


def _timed(search: Callable[[str], object], questions: Sequence[str]) -> Figures:
    search(questions[0])
    return figures([timed(lambda text=text: search(text)) for text in questions])  # type: ignore[misc]


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
