"""How layers put what is written into lines: whole items under a budget, each with its evidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from innerlife.workspace.budget import MORE_TOKENS, choose, more_line
from innerlife.workspace.fence import quoted
from innerlife.workspace.inputs import TurnInputs, Written
from innerlife.workspace.layer import Line, Rendered, Space
from innerlife.workspace.tokens import estimate_tokens
from innerlife.workspace.when import calendar_date, local_day

Phrase = Callable[[Written], str]
"""What a line says of an item, its quoted words included."""


def line_of(text: str, *items: Written) -> Line:
    """A line with the evidence of everything in it."""
    seqs = tuple(seq for item in items for seq in item.seqs)
    ids = tuple(one for item in items for one in item.event_ids)
    spans = tuple((0, len(item.text)) for item in items for _ in item.seqs)
    return Line(text, seqs, ids, spans)


def listed(
    inputs: TurnInputs, space: Space, items: Sequence[Written], phrase: Phrase, layer: str
) -> Rendered:
    """As many items as fit, best first in the choice and in their given order in the text; then how many more."""
    ranked = sorted(range(len(items)), key=lambda place: (-items[place].score, place))
    lines: dict[int, Line] = {}
    costs: dict[int, int] = {}

    def cost(index: int) -> int:
        place = ranked[index]
        lines[place] = line_of(phrase(items[place]), items[place])
        costs[place] = estimate_tokens(lines[place].text) + 1
        return costs[place]

    places = sorted(ranked[index] for index in choose(len(ranked), cost, space.tokens))
    more = len(items) - len(places) + inputs.withheld_for(layer)
    shown = tuple(lines[place] for place in places)
    if not shown:
        return Rendered((), more, 0)
    used = sum(costs[place] for place in places) + MORE_TOKENS * bool(more)
    return Rendered((*shown, Line(more_line(more))) if more else shown, more, used)


def enumerated(words: str, items: Sequence[Written]) -> tuple[Line, ...]:
    """All items in one line, after a few words; no line where there are none."""
    return (line_of(f"{words} {'; '.join(quoted(one.text) for one in items)}", *items),) if items else ()


def day_of(item: Written, zone: str | None) -> str:
    """`8 May 2023`, the day on which the item was written; empty where that is not known."""
    return calendar_date(local_day(item.at, item.zone or zone)) if item.at else ""
