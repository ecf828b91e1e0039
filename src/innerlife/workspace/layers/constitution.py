"""The fourteen values, one sentence each."""

from __future__ import annotations

from innerlife.workspace.inputs import TurnInputs
from innerlife.workspace.layer import Layer, Line, Position, Rendered, Space


def render(inputs: TurnInputs, _space: Space) -> Rendered:
    """The constitution's short form as one paragraph."""
    return Rendered((Line(inputs.shipped.constitution.short_form()),))


LAYER = Layer("constitution", Position.STABLE, order=300, version=1, share=0.0, render=render)
