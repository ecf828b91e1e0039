"""How the companion has changed: the newest entries of the growth log, dated so that their words stay the same."""

from __future__ import annotations

from innerlife.workspace.inputs import TurnInputs, Written
from innerlife.workspace.layer import Layer, Position, Rendered, Space
from innerlife.workspace.markup import defused
from innerlife.workspace.wording import day_of, line_of

NAME = "growth_digest"


def render(inputs: TurnInputs, space: Space) -> Rendered:
    """An entry a line, oldest first; each has its cap when it is written."""
    del space
    return Rendered(tuple(line_of(_told(one, inputs.zone), one) for one in inputs.written_for(NAME)))


def _told(entry: Written, zone: str | None) -> str:
    day = day_of(entry, zone)
    return (
        f"How I changed on {day}: {defused(entry.text)}" if day else f"How I changed: {defused(entry.text)}"
    )


LAYER = Layer(NAME, Position.STABLE, order=800, version=1, share=0.0, render=render)
