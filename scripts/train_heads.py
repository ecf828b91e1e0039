"""Trains the heads that read the tone of a message, and writes them where they are shipped.

    PYTHONPATH=src DATA=FOLDER python scripts/train_heads.py [--cache FILE.npy]

FOLDER holds goemotions-train.tsv and goemotions-labels.txt (GoEmotions, Demszky et al. 2020, Apache-2.0); nothing else
is read. Seeded: the same data give the same weights on one machine. Thresholds come from probabilities of sentences
that the folds they were read by had not seen. Embedding takes three minutes on one core and is kept in the cache.
"""

from __future__ import annotations

import argparse
import hashlib
import os
from collections import Counter
from pathlib import Path
from typing import Any, Dict, FrozenSet, List, Sequence, Tuple

import numpy as np

from innerlife.adapters.models import embedders
from innerlife.affect.heads import Heads, Layers, affect_of, indicators, pack, tokens, unpack, without_neutral
from innerlife.affect.valence import compound

TARGET = Path(__file__).resolve().parent.parent / "src" / "innerlife" / "affect"
SEED = 0
FOLDS = 5
WORDS = 1000
LEAST_COUNT = 12
HIDDEN = 64
EPOCHS = 20
BATCH = 256
RATE = 2e-3
DECAY = 1e-2
HIDDEN_DROPPED = 0.4
WORDS_DROPPED = 0.2
WORD_SIZE = 6.0
"""What a word's indicator counts while training, so that words learn as fast as the vector does."""


def sentences(folder: Path) -> Tuple[List[str], np.ndarray, Tuple[str, ...]]:
    """The texts, their labels (n, k) as 0 and 1, and the labels' names."""
    names = tuple((folder / "goemotions-labels.txt").read_text("utf-8").split())
    lines = (folder / "goemotions-train.tsv").read_text("utf-8").rstrip("\n").split("\n")
    rows = [line.split("\t") for line in lines]
    marks = np.zeros((len(rows), len(names)), np.float32)
    for row, (_, labels, _) in enumerate(rows):
        marks[row, [int(label) for label in labels.split(",")]] = 1.0
    return [text for text, _, _ in rows], marks, names


def embedded(texts: Sequence[str], cache: Path) -> np.ndarray:
    """Unit vectors of the texts (n, 384), from the cache where it fits."""
    if cache.exists():
        kept: np.ndarray = np.load(cache)
        if kept.shape == (len(texts), embedders.DIMENSION):
            return kept
    model = embedders.minilm()
    if model is None:
        raise SystemExit("The English embedding model is not installed.")
    vectors = np.empty((len(texts), embedders.DIMENSION), np.float32)
    # Texts of one length are embedded together, so that no time goes into padding.
    order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
    for start in range(0, len(order), 32):
        some = order[start : start + 32]
        vectors[some] = model.embed_passages([texts[place] for place in some])
    np.save(cache, vectors)
    return vectors


def telling(bags: Sequence[FrozenSet[str]], marks: np.ndarray) -> List[str]:
    """The words and pairs whose company of labels is farthest from chance, by the largest normal deviate."""
    counts = Counter(token for bag in bags for token in bag)
    names = sorted(token for token, count in counts.items() if count >= LEAST_COUNT)
    places = {token: place for place, token in enumerate(names)}
    together = np.zeros((len(names), marks.shape[1]))
    for bag, labels in zip(bags, marks):
        for token in bag:
            if token in places:
                together[places[token]] += labels
    times = np.array([counts[token] for token in names], float)[:, None]
    usual = marks.mean(axis=0)
    deviates = (together - times * usual) / np.sqrt(times * usual * (1.0 - usual) + 0.5)
    best = np.argsort(-np.abs(deviates).max(axis=1), kind="stable")[:WORDS]
    return [names[place] for place in best]


