"""What one prompt receives: the stable text in front, and the block beside the newest user message.

Everything here is a pure function of its inputs, so that a preview, the real turn and a later `why` show the
same bytes.
"""

from innerlife.workspace.block import Workspace, assemble, beside, in_front
from innerlife.workspace.inputs import Origin, Remembered, TurnInputs, Written
from innerlife.workspace.layer import Layer, Line, Position, Rendered, Section, Space
from innerlife.workspace.layers import all_layers
from innerlife.workspace.layers.origin import check_origin
from innerlife.workspace.policy import WorkspacePolicy, policy_hash
from innerlife.workspace.record import Replay, WorkspaceRecord, record_of, render_again
from innerlife.workspace.shipped import Constitution, ShippedTexts, Value, load_shipped

__all__ = [
    "Constitution",
    "Layer",
    "Line",
    "Origin",
    "Position",
    "Remembered",
    "Rendered",
    "Replay",
    "Section",
    "ShippedTexts",
    "Space",
    "TurnInputs",
    "Value",
    "Workspace",
    "WorkspacePolicy",
    "WorkspaceRecord",
    "Written",
    "all_layers",
    "assemble",
    "beside",
    "check_origin",
    "in_front",
    "load_shipped",
    "policy_hash",
    "record_of",
    "render_again",
]
