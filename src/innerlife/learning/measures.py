"""How well it helps, month by month: feedback per hundred exchanges (promise L6). Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from innerlife.learning import bodies as e
from innerlife.learning.rows import Row
from innerlife.learning.terms import Sort


@dataclass(frozen=True, slots=True)
class Month:
    """One month (`2026-03`): its exchanges, how often each sort of feedback came, and scales from elsewhere by name.

    `scales` are what other rooms measured in that month; a name without a value was not measured.
    """

    name: str
    exchanges: int
    counts: Mapping[Sort, int]
    scales: Mapping[str, float] = field(default_factory=dict)

    def per_hundred(self, sort: Sort) -> float | None:
        """How often per hundred exchanges; None where there was no exchange."""
        return 100.0 * self.counts.get(sort, 0) / self.exchanges if self.exchanges else None


def months_of(
    rows: Sequence[Row],
    exchanges: Mapping[str, int],
    month_of: Mapping[int, str],
    scales: Mapping[str, Mapping[str, float]] | None = None,
) -> list[Month]:
    """Every month in which something was said, in order.

    `exchanges` counts them by month, `month_of` gives the month of the message that each piece of feedback (by the
    seq of its event) was about, `scales` the values of other rooms by month and name.
    """
    counts: dict[str, Counter[Sort]] = {month: Counter() for month in exchanges}
    for row in rows:
        if isinstance(row.body, e.FeedbackNoticed) and row.seq in month_of:
            counts.setdefault(month_of[row.seq], Counter())[row.body.sort] += 1
    given = scales or {}
    return [Month(name, exchanges.get(name, 0), counts[name], given.get(name, {})) for name in sorted(counts)]
