"""Who the companion fundamentally is: the species, with the individual's name and birthday."""

from __future__ import annotations

from innerlife.errors import BadInput
from innerlife.workspace.fence import plain_name
from innerlife.workspace.inputs import Origin, TurnInputs
from innerlife.workspace.layer import Layer, Line, Position, Rendered, Space
from innerlife.workspace.policy import WorkspacePolicy
from innerlife.workspace.shipped import ShippedTexts
from innerlife.workspace.tokens import estimate_tokens
from innerlife.workspace.when import calendar_date


def render(inputs: TurnInputs, space: Space) -> Rendered:
    """The origin template with name and birth date filled in."""
    filled = _filled(inputs.shipped, inputs.origin, brief=space.brief)
    return Rendered(tuple(Line(line) for line in filled.split("\n") if line))


def check_origin(shipped: ShippedTexts, origin: Origin, policy: WorkspacePolicy) -> None:
    """Raise BadInput for a name that could not stand in every prompt; to be asked before a name is set."""
    if plain_name(origin.name) != origin.name:
        raise BadInput(
            "A companion's name is one line of at most 40 visible characters without markup",
            "Choose another name.",
        )
    size = estimate_tokens(_filled(shipped, origin))
    if size > policy.origin_tokens:
        raise BadInput(
            f"With this name the origin takes {size} tokens, and {policy.origin_tokens} is the most",
            "Choose a shorter name.",
        )


def _filled(shipped: ShippedTexts, origin: Origin, *, brief: bool = False) -> str:
    return shipped.origin_for(plain_name(origin.name), calendar_date(origin.born), brief=brief)


LAYER = Layer("origin", Position.STABLE, order=100, version=1, share=0.0, render=render)
