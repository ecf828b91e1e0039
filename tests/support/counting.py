"""A view that shows when an event was folded twice or not at all."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from innerlife.ledger.envelope import Event
from innerlife.ports import Rows


class CountingView:
    """Counts how often each event was folded."""

    name = "counting"

    def __init__(self, kinds: Collection[str], version: int = 1) -> None:
        self.kinds = frozenset(kinds)
        self.version = version

    def create(self, rows: Rows) -> None:
        rows.execute(
            "CREATE TABLE counting_event (seq INTEGER PRIMARY KEY, times INTEGER NOT NULL, text TEXT)"
        )

    def fold(self, rows: Rows, events: Iterable[Event]) -> None:
        rows.executemany(
            "INSERT INTO counting_event VALUES (?, 1, ?) ON CONFLICT (seq) DO UPDATE SET times = times + 1",
            [(event.seq, event.body.text) for event in events],
        )

    def purge(self, rows: Rows, seqs: Collection[int]) -> None:
        rows.executemany("DELETE FROM counting_event WHERE seq = ?", [(seq,) for seq in seqs])

    def dump(self, rows: Rows) -> Iterable[tuple[Any, ...]]:
        yield from rows.execute("SELECT seq, times, text FROM counting_event ORDER BY seq")
