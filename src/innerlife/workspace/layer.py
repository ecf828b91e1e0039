"""The plug-in protocol: a layer is one file in `layers/` that binds a `Layer` to the name `LAYER`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from innerlife.workspace.inputs import TurnInputs

Span = tuple[int, int]
"""Start and end (exclusive) in characters of the source's own text."""


class Position(StrEnum):
    """Where a layer stands: in front of the client's system text, or beside the newest user message."""

    STABLE = "stable"
    BLOCK = "block"


@dataclass(frozen=True, slots=True)
class Line:
    """One physical line of the prompt and the events whose words it carries.

    `sources` (event seqs), `event_ids` and `spans` run in parallel; they are empty where the words are
    shipped or ours.
    """

    text: str
    sources: tuple[int, ...] = ()
    event_ids: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Rendered:
    """What a layer gives: its lines, how many items it left out, and, if it knows, what the lines take."""

    lines: tuple[Line, ...]
    more: int = 0
    tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Space:
    """The room a layer may fill, in estimated tokens: `tokens` in all, `item_tokens` for one item.

    `brief` asks a shipped text for its short form: the model's window is small (promise P12).
    """

    tokens: int
    item_tokens: int
    brief: bool = False


@dataclass(frozen=True, slots=True)
class Layer:
    """One part of the workspace.

    `order` is its place (numbers leave gaps for what comes between); `version` rises with every change of
    wording, so that a record tells which wording was sent; `share` is the fraction of the block it is
    granted, what earlier layers left unused added, and 0 for a stable layer, whose text has a cap when
    written. `render` is pure.
    """

    name: str
    position: Position
    order: int
    version: int
    share: float
    render: Callable[[TurnInputs, Space], Rendered]


@dataclass(frozen=True, slots=True)
class Section:
    """What one layer gave in one prompt."""

    layer: str
    version: int
    position: Position
    lines: tuple[Line, ...]
    more: int
    tokens: int
