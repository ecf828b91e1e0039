"""Words of a message that are handed over to be written, said or translated: not how their author is. Pure.

"Write to Ana: I'm so sad", "translate: estoy harta", "tell her I'm angry". What a person puts into a letter, or finds
in a text, may be anybody's, and is theirs where they say so themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

BEGINNING: Final = r"(?:\A|(?<=[.!?…;,\n]))[\s*•¿¡-]{0,4}"
"""Where a request may begin in folded text, as part of a pattern."""

_BLOCK: Final = re.compile(r"\n[ \t]*\n")
_SENTENCE: Final = re.compile(r"[.!?…\n]")


def without_handed(text: str, folded: str, patterns: Sequence[re.Pattern[str]]) -> str:
    """`text` with spaces in place of what is handed over, so that all else stays at its place.

    A pattern matches a request up to the words, in folded text: group `shown`, where they stand behind a colon, to the
    end of the paragraph or, from a new line on, of the message; `clause`, where they are the rest of the sentence;
    `above`, where they are all that stands before.
    """
    for start, end in [place for pattern in patterns for place in _places(folded, pattern)]:
        text = text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
    return text


def _places(folded: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    for found in pattern.finditer(folded):
        start, end = found.end(), len(folded)
        if found["above"] is not None:
            yield 0, found.start()
        elif found["shown"] is None:
            stop = _SENTENCE.search(folded, start)
            yield start, stop.start() if stop else end
        else:
            stop = None if folded[start : start + 1] == "\n" else _BLOCK.search(folded, start)
            yield start, stop.start() if stop else end
