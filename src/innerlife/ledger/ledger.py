"""The ledger: append, and read back (design §3)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from innerlife.kernel.ids import new_id
from innerlife.kernel.moments import Moment
from innerlife.kernel.text import storable
from innerlife.ledger.courtesy import Courtesy
from innerlife.ledger.envelope import Draft, Event
from innerlife.ledger.registry import Kind, Registry, Retention
from innerlife.ledger.store import LedgerStore, Record
from innerlife.ports import Clock


class Ledger:
    """Events in, events out. Whatever is appended here is durable when `append` returns."""

    def __init__(self, store: LedgerStore, registry: Registry, clock: Clock) -> None:
        self.store = store
        self.registry = registry
        self._clock = clock
        self._listeners: list[Callable[[], None]] = []
        self.courtesy = Courtesy()
        """Who works on it in the background lets a turn that begins go first."""

    def on_append(self, listener: Callable[[], None]) -> None:
        """Call `listener` (quick, never raising) after each append: the projector's wake-up."""
        self._listeners.append(listener)

    def append(self, draft: Draft) -> Event:
        """Append one event; the first one comes back when its key was used before.

        Raises CauseGone when a cause was forgotten, StorageFailed when nothing could be written.
        """
        return self.append_all([draft])[0]

    def append_all(self, drafts: Sequence[Draft]) -> list[Event]:
        """Append several events, all or none, in order. Raises as `append` does."""
        records = self.store.append([self._encode(draft) for draft in drafts])
        for listener in self._listeners:
            listener()
        return [self._decode(record) for record in records]

    def head(self) -> int:
        """The greatest seq, or 0."""
        return self.store.head()

    def epoch(self) -> int:
        """Raised by every forget; caches made under another epoch are dropped."""
        return self.store.epoch()

    def leaving(self) -> frozenset[int]:
        """Seqs of what was forgotten and may stand in a view yet, as between the two steps of a forgetting.

        Whoever keeps what they read of a view asks for the epoch first, then for these, then the view.
        """
        return frozenset(seq for intent in self.store.intents() for seq in intent.seqs)

    def count(self, kinds: Collection[str] | None = None) -> int:
        """How many events there are (of these kinds)."""
        return self.store.count(kinds)

    def read(self, after: int = 0, limit: int = 1000, kinds: Collection[str] | None = None) -> list[Event]:
        """Events after a seq, ascending."""
        return [self._decode(r) for r in self.store.read(after, limit, kinds)]

    def newest(
        self, limit: int, kinds: Collection[str] | None = None, before: int | None = None
    ) -> list[Event]:
        """The last events, newest first: those there are, or those before a seq."""
        return [self._decode(r) for r in self.store.newest(limit, kinds, before)]

    def get(self, seqs: Collection[int]) -> list[Event]:
        """Those of the named events that exist, ascending."""
        return [self._decode(r) for r in self.store.get(seqs)]

    def by_id(self, prefix: str) -> list[Event]:
        """Events whose id begins with `prefix` (at most ten)."""
        return [self._decode(r) for r in self.store.by_id(storable(prefix))]

    def by_key(self, key: str) -> Event | None:
        """The event appended under this key."""
        record = self.store.by_key(key)
        return None if record is None else self._decode(record)

    def by_handle(self, handle: str, limit: int = 8) -> list[Event]:
        """Events with this handle, newest first."""
        return [self._decode(r) for r in self.store.by_handle(handle, limit)]

    def by_stream(
        self, stream: str, limit: int = 100, kinds: Collection[str] | None = None, before: int | None = None
    ) -> list[Event]:
        """Events of one stream, newest first: the last ones, or the last ones before a seq."""
        return [self._decode(r) for r in self.store.by_stream(stream, limit, kinds, before)]

    def kinds(self, retention: Retention) -> frozenset[str]:
        """Names of the kinds that are kept this way (promise C3)."""
        return frozenset(kind.name for kind in self.registry if kind.retention is retention)

    def _encode(self, draft: Draft) -> Record:
        kind: Kind = self.registry.of(draft.body)
        now = self._clock.now()
        return Record(
            seq=0,
            id=new_id(now),
            kind=kind.name,
            version=kind.version,
            recorded_at=now,
            happened=draft.happened or Moment(now, self._clock.zone()),
            actor=draft.actor,
            trust=draft.trust,
            payload=kind.encode(draft.body),
            stream=draft.stream,
            key=draft.key,
            handle=draft.handle,
            derivation=draft.derivation,
            causes=draft.causes,
            blobs=draft.blobs,
        )

    def _decode(self, record: Record) -> Event:
        return Event(
            seq=record.seq,
            id=record.id,
            kind=record.kind,
            version=record.version,
            recorded_at=record.recorded_at,
            happened=record.happened,
            actor=record.actor,
            trust=record.trust,
            body=self.registry.named(record.kind).decode(record.version, record.payload),
            stream=record.stream,
            key=record.key,
            handle=record.handle,
            derivation=record.derivation,
            causes=record.causes,
        )
