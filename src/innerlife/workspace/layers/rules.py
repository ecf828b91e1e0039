"""How the companion has learned to help this person: the rules that hold for what is being said."""

from __future__ import annotations

from innerlife.workspace.fence import quoted
from innerlife.workspace.inputs import TurnInputs
from innerlife.workspace.layer import Layer, Position, Rendered, Space
from innerlife.workspace.wording import listed

NAME = "rules"


def render(inputs: TurnInputs, space: Space) -> Rendered:
    """A rule a line, the surest kept first where there are too many."""
    items = inputs.written_for(NAME)
    return listed(
        inputs, space, items, lambda one: f"I have learned to help you so: {quoted(one.text)}", NAME
    )


LAYER = Layer(NAME, Position.BLOCK, order=3100, version=1, share=0.07, render=render)