class Training:
    """One run of Adam with decoupled decay over a hidden layer on vectors and direct weights on words."""

    def __init__(self, vectors: np.ndarray, words: np.ndarray, marks: np.ndarray) -> None:
        self.random = np.random.default_rng(SEED)
        self.mean = vectors.mean(axis=0)
        self.vectors, self.words, self.marks = (vectors - self.mean) * 20.0, words, marks
        width, labels = vectors.shape[1], marks.shape[1]
        drawn = self.random.normal
        self.at: Dict[str, np.ndarray] = {
            "inner": drawn(0, (2 / width) ** 0.5, (width, HIDDEN)).astype(np.float32),
            "inner_bias": np.zeros(HIDDEN, np.float32),
            "outer": drawn(0, HIDDEN**-0.5, (HIDDEN, labels)).astype(np.float32),
            "bias": np.full(labels, -3.0, np.float32),
            "direct": np.zeros((words.shape[1], labels), np.float32),
        }
        self.first = {name: np.zeros_like(value) for name, value in self.at.items()}
        self.second = {name: np.zeros_like(value) for name, value in self.at.items()}

    def run(self) -> Layers:
        """Train; what was scaled or dropped while training is folded into the weights."""
        per_epoch = len(self.marks) // BATCH
        step, steps = 0, EPOCHS * per_epoch
        for _ in range(EPOCHS):
            order = self.random.permutation(len(self.marks))
            for number in range(per_epoch):
                some = order[number * BATCH : (number + 1) * BATCH]
                step += 1
                rate = RATE * (0.5 * (1.0 + np.cos(np.pi * step / steps)) + 0.01)
                self._move(self._slopes(some), step, rate)
        direct = self.at["direct"] * (WORD_SIZE * (1.0 - WORDS_DROPPED))
        rest = {name: value for name, value in self.at.items() if name != "direct"}
        return Layers(mean=self.mean.astype(np.float32), direct=direct.astype(np.float32), **rest)

    def _slopes(self, some: np.ndarray) -> Dict[str, np.ndarray]:
        at = self.at
        given, words = self.vectors[some], self.words[some] * WORD_SIZE
        words = words * (self.random.random(words.shape) > WORDS_DROPPED)
        before = given @ at["inner"] + at["inner_bias"]
        kept = (self.random.random(before.shape) > HIDDEN_DROPPED).astype(np.float32) / (1.0 - HIDDEN_DROPPED)
        hidden = np.maximum(before, 0.0) * kept
        logits = hidden @ at["outer"] + at["bias"] + words @ at["direct"]
        error = (1.0 / (1.0 + np.exp(-logits)) - self.marks[some]) / len(some)
        back = (error @ at["outer"].T) * (before > 0) * kept
        return {
            "inner": given.T @ back,
            "inner_bias": back.sum(axis=0),
            "outer": hidden.T @ error,
            "bias": error.sum(axis=0),
            "direct": words.T @ error,
        }

    def _move(self, slopes: Dict[str, np.ndarray], step: int, rate: float) -> None:
        for name, slope in slopes.items():
            self.first[name] = 0.9 * self.first[name] + 0.1 * slope
            self.second[name] = 0.999 * self.second[name] + 0.001 * slope**2
            way = self.first[name] / (1 - 0.9**step)
            way /= np.sqrt(self.second[name] / (1 - 0.999**step)) + 1e-8
            decay = 0.0 if name.endswith("bias") else DECAY
            self.at[name] -= (rate * (way + decay * self.at[name])).astype(np.float32)


def trained(texts: Sequence[str], vectors: np.ndarray, marks: np.ndarray, labels: Tuple[str, ...]) -> Heads:
    """Heads without thresholds."""
    chosen = {word: place for place, word in enumerate(telling([tokens(text) for text in texts], marks))}
    layers = Training(vectors, indicators(texts, chosen), marks).run()
    return Heads(labels, embedders.MiniLm.model, chosen, layers, np.full(len(labels), 0.5, np.float32))


