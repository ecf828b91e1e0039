"""Seconds to rebuild every view from the ledger, beside only reading it. `make bench-rebuild`."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path

from bench.harness import report, table, timed
from bench.seed import seed
from innerlife.companion import Companion

MESSAGES = 100_000


def _dump(companion: Companion) -> str:
    digest = hashlib.sha256()
    for row in companion.upkeep.dump():
        digest.update(repr(row).encode())
    return digest.hexdigest()


def _read(companion: Companion) -> None:
    after = 0
    while events := companion.ledger.read(after, 500):
        after = events[-1].seq


def main() -> None:
    """Run the bench."""
    with tempfile.TemporaryDirectory() as folder:
        companion = seed(Path(folder), MESSAGES)
        before = _dump(companion)
        reading = timed(lambda: _read(companion))
        rebuilding = timed(companion.upkeep.rebuild)
        same = _dump(companion) == before
        companion.close()
    rows = [
        ["rebuild of all views", f"{rebuilding:.1f}"],
        ["reading the ledger only", f"{reading:.1f}"],
        ["canonical dump equal", "yes" if same else "NO"],
    ]
    text = table(f"Rebuild, {MESSAGES:,} messages", ["what", "seconds"], rows)
    report("rebuild", text, {"rebuild_s": rebuilding, "read_s": reading, "equal": same})


if __name__ == "__main__":
    main()
