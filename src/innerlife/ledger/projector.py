"""The projector: catches the views up with the ledger, in small slices (design §4).

A view's rows and its cursor commit together, and the cursor is read inside the same transaction, so any number of
processes may project at once: each slice is applied exactly once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from innerlife.errors import StorageFailed
from innerlife.ledger.ledger import Ledger
from innerlife.ledger.views import View
from innerlife.ports import Rows, Runtime

SLICE = 500
"""Events per transaction: long enough to be fast (one commit), short enough that a writer never waits noticeably."""

BULK = 4_000
"""Events per transaction where many are folded at once: twice as fast, and nobody waits for the views meanwhile."""


class Projector:
    """Keeps `views` in `runtime` up to date with `ledger`."""

    def __init__(
        self, ledger: Ledger, runtime: Runtime, views: Sequence[View], slice_size: int | None = None
    ) -> None:
        self._ledger = ledger
        self._runtime = runtime
        self._views = tuple(views)
        self._slice = slice_size or SLICE
        self._bulk = slice_size or BULK

    @property
    def stamp(self) -> str:
        """Changes with any view's name or version; a runtime with another stamp is rebuilt, never migrated."""
        parts = sorted(f"{view.name}:{view.version}" for view in self._views)
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]

    def prepare(self, runtime: Runtime | None = None) -> bool:
        """Make the tables of a new runtime. Returns False when it holds views of another stamp (rebuild it)."""
        with (runtime or self._runtime).writing() as rows:
            return self._is_ours(*self._state(rows))

    def step(self, runtime: Runtime | None = None, at_most: int | None = None) -> int:
        """Fold one slice (of at most so many events). Returns how many it held; 0 means the views are up to date."""
        with (runtime or self._runtime).writing() as rows:
            stamp, position = self._state(rows)
            if stamp != self.stamp:
                raise StorageFailed("Another version of Innerlife keeps these views", "Stop the other one.")
            events = self._ledger.read(position, at_most or self._slice)
            if not events:
                return 0
            for view in self._views:
                wanted = [event for event in events if event.kind in view.kinds]
                if wanted:
                    view.fold(rows, wanted)
            rows.execute("UPDATE projection SET position = ?", (events[-1].seq,))
            return len(events)

    def catch_up(self, runtime: Runtime | None = None, stopped: Callable[[], bool] = lambda: False) -> int:
        """Fold until nothing is left, or until `stopped` says so between two slices. Returns how many were folded."""
        total = 0
        while not stopped() and (folded := self.step(runtime, self._bulk)):
            total += folded
        return total

    def behind(self) -> int:
        """How many events are in the ledger and not yet in the views. Changes nothing."""
        with self._runtime.reading() as rows:
            position = self._found(rows)[1] if _is_made(rows) else 0
        return self._ledger.store.count(after=position)

    def is_current(self) -> bool:
        """Whether the runtime holds views of this stamp, or none yet. Changes nothing."""
        with self._runtime.reading() as rows:
            return not _is_made(rows) or self._is_ours(*self._found(rows))

    def purge(self, seqs: Collection[int]) -> None:
        """Take every row that lists one of these events out of every view, in one transaction."""
        with self._runtime.writing() as rows:
            self.purge_from(rows, seqs)

    def purge_from(self, rows: Rows, seqs: Collection[int]) -> None:
        """The same, within a transaction that the caller holds."""
        for view in self._views:
            view.purge(rows, seqs)

    def dump(self, runtime: Runtime | None = None) -> Iterator[tuple[Any, ...]]:
        """Canonical content of all views: (view name, *row). Equal dumps mean equal views (promise C2)."""
        with (runtime or self._runtime).reading() as rows:
            for view in sorted(self._views, key=lambda v: v.name):
                for row in view.dump(rows):
                    yield (view.name, *row)

    def _state(self, rows: Rows) -> tuple[str, int]:
        """(Stamp, position) of a runtime, its empty tables made where it is new or was deleted a moment ago."""
        if not _is_made(rows):
            rows.execute("CREATE TABLE projection (stamp TEXT NOT NULL, position INTEGER NOT NULL)")
            for view in self._views:
                view.create(rows)
            rows.execute("INSERT INTO projection VALUES (?, 0)", (self.stamp,))
        return self._found(rows)

    def _found(self, rows: Rows) -> tuple[str, int]:
        stamp, position = rows.execute("SELECT stamp, position FROM projection").fetchone()
        return str(stamp), int(position)

    def _is_ours(self, stamp: str, position: int) -> bool:
        # Views that know more than the ledger ever held are of another ledger: it was restored from a backup.
        return stamp == self.stamp and position <= self._ledger.store.allotted()


def _is_made(rows: Rows) -> bool:
    return rows.execute("SELECT 1 FROM sqlite_master WHERE name = 'projection'").fetchone() is not None
