"""The view protocol: a view folds events into tables of its own and can always be thrown away (design §3)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Protocol

from innerlife.ledger.envelope import Event
from innerlife.ports import Rows


class View(Protocol):
    """One view. It folds events only: what depends on the time or on policy is computed when read.

    `version` is raised when the tables or the fold change; the runtime is then rebuilt.
    `kinds` are the only kinds it is given.
    """

    @property
    def name(self) -> str:
        """Unique; prefixes its tables."""
        ...

    @property
    def version(self) -> int:
        """Part of the runtime's stamp."""
        ...

    @property
    def kinds(self) -> frozenset[str]:
        """Kinds it folds."""
        ...

    def create(self, rows: Rows) -> None:
        """Make its empty tables."""
        ...

    def fold(self, rows: Rows, events: Iterable[Event]) -> None:
        """Apply a slice of events, in order."""
        ...

    def purge(self, rows: Rows, seqs: Collection[int]) -> None:
        """Remove every row that lists one of these source events, without leaving their words in the file."""
        ...

    def dump(self, rows: Rows) -> Iterable[tuple[Any, ...]]:
        """Its canonical content, ordered; equal dumps mean equal views. Indexes and caches dump nothing."""
        ...
