"""The fourteen values, one sentence each."""

from __future__ import annotations

from innerlife.workspace.inputs import TurnInputs
from innerlife.workspace.layer import Layer, Line, Position, Rendered, Space


def render(inputs: TurnInputs, space: Space) -> Rendered:
    """The constitution's short form as one paragraph."""
    shipped = inputs.shipped
    return Rendered((Line(shipped.brief.constitution if space.brief else shipped.constitution.short_form()),))


LAYER = Layer("constitution", Position.STABLE, order=300, version=1, share=0.0, render=render)
