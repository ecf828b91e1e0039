"""The talk before any message as numbers, so that what was usual then is known whenever it is asked."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

from innerlife.affect.features import Features
from innerlife.ledger.envelope import Event
from innerlife.ledger.ledger import Ledger
from innerlife.reflection.talks import TALK

_NEXT: Final = 8
"""Messages of both sides that are asked for where one message is looked at after the other."""

Measure = Callable[[Iterable[Event]], Iterable[tuple[int, Features | None]]]
"""The seq of each event, in order, with the features of those that are the person's own words."""


class Then:
    """Features of the last messages before a seq: always of as many, wherever it was asked before.

    Asked in order it reads what is new alone. Safe to use from any thread.
    """

    def __init__(self, ledger: Ledger, measure: Measure) -> None:
        self._ledger = ledger
        self._measure = measure
        self._lock = threading.Lock()
        self._epoch = -1
        self._kept: deque[tuple[int, Features | None]] = deque()

    def before(self, seq: int, back: int) -> list[Features]:
        """Those among the last `back` messages of both sides, oldest first. Raises StorageFailed."""
        with self._lock:
            epoch = self._ledger.epoch()
            if epoch != self._epoch or (self._kept and self._kept[-1][0] >= seq):
                # A forgetting raises the epoch; what came later than the message was not there yet.
                self._kept.clear()
                self._epoch = epoch
            self._kept.extend(self._measure(self._since(seq, back)))
            while len(self._kept) > back:
                self._kept.popleft()
            return [features for _, features in self._kept if features is not None]

    def _since(self, seq: int, back: int) -> list[Event]:
        """The messages before `seq` that are not at hand, ascending; all that are looked at where there is a gap."""
        known = self._kept[-1][0] if self._kept else -1
        near = self._ledger.newest(_NEXT, TALK, seq)
        if known >= 0 and (len(near) < _NEXT or near[-1].seq <= known):
            return [event for event in near[::-1] if event.seq > known]
        self._kept.clear()
        return self._ledger.newest(back, TALK, seq)[::-1]
