"""Gates against the same thing twice (promise S8).

An observation is compared with observations, a trait with traits, and nothing with anything else. How near two texts
are is measured by a function that is passed in (embeddings), and what counts as near by a calibration for that very
model; where either is missing or tells nothing apart, there is no gate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from innerlife.errors import InnerlifeError

Nearness = Callable[[str, Sequence[str]], Sequence[float]]
"""How near a text is to each of the others, in [-1, 1]."""


class GateKind(StrEnum):
    """What is compared with what."""

    TRAIT = "trait"
    PAIR = "pair"
    SUMMARY = "summary"


@dataclass(frozen=True, slots=True)
class Calibration:
    """What the nearness of one embedding model says.

    From `near` on two texts are about the same, from `same` on they say the same. `degenerate`: the model does not
    tell these apart, so nothing may be gated by it.
    """

    model: str
    near: float
    same: float
    degenerate: bool = False

    def threshold(self, kind: GateKind) -> float:
        """From which nearness two texts raise the question. Of observations only what says the same is shown back."""
        return self.same if kind is GateKind.PAIR else self.near


@dataclass(frozen=True, slots=True)
class Known:
    """A text that is there already."""

    seq: int
    text: str


@dataclass(frozen=True, slots=True)
class Near:
    """The nearest of those that are near enough."""

    known: Known
    nearness: float


@dataclass(frozen=True, slots=True)
class Gate:
    """The gate as it stands: open to everything where nothing can be measured."""

    nearness: Nearness | None = None
    calibration: Calibration | None = None

    @property
    def why_open(self) -> str:
        """Why there is no gate, for `doctor`; empty where there is one."""
        if self.nearness is None or self.calibration is None:
            return "no embedding model measures what is near"
        if self.calibration.degenerate:
            return f"{self.calibration.model} does not tell what is alike from what is not"
        return ""

    def nearest(self, kind: GateKind, text: str, known: Sequence[Known]) -> Near | None:
        """What says the same already, or None."""
        if self.nearness is None or self.calibration is None or self.calibration.degenerate or not known:
            return None
        try:
            measured = self.nearness(text, [one.text for one in known])
        except InnerlifeError:
            # A model that is away measures nothing: the text is taken, as without a gate.
            return None
        nearness, place = max((value, -index) for index, value in enumerate(measured))
        if nearness < self.calibration.threshold(kind):
            return None
        return Near(known[-place], float(nearness))
