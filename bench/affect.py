"""How well the tone of a message is read without a language model, and how fast (promises A1, A6).

    python -m bench.affect DATA         DATA: a folder with emobank-dev.csv, goemotions-train.tsv, goemotions-dev.tsv
                                        and goemotions-labels.txt

Pearson's r with the ratings of EmoBank (its part "dev", and all of the file), which nothing was fitted to; macro-F1
over the 28 labels of GoEmotions, part dev. Beside it, in the same run: VADER alone, and a bag of words trained on the
same training file. With build/goemotions-train.npy, which `scripts/train_heads.py` leaves there, linear heads over the
vector alone as well.
"""

from __future__ import annotations

import csv
import os
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from bench.harness import figures, report, table, timed
from innerlife.adapters.models.embedders import DIMENSION, minilm
from innerlife.affect.features import features_of
from innerlife.affect.habits import Habits, learned
from innerlife.affect.heads import Floats, affect_of, indicators, shipped, tokens, without_neutral
from innerlife.affect.read import glance, glimpse, read
from innerlife.affect.reading_policy import ReadingPolicy
from innerlife.affect.said import Said
from innerlife.affect.valence import compound

FILES = ("emobank-dev.csv", "goemotions-train.tsv", "goemotions-dev.tsv", "goemotions-labels.txt")
TRAIN_VECTORS = Path("build/goemotions-train.npy")
HELD_OUT = 8
"""Of the training file one sentence in so many is held out, for the baselines' thresholds."""

TALK = {
    "English": "I think I'm so tired of it, and my sister said she would help me when she is back. I was at the wall, "
    "and I feel like the roses are not happy there; is it worth it? I can't see how, but I'm working on it. ",
    "Spanish": "Estoy cansada de esto, y mi hermana me dijo que me ayudaría cuando vuelva. Estaba junto a la pared, y "
    "me siento mejor si no tengo que ir; ¿vale la pena? No sé cómo, pero sigo con ello y me preocupa. ",
}
"""Talk about oneself: of all texts the one that takes longest to read."""

WORDS = 3000
EPOCHS = 12
BATCH = 256
Inputs = Callable[[Sequence[int]], Floats]


@dataclass(frozen=True)
class Labelled:
    """Sentences of GoEmotions with their labels (n, k) as 0 and 1."""

    texts: list[str]
    marks: Floats


@dataclass(frozen=True)
class Rated:
    """Sentences of EmoBank with their ratings (n, 3), and which of them are its part "dev"."""

    texts: list[str]
    ratings: Floats
    dev: np.ndarray[Any, np.dtype[np.bool_]]


def labelled(path: Path, count: int) -> Labelled:
    """Read a file of GoEmotions."""
    rows = [line.split("\t") for line in path.read_text("utf-8").rstrip("\n").split("\n")]
    marks = np.zeros((len(rows), count), np.float32)
    for row, (_, labels, _) in enumerate(rows):
        marks[row, [int(label) for label in labels.split(",")]] = 1.0
    return Labelled([text for text, _, _ in rows], marks)


