"""Small linear heads over an embedding model: what cues do not know how to say.

A head is a weighted sum of the new message's vector and of a few measures of how it stands to what it follows. It is
fitted on the project's labelled conversations. Where no head belongs to the model that serves, cues decide alone.

A file of heads begins with a card: from what they were fitted and how, for which embedder, and the SHA-256 of the
weights behind it.
"""

from __future__ import annotations

import hashlib
import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

import numpy as np

from innerlife.errors import ModelUnavailable
from innerlife.learning.likeness import in_common, shared
from innerlife.learning.terms import Aspect, Sort
from innerlife.learning.turns import Reading, Turn
from innerlife.ports import Vector

_STRETCH: Final = 4.0
"""How much the vector counts beside the measures: unit vectors are small numbers. By labelled conversations."""

ANSWER_READ: Final = 300
"""Characters of an answer that are embedded: whether it is beside the question shows at its beginning."""

NO_ASPECT: Final = "none"

_BEHIND_CARD: Final = "\n"
"""The empty line between a card and its weights."""


@dataclass(frozen=True, slots=True)
class Heads:
    """The heads of one model. `centre` is the mean vector of what they were fitted on."""

    model: str
    centre: Vector
    sorts: Mapping[Sort, Vector]
    aspects: Mapping[str, Vector]


@cache
def all_heads() -> dict[str, Heads]:
    """Every model's heads, by its name. Raises ModelUnavailable where a file is not as it was shipped."""
    found = (one for one in files("innerlife.learning.heads").iterdir() if one.name.endswith(".toml"))
    heads = [unpack(one.read_text("utf-8")) for one in found]
    return {one.model: one for one in heads}


def pack(card: str, weights: str) -> str:
    """The text of a file of heads: the card's lines, then the weights, both TOML without an empty line in the card."""
    return f'{card}\nsha256 = "{_checksum(weights)}"\n{_BEHIND_CARD}{weights}'


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
        {Sort(name): np.asarray(weights, np.float32) for name, weights in plain["sorts"].items()},
        {str(name): np.asarray(weights, np.float32) for name, weights in plain["aspects"].items()},
    )


def features(centre: Vector, judged: Turn, coming: Turn, vectors: Sequence[Vector]) -> Vector:
    """What a head weighs. `vectors` are those of the new message, the judged one and its answer. Ends with a 1."""
    new, said, answer = vectors
    measures = (
        math.log1p(len(coming.said)) / 5,
        float("?" in coming.said),
        shared(judged.said, coming.said),
        in_common(judged.said, coming.said),
        len(judged.answer) / 200,
        2 * float(new @ said),
        2 * float(new @ answer),
        1.0,
    )
    return np.concatenate([(new - centre) * _STRETCH, np.asarray(measures, np.float32)])


def read(heads: Heads, judged: Turn, coming: Turn, vectors: Sequence[Vector]) -> Reading:
    """What the heads make of a message that followed an answer."""
    weighed = features(heads.centre, judged, coming, vectors)
    likely = {sort: _share(float(weights @ weighed)) for sort, weights in heads.sorts.items()}
    centred = np.append(vectors[0] - heads.centre, np.float32(1.0))
    scores = {name: float(weights @ centred) for name, weights in heads.aspects.items()}
    best = max(scores, key=scores.__getitem__, default=NO_ASPECT)
    return Reading(likely, None if best == NO_ASPECT else Aspect(best))


Embed = Callable[[Sequence[str]], Sequence[Vector]]


def texts(judged: Turn, coming: Turn) -> tuple[str, str, str]:
    """The texts whose vectors `read` wants, in its order."""
    return coming.said, judged.said, judged.answer[:ANSWER_READ]


def _share(score: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, score))))
