"""Fits the heads of `innerlife.learning.head` on the project's labelled conversations."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

import innerlife.learning.heads
from innerlife.learning.head import NO_ASPECT, WORDS, Head, Heads, numbers, pack, packed
from innerlife.learning.policy import LearningPolicy
from innerlife.learning.terms import Sort
from innerlife.learning.turns import Followed
from innerlife.learning.weighing import Weighed, of_answer, of_message, texts
from innerlife.ports import Embedder, Vector
from tests.learning.corpus.reader import FOLDER, Point, points

OWN: Final = ("tuned", "varied_en", "varied_es")
"""Parts of the corpus that were written with the detectors in view."""

HANDS: Final = ("hand_1", "hand_2", "hand_3")
"""Parts that others wrote without: those that tell how well the detectors do."""

ORDINARY: Final = ("ordinary_en", "ordinary_es")
"""Parts in which nearly everything is answered well and goes on, as in life: those that tell what is taken wrongly."""

FITTED_ON: Final = (*OWN, *ORDINARY, *HANDS)
"""All of them, in the order of their checksum."""

COMMON: Final = 2.0
"""How much a message of an ordinary conversation counts: in life there are many more of them than were written."""

FITTED: Final = (Sort.CORRECTION, Sort.REASK, Sort.ABANDONMENT, Sort.PRAISE)

DENSE, GRAMS, VECTORS = 8.0, 8.0, 8.0
"""How freely each block may be used: the ridge on its weights is one over that. By leaving one writer out."""

RARE: Final[dict[Sort, float]] = {
    Sort.CORRECTION: 2.0, Sort.REASK: 6.0, Sort.ABANDONMENT: 9.0, Sort.PRAISE: 1.5,
}  # fmt: skip
RARE_BESIDE: Final = 6.0
"""How much a piece of feedback counts beside a message that is none, at most: so much that it is likelier than not from
where precision and recall met with one writer left out. Likewise an answer that passed the question by. A correction
counts for less: one that was none makes a rule that nobody wanted, one that was missed is said again."""

LEAST_SPREAD: Final = 0.15
"""Standard deviation below which a mark is taken as if it had that: what hardly ever occurs is not blown up."""

PARTS: Final = 3
"""Parts of the conversations; each is read by an answer's head that was fitted on the others (stacking)."""

RIDGE_OF_ASPECTS: Final = 0.1

Array = NDArray[np.float64]
Vectors = Sequence[Vector]


