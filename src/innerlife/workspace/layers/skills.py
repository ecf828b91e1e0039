"""What the companion has learned well enough to carry out in steps, for what is being said."""

from __future__ import annotations

from innerlife.workspace.fence import quoted
from innerlife.workspace.inputs import TurnInputs
from innerlife.workspace.layer import Layer, Position, Rendered, Space
from innerlife.workspace.wording import listed

NAME = "skills"


def render(inputs: TurnInputs, space: Space) -> Rendered:
    """A skill a line, with its steps; what others build on comes first."""
    items = inputs.written_for(NAME)
    return listed(inputs, space, items, lambda one: f"I know how to do this: {quoted(one.text)}", NAME)


LAYER = Layer(NAME, Position.BLOCK, order=3200, version=1, share=0.05, render=render)
