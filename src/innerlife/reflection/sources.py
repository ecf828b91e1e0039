"""What stages of reflection may read: made once by `bootstrap`, handed to each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from innerlife.learning.policy import LearningPolicy
from innerlife.learning.turns import Nearness
from innerlife.ledger.ledger import Ledger
from innerlife.ports import Embedder, Runtime
from innerlife.recall.calibration import Calibration
from innerlife.selfmodel.desk import Desk
from innerlife.thinking.language import language_of

Serving = Callable[[], tuple[Embedder, Calibration | None] | None]
"""The embedding model that serves, and what its cosines mean where that was measured; None where there is no model."""


@dataclass(frozen=True)
class Sources:
    """The ledger and views of a Core, and the numbers to decide by.

    `records` are the kinds of events that say what a prompt received.
    """

    ledger: Ledger
    runtime: Runtime
    desk: Desk
    serving: Serving
    learning: LearningPolicy
    records: frozenset[str]


def nearness_by(serving: Serving) -> Nearness:
    """How near two texts are by the model that serves; measures nothing where none does, or in no language it knows."""

    def near(one: str, other: str) -> float | None:
        embedder, measured = serving() or (None, None)
        if embedder is None or measured is None or measured.degenerate:
            return None
        language = language_of(f"{one} {other}")
        if language and language not in measured.languages:
            return None
        first, second = embedder.embed_passages([one, other])
        return (float(first @ second) - measured.near) / (measured.same - measured.near)

    return near
