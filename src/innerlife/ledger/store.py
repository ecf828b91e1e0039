"""What the ledger needs of a database, in encoded events."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from innerlife.kernel.moments import Moment
from innerlife.ledger.envelope import Actor, Cause, Derivation, Role, Trust


@dataclass(frozen=True, slots=True)
class Record:
    """An event with its body still encoded; `seq` is 0 until the store has allotted one."""

    seq: int
    id: str
    kind: str
    version: int
    recorded_at: datetime
    happened: Moment
    actor: Actor
    trust: Trust
    payload: str
    stream: str
    key: str | None
    handle: str | None
    derivation: Derivation | None
    causes: tuple[Cause, ...]
    blobs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Effect:
    """`effect` rests on `cause` in the role named."""

    cause: int
    effect: int
    role: Role


@dataclass(frozen=True, slots=True)
class Intent:
    """A forgetting that is under way: ids only, never text; gone when it is done.

    Where there is one, its events are gone from the ledger already; what was derived from them may not be.
    """

    id: str
    seqs: tuple[int, ...]
    blobs: tuple[str, ...]


class LedgerStore(Protocol):
    """One append-only table of events with their causes. Every method raises StorageFailed on a broken store."""

    def append(self, records: Sequence[Record]) -> list[Record]:
        """Durable on return, all or nothing, in order. A record whose key exists returns the first one instead.

        Raises CauseGone, DiskFull, ReadOnlyHome, HomeBusy.
        """
        ...

    def head(self) -> int:
        """The greatest seq, or 0."""
        ...

    def allotted(self) -> int:
        """No seq above this was ever given, forgotten ones included."""
        ...

    def count(self, kinds: Collection[str] | None = None, after: int = 0) -> int:
        """How many events there are (of these kinds, after this seq)."""
        ...

    def epoch(self) -> int:
        """Raised by every forget, from a random beginning by random steps: it does not say how many there were."""
        ...

    def read(self, after: int, limit: int, kinds: Collection[str] | None = None) -> list[Record]:
        """Records with a greater seq than `after`, ascending, causes included."""
        ...

    def newest(
        self, limit: int, kinds: Collection[str] | None = None, before: int | None = None
    ) -> list[Record]:
        """The last records, newest first: those there are, or those before a seq."""
        ...

    def get(self, seqs: Collection[int]) -> list[Record]:
        """Those that exist, ascending."""
        ...

    def by_id(self, prefix: str) -> list[Record]:
        """Records whose id begins so (at most ten)."""
        ...

    def by_key(self, key: str) -> Record | None:
        """The record appended under this key."""
        ...

    def by_handle(self, handle: str, limit: int) -> list[Record]:
        """Records with this handle, newest first."""
        ...

    def by_stream(
        self, stream: str, limit: int, kinds: Collection[str] | None = None, before: int | None = None
    ) -> list[Record]:
        """Records of one stream, newest first: the last ones, or the last ones before a seq."""
        ...

    def effects(self, seqs: Collection[int]) -> list[Effect]:
        """What rests directly on any of these."""
        ...

    def blobs_only_in(self, seqs: Collection[int]) -> list[str]:
        """Names of blobs that no event outside `seqs` cites."""
        ...

    def forget(self, plan: Callable[[], Intent]) -> Intent:
        """Delete what `plan` names: events, causes, vectors, blob citations; keep its intent; raise the epoch.

        One transaction, begun before `plan` is asked: nothing is appended between what it sees and what is deleted.
        """
        ...

    def intents(self) -> list[Intent]:
        """Forgettings that are not finished."""
        ...

    def scrub(self) -> None:
        """Leave no deleted byte in the file or its journal (vacuum, journal truncated until not busy)."""
        ...

    def drop_intent(self, intent: Intent) -> None:
        """The forgetting is finished: nothing says that it was."""
        ...
