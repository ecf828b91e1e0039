"""What stages of reflection work with: made once by `bootstrap`, handed to each."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Final

from innerlife.affect.mood import Mood
from innerlife.learning.head import all_heads, read
from innerlife.learning.journal import Journal
from innerlife.learning.policy import LearningPolicy
from innerlife.learning.turns import Reading, Window
from innerlife.learning.weighing import texts
from innerlife.ledger.ledger import Ledger
from innerlife.ports import Clock, Embedder, Runtime, Vector
from innerlife.recall.calibration import Calibration
from innerlife.reflection.glance import Glances
from innerlife.reflection.learned import Learned
from innerlife.reflection.lines import Lines
from innerlife.reflection.policy import ReflectionPolicy
from innerlife.selfmodel.selfmodel import SelfModel
from innerlife.thinking.language import language_of
from innerlife.workspace.shipped import ShippedTexts

_KEPT: Final = 64
"""Vectors that are kept, of 1.5 kB each: a few conversations' worth."""

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

    @cached_property
    def learned(self) -> Learned:
        """What was learned of how to help: kept once for all that ask."""
        return Learned(Journal(self.ledger, self.runtime), self.self_model.desk, self.learning)

    @property
    def lines(self) -> Lines:
        """What was said."""
        return Lines(self.ledger, self.runtime)


class Senses:
    """What the embedding model that serves makes of texts; nothing where none does, or in no language it knows.

    Texts are embedded once: the same turns stand in the windows of several messages. Vectors are kept by the texts'
    digests, no text is; under another `epoch` of the Core something was forgotten, and none is kept.
    """

    def __init__(self, serving: Serving, epoch: Callable[[], int]) -> None:
        self._serving = serving
        self._epoch = epoch
        self._kept_in = -1
        self._kept: OrderedDict[bytes, Vector] = OrderedDict()

    def near(self, one: str, other: str) -> float | None:
        """How near two texts are in meaning, calibrated. Raises ModelUnavailable."""
        embedder, measured = self._model(one, other)
        if embedder is None or measured is None:
            return None
        first, second = self._vectors(embedder, (one, other))
        return (float(first @ second) - measured.near) / (measured.same - measured.near)

    def read(self, window: Window, policy: LearningPolicy) -> Reading | None:
        """What the heads of the model make of what followed an answer. Raises ModelUnavailable."""
        heard = texts(window)
        embedder, _ = self._model(heard[0], heard[-1])
        heads = all_heads().get(embedder.model) if embedder is not None else None
        if embedder is None or heads is None:
            return None
        return read(heads, window, policy, self._vectors(embedder, heard))

    def _model(self, one: str, other: str) -> tuple[Embedder | None, Calibration | None]:
        embedder, measured = self._serving() or (None, None)
        if embedder is None or measured is None or measured.degenerate:
            return None, None
        language = language_of(f"{one} {other}")
        return (None, None) if language and language not in measured.languages else (embedder, measured)

    def _vectors(self, embedder: Embedder, wanted: Sequence[str]) -> list[Vector]:
        epoch = self._epoch()
        if epoch != self._kept_in:
            self._kept.clear()
            self._kept_in = epoch
        keys = {
            text: sha256(f"{embedder.model}\n{text}".encode("utf-8", "surrogatepass")).digest()
            for text in wanted
        }
        missing = [text for text, key in keys.items() if key not in self._kept]
        found = embedder.embed_passages(missing) if missing else ()
        self._kept |= {keys[text]: vector.copy() for text, vector in zip(missing, found, strict=True)}
        vectors = [self._kept[keys[text]] for text in wanted]
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return vectors
