"""Linear heads that read feedback: one for the answer (did it pass the question by?), one for each sort of message.

A head is one logistic regression over what cues find, how the message stands to question and answer, short runs of
words, and, where an embedding model serves, its vectors. Heads are fitted on the project's labelled conversations: one
file for words alone, one for each model.

A file of heads begins with a card: from what they were fitted and how, for which embedder, and the SHA-256 of the
weights behind it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

import numpy as np

from innerlife.errors import ModelUnavailable
from innerlife.learning.policy import LearningPolicy
from innerlife.learning.terms import Aspect, Sort
from innerlife.learning.turns import Reading, Window
from innerlife.learning.weighing import Weighed, of_answer, of_message
from innerlife.ports import Vector

WORDS: Final = "words"
"""The heads that need no embedding model."""

NO_ASPECT: Final = "none"

_BEHIND_CARD: Final = "\n"
"""The empty line between a card and its weights."""


@dataclass(frozen=True, slots=True)
class Head:
    """The weights of one: a weight for each number of `Weighed`."""

    names: tuple[str, ...]
    dense: Vector
    grams: Vector
    vectors: Vector

    def odds(self, weighed: Weighed) -> float:
        """Log odds."""
        found = self.dense @ weighed.dense + self.grams @ weighed.grams + self.vectors @ weighed.vectors
        return float(found)


@dataclass(frozen=True, slots=True)
class Heads:
    """The heads of one model. `centre` is the mean vector of what they were fitted on; empty for words alone."""

    model: str
    centre: Vector
    beside: Head
    sorts: Mapping[Sort, Head]
    aspects: Mapping[str, Vector]


@cache
def all_heads() -> dict[str, Heads]:
    """Every model's heads, by its name. Raises ModelUnavailable where a file is not as it was shipped."""
    found = (one for one in files("innerlife.learning.heads").iterdir() if one.name.endswith(".toml"))
    heads = [unpack(one.read_text("utf-8")) for one in found]
    return {one.model: one for one in heads}


def read(heads: Heads, window: Window, policy: LearningPolicy, vectors: Sequence[Vector] = ()) -> Reading:
    """What the heads make of what followed an answer. `vectors` are those of `weighing.texts`, none for words alone."""
    beside = heads.beside.odds(of_answer(window, heads.centre, vectors))
    if window.next is None:
        return Reading({Sort.ABANDONMENT: _share(beside)})
    weighed = of_message(window, policy, heads.centre, vectors, beside)
    likely = {sort: _share(head.odds(weighed)) for sort, head in heads.sorts.items()}
    return Reading(likely, _aspect(heads, vectors[2]) if len(vectors) else None)


def read_words(window: Window, policy: LearningPolicy) -> Reading:
    """What words alone tell. Raises ModelUnavailable where their file is damaged."""
    return read(all_heads()[WORDS], window, policy)


def _aspect(heads: Heads, new: Vector) -> Aspect | None:
    centred = np.append(new - heads.centre, np.float32(1.0))
    scores = {name: float(weights @ centred) for name, weights in heads.aspects.items()}
    best = max(scores, key=scores.__getitem__, default=NO_ASPECT)
    return None if best == NO_ASPECT else Aspect(best)


def _share(score: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, score))))


# --- files -----------------------------------------------------------------------------------------------------------


def pack(card: str, weights: str) -> str:
    """The text of a file of heads: the card's lines, then the weights, both TOML without an empty line in the card."""
    return f'{card}\nsha256 = "{_checksum(weights)}"\n{_BEHIND_CARD}{weights}'


def packed(head: Head) -> str:
    """The lines of one head: numbers of four digits, and runs of words in one byte each."""
    most = max(float(np.abs(head.grams).max()), 1e-9)
    bytes_ = np.round(head.grams / most * 127).astype(np.int8).tobytes()
    return "\n".join(
        (
            f"names = {json.dumps(list(head.names))}",
            f"dense = {numbers(head.dense)}",
            f"grams_unit = {most / 127:.4g}",
            f'grams = "{base64.b64encode(bytes_).decode("ascii")}"',
            f"vectors = {numbers(head.vectors)}",
        )
    )


def numbers(values: Vector) -> str:
    """A line of numbers, of four digits each."""
    return "[" + ", ".join(f"{float(value):.4g}" for value in values) + "]"


def unpack(text: str) -> Heads:
    """The heads that such a text holds. Raises ModelUnavailable where the weights are not those of the card."""
    card, _, weights = text.partition(f"\n{_BEHIND_CARD}")
    try:
        told = tomllib.loads(card)
    except tomllib.TOMLDecodeError:
        told = {}
    if told.get("sha256") != _checksum(weights):
        raise ModelUnavailable("The weights for noticing feedback are damaged", "Install Innerlife again.")
    return _heads_of(str(told["embedder"]), tomllib.loads(weights))


def _checksum(weights: str) -> str:
    return hashlib.sha256(weights.encode("utf-8")).hexdigest()


def _heads_of(embedder: str, plain: Mapping[str, Any]) -> Heads:
    return Heads(
        embedder,
        np.asarray(plain["centre"], np.float32),
        _head_of(plain["beside"]),
        {Sort(name): _head_of(one) for name, one in plain["sorts"].items()},
        {str(name): np.asarray(weights, np.float32) for name, weights in plain["aspects"].items()},
    )


def _head_of(plain: Mapping[str, Any]) -> Head:
    grams = np.frombuffer(base64.b64decode(plain["grams"]), np.int8).astype(np.float32)
    return Head(
        tuple(plain["names"]),
        np.asarray(plain["dense"], np.float32),
        grams * np.float32(plain["grams_unit"]),
        np.asarray(plain["vectors"], np.float32),
    )
