"""How to answer now: fixed sentences on manner, and never a word of how anybody feels."""

from __future__ import annotations

from innerlife.workspace.inputs import TurnInputs
from innerlife.workspace.layer import Layer, Line, Position, Rendered, Space
from innerlife.workspace.tokens import estimate_tokens
from innerlife.workspace.wording import line_of

NAME = "manner"


def render(inputs: TurnInputs, space: Space) -> Rendered:
    """A sentence a line, what matters most first; where the window is small, the first ones alone.

    Nothing is left out for a shorter one behind it, so that a record tells by the number of lines which ones there
    were; and no line says that there are more, since a manner that is not asked for is none.
    """
    items = inputs.written_for(NAME)
    lines: list[Line] = []
    left = space.tokens
    for item in items:
        left -= estimate_tokens(item.text) + 1
        if left < 0:
            break
        lines.append(line_of(item.text, item))
    return Rendered(tuple(lines), len(items) - len(lines) + inputs.withheld_for(NAME))


LAYER = Layer(NAME, Position.BLOCK, order=2000, version=2, share=0.05, render=render)
