"""Who the person is: what they set, else what was learned of them, their traits and interests."""

from __future__ import annotations

from typing import Final

from innerlife.workspace.fence import quoted
from innerlife.workspace.inputs import TurnInputs
from innerlife.workspace.layer import Layer, Position, Rendered, Space
from innerlife.workspace.wording import enumerated, line_of

NAME = "human"

_FIELDS: Final = {
    "name": "The person I talk with goes by this name:",
    "family": "Of their family I know this:",
    "work": "Of their work I know this:",
    "style": "This is how they like to talk:",
    "matters": "This matters to them:",
    "relationship": "This is how we stand with each other:",
}


def render(inputs: TurnInputs, space: Space) -> Rendered:
    """A line a field, then traits and interests; the cap of all of it is kept when it is written."""
    del space
    items = inputs.written_for(NAME)
    fields = tuple(
        line_of(f"{_FIELDS[one.kind]} {quoted(one.text)}", one) for one in items if one.kind in _FIELDS
    )
    traits = enumerated("This lasts in them:", [one for one in items if one.kind == "trait"])
    interests = enumerated("They take an interest in this:", [one for one in items if one.kind == "interest"])
    return Rendered(fields + traits + interests)


LAYER = Layer(NAME, Position.STABLE, order=600, version=1, share=0.0, render=render)
