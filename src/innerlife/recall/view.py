"""The view of passages: rows, full text and document frequencies (design §4).

The full text is an external-content FTS5 table. A row leaves it by the `delete` command with exactly the text that was
indexed, and `secure-delete` is set when the table is made, so no word of it stays in the file.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from innerlife.kernel.passage import Passage
from innerlife.ledger.envelope import Event
from innerlife.ports import Rows
from innerlife.recall import table
from innerlife.recall.passages import BORDER, REACH, Row, neighbours, row_of

Extractor = Callable[[Event], Passage | None]
"""Reads an event as something to be found; None says that there is nothing in it."""


class PassagesView:
    """Everything that can be found. A kind becomes searchable by its extractor alone."""

    name = "passages"
    version = 2

    def __init__(self, extractors: Mapping[str, Extractor]) -> None:
        self._extractors = dict(extractors)
        self.kinds = frozenset(self._extractors)

    def create(self, rows: Rows) -> None:
        """Make the empty tables."""
        for statement in table.TABLES:
            rows.execute(statement)

    def fold(self, rows: Rows, events: Iterable[Event]) -> None:
        """Index a slice of events; the last rows of their streams get new neighbours."""
        streams: dict[str, list[Row]] = defaultdict(list)
        last = 0
        for event in events:
            last = event.seq
            passage = self._extractors[event.kind](event)
            if passage is not None:
                streams[passage.stream].append(row_of(passage))
        fresh: list[Row] = []
        changes: list[tuple[Row, Row]] = []
        for stream, added in streams.items():
            if stream:
                joined, changed = _joined(rows, added)
                fresh += joined
                changes += changed
            else:
                fresh += added
        if changes:
            table.change(rows, changes)
        if fresh:
            table.insert(rows, sorted(fresh, key=lambda row: row.source))
        table.move_to(rows, last)

    def purge(self, rows: Rows, seqs: Collection[int]) -> None:
        """Remove these rows; neighbours that held words of theirs are indexed anew without them."""
        gone = table.by_id(rows, seqs)
        beside = {seq for row in gone.values() for seq in (*row.before, *row.after)} - gone.keys()
        for part in table.chunks(gone.values()):
            table.delete(rows, part)
        changes: list[tuple[Row, Row]] = []
        for old in table.by_id(rows, beside).values():
            before, after = table.around(rows, old.stream, old.source, REACH)
            changes.append((old, linked(old, before, after)))
        table.change(rows, changes)

    def dump(self, rows: Rows) -> Iterable[tuple[Any, ...]]:  # noqa: ARG002 - an index has no canonical content
        """Nothing: an index."""
        return ()


def _joined(rows: Rows, added: Sequence[Row]) -> tuple[list[Row], list[tuple[Row, Row]]]:
    """The new rows of one stream with their neighbours, and the rows at its end (old, new) that now have later ones."""
    tail, _ = table.around(rows, added[0].stream, added[0].source, 2 * REACH)
    chain = [*reversed(tail), *added]
    done: list[Row] = []
    changes: list[tuple[Row, Row]] = []
    for index in range(max(len(tail) - REACH, 0), len(chain)):
        row = chain[index]
        now = linked(row, chain[max(index - REACH, 0) : index][::-1], chain[index + 1 : index + 1 + REACH])
        if index >= len(tail):
            done.append(now)
        elif now != row:
            changes.append((row, now))
    return done, changes


def linked(row: Row, before: Sequence[Row], after: Sequence[Row]) -> Row:
    """The row with the words of its neighbours, which come nearest first."""
    earlier = neighbours(row.at, [(other.source, other.at, other.own) for other in before])
    later = neighbours(row.at, [(other.source, other.at, other.own) for other in after])
    return replace(
        row,
        before=tuple(seq for seq, _ in earlier),
        before_text=BORDER.join(own for _, own in earlier),
        after=tuple(seq for seq, _ in later),
        after_text=BORDER.join(own for _, own in later),
    )
