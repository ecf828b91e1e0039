"""What the companion pursues, and what either side promised."""

from __future__ import annotations

from innerlife.workspace.fence import quoted
from innerlife.workspace.inputs import USER, TurnInputs, Written
from innerlife.workspace.layer import Layer, Position, Rendered, Space
from innerlife.workspace.when import calendar_date, local_day
from innerlife.workspace.wording import listed

NAME = "goals"


def render(inputs: TurnInputs, space: Space) -> Rendered:
    """An open goal or promise a line, the oldest first; of too many those that press, then the newest."""
    return listed(inputs, space, inputs.written_for(NAME), lambda one: _told(one, inputs.zone), NAME)


def _told(goal: Written, zone: str | None) -> str:
    by = f", due on {calendar_date(local_day(goal.due, goal.zone or zone))}" if goal.due else ""
    match goal.kind, goal.by:
        case "promise", who if who == USER:
            lead = f"You promised this{by}:"
        case "promise", _:
            lead = f"I promised you this{by}:"
        case _, who if who == USER:
            lead = "You are working towards this:"
        case _:
            lead = "I am working towards this:"
    return f"{lead} {quoted(goal.text)}"


LAYER = Layer(NAME, Position.BLOCK, order=1200, version=1, share=0.1, render=render)
