"""Ethics, honesty, no fabrication, and the four limits on what is done with feelings."""

from __future__ import annotations

from innerlife.workspace.inputs import TurnInputs
from innerlife.workspace.layer import Layer, Line, Position, Rendered, Space


def render(inputs: TurnInputs, space: Space) -> Rendered:
    """The shipped guardrails, word for word."""
    text = inputs.shipped.brief.guardrails if space.brief else inputs.shipped.guardrails
    return Rendered(tuple(Line(line) for line in text.split("\n") if line))


LAYER = Layer("guardrails", Position.STABLE, order=200, version=1, share=0.0, render=render)
