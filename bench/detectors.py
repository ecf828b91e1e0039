"""How well feedback is noticed, beside a list of keywords: F1 over labelled conversations (promise L1).

Run: `make bench-detectors`. The conversations are the project's own, English and Spanish: one part the detectors were
written with, one part that only measures.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Final

from bench.fitting import fit
from bench.harness import report, table
from innerlife.adapters.models.embedders import e5, minilm
from innerlife.learning.detectors import noticed
from innerlife.learning.policy import LearningPolicy
from innerlife.learning.terms import Sort
from innerlife.learning.turns import Followed
from innerlife.recall.calibration import calibrate
from innerlife.reflection.sources import Senses
from tests.learning.corpus.reader import Point, messages, points

KEYWORDS: Final[dict[Sort, str]] = {
    Sort.CORRECTION: r"\b(?:no|not|wrong|meant|asked|shorter|longer|instead|mal|quería decir|pedí|pregunté)\b",
    Sort.PRAISE: r"\b(?:perfect|great|thanks|thank you|love|good|perfecto|gracias|genial|bien)\b",
    Sort.ABANDONMENT: r"\b(?:never mind|forget it|whatever|da igual|déjalo|olvídalo)\b",
}
"""What one would write in five minutes."""

Found = Callable[[Point], set[Sort]]


def by_keywords(point: Point) -> set[Sort]:
    """The plain alternative: words for three sorts, equal words for a re-ask, the recording for the rest."""
    followed, after = point.window.followed, point.window.next
    if followed is Followed.AGAIN:
        return {Sort.REGENERATION}
    if followed is Followed.EDIT:
        return {Sort.EDIT}
    if after is None:
        return set()
    found = {sort for sort, words in KEYWORDS.items() if re.search(words, after.said, re.IGNORECASE)}
    before, now = set(point.window.judged.said.lower().split()), set(after.said.lower().split())
    return found | ({Sort.REASK} if 2 * len(before & now) >= len(before | now) else set())


def by_detectors(policy: LearningPolicy) -> Found:
    """Ours."""
    return lambda point: {one.sort for one in noticed(point.window, policy)}


def scores_of(found: Found, every: list[Point]) -> dict[str, float]:
    """F1 of each sort."""
    told = [(found(point), set(point.labels)) for point in every]
    return {sort.value: _f1([(sort in there, sort in wanted) for there, wanted in told]) for sort in Sort}


def _f1(pairs: list[tuple[bool, bool]]) -> float:
    hits = sum(there and wanted for there, wanted in pairs)
    wrong = sum(there is not wanted for there, wanted in pairs)
    return 2 * hits / max(1, 2 * hits + wrong)


def senses() -> Senses | None:
    """The multilingual model with its heads, where it is installed."""
    embedder = e5()
    if embedder is None:
        return None
    measured = calibrate(embedder)
    return Senses(lambda: (embedder, measured), lambda: 0)


def fit_all() -> None:
    """Fit the heads anew on the part that the detectors were written with, and write their files."""
    if (english := minilm()) is not None:
        fit(english, {"en"}, "minilm.toml")
    if (many := e5()) is not None:
        fit(many, {"en", "es"}, "e5.toml")


def main() -> None:
    """Measure and report."""
    if "--fit" in sys.argv:
        fit_all()
    model, policy = senses(), LearningPolicy()
    values: dict[str, dict[str, float]] = {}
    rows: list[list[str]] = []
    for part in ("tuned", "held_out"):
        words = points(part)
        ways: dict[str, tuple[Found, list[Point]]] = {
            "keywords": (by_keywords, words),
            "Innerlife, words alone": (by_detectors(policy), words),
        }
        if model is not None:
            meant = points(part, model.near, model.read)
            ways["Innerlife, multilingual-e5-small"] = (by_detectors(policy), meant)
        for name, (found, every) in ways.items():
            scores = scores_of(found, every)
            values[f"{part}, {name}"] = scores
            rows.append([f"{part} ({messages(part)})", name, *(f"{scores[sort.value]:.2f}" for sort in Sort)])
    text = table("F1 of each detector", ("part (messages)", "way", *(sort.value for sort in Sort)), rows)
    report("detectors", text, {"f1": values})


if __name__ == "__main__":
    main()
