"""The weights fitted for the guard (`bench/guard_fitting.py`): of the features of sentences, and of beginnings."""

from __future__ import annotations

import hashlib
import io
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np

from innerlife.errors import ModelUnavailable

FILE: Final = "weights.npz"
CARD: Final = "weights.card.toml"
MOST: Final = 127
"""The largest weight as it is stored, in whole steps."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights in whole steps of which size is all the same; what is not among them weighs nothing.

    A sentence announces where the sum of its features reaches `threshold`; it may still come to announce while the sum
    of its beginning stays at or above `gate`, or, for a clause further in, `clause`. Only a clause that begins with one
    of `openings` does; "" among them stands for every word.
    """

    sentence: Mapping[str, int]
    threshold: int
    beginning: Mapping[str, int]
    gate: int
    clause: int
    openings: frozenset[str] = frozenset()


@cache
def weights() -> Weights:
    """The weights that come with the program. Raises ModelUnavailable where the file is not the one shipped."""
    folder = files("innerlife.affect.guard.meaning")
    card = tomllib.loads((folder / CARD).read_text("utf-8"))
    data = (folder / FILE).read_bytes()
    if hashlib.sha256(data).hexdigest() != card["sha256"]:
        raise ModelUnavailable("The weights of the guard are damaged", "Install Innerlife again.")
    return unpack(data)


def pack(told: Weights) -> bytes:
    """The bytes of a file that `unpack` reads, without loss."""
    stored = {"limits": np.array([told.threshold, told.gate, told.clause], np.int32)}
    for name, values in (("sentence", told.sentence), ("beginning", told.beginning)):
        stored[f"{name}_names"] = np.frombuffer("\n".join(values).encode("utf-8"), np.uint8)
        stored[name] = np.array(list(values.values()), np.int8)
    stored["openings"] = np.frombuffer("\n".join(sorted(told.openings)).encode("utf-8"), np.uint8)
    out = io.BytesIO()
    np.savez_compressed(out, allow_pickle=False, **stored)
    return out.getvalue()


def unpack(data: bytes) -> Weights:
    """Weights from the bytes of their file."""
    with np.load(io.BytesIO(data), allow_pickle=False) as stored:
        threshold, gate, clause = stored["limits"].tolist()
        sentence, beginning = (
            dict(
                zip(
                    bytes(stored[f"{name}_names"]).decode("utf-8").split("\n"),
                    stored[name].tolist(),
                    strict=True,
                )
            )
            for name in ("sentence", "beginning")
        )
        openings = frozenset(bytes(stored["openings"]).decode("utf-8").split("\n"))
    return Weights(sentence, threshold, beginning, gate, clause, openings)
