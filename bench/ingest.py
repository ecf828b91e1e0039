"""Messages per second from append to lexical search, beside plain SQLite with FTS5. `make bench-ingest`."""

from __future__ import annotations

import sqlite3
import tempfile
import time
from pathlib import Path

import numpy as np

from bench.harness import report, table
from bench.seed import seed, words
from innerlife.adapters.models.embedders import choose_embedder

MESSAGES = 20_000
EMBEDDED = 256


def _plain(folder: Path) -> float:
    """The same texts into one unencrypted table with a full-text index, in the same batches."""
    connection = sqlite3.connect(folder / "plain.db")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE VIRTUAL TABLE passage USING fts5(text)")
    texts = words(np.random.default_rng(7))
    start = time.perf_counter()
    for _ in range(MESSAGES // 1_000):
        with connection:
            connection.executemany("INSERT INTO passage VALUES (?)", [(next(texts),) for _ in range(1_000)])
    return MESSAGES / (time.perf_counter() - start)


def _embedding() -> list[list[object]]:
    rows: list[list[object]] = []
    texts = [
        f"On the way home I thought about the {n} things that we said yesterday." for n in range(EMBEDDED)
    ]
    for name in ("minilm", "e5"):
        embedder = choose_embedder(name)
        if embedder is None:
            continue
        start = time.perf_counter()
        for at in range(0, EMBEDDED, 16):
            embedder.embed_passages(texts[at : at + 16])
        rows.append([f"vectors, {embedder.model}", f"{EMBEDDED / (time.perf_counter() - start):.0f}"])
    return rows


def main() -> None:
    """Run the bench."""
    with tempfile.TemporaryDirectory() as folder:
        plain = _plain(Path(folder))
        start = time.perf_counter()
        companion = seed(Path(folder) / "home", MESSAGES)
        ours = MESSAGES / (time.perf_counter() - start)
        companion.close()
    rows: list[list[object]] = [
        ["appended, folded, in lexical search (encrypted)", f"{ours:.0f}"],
        ["plain SQLite with FTS5 (one table, not encrypted)", f"{plain:.0f}"],
        *_embedding(),
    ]
    text = table(f"Ingest, {MESSAGES:,} messages", ["what", "messages/s"], rows)
    report("ingest", text, {"ours_per_s": ours, "plain_per_s": plain, "rows": rows})


if __name__ == "__main__":
    main()
