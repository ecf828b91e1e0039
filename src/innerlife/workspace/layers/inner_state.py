"""What is on the companion's mind now."""

from __future__ import annotations

from innerlife.workspace.budget import cut_prose
from innerlife.workspace.fence import quoted
from innerlife.workspace.inputs import TurnInputs
from innerlife.workspace.layer import Layer, Position, Rendered, Space
from innerlife.workspace.markup import defused
from innerlife.workspace.tokens import estimate_tokens
from innerlife.workspace.wording import line_of

NAME = "inner_state"
_LEAD = "This is on my mind:"
_FRAME = estimate_tokens(_LEAD) + 8


def render(inputs: TurnInputs, space: Space) -> Rendered:
    """The inner state in one line, cut at a sentence where the window is small."""
    room = space.tokens - _FRAME
    for item in inputs.written_for(NAME)[:1] if room > 0 else ():
        end, _ = cut_prose(item.text, room, lambda words: estimate_tokens(defused(words)))
        if end:
            words = quoted(item.text[:end].rstrip(), cut=end < len(item.text.rstrip()))
            return Rendered((line_of(f"{_LEAD} {words}", item),))
    return Rendered((), 0, 0)


LAYER = Layer(NAME, Position.BLOCK, order=1000, version=1, share=0.1, render=render)