def rated(path: Path) -> Rated:
    """Read the file of EmoBank."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    ratings = np.array([[float(row[name]) for name in "VAD"] for row in rows], np.float32)
    return Rated([row["text"] for row in rows], ratings, np.array([row["split"] == "dev" for row in rows]))


def embedded(texts: Sequence[str]) -> Floats:
    """Unit vectors, texts of one length together."""
    model = minilm()
    assert model is not None, "the English embedding model is not installed"
    found = np.empty((len(texts), DIMENSION), np.float32)
    order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
    for start in range(0, len(order), 32):
        some = order[start : start + 32]
        found[some] = model.embed_passages([texts[place] for place in some])
    return found


def logistic(inputs: Inputs, width: int, marks: Floats, inside: Sequence[int]) -> tuple[Floats, Floats]:
    """Weights (width, k) and bias (k,) of one logistic regression for each label, by Adam."""
    drawn = np.random.default_rng(0)
    at = [np.zeros((width, marks.shape[1]), np.float32), np.full(marks.shape[1], -3.0, np.float32)]
    first, second = [np.zeros_like(one) for one in at], [np.zeros_like(one) for one in at]
    steps = EPOCHS * (len(inside) // BATCH)
    order: list[int] = []
    for step in range(1, steps + 1):
        order = order if len(order) >= BATCH else drawn.permutation(inside).tolist()
        some, order = order[:BATCH], order[BATCH:]
        given = inputs(some)
        error = (1.0 / (1.0 + np.exp(-(given @ at[0] + at[1]))) - marks[some]) / BATCH
        rate = 0.005 * (0.5 * (1.0 + np.cos(np.pi * step / steps)) + 0.01)
        for place, slope in enumerate((given.T @ error, error.sum(axis=0))):
            first[place] = 0.9 * first[place] + 0.1 * slope
            second[place] = 0.999 * second[place] + 0.001 * slope**2
            way = first[place] / (1 - 0.9**step) / (np.sqrt(second[place] / (1 - 0.999**step)) + 1e-8)
            at[place] -= (rate * (way + (0.001 * at[place] if place == 0 else 0.0))).astype(np.float32)
    return at[0], at[1]


@dataclass(frozen=True)
class Baseline:
    """A trained plain alternative: probabilities (n, k) of texts, and its thresholds (k,)."""

    probable: Callable[[Sequence[str], Floats], Floats]
    thresholds: Floats


def baseline(train: Labelled, inputs: Callable[[Sequence[str], Floats], Floats], vectors: Floats) -> Baseline:
    """A logistic regression on seven eighths of the training file, thresholds on the last."""
    inside = [place for place in range(len(train.texts)) if place % HELD_OUT]
    outside = list(range(0, len(train.texts), HELD_OUT))

    def some(places: Sequence[int]) -> Floats:
        return inputs([train.texts[place] for place in places], vectors[list(places)])

    weights, bias = logistic(some, some([0]).shape[1], train.marks, inside)

    def probable(texts: Sequence[str], given: Floats) -> Floats:
        return np.asarray(1.0 / (1.0 + np.exp(-(inputs(texts, given) @ weights + bias))), np.float32)

    seen = probable([train.texts[place] for place in outside], vectors[outside])
    return Baseline(probable, best_thresholds(seen, train.marks[outside]))


def best_thresholds(probable: Floats, marks: Floats) -> Floats:
    """For each label the probability from which on its F1 is best."""
    found = np.zeros(marks.shape[1], np.float32)
    for label in range(marks.shape[1]):
        order = np.argsort(-probable[:, label], kind="stable")
        right = np.cumsum(marks[order, label])
        score = 2 * right / (np.arange(1, len(order) + 1) + right[-1])
        found[label] = probable[order[int(np.argmax(score))], label]
    return found


def macro_f1(counts: np.ndarray[Any, Any], marks: Floats) -> float:
    """The mean over the labels of F1."""
    right = (counts * marks).sum(axis=0)
    return float((2 * right / np.maximum(counts.sum(axis=0) + marks.sum(axis=0), 1)).mean())


def correlations(read_as: Floats, bank: Rated) -> dict[str, float]:
    """Pearson's r by dimension, on the part dev and on all; NaN where a reading says nothing of a dimension."""
    found = {}
    for part, chosen in (("dev", bank.dev), ("all", np.ones_like(bank.dev))):
        for place, name in enumerate(("valence", "arousal", "dominance")):
            column = read_as[chosen, place]
            told = np.isfinite(column).all()
            r = float(np.corrcoef(column, bank.ratings[chosen, place])[0, 1]) if told else float("nan")
            found[f"{name} {part}"] = r
    return found


