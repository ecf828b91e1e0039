"""Whose words a user's message holds: their own, or quoted, forwarded, fenced and pasted ones (design §8, "Trust").

Pure rules, no model: what is shown to a companion may be searched for and is never taken for the user's life. Where
it cannot be told, words that come with a mark of another hand go with the mark, and words in the user's own
voice stay theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from innerlife.conversations import pasted_prose, quoted_chats, quoted_mail, quoted_shapes
from innerlife.conversations.text_lines import PartKind, Sheet, lines_of

__all__ = ["Part", "PartKind", "Span", "mostly_quoted", "parts", "quoted_spans"]

Span = tuple[int, int]
"""(first character, one past the last)."""

MOST_TYPED = 50_000
"""Characters of one message that are looked at; nobody types more at once, so what follows was pasted."""

_PASSES: Final[tuple[tuple[Callable[[Sheet], None], str], ...]] = (
    (quoted_shapes.fences, "`~"),
    (quoted_mail.forwards, ":-："),
    (quoted_mail.replies, ":："),
    (quoted_mail.arrows, ">"),
    (quoted_chats.chats, ":."),
    (quoted_shapes.traces, ":.[\t "),
    (quoted_shapes.markup, "<{["),
    (quoted_shapes.tables, "|\t+,"),
    (quoted_shapes.code, "=(){}[];:/$@#"),
    (quoted_shapes.links, "/"),
    (pasted_prose.between_marks, '"“„«'),
    (pasted_prose.after_a_lead, ""),
    (pasted_prose.letters, ""),
    (pasted_prose.before_a_request, ""),
    (pasted_prose.articles, ""),
)
"""From the surest sign to the weakest, each with the characters without one of which it finds nothing.

What one of them has claimed is no other's.
"""


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a message, `text[start:end]`, and whose words it holds."""

    start: int
    end: int
    kind: PartKind


def parts(text: str) -> tuple[Part, ...]:
    """`text` in parts that follow one another without a gap and cover it exactly; no part of an empty text."""
    looked_at = text[:MOST_TYPED]
    sheet = Sheet(lines_of(looked_at))
    for find, signs in _PASSES:
        if not signs or any(sign in looked_at for sign in signs):
            find(sheet)
    stretches = list(_stretches(sheet))
    if len(text) > MOST_TYPED:
        stretches.append((MOST_TYPED, len(text), PartKind.PASTED))
    return tuple(_merged(stretches))


def quoted_spans(text: str) -> tuple[Span, ...]:
    """The stretches whose speaker is unknown, in order, neighbours joined."""
    spans: list[Span] = []
    for part in parts(text):
        if part.kind is PartKind.OWN:
            continue
        if spans and spans[-1][1] == part.start:
            spans[-1] = (spans[-1][0], part.end)
        else:
            spans.append((part.start, part.end))
    return tuple(spans)


def mostly_quoted(text: str, spans: Iterable[Span]) -> bool:
    """Whether the greater part of `text`, white space aside, lies in `spans`."""
    quoted = sum(_weight(text[start:end]) for start, end in spans)
    return 2 * quoted > _weight(text)


def _weight(text: str) -> int:
    return sum(len(word) for word in text.split())


def _stretches(sheet: Sheet) -> Iterator[tuple[int, int, PartKind]]:
    for index, (line, kind) in enumerate(zip(sheet.lines, sheet.filled(), strict=True)):
        at = line.start
        for start, end, inner in sheet.within.get(index, ()) if kind is PartKind.OWN else ():
            yield at, start, PartKind.OWN
            yield start, end, inner
            at = end
        yield at, line.end, kind


def _merged(stretches: Iterable[tuple[int, int, PartKind]]) -> Iterator[Part]:
    current: Part | None = None
    for start, end, kind in stretches:
        if start == end:
            continue
        if current is not None and current.kind is kind:
            current = Part(current.start, end, kind)
            continue
        if current is not None:
            yield current
        current = Part(start, end, kind)
    if current is not None:
        yield current
