"""Small heads over the English embedder: twenty-eight labels of emotion, and from them valence, arousal, dominance.

A hidden layer over the message's vector, and a direct weight for each of a thousand telling words; trained by
`scripts/train_heads.py` on GoEmotions (Demszky et al. 2020, Apache-2.0). The labels are a way to the dimensions and are
shown to nobody (promise A1: a category is only derived).
"""

from __future__ import annotations

import hashlib
import io
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from innerlife.affect.cues import Affect
from innerlife.affect.folding import fold
from innerlife.errors import ModelUnavailable

Floats = NDArray[np.float32]

PLACES: Final[dict[str, tuple[float, float, float]]] = {
    "admiration": (0.6, 0.2, 0.1), "amusement": (0.7, 0.4, 0.3), "anger": (-0.6, 0.7, 0.3),
    "annoyance": (-0.5, 0.4, 0.1), "approval": (0.4, 0.0, 0.3), "caring": (0.5, 0.0, 0.2),
    "confusion": (-0.2, 0.2, -0.4), "curiosity": (0.2, 0.3, 0.0), "desire": (0.4, 0.5, 0.0),
    "disappointment": (-0.5, -0.1, -0.3), "disapproval": (-0.4, 0.2, 0.2), "disgust": (-0.6, 0.4, 0.1),
    "embarrassment": (-0.5, 0.3, -0.5), "excitement": (0.8, 0.8, 0.4), "fear": (-0.6, 0.7, -0.6),
    "gratitude": (0.7, 0.2, 0.1), "grief": (-0.8, 0.1, -0.6), "joy": (0.8, 0.5, 0.4), "love": (0.8, 0.5, 0.3),
    "nervousness": (-0.5, 0.6, -0.5), "optimism": (0.6, 0.3, 0.4), "pride": (0.7, 0.4, 0.6),
    "realization": (0.1, 0.1, 0.1), "relief": (0.5, -0.2, 0.2), "remorse": (-0.5, 0.0, -0.5),
    "sadness": (-0.7, -0.1, -0.5), "surprise": (0.1, 0.6, -0.2), "neutral": (0.0, -0.3, 0.0),
}  # fmt: skip
"""Where each label lies in valence, arousal, dominance, on [-1, 1].

Judgements of this project after Russell's circumplex (1980) and Mehrabian (1996); fitted to no ratings.
"""

NEUTRAL: Final = "neutral"
_FELT: Final = 0.4
_TOKEN: Final = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*|[!?]+|[^\w\s]")
_SPREAD: Final = np.float32(20.0)
"""Brings the entries of a unit vector of 384 dimensions to about one."""


@dataclass(frozen=True, slots=True)
class Layers:
    """The weights, for a vector of `d`, `h` hidden units, `w` words and `k` labels.

    `mean` (d,), `inner` (d, h), `inner_bias` (h,), `outer` (h, k), `bias` (k,), `direct` (w, k).
    """

    mean: Floats
    inner: Floats
    inner_bias: Floats
    outer: Floats
    bias: Floats
    direct: Floats

    def logits(self, vectors: Floats, words: Floats) -> Floats:
        """Of vectors (n, d) and word indicators (n, w), the logits (n, k)."""
        hidden = np.maximum((vectors - self.mean) * _SPREAD @ self.inner + self.inner_bias, 0.0)
        return np.asarray(hidden @ self.outer + self.bias + words @ self.direct, np.float32)


@dataclass(frozen=True, slots=True)
class Heads:
    """Trained heads. `embedder` names the model whose vectors they read; `thresholds` (k,) is where a label counts."""

    labels: tuple[str, ...]
    embedder: str
    words: Mapping[str, int]
    layers: Layers
    thresholds: Floats

    def probabilities(self, vectors: Floats, texts: Sequence[str]) -> Floats:
        """Of unit vectors (n, d) and their texts the probability of each label, (n, k), each in (0, 1)."""
        logits = self.layers.logits(vectors, indicators(texts, self.words))
        return np.asarray(1.0 / (1.0 + np.exp(-np.clip(logits, -30.0, 30.0))), np.float32)


def tokens(text: str) -> frozenset[str]:
    """The words and marks of a text, and each two in a row, folded."""
    words = _TOKEN.findall(fold(text))
    return frozenset(words) | {f"{one} {other}" for one, other in pairwise(words)}


def indicators(texts: Sequence[str], words: Mapping[str, int]) -> Floats:
    """Which of `words` each text has, (n, w), as 0 and 1."""
    found = np.zeros((len(texts), len(words)), np.float32)
    for row, text in enumerate(texts):
        found[row, [words[token] for token in tokens(text) if token in words]] = 1.0
    return found