def unseen(
    texts: Sequence[str], vectors: np.ndarray, marks: np.ndarray, labels: Tuple[str, ...]
) -> np.ndarray:
    """The probabilities (n, k) of each sentence by heads that were trained without it."""
    folds = np.random.default_rng(SEED).integers(0, FOLDS, len(texts))
    found = np.zeros_like(marks)
    for fold in range(FOLDS):
        inside, outside = np.flatnonzero(folds != fold).tolist(), np.flatnonzero(folds == fold).tolist()
        heads = trained([texts[place] for place in inside], vectors[inside], marks[inside], labels)
        found[outside] = heads.probabilities(vectors[outside], [texts[place] for place in outside])
    return found


def thresholds(probable: np.ndarray, marks: np.ndarray) -> np.ndarray:
    """For each label the probability from which on its F1 is best, smoothed over neighbouring ranks."""
    best = np.zeros(marks.shape[1], np.float32)
    for label in range(marks.shape[1]):
        order = np.argsort(-probable[:, label], kind="stable")
        right = np.cumsum(marks[order, label])
        score = 2 * right / (np.arange(1, len(order) + 1) + right[-1])
        width = max(3, int(right[-1] // 10) | 1)
        smooth = np.convolve(np.pad(score, width // 2, mode="edge"), np.ones(width) / width, "valid")
        best[label] = probable[order[int(np.argmax(smooth))], label]
    return best


def macro_f1(counts: np.ndarray, marks: np.ndarray) -> float:
    """The mean over the labels of F1."""
    right = (counts * marks).sum(axis=0)
    return float((2 * right / np.maximum(counts.sum(axis=0) + marks.sum(axis=0), 1)).mean())


def valence_shares(
    texts: Sequence[str], probable: np.ndarray, marks: np.ndarray, labels: Tuple[str, ...]
) -> Any:
    """How much of the heads' valence and of VADER's compound best gives that of what is labelled, by least squares.

    Of sentences that have a label beside neutral, since only such a one gives a cue.
    """
    felt = np.flatnonzero(without_neutral(labels, marks).any(axis=1)).tolist()
    own = affect_of(labels, without_neutral(labels, marks[felt]))[:, 0]
    read = affect_of(labels, without_neutral(labels, probable[felt]))[:, 0]
    lexical = np.array([compound(texts[place]) for place in felt], np.float32)
    return np.linalg.lstsq(np.stack([read, lexical], axis=1), own, rcond=None)[0]


def main() -> None:
    """Train, say how good it is on sentences not seen, write."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--cache", type=Path, default=Path("build/goemotions-train.npy"))
    cache = arguments.parse_args().cache
    folder = os.environ.get("DATA")
    if not folder:
        raise SystemExit("Say where the data lies: DATA=FOLDER")
    texts, marks, labels = sentences(Path(folder))
    cache.parent.mkdir(parents=True, exist_ok=True)
    vectors = embedded(texts, cache)
    probable = unseen(texts, vectors, marks, labels)
    levels = thresholds(probable, marks)
    print(
        "macro-F1 on unseen sentences of the training file: {:.4f}".format(
            macro_f1(probable >= levels, marks)
        )
    )
    print(
        "valence from heads and VADER: {}".format(np.round(valence_shares(texts, probable, marks, labels), 3))
    )
    heads = trained(texts, vectors, marks, labels)
    data = pack(Heads(heads.labels, heads.embedder, heads.words, heads.layers, levels))
    unpack(data, heads.embedder)
    (TARGET / "heads.npz").write_bytes(data)
    (TARGET / "heads.toml").write_text(
        "# Written by scripts/train_heads.py.\n"
        'trained_on = "GoEmotions, train (Demszky et al. 2020), Apache-2.0"\n'
        'embedder = "{}"\nseed = {}\nsha256 = "{}"\n'.format(
            heads.embedder, SEED, hashlib.sha256(data).hexdigest()
        )
    )
    print("{} bytes".format(len(data)))


if __name__ == "__main__":
    main()
