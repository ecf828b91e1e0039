"""What recall brought back for this message, in the order in which it was lived."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from math import inf, isnan

from innerlife.workspace.budget import MORE_TOKENS, choose, cut_prose, more_line
from innerlife.workspace.fence import in_quotes, third_party
from innerlife.workspace.inputs import COMPANION, USER, Remembered, TurnInputs
from innerlife.workspace.layer import Layer, Line, Position, Rendered, Space
from innerlife.workspace.markup import defused
from innerlife.workspace.tokens import estimate_tokens
from innerlife.workspace.when import calendar_date, local_day, time_ago

# What quotation marks, ellipsis and line break take beside the words, and what the words before the quotation
# may take more in front of a language that packs less tightly than English.
_FRAME = 8
_SAME_DAY = "The same day"


@dataclass(frozen=True, slots=True)
class _Memory:
    """One item as it may stand in the block: the day in words, and the part of its text that fits, defused too."""

    item: Remembered
    day: date
    when: str
    start: int
    end: int
    plain: str
    tokens: int

    def line(self, when: str) -> Line:
        cut = self.end < len(self.item.text.rstrip())
        text = f"{when} {_said(self.item)}: {in_quotes(self.plain, cut=cut)}"
        return Line(text, (self.item.seq,), (self.item.event_id,), ((self.start, self.end),))


def render(inputs: TurnInputs, space: Space) -> Rendered:
    """The best items that fit, whole or cut at a sentence, oldest first; then how many more there are."""
    ranked = _ranked(inputs.remembered)
    today = local_day(inputs.now, inputs.zone)
    memories: dict[int, _Memory] = {}
    leads: dict[str, int] = {}

    def cost(index: int) -> int:
        memories[index] = _memory(ranked[index], inputs.zone, today, space.item_tokens, leads)
        return memories[index].tokens

    chosen = choose(len(ranked), cost, space.tokens)
    lived = sorted(chosen, key=lambda index: (_instant(ranked[index].at), ranked[index].seq, index))
    more = len(ranked) - len(chosen) + inputs.withheld
    lines = _lines([memories[index] for index in lived])
    if lines and more:
        lines = (*lines, Line(more_line(more)))
    return Rendered(lines, more, sum(memories[index].tokens for index in chosen) + MORE_TOKENS)


def _ranked(remembered: Sequence[Remembered]) -> list[Remembered]:
    """Best first, each event once, empty texts left out; the order of arrival plays no part."""
    best: dict[str, Remembered] = {}
    for item in sorted(remembered, key=lambda item: (inf if isnan(item.score) else -item.score, item.seq)):
        if item.text.strip():
            best.setdefault(item.event_id, item)
    return list(best.values())


def _memory(item: Remembered, zone: str | None, today: date, tokens: int, leads: dict[str, int]) -> _Memory:
    """The item's part that takes at most `tokens`; `leads` keeps what the words before the quotation take."""
    day = local_day(item.at, item.zone or zone)
    ago = time_ago(day, today)
    when = f"On {calendar_date(day)}, {ago}," if ago else f"On {calendar_date(day)}"
    lead = f"{when} {_said(item)}:"
    if lead not in leads:
        leads[lead] = estimate_tokens(lead) + _FRAME
    frame = leads[lead]
    start = len(item.text) - len(item.text.lstrip())
    plain = ""

    def quoted_tokens(words: str) -> int:
        nonlocal plain
        plain = defused(words)
        return estimate_tokens(plain)

    length, size = cut_prose(item.text[start:], max(tokens - frame, 1), quoted_tokens)
    return _Memory(item, day, when, start, start + length, plain, frame + size)


def _lines(memories: Sequence[_Memory]) -> tuple[Line, ...]:
    lines: list[Line] = []
    before: date | None = None
    for memory in memories:
        lines.append(memory.line(_SAME_DAY if memory.day == before else memory.when))
        before = memory.day
    return tuple(lines)


def _instant(at: datetime) -> datetime:
    return at if at.tzinfo is not None else at.replace(tzinfo=UTC)


def _said(item: Remembered) -> str:
    """Who spoke to whom: roles are kept, since what the companion answered is no wish of the person's."""
    match item.kind, item.speaker, item.pasted:
        case "document", _, _:
            return "you gave me a document that says"
        case "page", _, _:
            return "I read on a web page"
        case _, speaker, True if speaker in {USER, COMPANION}:
            return "you showed me this, and I do not know who wrote it"
        case _, speaker, True:
            return f"you showed me these words of {third_party(speaker)}"
        case _, speaker, False if speaker == USER:
            return "you told me"
        case _, speaker, False if speaker == COMPANION:
            return "I answered you"
        case _:
            return f"{third_party(item.speaker)} wrote"


LAYER = Layer("recalled", Position.BLOCK, order=9000, version=1, share=0.4, render=render)