def affect_of(labels: Sequence[str], probabilities: Floats) -> Floats:
    """Valence, arousal, dominance (n, 3) as the mean of the labels' places weighted by their probabilities (n, k)."""
    places = np.array([PLACES[label] for label in labels], np.float32)
    return np.asarray(probabilities @ places / probabilities.sum(axis=1, keepdims=True), np.float32)


@dataclass(frozen=True, slots=True)
class Tone:
    """What the heads make of a text: where it lies if it is not neutral, and how much speaks for that, in [0, 1]."""

    affect: Affect
    stirred: float


def tone_of(heads: Heads, vector: Floats, text: str) -> Tone | None:
    """The tone of a text with its unit vector (d,); None where no label of feeling counts, or the vector is none."""
    if vector.shape != heads.layers.mean.shape or not np.isfinite(vector).all():
        return None
    probable = heads.probabilities(vector.reshape(1, -1), [text])
    if not any(probable[0, place] >= heads.thresholds[place] for place in _felt(heads.labels)):
        return None
    stirred = without_neutral(heads.labels, probable)
    valence, arousal, dominance = (round(float(value), 3) for value in affect_of(heads.labels, stirred)[0])
    return Tone(Affect(valence, arousal, dominance), round(float(stirred.sum() / probable.sum()), 3))


def without_neutral(labels: Sequence[str], probabilities: Floats) -> Floats:
    """Probabilities (n, k) with that of the neutral label taken out."""
    return np.asarray(probabilities * (np.array(labels) != NEUTRAL), np.float32)


def _felt(labels: Sequence[str]) -> list[int]:
    """Labels that tell of a feeling. What lies near the middle, such as curiosity, is how anybody asks anything."""
    return [
        place
        for place, label in enumerate(labels)
        if label != NEUTRAL and max(map(abs, PLACES[label])) >= _FELT
    ]


@cache
def shipped() -> Heads:
    """The heads that come with the program. Raises ModelUnavailable where the file is not the one that was shipped."""
    folder = files("innerlife.affect")
    card = tomllib.loads((folder / "heads.toml").read_text("utf-8"))
    data = (folder / "heads.npz").read_bytes()
    if hashlib.sha256(data).hexdigest() != card["sha256"]:
        raise ModelUnavailable("The weights for reading tone are damaged", "Install Innerlife again.")
    return unpack(data, card["embedder"])


def unpack(data: bytes, embedder: str) -> Heads:
    """Heads from the bytes of their file: eight-bit weights with a factor for each column, the rest in sixteen bits."""
    with np.load(io.BytesIO(data), allow_pickle=False) as stored:
        plain = {name: stored[name] for name in stored.files}
    whole = {
        name: plain[name].astype(np.float32) * plain[f"{name}_scale"].astype(np.float32)
        for name in ("inner", "outer", "direct")
    }
    rest = {name: plain[name].astype(np.float32) for name in ("mean", "inner_bias", "bias")}
    words = bytes(plain["words"]).decode("utf-8").split("\n")
    labels = tuple(bytes(plain["labels"]).decode("utf-8").split("\n"))
    layers = Layers(**whole, **rest)
    places = {word: place for place, word in enumerate(words)}
    return Heads(labels, embedder, places, layers, plain["thresholds"].astype(np.float32))


def pack(heads: Heads) -> bytes:
    """The bytes of a file that `unpack` reads; rounding to eight bits is the only loss."""
    stored: dict[str, NDArray[np.generic]] = {}
    for name in ("inner", "outer", "direct"):
        matrix = getattr(heads.layers, name)
        scale = (np.maximum(np.abs(matrix).max(axis=0), 1e-6) / 127.0).astype(np.float16)
        factor = np.maximum(scale.astype(np.float32), 1e-6)
        stored[name] = np.clip(np.rint(matrix / factor), -127, 127).astype(np.int8)
        stored[f"{name}_scale"] = scale
    for name in ("mean", "inner_bias", "bias"):
        stored[name] = getattr(heads.layers, name).astype(np.float16)
    stored["thresholds"] = heads.thresholds.astype(np.float16)
    stored["words"] = np.frombuffer("\n".join(heads.words).encode("utf-8"), np.uint8)
    stored["labels"] = np.frombuffer("\n".join(heads.labels).encode("utf-8"), np.uint8)
    out = io.BytesIO()
    np.savez_compressed(out, allow_pickle=False, **stored)
    return out.getvalue()
