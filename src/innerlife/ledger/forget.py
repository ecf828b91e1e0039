"""Forget: the only operation that deletes events (design §4), and the proof that it did."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from innerlife.errors import BadInput
from innerlife.kernel.ids import new_id
from innerlife.ledger.closure import Reached, closure
from innerlife.ledger.envelope import Event
from innerlife.ledger.ledger import Ledger
from innerlife.ledger.store import Effect, Intent
from innerlife.ports import Clock


class Store(Protocol):
    """A place where something of an event may lie. Every kind of store registers here how it is searched and purged.

    The ledger itself, the runtime's views, blobs and (in time) the tree, backups and logs are stores.
    """

    @property
    def name(self) -> str:
        """What a person would call it."""
        ...

    def purge(self, gone: Intent) -> None:
        """Serve nothing of these events from now on: quick, part of what is acknowledged."""
        ...

    def scrub(self, gone: Intent) -> None:
        """Leave no byte of them behind: may take its time; must be safe to repeat."""
        ...

    def holds(self, needles: Sequence[bytes]) -> set[bytes]:
        """Which of these byte strings stand anywhere in it, deleted space included."""
        ...


Implied = Callable[[Sequence[Event], Collection[int]], Iterable[Effect]]
"""What rests on these events without a cause row: later answers of the same conversation, say.

The second argument are the seqs that are reached already: nothing more need be said of them.
"""

Uses = Callable[[Event, Event], bool]
"""Whether the second event's text draws on the first one's."""


@dataclass(frozen=True, slots=True)
class Reach:
    """What a forgetting would take: the preview. Nothing has changed yet."""

    events: tuple[Event, ...]
    why: dict[int, Reached]
    blobs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What a forgetting took: counts only."""

    events: int
    blobs: int


class Forgetting:
    """Use-case: preview, carry out and finish a forgetting."""

    def __init__(
        self,
        ledger: Ledger,
        stores: Sequence[Store],
        clock: Clock,
        *,
        records: Collection[str],
        implied: Sequence[Implied],
        uses: Uses,
    ) -> None:
        self._ledger = ledger
        self.stores = tuple(stores)
        self._clock = clock
        self._records = frozenset(records)
        self._implied = tuple(implied)
        self._uses = uses

    def preview(self, seqs: Collection[int]) -> Reach:
        """Everything that would go with these events. Raises BadInput for none, StorageFailed."""
        seeds = self._ledger.get(seqs)
        if not seeds:
            raise BadInput("There is nothing to forget here")
        known: dict[int, Event] = {event.seq: event for event in seeds}

        def event_of(seq: int) -> Event | None:
            if seq not in known:
                known.update((event.seq, event) for event in self._ledger.get([seq]))
            return known.get(seq)

        reached: set[int] = set()

        def effects(frontier: Collection[int]) -> Iterable[Effect]:
            reached.update(frontier)
            found = self._ledger.store.effects(frontier)
            events = [event for seq in frontier if (event := event_of(seq))]
            for rule in self._implied:
                found += rule(events, reached)
            known.update((e.seq, e) for e in self._ledger.get({f.effect for f in found} - known.keys()))
            return found

        def is_record(seq: int) -> bool:
            event = event_of(seq)
            return event is not None and event.kind in self._records

        def uses(cause: int, effect: int) -> bool:
            first, second = event_of(cause), event_of(effect)
            return first is not None and second is not None and self._uses(first, second)

        why = closure([seed.seq for seed in seeds], effects, is_record, uses)
        blobs = self._ledger.store.blobs_only_in(why)
        return Reach(tuple(known[seq] for seq in sorted(why)), why, tuple(blobs))

    def carry_out(self, reach: Reach) -> Intent:
        """Delete and stop serving: when this returns, it is acknowledged and cannot come back.

        The reach is computed again first, so that nothing that grew meanwhile is left; where something is appended
        during that too, once more with all appends held back. Raises BadInput when it is gone already, StorageFailed.
        """
        asked = [seq for seq, reached in reach.why.items() if reached.why == "asked"]
        seen = self._ledger.head()
        fresh = self.preview(asked)

        def plan() -> Intent:
            exact = fresh if self._ledger.head() == seen else self.preview(asked)
            return Intent(new_id(self._clock.now()), tuple(sorted(exact.why)), exact.blobs)

        intent = self._ledger.store.forget(plan)
        self._stop_serving(intent)
        return intent

    def finish(self, intent: Intent) -> Forgotten:
        """Leave no byte behind, then forget that anything was forgotten. Safe to repeat. Raises StorageFailed."""
        self._stop_serving(intent)
        for store in self.stores:
            store.scrub(intent)
        self._ledger.store.scrub()
        self._ledger.store.drop_intent(intent)
        return Forgotten(len(intent.seqs), len(intent.blobs))

    def unfinished(self) -> list[Intent]:
        """Forgettings that a crash or a shutdown interrupted."""
        return self._ledger.store.intents()

    def resume(self) -> int:
        """Finish what was interrupted. Returns how many there were."""
        pending = self.unfinished()
        for intent in pending:
            self.finish(intent)
        return len(pending)

    def acknowledge_pending(self) -> None:
        """Serve nothing of what a crash left half forgotten: called before anything is served."""
        for intent in self.unfinished():
            self._stop_serving(intent)

    def prove(self, needles: Sequence[bytes]) -> dict[str, set[bytes]]:
        """Where any of these byte strings still stands, by store. Empty when they are gone."""
        if not all(needles):
            raise BadInput("An empty text is in everything")
        found = {store.name: store.holds(needles) for store in self.stores}
        return {name: needles_found for name, needles_found in found.items() if needles_found}

    def _stop_serving(self, intent: Intent) -> None:
        for store in self.stores:
            store.purge(intent)
