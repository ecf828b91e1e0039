"""What was sent where: the blocks of earlier turns stay in place, so that an engine re-reads only what is new (P4)."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from innerlife.errors import StorageFailed
from innerlife.ledger.envelope import Event, Role
from innerlife.ledger.ledger import Ledger
from innerlife.membrane.events import CONTEXT, ContextShown
from innerlife.membrane.mood import LAYER as MANNER_LAYER
from innerlife.membrane.mood import manner_again
from innerlife.membrane.present import shown_again
from innerlife.membrane.remember import remembered
from innerlife.workspace.inputs import Origin, Remembered, Written
from innerlife.workspace.record import Replay, WorkspaceRecord, render_again
from innerlife.workspace.shipped import ShippedTexts

_IN_MEMORY = 4096
"""Turns whose block is kept at hand; a block is a few kilobytes."""


@dataclass(frozen=True, slots=True)
class Sent:
    """What one turn added. `tokens` is the block's size, `drops` says that this turn dropped all older blocks.

    `shown` are the seqs of the events whose words it holds.
    """

    stable: str
    block: str
    tokens: int
    shown: tuple[int, ...]
    drops: bool = False


def left_in_place(before: Sequence[Sent | None], tokens: int, budget: int) -> tuple[int, bool]:
    """How far back the older blocks stay: (number of turns, newest first, whether all are dropped now).

    All stay while together with the new block (`tokens`) they fit the budget; then all go at once, so that the
    engine's cache is broken once and not at every turn. A turn that dropped its elders is the last one to stay.
    """
    taken, stay = tokens, 0
    for back, sent in enumerate(before, 1):
        if sent is None or not sent.block:
            continue
        taken += sent.tokens
        stay = back
        if sent.drops:
            break
    return (0, True) if stay and taken > budget else (stay, False)


class Blocks:
    """The blocks of past turns: at hand, or rendered again from the record of what was shown."""

    def __init__(self, ledger: Ledger, texts: ShippedTexts, origin: Callable[[], tuple[str, date]]) -> None:
        self._ledger = ledger
        self._texts = texts
        self._origin = origin
        self._at_hand: OrderedDict[int, Sent] = OrderedDict()
        self._epoch = -1
        self._lock = threading.Lock()

    def keep(self, epoch: int, user_seq: int, sent: Sent) -> None:
        """Remember what was sent with a message, as recalled in that epoch."""
        with self._lock:
            if not self._is_current(epoch):
                return
            self._at_hand[user_seq] = sent
            while len(self._at_hand) > _IN_MEMORY:
                self._at_hand.popitem(last=False)

    def at_hand(self, user_seq: int) -> Sent | None:
        """What was sent with a message, if this process remembers it."""
        with self._lock:
            return self._at_hand.get(user_seq) if self._is_current(self._ledger.epoch()) else None

    def of(self, message: Event) -> Sent | None:
        """What was sent with a message; None where it is not known or cannot be made again byte for byte."""
        found = self.at_hand(message.seq)
        if found is not None:
            return found
        epoch = self._ledger.epoch()
        context = context_of(self._ledger, message.seq)
        if context is None:
            return None
        body: ContextShown = context.body
        try:
            replay, _ = again(self._ledger, context, self._texts, self._origin())
        except StorageFailed:
            # A record of another make: its block is not sent again, as if it were not known.
            return None
        if not replay.matches:
            return None
        workspace = replay.workspace
        shown = context.caused(Role.SHOWN)
        sent = Sent(workspace.stable, workspace.block, workspace.block_tokens, shown, body.drops)
        self.keep(epoch, message.seq, sent)
        return sent

    def _is_current(self, epoch: int) -> bool:
        # A forgetting raises the epoch: what was kept before it may hold its words.
        if epoch > self._epoch:
            self._at_hand.clear()
            self._epoch = epoch
        return epoch == self._epoch


def context_of(ledger: Ledger, user_seq: int) -> Event | None:
    """The newest record of what was shown with a user message."""
    effects = [e.effect for e in ledger.store.effects([user_seq]) if e.role is Role.FROM]
    contexts = [event for event in ledger.get(effects) if event.kind == CONTEXT]
    return contexts[-1] if contexts else None


def record_in(context: Event) -> WorkspaceRecord:
    """The record that an event holds. Raises StorageFailed where it cannot be read."""
    try:
        return WorkspaceRecord.from_json(context.body.record)
    except (KeyError, TypeError, ValueError) as error:
        raise StorageFailed("A record of what was shown cannot be read") from error


def again(
    ledger: Ledger, context: Event, texts: ShippedTexts, origin: tuple[str, date]
) -> tuple[Replay, tuple[Event, ...]]:
    """A recorded context rendered once more, and the events behind it."""
    record = record_in(context)
    evidence = ledger.get(context.caused(Role.SHOWN))
    # The message itself may stand among the evidence of a line.
    by_id = {event.id: event for event in (*evidence, *ledger.get(context.caused(Role.FROM)))}
    order = {event_id: -float(place) for place, event_id in enumerate(record.event_ids())}

    def lookup(event_id: str) -> Remembered | None:
        event = by_id.get(event_id)
        return None if event is None else remembered(event, order[event_id])

    def written(layer: str, event_ids: tuple[str, ...], now: datetime) -> tuple[Written, ...]:
        there = [by_id[one] for one in event_ids if one in by_id]
        if layer == MANNER_LAYER:
            return manner_again(there, record.lines_of(layer))
        # A shipped sentence names no event; where one is named and gone, nothing takes its place.
        return (
            shown_again(layer, sorted(there, key=lambda event: event.seq), now)
            if there or not event_ids
            else ()
        )

    replay = render_again(record, lookup, texts, Origin(*origin), written=written)
    return replay, tuple(evidence)
