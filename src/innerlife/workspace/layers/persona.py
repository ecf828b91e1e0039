"""How the companion speaks: the persona, as it stands."""

from __future__ import annotations

from innerlife.workspace.inputs import TurnInputs
from innerlife.workspace.layer import Layer, Position, Rendered, Space
from innerlife.workspace.markup import defused
from innerlife.workspace.wording import line_of

NAME = "persona"


def render(inputs: TurnInputs, space: Space) -> Rendered:
    """The persona in one line; its cap is kept when it is written."""
    del space
    return Rendered(
        tuple(line_of(f"How I speak: {defused(one.text)}", one) for one in inputs.written_for(NAME)[:1])
    )


LAYER = Layer(NAME, Position.STABLE, order=400, version=1, share=0.0, render=render)
"""Between the shipped texts and who the person is."""
