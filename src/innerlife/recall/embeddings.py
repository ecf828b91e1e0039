"""Which embedding model serves, and the way from one to another (promise R5).

A change of model is made in the background: the old model's vectors answer until the new one has read everything, and
are dropped only then.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Protocol

from innerlife.errors import ModelUnavailable
from innerlife.ports import Embedder, Runtime, VectorStore
from innerlife.recall import table
from innerlife.recall.backfill import FIRST_WAIT_S, Backfill
from innerlife.recall.calibration import Calibration, calibrate, read
from innerlife.recall.policy import RecallPolicy
from innerlife.recall.tongue import many_needed, spoken

FACT = "embedding"
"""Name of the Core's fact that says which model serves and which one is wanted."""

CALIBRATION = "calibration "
"""With a model's name behind it: the fact that holds its calibration."""

LOOK_AGAIN = 0.05
"""The languages are judged again when there are so many more texts, as a share, and at least `LOOK_FEWEST`."""

LOOK_FEWEST = 10

DROPPED_AT_ONCE = 2_000
"""Vectors of an old model deleted in one transaction."""


class Facts(Protocol):
    """Named facts about a Core, kept in it."""

    def fact(self, name: str) -> str | None:
        """A fact's value. Raises StorageFailed."""
        ...

    def set_fact(self, name: str, value: str) -> None:
        """Write a fact. Raises StorageFailed."""
        ...


@dataclass(frozen=True, slots=True)
class Shelf:
    """The models that are here: for who speaks English alone, for everybody else, and all that can still read."""

    english: Embedder
    many: Embedder
    others: tuple[Embedder, ...] = ()

    def named(self, model: str) -> Embedder | None:
        """The model of that name, where it is here."""
        here = (self.english, self.many, *self.others)
        return next((one for one in here if one.model == model), None)


class Embeddings:
    """Use-case: keeps the vectors of a Core complete, by the model that suits it."""

    def __init__(
        self,
        runtime: Runtime,
        vectors: VectorStore,
        facts: Facts,
        shelf: Shelf,
        kinds: Collection[str],
        policy: RecallPolicy | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._runtime = runtime
        self._vectors = vectors
        self._facts = facts
        self._shelf = shelf
        self._kinds = frozenset(kinds)
        self._policy = policy or RecallPolicy()
        self._clock = clock
        self._look_at = 0
        self._calibrated = False
        self._tidy = False
        self._listeners: list[Callable[[Embedder], None]] = []
        self._measure_at = 0.0
        self._kept = facts.fact(FACT)
        kept = json.loads(self._kept or "{}")
        wanted = kept.get("wanted")
        self._wanted = shelf.many if wanted == shelf.many.model else shelf.english
        # Where the old model is not here any more, the new one serves with what it has read so far.
        self._serving = shelf.named(kept.get("serving", "")) or self._wanted
        self._backfill = self._filling()

    @property
    def serving(self) -> Embedder:
        """The model whose vectors answer."""
        return self._serving

    @property
    def coming(self) -> Embedder | None:
        """The model that will serve once it has read everything, where that is another."""
        return None if self._wanted.model == self._serving.model else self._wanted

    @property
    def failed(self) -> int:
        """How many texts could not be embedded; they are tried again, later and later."""
        return self._backfill.failed

    @property
    def trouble(self) -> str:
        """Why the model or the last text failed, or empty."""
        return self._backfill.trouble

    def backlog(self) -> int:
        """How many texts the wanted model has not read yet. Raises StorageFailed."""
        return self._backfill.backlog()

    def calibration(self) -> Calibration | None:
        """What the cosines of the serving model mean; None until it was measured. Raises StorageFailed."""
        return read(self._facts.fact(CALIBRATION + self._serving.model))

    def on_change(self, listener: Callable[[Embedder], None]) -> None:
        """Call `listener` with the new model whenever another one begins to serve."""
        self._listeners.append(listener)

    def step(self) -> int:
        """One small piece of work. Returns how much was done; 0: nothing to do now. Raises StorageFailed."""
        self._follow()
        self._choose()
        done = self._backfill.step()
        if done or self._backfill.down:
            return done
        if not self._calibrated:
            return self._calibrate()
        if self.coming:
            if self._backfill.backlog() > self._backfill.failed:
                return 0
            self._begin(self._wanted)
        if self._kept != self._decided():
            self._keep()
        return self._drop_old()

    def _follow(self) -> None:
        """Take over what another process on this Core decided."""
        kept = self._facts.fact(FACT)
        if kept == self._kept or kept is None:
            return
        self._kept = kept
        said = json.loads(kept)
        for embedder in (self._shelf.english, self._shelf.many):
            if embedder.model == said["wanted"]:
                self._want(embedder)
        serving = self._shelf.named(said["serving"])
        if serving and serving.model != self._serving.model:
            self._begin(serving)

    def _choose(self) -> None:
        """Judge by the languages spoken, now and then, which model is wanted."""
        if self._shelf.many.model == self._shelf.english.model:
            return
        with self._runtime.reading() as rows:
            total = table.total(rows)
            if total < self._look_at:
                return
            newest, every = table.sample(rows, self._policy.tongue_texts)
        self._look_at = total + max(LOOK_FEWEST, int(total * LOOK_AGAIN))
        present = self._wanted.model == self._shelf.many.model
        many = many_needed(present, spoken(newest), spoken(every), self._policy)
        if many != present:
            self._want(self._shelf.many if many else self._shelf.english)
            self._keep()

    def _want(self, embedder: Embedder) -> None:
        if embedder.model != self._wanted.model:
            self._wanted = embedder
            self._backfill = self._filling()
            self._calibrated = self._tidy = False

    def _calibrate(self) -> int:
        """Measure the wanted model once, before it serves. Returns whether it did."""
        name = CALIBRATION + self._wanted.model
        if read(self._facts.fact(name)) is None:
            if self._clock() < self._measure_at:
                return 0
            try:
                self._facts.set_fact(name, calibrate(self._wanted).written())
            except ModelUnavailable:
                # What is read next meets the same and says it; nothing is gated by a model that was not measured.
                self._measure_at = self._clock() + FIRST_WAIT_S
                return 0
        self._calibrated = True
        return 1

    def _begin(self, embedder: Embedder) -> None:
        self._serving = embedder
        self._tidy = False
        for listener in self._listeners:
            listener(embedder)

    def _drop_old(self) -> int:
        """Delete a slice of what other models read. Returns how many vectors."""
        if self._tidy:
            return 0
        for model in self._vectors.models():
            if model != self._serving.model:
                return self._vectors.drop(model, DROPPED_AT_ONCE)
        self._tidy = True
        return 0

    def _decided(self) -> str:
        return json.dumps({"serving": self._serving.model, "wanted": self._wanted.model})

    def _keep(self) -> None:
        self._kept = self._decided()
        self._facts.set_fact(FACT, self._kept)

    def _filling(self) -> Backfill:
        return Backfill(self._runtime, self._vectors, self._wanted, self._kinds, self._clock)