class Once:
    """An embedder that reads each text alone, and once: an int8 model reads a text otherwise in other company."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.model, self.dimension = embedder.model, embedder.dimension
        self._known: dict[str, Vector] = {}

    def embed_query(self, text: str) -> Vector:
        """Unit vector of a question."""
        return self._embedder.embed_query(text)

    def embed_passages(self, texts: Sequence[str]) -> Vector:
        """Unit vectors, a row for each text."""
        for text in texts:
            if text not in self._known:
                self._known[text] = self._embedder.embed_passages([text])[0]
        return np.array([self._known[text] for text in texts], np.float32)


@dataclass(frozen=True, slots=True)
class Material:
    """Points with the vectors of their texts (none for words alone), and the part of the conversations they are of."""

    points: Sequence[Point]
    vectors: Sequence[Vectors]
    parts: NDArray[np.int64]
    centre: Vector


def material(every: Sequence[Point], embedder: Embedder | None) -> Material:
    """What can be fitted on: messages after an answer, and conversations that were left."""
    used = [p for p in every if p.window.followed in {Followed.MESSAGE, Followed.NOTHING}]
    firsts = [p.window.turns[0].said for p in used]
    parts = np.array([int(hashlib.sha256(one.encode()).hexdigest(), 16) % PARTS for one in firsts])
    if embedder is None:
        return Material(used, [()] * len(used), parts, np.empty(0, np.float32))
    known = dict.fromkeys(text for p in used for text in texts(p.window))
    found = dict(zip(known, embedder.embed_passages(list(known)), strict=True))
    vectors = [[found[text] for text in texts(p.window)] for p in used]
    centre = np.mean([v[2] for v in vectors if len(v) == 3], axis=0)
    return Material(used, vectors, parts, centre)


def fitted(given: Material, model: str) -> Heads:
    """The heads of one model."""
    policy = LearningPolicy()
    answers = [of_answer(p.window, given.centre, v) for p, v in zip(given.points, given.vectors, strict=True)]
    passed = np.array([_passed(point) for point in given.points])
    told = passed >= 0
    known, odds = _kernel(answers), np.zeros(len(given.points))
    for part in range(PARTS):
        inside, outside = given.parts == part, told & (given.parts != part)
        head = _fit(known, passed > 0, RARE_BESIDE, outside)
        odds[inside] = [head.odds(answers[at]) for at in np.flatnonzero(inside)]
    beside = _fit(known, passed > 0, RARE_BESIDE, told)
    said = [at for at, point in enumerate(given.points) if point.window.next is not None]
    weighed = [
        of_message(given.points[at].window, policy, given.centre, given.vectors[at], float(odds[at]))
        for at in said
    ]
    products, every = _kernel(weighed), np.ones(len(said), np.bool_)
    common = np.array([COMMON if given.points[at].part in ORDINARY else 1.0 for at in said])
    sorts = {
        sort: _fit(
            products, np.array([sort in given.points[at].labels for at in said]), RARE[sort], every, common
        )
        for sort in FITTED
    }
    return Heads(model, given.centre, beside, sorts, _aspects(given))


def _passed(point: Point) -> int:
    """1 where the answer passed the question by, 0 where it did not; -1 where that was not the matter."""
    if Sort.REASK in point.labels or Sort.ABANDONMENT in point.labels:
        return 1
    return -1 if Sort.CORRECTION in point.labels else 0


# --- one logistic regression -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Kernel:
    """The rows of a fit, scaled, and their products."""

    rows: Array
    products: Array
    scale: Array
    shift: Array
    sizes: tuple[int, int, int]
    names: tuple[str, ...]


def _kernel(weighed: Sequence[Weighed]) -> _Kernel:
    dense = np.array([one.dense[:-1] for one in weighed], np.float64)
    grams = np.array([one.grams for one in weighed], np.float64)
    vectors = np.array([one.vectors for one in weighed], np.float64)
    spread = np.maximum(dense.std(axis=0), LEAST_SPREAD)
    blocks = [dense.shape[1], grams.shape[1], vectors.shape[1]]
    mean = vectors.mean(axis=0)
    length = np.sqrt(max(1e-9, float(((vectors - mean) ** 2).sum(axis=1).mean()))) if blocks[2] else 1.0
    scale = np.concatenate(
        [
            np.sqrt(DENSE / blocks[0]) / spread,
            np.full(blocks[1], np.sqrt(GRAMS)),
            np.full(blocks[2], np.sqrt(VECTORS) / length),
        ]
    )
    shift = np.concatenate([dense.mean(axis=0), np.zeros(blocks[1]), mean])
    rows = (np.concatenate([dense, grams, vectors], axis=1) - shift) * scale
    return _Kernel(rows, rows @ rows.T, scale, shift, (blocks[0], blocks[1], blocks[2]), weighed[0].names)


def _fit(
    known: _Kernel,
    labels: NDArray[np.bool_],
    rare: float,
    used: NDArray[np.bool_],
    common: Array | None = None,
) -> Head:
    """Ridge logistic regression by Newton's method, solved for the rows' shares: there are fewer rows than weights."""
    there = labels[used]
    rarity = min(rare, float((~there).sum() / max(1.0, there.sum())))
    counts = np.where(there, rarity, 1.0) * (1.0 if common is None else common[used])
    shares, free = _newton(known.products[np.ix_(used, used)], there.astype(np.float64), counts)
    weights = known.rows[used].T @ shares * known.scale
    free -= float(weights @ known.shift)
    dense, grams, _ = known.sizes
    return Head(
        known.names,
        np.append(weights[:dense], free).astype(np.float32),
        weights[dense : dense + grams].astype(np.float32),
        weights[dense + grams :].astype(np.float32),
    )


def _newton(products: Array, labels: Array, counts: Array) -> tuple[Array, float]:
    shares, free = np.zeros(len(labels)), 0.0
    for _ in range(30):
        score = products @ shares + free
        likely = 1 / (1 + np.exp(-score))
        curve = np.maximum(counts * likely * (1 - likely), 1e-6)
        wanted = score + counts * (labels - likely) / curve
        solved = np.linalg.solve(
            products + np.diag(1 / curve), np.stack([wanted, np.ones_like(wanted)], axis=1)
        )
        free = float(solved[:, 0].sum() / solved[:, 1].sum())
        step = solved[:, 0] - free * solved[:, 1] - shares
        shares = shares + step
        if float(np.abs(step).max()) < 1e-5:
            break
    return shares, free


# --- aspects ---------------------------------------------------------------------------------------------------------


def _aspects(given: Material) -> dict[str, Vector]:
    """A line for each aspect: ridge regression of one against the rest, over the corrections."""
    corrected = [
        (np.asarray(v[2] - given.centre, np.float64), _aspect(p))
        for p, v in zip(given.points, given.vectors, strict=True)
        if Sort.CORRECTION in p.labels and len(v) == 3
    ]
    if not corrected:
        return {}
    rows = np.array([vector for vector, _ in corrected])
    names = sorted({name for _, name in corrected})
    there = np.array([[float(name == own) for name in names] for _, own in corrected])
    share = there.mean(axis=0)
    curve = rows.T @ rows + RIDGE_OF_ASPECTS * np.eye(rows.shape[1])
    weights = np.linalg.solve(curve, rows.T @ (there - share))
    return {name: np.append(weights[:, at], share[at]).astype(np.float32) for at, name in enumerate(names)}


def _aspect(point: Point) -> str:
    aspects = point.labels[Sort.CORRECTION]
    return aspects[0].value if aspects else NO_ASPECT


# --- files -----------------------------------------------------------------------------------------------------------


def fit(embedder: Embedder | None, languages: set[str], file: str) -> None:
    """Fit for one model, or for words alone, over its own languages, and write the file that the program reads."""
    every = [p for part in FITTED_ON for p in points(part) if p.language in languages]
    model = embedder.model if embedder is not None else WORDS
    path = Path(innerlife.learning.heads.__path__[0]) / file
    path.write_text(
        pack(_card(model, languages, FITTED_ON), _weights(fitted(material(every, embedder), model))), "utf-8"
    )


def corpus_sum(parts: Sequence[str]) -> str:
    """SHA-256 over the files of conversations, in this order."""
    return hashlib.sha256(b"".join((FOLDER / f"{part}.txt").read_bytes() for part in parts)).hexdigest()


def _weights(heads: Heads) -> str:
    lines = [f"centre = {numbers(heads.centre)}", "", "[beside]", packed(heads.beside)]
    for sort, head in heads.sorts.items():
        lines += ["", f"[sorts.{sort.value}]", packed(head)]
    lines += ["", "[aspects]", *(f"{name} = {numbers(weights)}" for name, weights in heads.aspects.items())]
    return "\n".join(lines) + "\n"


def _card(model: str, languages: set[str], parts: Sequence[str]) -> str:
    """From what the weights were fitted, and how."""
    return "\n".join(
        (
            "# Written by `make bench-detectors ARGS=--fit`.",
            'fitted_on = "tests/learning/corpus, conversations written and labelled for this project"',
            f"parts = {json.dumps(list(parts))}",
            f'corpus_sha256 = "{corpus_sum(parts)}"',
            f'languages = "{", ".join(sorted(languages))}"',
            'method = "ridge logistic regression by Newton\'s method (sorts), ridge regression (aspects)"',
            'seed = "none: nothing is drawn at random"',
            f'embedder = "{model}"',
        )
    )
