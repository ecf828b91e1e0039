"""What attending to how a message is said adds to a turn, beside turns that do not attend. `make bench-manner`."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import numpy as np

from bench.harness import figures, report, table, timed
from bench.seed import seed, words
from innerlife.affect.reading_policy import ReadingPolicy
from innerlife.companion import Companion
from innerlife.conversations.model import Said, Speaker
from innerlife.reflection.glance import Glances
from innerlife.membrane.mood import Spoken
from innerlife.membrane.turn import TurnRequest

MESSAGES = 10_000
TURNS = 300
FEELING = (
    "I'm so frustrated, it is broken again:",
    "I'm fine.",
    "I'm thrilled:",
    "Estoy agotada,",
    "I'm worn out.",
)
"""One turn in six begins so; the others are made-up words."""


def _requests() -> list[TurnRequest]:
    texts = words(np.random.default_rng(23))
    said = [
        f"{FEELING[turn // 6 % len(FEELING)]} {next(texts)}" if turn % 6 == 0 else next(texts)
        for turn in range(2 * TURNS)
    ]
    return [TurnRequest((Said(Speaker.USER, text),), "bench", "bench") for text in said]


def _turns(companion: Companion) -> dict[str, list[float]]:
    """Seconds of `begin`, attending and not, turn about, over the same ledger; and of attending by itself."""
    giving = companion.turns._giving  # noqa: SLF001 - the same turns, with one part left out
    with_it, attending = giving._given, giving._given.attending  # noqa: SLF001
    assert attending is not None
    found: dict[str, list[float]] = {"attending": [], "not attending": [], "attending alone": []}
    requests = _requests()
    companion.turns.begin(requests[0])
    for turn in range(1, TURNS):
        giving._given = with_it  # noqa: SLF001
        found["attending"].append(timed(partial(companion.turns.begin, requests[turn])))
        (newest,) = companion.ledger.newest(1, {"message.user"})
        found["attending alone"].append(timed(partial(attending.attend, newest.seq, datetime.now(UTC))))
        giving._given = replace(with_it, attending=None)  # noqa: SLF001
        found["not attending"].append(timed(partial(companion.turns.begin, requests[TURNS + turn])))
        companion.upkeep.catch_up()
    return found


def main() -> None:
    """Run the bench."""
    with tempfile.TemporaryDirectory() as folder:
        companion = seed(Path(folder) / "home", MESSAGES)
        glances = Glances(companion.ledger, ReadingPolicy())
        spoken = Spoken("Where is the river?", companion.ledger.head() + 1, "", datetime.now(UTC), "UTC")
        first = timed(lambda: glances(spoken))
        found = {name: figures(seconds) for name, seconds in _turns(companion).items()}
        glances(spoken := replace(spoken, seq=companion.ledger.head() + 1))
        found["a glance, habits known"] = figures([timed(lambda: glances(spoken)) for _ in range(TURNS)])
        companion.close()
    rows = [[name, *one.cells()] for name, one in found.items()]
    rows.append(["the first glance of a process (learns the habits)", f"{first * 1000:.1f}", "", ""])
    text = table(f"A turn's way in, {MESSAGES:,} messages, milliseconds", ["what", "p50", "p95", "p99"], rows)
    report("manner", text, {"rows": rows})


if __name__ == "__main__":
    main()
