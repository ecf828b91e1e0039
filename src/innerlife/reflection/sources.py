"""What stages of reflection work with: made once by `bootstrap`, handed to each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from innerlife.affect.mood import Mood
from innerlife.learning.policy import LearningPolicy
from innerlife.learning.turns import Nearness
from innerlife.ledger.ledger import Ledger
from innerlife.ports import Clock, Embedder, Runtime
from innerlife.recall.calibration import Calibration
from innerlife.reflection.glance import Glances
from innerlife.reflection.lines import Lines
from innerlife.reflection.policy import ReflectionPolicy
from innerlife.selfmodel.selfmodel import SelfModel
from innerlife.thinking.language import language_of
from innerlife.workspace.shipped import ShippedTexts

Serving = Callable[[], tuple[Embedder, Calibration | None] | None]
"""The embedding model that serves, and what its cosines mean where that was measured; None where there is no model."""


@dataclass(frozen=True)
class Sources:
    """The ledger and views of a Core, the use-cases of its rooms, and the numbers to decide by.

    `records` are the kinds of events that say what a prompt received. `english` is the embedding model that the tone of
    English words is read by, whatever memory uses; None where it is not here.
    """

    ledger: Ledger
    runtime: Runtime
    clock: Clock
    self_model: SelfModel
    mood: Mood
    glances: Glances
    serving: Serving
    english: Embedder | None
    texts: ShippedTexts
    reflection: ReflectionPolicy
    learning: LearningPolicy
    records: frozenset[str]

    @property
    def lines(self) -> Lines:
        """What was said."""
        return Lines(self.ledger, self.runtime)


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
