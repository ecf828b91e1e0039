"""Ethics, honesty, no fabrication, and the four limits on what is done with feelings."""

from __future__ import annotations

from innerlife.workspace.inputs import TurnInputs
from innerlife.workspace.layer import Layer, Line, Position, Rendered, Space


def render(inputs: TurnInputs, _space: Space) -> Rendered:
    """The shipped guardrails, word for word."""
    return Rendered(tuple(Line(line) for line in inputs.shipped.guardrails.split("\n") if line))


LAYER = Layer("guardrails", Position.STABLE, order=200, version=1, share=0.0, render=render)
