"""What a cosine of an embedding model means: measured by pairs of sentences, since models differ widely (design §7)."""

from __future__ import annotations

import hashlib
import json
import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from itertools import combinations
from statistics import fmean, pstdev

import numpy as np

from innerlife.ports import Embedder, Vector

APART = 3.0
"""Pooled deviations by which what means the same must be nearer than what has nothing in common. Our choice: English
models reach 2 to 5 in other languages, because names and foreign words look alike, and 6 to 9 in their own."""

TOLD = 1.5
"""The same towards what is about the same: an English model stays below 1 in other languages, 2.4 and more is usual."""

_LEAST = 1e-3
_TOGETHER = 8


@dataclass(frozen=True, slots=True)
class Calibration:
    """What the cosines of one model say.

    `near`: from this cosine on two texts are about the same; `same`: from here on they say the same. `mean`,
    `deviation`: those of texts that have nothing in common. `languages`: those in which the model tells these apart.
    `degenerate`: it does so in none, so nothing may be gated by it; then `near` and `same` are 1.
    """

    model: str
    near: float
    same: float
    degenerate: bool
    mean: float = 0.0
    deviation: float = 1.0
    languages: tuple[str, ...] = ()

    def written(self) -> str:
        """As text that `read` understands."""
        return json.dumps({**asdict(self), "pairs": pairs_digest()})


@dataclass(frozen=True, slots=True)
class Cosines:
    """Of one language: pairs that mean the same, are about the same, have nothing in common."""

    same: tuple[float, ...]
    near: tuple[float, ...]
    apart: tuple[float, ...]


def read(text: str | None) -> Calibration | None:
    """A calibration that was kept; None where there is none or other pairs measured it."""
    if text is None:
        return None
    kept = json.loads(text)
    if kept.pop("pairs", "") != pairs_digest():
        return None
    return Calibration(**{**kept, "languages": tuple(kept["languages"])})


def calibrate(embedder: Embedder) -> Calibration:
    """Measure a model by the pairs; embeds some seventy short texts. Raises ModelUnavailable."""
    return judged(
        embedder.model,
        {language: measured(embedder.embed_passages, entries) for language, entries in pairs().items()},
    )


def measured(embed: Callable[[Sequence[str]], Vector], entries: Sequence[Mapping[str, str]]) -> Cosines:
    """The cosines of one language's entries."""
    texts = [entry[part] for part in ("text", "same", "near") for entry in entries]
    # A few at a time, so that a question that is asked meanwhile waits no longer than for a message.
    parts = [embed(texts[start : start + _TOGETHER]) for start in range(0, len(texts), _TOGETHER)]
    text, same, near = np.concatenate(parts).reshape(3, len(entries), -1)
    return Cosines(
        tuple(map(float, (text * same).sum(axis=1))),
        tuple(map(float, (text * near).sum(axis=1))),
        tuple(float(one @ other) for one, other in combinations(text, 2)),
    )


def judged(model: str, found: Mapping[str, Cosines]) -> Calibration:
    """The thresholds of a model by its cosines in several languages. Pure."""
    known = {language: cosines for language, cosines in found.items() if _told_apart(cosines)}
    if not known:
        return Calibration(model, 1.0, 1.0, degenerate=True)
    same = [cosine for cosines in known.values() for cosine in cosines.same]
    near = [cosine for cosines in known.values() for cosine in cosines.near]
    apart = [cosine for cosines in known.values() for cosine in cosines.apart]
    return Calibration(
        model,
        near=_between(apart, near),
        same=_between(near, same),
        degenerate=False,
        mean=fmean(apart),
        deviation=max(pstdev(apart), _LEAST),
        languages=tuple(sorted(known)),
    )


@cache
def pairs() -> dict[str, list[dict[str, str]]]:
    """The shipped sentences by language."""
    return tomllib.loads(_shipped())


@cache
def pairs_digest() -> str:
    """Changes with the shipped sentences, so that what other ones measured is measured again."""
    return hashlib.sha256(_shipped().encode()).hexdigest()[:16]


def _shipped() -> str:
    return (files("innerlife.recall") / "pairs.toml").read_text("utf-8")


def _told_apart(cosines: Cosines) -> bool:
    if not all(map(math.isfinite, (*cosines.same, *cosines.near, *cosines.apart))):
        return False
    return _distance(cosines.same, cosines.apart) >= APART and _distance(cosines.same, cosines.near) >= TOLD


def _distance(upper: Sequence[float], lower: Sequence[float]) -> float:
    """In pooled standard deviations."""
    spread = math.sqrt((pstdev(upper) ** 2 + pstdev(lower) ** 2) / 2)
    return (fmean(upper) - fmean(lower)) / max(spread, _LEAST)


def _between(lower: Sequence[float], upper: Sequence[float]) -> float:
    """Where two groups part: as many of its own deviations from the one as from the other."""
    below, above = max(pstdev(lower), _LEAST), max(pstdev(upper), _LEAST)
    return (fmean(lower) * above + fmean(upper) * below) / (below + above)
