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

LEAST_SPREAD = 0.05
"""Below this distance between what is alike and what is not, a model tells nothing apart. Our choice."""


class GateKind(StrEnum):
    """What is compared with what."""

    TRAIT = "trait"
    PAIR = "pair"
    SUMMARY = "summary"


@dataclass(frozen=True, slots=True)
class Calibration:
    """Thresholds for one embedding model; `alike` and `apart` are what its probe pairs measured on average."""

    model: str
    trait: float
    pair: float
    summary: float
    alike: float = 1.0
    apart: float = 0.0

    @property
    def degenerate(self) -> bool:
        """Whether the model does not tell what is alike from what is not."""
        return not self.alike - self.apart >= LEAST_SPREAD

    def threshold(self, kind: GateKind) -> float:
        """From which nearness two texts say the same."""
        return {GateKind.TRAIT: self.trait, GateKind.PAIR: self.pair, GateKind.SUMMARY: self.summary}[kind]


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


def calibrated(
    model: str, alike: Sequence[float], apart: Sequence[float], trait: float, pair: float, summary: float
) -> Calibration:
    """Thresholds for a model whose probe pairs measured so.

    `trait`, `pair` and `summary` are thresholds on a scale where unrelated texts measure 0 and paraphrases 1 on
    average; models use very different parts of the range from -1 to 1.
    """
    high = sum(alike) / len(alike) if alike else 0.0
    low = sum(apart) / len(apart) if apart else 0.0
    spread = high - low
    return Calibration(
        model, low + trait * spread, low + pair * spread, low + summary * spread, alike=high, apart=low
    )
