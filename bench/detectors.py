"""How well feedback is noticed, beside a list of keywords: F1 over labelled conversations (promise L1).

Run: `make bench-detectors`. The conversations are the project's own, English and Spanish. Each part that another hand
wrote is measured with heads that were fitted on all but that part. `ARGS=--fit` fits the shipped heads anew, on all;
`ARGS="--part NAME"` measures the shipped heads on a part, as one measures conversations that they were not fitted on.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Final

from bench.fitting import FITTED_ON, HANDS, ORDINARY, Once, fit, fitted, material
from bench.harness import report, table
from innerlife.adapters.models.embedders import e5, minilm
from innerlife.learning.detectors import noticed
from innerlife.learning.head import WORDS, Heads, read
from innerlife.learning.policy import LearningPolicy
from innerlife.learning.terms import Sort
from innerlife.learning.turns import Followed, Reading, Window
from innerlife.learning.weighing import texts
from innerlife.ports import Embedder
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


@dataclass
class Tally:
    """Of one sort: found and there, found and not there, there and not found."""

    hits: int = 0
    false: int = 0
    missed: int = 0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return 2 * self.hits / max(1, 2 * self.hits + self.false + self.missed)

    def told(self) -> str:
        """Precision, recall and F1."""
        precision = self.hits / max(1, self.hits + self.false)
        return f"{precision:.2f} / {self.hits / max(1, self.hits + self.missed):.2f} / **{self.f1:.2f}**"


Tallies = dict[Sort, Tally]


def by_detectors(policy: LearningPolicy) -> Found:
    """Ours."""
    return lambda point: {one.sort for one in noticed(point.window, policy)}


def tally(found: Found, every: Iterable[Point], tallies: Tallies) -> None:
    """Count what is found in some points."""
    for point in every:
        there = found(point)
        for sort in Sort:
            one = tallies[sort]
            one.hits += sort in there and sort in point.labels
            one.false += sort in there and sort not in point.labels
            one.missed += sort not in there and sort in point.labels


def _others(hand: str, languages: set[str]) -> list[Point]:
    return [p for part in FITTED_ON if part != hand for p in points(part) if p.language in languages]


@cache
def _words(hand: str) -> Heads:
    return fitted(material(_others(hand, {"en", "es"}), None), WORDS)


def left_out(hand: str, embedder: Embedder | None, languages: set[str]) -> list[Point]:
    """The points of a part, read by heads that were fitted on all other parts: by the embedder's where it can read."""
    heads: dict[Embedder | None, Heads] = {}
    if embedder is not None:
        heads[embedder] = fitted(material(_others(hand, languages), embedder), embedder.model)
    if {p.language for p in points(hand)} - (languages if embedder else set()):
        heads[None] = _words(hand)

    def read_by(window: Window, policy: LearningPolicy, *, able: bool) -> Reading:
        by = embedder if able else None
        return read(heads[by], window, policy, list(by.embed_passages(texts(window))) if by else ())

    return [
        replace(
            p,
            window=replace(
                p.window, read=partial(read_by, able=embedder is not None and p.language in languages)
            ),
        )
        for p in points(hand)
    ]


def fit_all(english: Embedder | None, many: Embedder | None) -> None:
    """Fit the heads anew on every part, and write their files."""
    fit(None, {"en", "es"}, "words.toml")
    if english is not None:
        fit(english, {"en"}, "minilm.toml")
    if many is not None:
        fit(many, {"en", "es"}, "e5.toml")


def senses() -> Senses | None:
    """The multilingual model with its shipped heads, where it is installed."""
    embedder = e5()
    if embedder is None:
        return None
    measured = calibrate(embedder)
    return Senses(lambda: (embedder, measured), lambda: 0)


def measure_part(part: str) -> None:
    """The shipped heads on one part."""
    model = senses()
    ways = {
        "keywords": (by_keywords, points(part)),
        "words alone": (by_detectors(LearningPolicy()), points(part)),
    }
    if model is not None:
        ways["multilingual-e5-small"] = (by_detectors(LearningPolicy()), points(part, model.near, model.read))
    rows: list[list[str]] = []
    for name, (found, every) in ways.items():
        tallies = {sort: Tally() for sort in Sort}
        tally(found, every, tallies)
        rows.append([name, *(one.told() for one in tallies.values())])
    sys.stdout.write(table(f"Shipped heads on {part}", ("way", *(sort.value for sort in Sort)), rows) + "\n")


def main() -> None:
    """Measure and report."""
    if "--part" in sys.argv:
        measure_part(sys.argv[sys.argv.index("--part") + 1])
        return
    english, many = (Once(one) if one else None for one in (minilm(), e5()))
    if "--fit" in sys.argv:
        fit_all(english, many)
    policy = LearningPolicy()
    ways: dict[str, tuple[Found, Embedder | None, set[str]]] = {
        "keywords": (by_keywords, None, set()),
        "Innerlife, words alone": (by_detectors(policy), None, set()),
    }
    if english is not None:
        ways["Innerlife, MiniLM (English)"] = (by_detectors(policy), english, {"en"})
    if many is not None:
        ways["Innerlife, multilingual-e5-small"] = (by_detectors(policy), many, {"en", "es"})
    values: dict[str, dict[str, float]] = {}
    rows: list[list[str]] = []
    wrongly: list[list[str]] = []
    for name, (found, embedder, languages) in ways.items():
        tallies = {sort: Tally() for sort in Sort}
        for hand in HANDS:
            tally(found, points(hand) if name == "keywords" else left_out(hand, embedder, languages), tallies)
        values[name] = {sort.value: one.f1 for sort, one in tallies.items()}
        rows.append([name, *(one.told() for one in tallies.values())])
        ordinary = {sort: Tally() for sort in Sort}
        for part in ORDINARY:
            tally(
                found, points(part) if name == "keywords" else left_out(part, embedder, languages), ordinary
            )
        wrongly.append([name, *(f"{one.false}" for one in ordinary.values())])
    count = sum(map(messages, HANDS))
    title = f"Each detector, precision / recall / F1 over {count} messages, each hand left out in turn"
    heads = ("way", *(sort.value for sort in Sort))
    count = sum(map(messages, ORDINARY))
    of = f"Taken wrongly, of {count} messages of ordinary conversations, each part left out in turn"
    report("detectors", table(title, heads, rows) + "\n\n" + table(of, heads, wrongly), {"f1": values})


if __name__ == "__main__":
    main()
