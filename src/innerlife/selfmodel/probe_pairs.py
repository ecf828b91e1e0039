"""Pairs of sentences that say the same and pairs that do not: what an embedding model is calibrated by."""

from __future__ import annotations

from typing import Final

from innerlife.ports import Embedder
from innerlife.selfmodel.gates import Calibration, calibrated
from innerlife.selfmodel.policy import SelfModelPolicy

ALIKE: Final = (
    ("They get impatient with long explanations.", "Long explanations make them impatient."),
    ("She prefers short answers.", "She likes answers to be brief."),
    ("He is worried about his mother's health.", "His mother's health worries him."),
    ("They learn best from examples.", "Examples are how they learn best."),
    ("He has started to run in the morning.", "In the mornings he goes running now."),
    ("Prefiere las respuestas cortas.", "Le gustan las respuestas breves."),
)
APART: Final = (
    ("They get impatient with long explanations.", "Their sister lives in Lisbon."),
    ("She prefers short answers.", "She is learning to play the cello."),
    ("He is worried about his mother's health.", "He repairs old radios."),
    ("They learn best from examples.", "They moved house in spring."),
    ("He has started to run in the morning.", "He dislikes his new manager."),
    ("Prefiere las respuestas cortas.", "Su hermana vive en Lisboa."),
)


def calibrate(embedder: Embedder, policy: SelfModelPolicy) -> Calibration:
    """Thresholds for this model. Raises ModelUnavailable where it cannot be loaded."""

    def measured(pairs: tuple[tuple[str, str], ...]) -> list[float]:
        first = embedder.embed_passages([one for one, _ in pairs])
        second = embedder.embed_passages([other for _, other in pairs])
        return [float(one @ other) for one, other in zip(first, second, strict=True)]

    alike, apart = measured(ALIKE), measured(APART)
    return calibrated(embedder.model, alike, apart, policy.gate_trait, policy.gate_pair, policy.gate_summary)
