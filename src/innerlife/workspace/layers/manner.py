"""How to answer now: fixed sentences on manner, and never a word of how anybody feels."""

from __future__ import annotations

from innerlife.workspace.inputs import TurnInputs
from innerlife.workspace.layer import Layer, Position, Rendered, Space
from innerlife.workspace.wording import listed

NAME = "manner"


def render(inputs: TurnInputs, space: Space) -> Rendered:
    """A sentence a line, what matters most first."""
    return listed(inputs, space, inputs.written_for(NAME), lambda one: one.text, NAME)


LAYER = Layer(NAME, Position.BLOCK, order=2000, version=1, share=0.05, render=render)
