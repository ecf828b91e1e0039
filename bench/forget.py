"""Seconds until a forgetting is acknowledged and finished, beside plain SQLite. `make bench-forget`."""

from __future__ import annotations

import sqlite3
import tempfile
from pathlib import Path

import numpy as np

from bench.harness import report, table, timed
from bench.seed import seed, words
from innerlife.ledger.store import Intent

MESSAGES = 50_000


def _plain(folder: Path) -> float:
    connection = sqlite3.connect(folder / "plain.db", isolation_level=None)
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("CREATE VIRTUAL TABLE passage USING fts5(text)")
    texts = words(np.random.default_rng(7))
    connection.execute("BEGIN")
    connection.executemany("INSERT INTO passage VALUES (?)", [(next(texts),) for _ in range(MESSAGES)])
    connection.execute("COMMIT")

    def forget() -> None:
        connection.execute("DELETE FROM passage WHERE rowid = ?", (MESSAGES // 2,))
        connection.execute("VACUUM")

    return timed(forget)


def main() -> None:
    """Run the bench."""
    with tempfile.TemporaryDirectory() as folder:
        plain = _plain(Path(folder))
        companion = seed(Path(folder) / "home", MESSAGES)
        events = companion.ledger.read(0, MESSAGES)
        forgetting = companion.forgetting
        intents: list[Intent] = []

        def acknowledge() -> None:
            reach = forgetting.preview([events[len(events) // 2].seq])
            intents.append(forgetting.carry_out(reach))

        acknowledged = timed(acknowledge)
        finished = acknowledged + timed(lambda: forgetting.finish(intents[0]))
        companion.close()
    rows = [
        ["acknowledged: deleted and no longer served", f"{acknowledged:.2f}"],
        ["finished: every byte gone", f"{finished:.1f}"],
        ["plain SQLite: DELETE and VACUUM", f"{plain:.1f}"],
    ]
    text = table(f"Forget one message of {MESSAGES:,}", ["what", "seconds"], rows)
    report("forget", text, {"acknowledged_s": acknowledged, "finished_s": finished, "plain_s": plain})


if __name__ == "__main__":
    main()
