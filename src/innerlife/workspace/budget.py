"""Fitting texts into a number of tokens without cutting anything so that it would read differently."""

from __future__ import annotations

import re
from collections.abc import Callable

from innerlife.workspace.tokens import estimate_tokens

# A sentence ends with its mark and what closes it, before a space; scripts without spaces need none.
_SENTENCE_END = re.compile(r"[.!?…؟।]+[\"'”’»)\]]*(?=\s|$)|[。！？]+[」』”’）]*|\n+")
_WORD_END = re.compile(r"(?<=\S)(?=\s)")
# The estimate gives a token to seven characters of prose at the least, so what lies beyond cannot fit.
_CHARACTERS_PER_TOKEN = 7
# Below this an item is not worth the look: it would be a date without words.
_LEAST_ITEM = 16
# After so many misses in a row, what is left of the room would only be filled by the least relevant.
_MISSES = 5


def more_line(count: int) -> str:
    """How a list says that it goes on: `… 3 more`."""
    return f"… {count} more."


MORE_TOKENS = estimate_tokens(more_line(1_000_000))


def choose(count: int, cost: Callable[[int], int], budget: int) -> tuple[int, ...]:
    """Which of `count` items, ranked best first, fit whole into `budget` tokens.

    Room for a "… N more" is kept. `cost(index)` is asked for one item after another and no longer once the
    room is used. An item that is too long is left out for shorter ones after it, within reason.
    """
    left = budget - MORE_TOKENS
    misses = 0
    chosen: list[int] = []
    for index in range(count):
        if left < _LEAST_ITEM or misses == _MISSES:
            break
        tokens = cost(index)
        if tokens > left:
            misses += 1
            continue
        misses = 0
        chosen.append(index)
        left -= tokens
    return tuple(chosen)


def cut_prose(text: str, tokens: int, cost: Callable[[str], int] = estimate_tokens) -> tuple[int, int]:
    """Where to end `text` so that it takes at most `tokens`: at a sentence, else at a word, else anywhere.

    Returns the end in characters (`len(text)` when all of it fits, 0 when nothing does) and what it takes.
    Looks at the beginning only, however long the text is.
    """
    end = min(len(text), tokens * _CHARACTERS_PER_TOKEN)
    if end < len(text):
        end = _good_end(text, end)
    while (size := cost(text[:end])) > tokens and end:
        # In proportion, since costs grow with the text but for roundings; a few rounds are enough.
        end = _good_end(text, min(end - 1, end * tokens // size))
    return end, size


def _good_end(text: str, end: int) -> int:
    """The last sentence end up to `end`, else the last word end, else `end`."""
    head = text[: end + 1]
    for pattern in (_SENTENCE_END, _WORD_END):
        ends = [match.end() for match in pattern.finditer(head) if 0 < match.end() <= end]
        if ends:
            return ends[-1]
    return end
