"""What was said before a message in its conversation, at hand: a turn reads what is new alone."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from innerlife.conversations.events import COMPANION, USER
from innerlife.ledger.envelope import Event
from innerlife.ledger.ledger import Ledger

TALK: Final = frozenset({USER, COMPANION})

SAID_BEFORE: Final = 30
"""Messages of both sides of one conversation that are looked at: enough for its topics and for the sitting."""

_NEW: Final = 6
"""Messages that are asked for where a conversation at hand goes on: one exchange, and some that were sent again."""

_TALKS: Final = 64
"""Conversations at hand: far more than anybody has open."""

Talk = tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class _Kept:
    """The talk before the message of a seq, whole as far back as is looked; oldest first."""

    before: int
    talk: Talk


class Talks:
    """Conversations up to a message. Safe to use from any thread; no thread waits for another one's reading."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._epoch = -1

    def before(self, stream: str, seq: int) -> Talk:
        """The last messages of a conversation before a seq, oldest first. Raises StorageFailed."""
        epoch = self._ledger.epoch()
        kept = self._at_hand(stream, epoch)
        if kept is not None and kept.before == seq:
            return kept.talk
        talk = self._gone_on(kept, stream, seq) or self.read(stream, seq)
        if kept is None or kept.before < seq:
            self._keep(stream, epoch, _Kept(seq, talk))
        return talk

    def read(self, stream: str, seq: int) -> Talk:
        """The same from the ledger, for whoever looks through many conversations. Raises StorageFailed."""
        return tuple(self._ledger.by_stream(stream, SAID_BEFORE, TALK, seq)[::-1])

    def _gone_on(self, kept: _Kept | None, stream: str, seq: int) -> Talk:
        """What is at hand with what came since; empty where that is more than is asked for."""
        if kept is None or not kept.talk or kept.before > seq:
            return ()
        newest = self._ledger.by_stream(stream, _NEW, TALK, seq)[::-1]
        # Only where both overlap nothing can be missing between them.
        if not newest or newest[0].seq > kept.talk[-1].seq:
            return ()
        return (*(one for one in kept.talk if one.seq < newest[0].seq), *newest)[-SAID_BEFORE:]

    def _at_hand(self, stream: str, epoch: int) -> _Kept | None:
        with self._lock:
            if epoch > self._epoch:
                # A forgetting raises the epoch: what was kept before it may hold its words.
                self._kept.clear()
                self._epoch = epoch
            return self._kept.get(stream) if epoch == self._epoch else None

    def _keep(self, stream: str, epoch: int, kept: _Kept) -> None:
        with self._lock:
            if epoch != self._epoch:
                return
            self._kept[stream] = kept
            self._kept.move_to_end(stream)
            while len(self._kept) > _TALKS:
                self._kept.popitem(last=False)
