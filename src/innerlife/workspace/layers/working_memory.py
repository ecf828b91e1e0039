"""What the companion holds for a few days, and is due or about to be."""

from __future__ import annotations

from datetime import date, datetime

from innerlife.workspace.fence import quoted
from innerlife.workspace.inputs import TurnInputs, Written
from innerlife.workspace.layer import Layer, Position, Rendered, Space
from innerlife.workspace.when import calendar_date, local_day, time_ago
from innerlife.workspace.wording import listed

NAME = "working_memory"


def render(inputs: TurnInputs, space: Space) -> Rendered:
    """A thing a line, in the order in which they are due."""
    today = local_day(inputs.now, inputs.zone)
    return listed(inputs, space, inputs.written_for(NAME), lambda one: _told(one, today, inputs.zone), NAME)


def _told(held: Written, today: date, zone: str | None) -> str:
    if held.due is None:
        return f"I keep this in mind: {quoted(held.text)}"
    return f"I keep this in mind for {_day(held.due, today, held.zone or zone)}: {quoted(held.text)}"


def _day(due: datetime, today: date, zone: str | None) -> str:
    day = local_day(due, zone)
    if day < today:
        return f"{calendar_date(day)}, which was {time_ago(day, today)}"
    return {0: "today", 1: "tomorrow"}.get((day - today).days, calendar_date(day))


LAYER = Layer(NAME, Position.BLOCK, order=1100, version=1, share=0.08, render=render)
