"""What the companion noticed: the observations that bear on the message, and the freshest for continuity."""

from __future__ import annotations

from typing import Final

from innerlife.workspace.fence import quoted
from innerlife.workspace.inputs import TurnInputs, Written
from innerlife.workspace.layer import Layer, Position, Rendered, Space
from innerlife.workspace.wording import day_of, listed

NAME = "observations"

_SORTS: Final = {
    "insight": "I noticed this",
    "episode": "this is how I lived something with you",
    "resolved": "this came to an end",
    "contradiction": "I noticed that this does not fit together",
}


def render(inputs: TurnInputs, space: Space) -> Rendered:
    """An observation a line, in the order in which they were made."""
    return listed(inputs, space, inputs.written_for(NAME), lambda one: _told(one, inputs.zone), NAME)


def _told(observation: Written, zone: str | None) -> str:
    return f"On {day_of(observation, zone)}, {_SORTS[observation.kind]}: {quoted(observation.text)}"


LAYER = Layer(NAME, Position.BLOCK, order=5000, version=1, share=0.07, render=render)
