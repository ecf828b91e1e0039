"""What the person said they want."""

from __future__ import annotations

from innerlife.workspace.fence import quoted
from innerlife.workspace.inputs import TurnInputs
from innerlife.workspace.layer import Layer, Position, Rendered, Space
from innerlife.workspace.wording import listed

NAME = "preferences"


def render(inputs: TurnInputs, space: Space) -> Rendered:
    """A preference a line, the newest kept first where there are too many."""
    items = inputs.written_for(NAME)
    return listed(inputs, space, items, lambda one: f"You asked me for this: {quoted(one.text)}", NAME)


LAYER = Layer(NAME, Position.BLOCK, order=3000, version=1, share=0.08, render=render)
