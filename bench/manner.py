"""What attending to how a message is said adds to a turn, beside turns that do not attend. `make bench-manner`."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import numpy as np

from bench.harness import figures, report, table, timed
from bench.seed import seed, words
from innerlife.affect.reading_policy import ReadingPolicy
from innerlife.bootstrap import open_companion
from innerlife.companion import Companion
from innerlife.conversations.events import COMPANION, Ending
from innerlife.conversations.model import Answer, Said, Speaker
from innerlife.membrane.turn import TurnRequest
from innerlife.reflection.glance import Glances, Spoken
from innerlife.settings import load

MESSAGES = 10_000
TURNS = 300
LONG = 6
"""Turns of one chat."""
FEELING = (
    "I'm so frustrated, it is broken again:",
    "I'm fine.",
    "I'm thrilled:",
    "Estoy agotada,",
    "I'm worn out.",
)
"""The first turn of a chat begins so; the others are made-up words."""


def _said(turn: int, texts: Iterator[str]) -> str:
    return f"{FEELING[turn // LONG % len(FEELING)]} {next(texts)}" if turn % LONG == 0 else next(texts)


def _turns(companion: Companion) -> dict[str, list[float]]:
    """Seconds of `begin`, attending and not, turn about in two chats over the same ledger; and of attending alone."""
    giving = companion.turns._giving  # noqa: SLF001 - the same turns, with one part left out
    with_it = giving._given  # noqa: SLF001
    attending = with_it.attending
    assert attending is not None
    ways = {"attending": with_it, "not attending": replace(with_it, attending=None)}
    found: dict[str, list[float]] = {"attending": [], "not attending": [], "attending alone": []}
    texts = words(np.random.default_rng(23))
    chats: dict[str, tuple[Said, ...]] = {}
    for turn in range(TURNS):
        for name, given in ways.items():
            giving._given = given  # noqa: SLF001
            before = chats[name] if turn % LONG else ()
            history = (*before, Said(Speaker.USER, _said(turn, texts)))
            request = TurnRequest(history, "bench", "bench")
            start = time.perf_counter()
            opened = companion.turns.begin(request).opened
            found[name].append(time.perf_counter() - start)
            assert opened is not None
            if name == "attending":
                now = datetime.now(UTC)
                found["attending alone"].append(timed(partial(attending.attend, opened.user_seq, now)))
            companion.turns.finish(opened, Answer(next(texts), Ending.COMPLETE, "bench"))
            chats[name] = (
                *history,
                Said(Speaker.ASSISTANT, companion.ledger.newest(1, {COMPANION})[0].body.text),
            )
            companion.upkeep.catch_up()
    return {name: seconds[LONG:] for name, seconds in found.items()}


def main() -> None:
    """Run the bench."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        seed(home, MESSAGES).close()
        environment = {"INNERLIFE_CONFIG": str(home / "config"), "INNERLIFE_EMBEDDING": "minilm"}
        companion = open_companion(load(home=home, environment=environment))
        companion.warm()
        glances = Glances(companion.ledger, ReadingPolicy())
        spoken = Spoken("Where is the river?", companion.ledger.head() + 1, "", datetime.now(UTC), "UTC")
        first, beside = timed(lambda: glances(spoken)), timed(glances.catch_up)
        found = {name: figures(seconds) for name, seconds in _turns(companion).items()}
        glances.catch_up()
        glances(spoken := replace(spoken, seq=companion.ledger.head() + 1))
        found["a glance, habits known"] = figures([timed(lambda: glances(spoken)) for _ in range(TURNS)])
        companion.close()
    rows = [[name, *one.cells()] for name, one in found.items()]
    rows.append(["the first glance of a process", f"{first * 1000:.1f}", "", ""])
    rows.append(["learning the habits, beside turns", f"{beside * 1000:.1f}", "", ""])
    text = table(f"A turn's way in, {MESSAGES:,} messages, milliseconds", ["what", "p50", "p95", "p99"], rows)
    report("manner", text, {"rows": rows})


if __name__ == "__main__":
    main()
