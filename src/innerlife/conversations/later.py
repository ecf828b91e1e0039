"""What was shown to an answer without a cause row: the conversation before it, which every client resends."""

from __future__ import annotations

from collections.abc import Iterable

from innerlife.conversations.events import CHECKPOINT, COMPANION, TOOL, USER
from innerlife.ledger.envelope import Event
from innerlife.ledger.ledger import Ledger

_MOST = 10_000
"""Messages of one conversation that are looked at; the longest history a client is expected to send."""


def later_answers(ledger: Ledger, event: Event) -> Iterable[int]:
    """Seqs of the answers that came after a message in its conversation."""
    if event.kind not in {USER, COMPANION, TOOL} or not event.stream:
        return
    for later in ledger.by_stream(event.stream, _MOST, {COMPANION, CHECKPOINT}):
        if later.seq > event.seq:
            yield later.seq
