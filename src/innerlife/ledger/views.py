"""The view protocol: a view folds events into tables of its own and can always be thrown away (design §3)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable
from typing import Any, ClassVar, Protocol

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


class EventRows(ABC):
    """A view of one table, `NAME_row`, with a row an event: what stands is folded from rows when it is read.

    A subclass says the table's statements, its columns in order (`seq` first) and what is stored of an event; `about`
    are columns beside `seq` that name an event with which a row goes.
    """

    name: ClassVar[str]
    version: ClassVar[int]
    kinds: ClassVar[frozenset[str]]
    tables: ClassVar[tuple[str, ...]]
    columns: ClassVar[str]
    about: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def stored(self, event: Event) -> tuple[Any, ...]:
        """The values of an event's row, in the order of the columns. Pure."""

    def create(self, rows: Rows) -> None:
        """Make the empty table."""
        for statement in self.tables:
            rows.execute(statement)

    def fold(self, rows: Rows, events: Iterable[Event]) -> None:
        """Apply a slice of events."""
        marks = ",".join("?" * len(self.columns.split(",")))
        rows.executemany(
            f"INSERT INTO {self.name}_row ({self.columns}) VALUES ({marks})",  # noqa: S608 - names of our own
            [self.stored(event) for event in events],
        )

    def purge(self, rows: Rows, seqs: Collection[int]) -> None:
        """Remove the rows of these events and those about them. What else rests on them goes by its causes."""
        every = [(seq,) for seq in seqs]
        for column in ("seq", *self.about):
            rows.executemany(f"DELETE FROM {self.name}_row WHERE {column} = ?", every)  # noqa: S608 - names of our own

    def dump(self, rows: Rows) -> Iterable[tuple[Any, ...]]:
        """Every row, in order."""
        yield from rows.execute(f"SELECT {self.columns} FROM {self.name}_row ORDER BY seq")  # noqa: S608 - the same


def position_of(rows: Rows, table: str) -> int | None:
    """How far the views have read, None where this table is not among them yet."""
    there = rows.execute(
        "SELECT COUNT(*) FROM sqlite_master WHERE name IN ('projection', ?)", (table,)
    ).fetchone()[0]
    return int(rows.execute("SELECT position FROM projection").fetchone()[0]) if there == 2 else None


def joined(numbers: Iterable[int]) -> str:
    """Numbers as a column holds them."""
    return ",".join(map(str, numbers))


def numbers_in(text: str) -> tuple[int, ...]:
    """The numbers of such a column."""
    return tuple(map(int, text.split(","))) if text else ()
