"""What a head weighs of a window: three blocks of numbers. Pure; the same where heads are fitted and where they read.

- `dense`: the marks by name, products of those that mean something only together, how near the texts are, and a 1.
- `grams`: the places of the message's and the answer's short runs of words.
- `vectors`: the embedding model's, where one serves; else empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from innerlife.learning.grams import answer_grams, message_grams
from innerlife.learning.marks import Marks, answer_marks, message_marks
from innerlife.learning.policy import LearningPolicy
from innerlife.learning.turns import Window
from innerlife.ports import Vector

ANSWER_READ: Final = 300
"""Characters of an answer that are embedded: whether it is beside the question shows at its beginning."""

BESIDE: Final = "beside"
"""The mark that says how likely the answer passed the question by: log odds, cut at `_SUREST`, as a share of that."""

_SUREST: Final = 6.0

_TOGETHER: Final = (
    ("beside", "asks"), ("beside", "question_again"), ("beside", "of_question"), ("beside", "fresh"),
    ("beside", "words_7"), ("beside", "set_against"), ("beside", "no_content"), ("beside", "cue_asks_on"),
    ("beside", "another_thing"), ("beside", "same_order"), ("beside", "of_answer"), ("beside", "cue_thanks"),
    ("shared", "asks"), ("question_again", "asks"), ("another_thing", "asks"), ("same_order", "asks"),
)  # fmt: skip
"""Marks that mean something together: a question that takes up words after an answer that passed it by is a re-ask."""

_NEAR_TOGETHER: Final = (("near_question", "asks"), ("beside", "near_question"), ("beside", "near_answer"))


@dataclass(frozen=True, slots=True)
class Weighed:
    """The blocks, and the names of the dense one; it ends with a 1, which has no name."""

    names: tuple[str, ...]
    dense: Vector
    grams: Vector
    vectors: Vector


def texts(window: Window) -> tuple[str, ...]:
    """The texts whose vectors are weighed: the question, its answer, and the new message if there is one."""
    heard = (window.judged.said, window.judged.answer[:ANSWER_READ])
    return (*heard, window.next.said) if window.next else heard


def of_answer(window: Window, centre: Vector, vectors: Sequence[Vector]) -> Weighed:
    """What tells whether the answer passed the question by. `vectors` are those of `texts`, or none."""
    marks = answer_marks(window)
    if not len(vectors):
        return _weighed(marks, answer_grams(window), ())
    said, answer = vectors[0] - centre, vectors[1] - centre
    marks["answer_near_question"] = float(vectors[0] @ vectors[1])
    return _weighed(marks, answer_grams(window), (answer, said, _TOWARDS * said * answer))


_TOWARDS: Final = np.float32(16.0)
"""Brings the product of two vectors, place by place, to the length of a vector. By their mean length."""


def of_message(
    window: Window, policy: LearningPolicy, centre: Vector, vectors: Sequence[Vector], beside: float
) -> Weighed:
    """What tells how a message judges the answer. `beside` are the log odds that the answer passed the question by."""
    marks = answer_marks(window) | message_marks(window, policy)
    marks[BESIDE] = max(-_SUREST, min(_SUREST, beside)) / _SUREST
    together: tuple[tuple[str, str], ...] = _TOGETHER
    if len(vectors):
        said, answer, new = vectors
        marks["near_question"], marks["near_answer"] = float(new @ said), float(new @ answer)
        marks["answer_near_question"] = float(said @ answer)
        together += _NEAR_TOGETHER
    marks |= {f"{one} and {other}": marks[one] * marks[other] for one, other in together}
    grams = np.concatenate([message_grams(window), answer_grams(window)])
    return _weighed(marks, grams, (vectors[2] - centre, vectors[1] - centre) if len(vectors) else ())


def _weighed(marks: Marks, grams: Vector, vectors: Sequence[Vector]) -> Weighed:
    dense = np.asarray([*marks.values(), 1.0], np.float32)
    return Weighed(
        tuple(marks), dense, grams, np.concatenate(vectors) if vectors else np.empty(0, np.float32)
    )