def quality(folder: Path) -> dict[str, dict[str, float]]:
    """Every reader's figures."""
    labels = tuple((folder / FILES[3]).read_text("utf-8").split())
    train, dev = (labelled(folder / name, len(labels)) for name in FILES[1:3])
    bank = rated(folder / FILES[0])
    dev_vectors, bank_vectors = embedded(dev.texts), embedded(bank.texts)
    rows: dict[str, dict[str, float]] = {}

    def add(name: str, bank_probable: Floats, dev_counts: np.ndarray[Any, Any]) -> None:
        rows[name] = {"macro-F1": macro_f1(dev_counts, dev.marks)}
        rows[name] |= correlations(affect_of(labels, bank_probable), bank)

    common = Counter(word for text in train.texts for word in tokens(text) if " " not in word)
    places = {word: place for place, (word, _) in enumerate(common.most_common(WORDS))}
    nothing = np.zeros((len(train.texts), 1), np.float32)
    bag = baseline(train, lambda texts, _: indicators(texts, places), nothing)
    add("bag of words", bag.probable(bank.texts, nothing), bag.probable(dev.texts, nothing) >= bag.thresholds)
    vader = SentimentIntensityAnalyzer()
    alone = np.full((len(bank.texts), 3), np.nan, np.float32)
    alone[:, 0] = [vader.polarity_scores(text)["compound"] for text in bank.texts]
    rows["VADER"] = {"macro-F1": float("nan"), **correlations(alone, bank)}
    if TRAIN_VECTORS.exists():
        linear = baseline(train, lambda _, given: given * np.float32(20.0), np.load(TRAIN_VECTORS))
        add(
            "linear, vector alone",
            linear.probable([], bank_vectors),
            linear.probable([], dev_vectors) >= linear.thresholds,
        )
    heads = shipped()
    told = heads.probabilities(bank_vectors, bank.texts)
    counts = heads.probabilities(dev_vectors, dev.texts) >= heads.thresholds
    add("heads", told, counts)
    policy = ReadingPolicy()
    lexical = policy.words_valence * np.array([compound(text) for text in bank.texts], np.float32)
    for name, probable in (
        ("heads and VADER", told),
        ("the same, neutral left out", without_neutral(labels, told)),
    ):
        place = affect_of(labels, probable)
        place[:, 0] = policy.heads_valence * place[:, 0] + lexical
        rows[name] = {"macro-F1": macro_f1(counts, dev.marks), **correlations(place, bank)}
    return rows


def speed(texts: Sequence[str]) -> dict[str, Any]:
    """Seconds for one message, by somebody whose habits are known; embedding is left out."""
    policy, at = ReadingPolicy(), datetime(2026, 3, 2, 9, tzinfo=UTC)
    habits = Habits()
    for number, text in enumerate(texts[:500]):
        said = Said(text, at + timedelta(hours=number), UTC)
        habits = learned(habits, features_of(said, policy), policy)
    vector = np.full(DIMENSION, DIMENSION**-0.5, np.float32)
    messages = [Said(text, at, UTC) for text in texts]
    glance(messages[0], habits)
    read(messages[0], habits, vector)
    long = Said(" ".join(texts)[:50_000], at, UTC)
    lengths = {
        f"glance, {size:,} characters of {name}": figures(
            [timed(partial(glimpse, Said((text * 40)[:size], at, UTC), habits)) for _ in range(200)]
        )
        for name, text in TALK.items()
        for size in (1_000, 4_000)
    }
    return {
        **lengths,
        "glance": figures([timed(partial(glance, one, habits)) for one in messages]),
        "read, vector given": figures([timed(partial(read, one, habits, vector)) for one in messages]),
        "glance, 50 KB": figures([timed(partial(glance, long, habits)) for _ in range(200)]),
    }


def main() -> None:
    """Measure and print."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("DATA", ""))
    if not all((folder / name).is_file() for name in FILES):
        sys.stdout.write(f"bench.affect needs DATA=, the folder of {', '.join(FILES)}; skipped\n")
        return
    rows = quality(folder)
    header = ["", *next(iter(rows.values()))]
    cells = [
        [name, *("–" if np.isnan(value) else f"{value:.3f}" for value in values.values())]
        for name, values in rows.items()
    ]
    times = speed(rated(folder / FILES[0]).texts[:2000])
    text = table("Reading tone", header, cells)
    text += "\n\n" + table(
        "Speed, ms", ["", "p50", "p95", "p99"], [[name, *one.cells()] for name, one in times.items()]
    )
    report("affect", text, {"rows": rows, "ms": {name: asdict(one) for name, one in times.items()}})


if __name__ == "__main__":
    main()
