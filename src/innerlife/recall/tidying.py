"""Keeps the full text in few pieces, beside everything else.

FTS5 adds what is new as a piece of its own and joins small ones by and by; where many messages came at once several
large ones stay, and each term of a question is then looked up in each of them: other pages to read and to decrypt.
"""

from __future__ import annotations

from typing import Final

from innerlife.ports import Rows, Runtime
from innerlife.recall import table

PAGES: Final = 100
"""Pages that one step joins: some ten milliseconds, in which a turn's record may have to wait."""

_NEW: Final = 500
"""Passages that have to be new before it is looked again how many pieces there are."""

_SMALL: Final = 256
"""What is this small altogether, in pages that begin with a term, is read quickly however it lies."""

_APART: Final = 0.1
"""Share of the largest piece from which on the others are joined with it: so each text is copied a few times."""


class Tidying:
    """Use-case: join the pieces of one index. For one thread."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._looked_at = -_NEW
        self._joining = False

    def step(self) -> int:
        """Join some pages; returns how much was done, 0 when nothing has to be. Raises StorageFailed."""
        if not self._joining and not self._is_untidy():
            return 0
        with self._runtime.writing() as rows:
            before = _changes(rows)
            # A negative number joins whatever there is, so many pages at a time.
            rows.execute("INSERT INTO passages_text (passages_text, rank) VALUES ('merge', ?)", (-PAGES,))
            done = _changes(rows) - before
        # The command itself counts as one change.
        self._joining = done > 1
        return done if self._joining else 0

    def _is_untidy(self) -> bool:
        with self._runtime.reading() as rows:
            if not table.is_made(rows):
                return False
            total = table.total(rows)
            if abs(total - self._looked_at) < _NEW:
                return False
            self._looked_at = total
            pages, largest = rows.execute(
                "SELECT sum(n), max(n) FROM (SELECT count(*) AS n FROM passages_text_idx GROUP BY segid)"
            ).fetchone()
        return bool(pages) and pages > _SMALL and pages - largest > _APART * largest


def _changes(rows: Rows) -> int:
    return int(rows.execute("SELECT total_changes()").fetchone()[0])
