"""Caps when written, not when read: a longer text is refused with its size, and the last one stands (W2, S11)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from innerlife.errors import BadInput

Measure = Callable[[str], int]
"""How many tokens a text takes in a prompt, roughly."""

_CHARACTERS = 20_000
"""Beyond this nothing is measured: no cap is a tenth of it."""


@dataclass(frozen=True, slots=True)
class Size:
    """What a text takes, and the most it may take, in tokens (promise S11)."""

    used: int
    most: int

    def __str__(self) -> str:
        return f"{self.used} of {self.most} tokens"


def fitting(text: str, most: int, what: str, measure: Measure) -> tuple[str, Size]:
    """The text without space around it, and its size. Raises BadInput for an empty or too long one."""
    text = text.strip()
    if not text:
        raise BadInput(f"{what} cannot be empty", "What stood before stands.")
    if len(text) > _CHARACTERS:
        raise BadInput(
            f"{what} has {len(text):,} characters, far more than {most} tokens",
            "Shorten it; what stood before stands.",
        )
    used = measure(text)
    if used > most:
        raise BadInput(
            f"{what} takes {used} tokens, and {most} is the most", "Shorten it; what stood before stands."
        )
    return text, Size(used, most)


def shortened(text: str, most: int, measure: Measure) -> str:
    """The beginning of a text that takes at most `most` tokens, cut at a word: for what nobody wrote as a whole."""
    text = " ".join(text.split())[:_CHARACTERS]
    while measure(text) > most:
        keep = max(1, len(text) * most // (measure(text) + 1))
        text = f"{text[:keep].rsplit(' ', 1)[0].rstrip(' ….,;:')[: keep - 1]}…"
    return text
