"""The rows of this room at hand: what is there is read once, then only what came since."""

from __future__ import annotations

import threading
from collections import deque

from innerlife.learning.journal import TRIALS, Journal
from innerlife.learning.rows import Row


class AtHand:
    """Rows as they stand now. Safe to use from any thread; every method raises StorageFailed.

    A forgetting raises the Core's epoch: what was kept before it may not be there any more, and is dropped.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._lock = threading.Lock()
        self._epoch = -1
        self._told: list[Row] = []
        self._trials: deque[Row] = deque(maxlen=TRIALS)

    def told(self) -> tuple[tuple[int, int], list[Row]]:
        """Feedback and decisions in order, and a key that changes with them and with every forgetting."""
        with self._lock:
            self._renew()
            return (self._epoch, _last(self._told)), list(self._told)

    def rows(self) -> list[Row]:
        """All of them in order, the newest trials among them."""
        with self._lock:
            self._renew()
            self._trials += self._journal.trials(self._trials[-1].seq if self._trials else 0)
            return sorted((*self._told, *self._trials), key=lambda row: row.seq)

    def _renew(self) -> None:
        epoch = self._journal.epoch()
        if epoch != self._epoch:
            self._told, self._epoch = [], epoch
            self._trials.clear()
        self._told += self._journal.told(_last(self._told))


def _last(rows: list[Row]) -> int:
    return rows[-1].seq if rows else 0
