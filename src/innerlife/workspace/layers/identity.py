"""Who the companion is with this person: the identity, as it stands."""

from __future__ import annotations

from innerlife.workspace.inputs import TurnInputs
from innerlife.workspace.layer import Layer, Position, Rendered, Space
from innerlife.workspace.markup import defused
from innerlife.workspace.wording import line_of

NAME = "identity"


def render(inputs: TurnInputs, space: Space) -> Rendered:
    """The identity in one line; its cap is kept when it is written."""
    del space
    return Rendered(
        tuple(line_of(f"Who I am here: {defused(one.text)}", one) for one in inputs.written_for(NAME)[:1])
    )


LAYER = Layer(NAME, Position.STABLE, order=700, version=1, share=0.0, render=render)
