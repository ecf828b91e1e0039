"""Fits the heads of `innerlife.learning.head` on the labelled conversations that the detectors were written with."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import innerlife.learning.heads
from innerlife.learning.head import NO_ASPECT, features, pack, texts
from innerlife.learning.terms import Sort
from innerlife.learning.turns import Followed, Turn
from innerlife.ports import Embedder
from tests.learning.corpus.reader import FOLDER, Point, points

FITTED = (Sort.CORRECTION, Sort.REASK)
RIDGE, RIDGE_OF_ASPECTS = 1.0, 0.1
RARE = 4.0
"""How much a piece of feedback counts beside a message that is none, at most: there are far more of those."""

Array = NDArray[np.float64]


def fit(embedder: Embedder, languages: set[str], file: str) -> None:
    """Fit for one model, over its own languages, and write the file that the program reads."""
    used = [p for p in points("tuned") if p.window.followed is Followed.MESSAGE and p.language in languages]
    vectors = [embedder.embed_passages(texts(p.window.judged, _coming(p))) for p in used]
    centre = np.mean([one[0] for one in vectors], axis=0)
    weighed = np.array(
        [features(centre, p.window.judged, _coming(p), list(v)) for p, v in zip(used, vectors, strict=True)]
    )
    lines = [f"centre = {_numbers(centre)}", "", "[sorts]"]
    for sort in FITTED:
        labels = np.array([float(sort in point.labels) for point in used])
        lines.append(f"{sort.value} = {_numbers(_logistic(weighed, labels))}")
    corrected = [
        (v[0] - centre, _aspect(p)) for p, v in zip(used, vectors, strict=True) if Sort.CORRECTION in p.labels
    ]
    lines += ["", "[aspects]", *_aspects(corrected)]
    path = Path(innerlife.learning.heads.__path__[0]) / file
    path.write_text(pack(_card(embedder, languages), "\n".join(lines) + "\n"), "utf-8")


def _card(embedder: Embedder, languages: set[str]) -> str:
    """From what the weights were fitted, and how."""
    corpus = hashlib.sha256((FOLDER / "tuned.txt").read_bytes()).hexdigest()
    return "\n".join(
        (
            "# Written by `make bench-detectors ARGS=--fit`.",
            'fitted_on = "tests/learning/corpus/tuned.txt, conversations written and labelled for this project"',
            f'corpus_sha256 = "{corpus}"',
            f'languages = "{", ".join(sorted(languages))}"',
            'method = "ridge logistic regression by Newton\'s method (sorts), ridge regression (aspects)"',
            'seed = "none: nothing is drawn at random"',
            f'embedder = "{embedder.model}"',
        )
    )


def _coming(point: Point) -> Turn:
    assert point.window.next is not None
    return point.window.next


def _aspect(point: Point) -> str:
    aspects = point.labels[Sort.CORRECTION]
    return aspects[0].value if aspects else NO_ASPECT


def _logistic(weighed: Array, labels: Array) -> Array:
    """Ridge logistic regression by Newton's method; the last weight, that of the 1, is free."""
    ridge = np.full(weighed.shape[1], RIDGE)
    ridge[-1] = 1e-6
    rarity = min(RARE, float((labels == 0).sum() / max(1.0, labels.sum())))
    counts = np.where(labels > 0, rarity, 1.0)
    weights = np.zeros(weighed.shape[1])
    for _ in range(50):
        likely = 1 / (1 + np.exp(-weighed @ weights))
        slope = weighed.T @ (counts * (likely - labels)) + ridge * weights
        curve = (weighed * (counts * likely * (1 - likely))[:, None]).T @ weighed + np.diag(ridge)
        step = np.linalg.solve(curve, slope)
        weights -= step
        if float(np.abs(step).max()) < 1e-6:
            break
    return weights


def _aspects(corrected: list[tuple[Array, str]]) -> list[str]:
    """A line for each aspect: ridge regression of one against the rest."""
    rows = np.array([vector for vector, _ in corrected])
    names = sorted({name for _, name in corrected})
    there = np.array([[float(name == own) for name in names] for _, own in corrected])
    share = there.mean(axis=0)
    curve = rows.T @ rows + RIDGE_OF_ASPECTS * np.eye(rows.shape[1])
    weights = np.linalg.solve(curve, rows.T @ (there - share))
    return [f"{name} = {_numbers(np.append(weights[:, at], share[at]))}" for at, name in enumerate(names)]


def _numbers(values: Array) -> str:
    return "[" + ", ".join(f"{value:.4g}" for value in values) + "]"
