"""Events of the membrane, a closed union."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from innerlife.ledger.registry import Kind, Retention


@dataclass(frozen=True, slots=True)
class ContextShown:
    """What a turn received, by reference only (`workspace.record.WorkspaceRecord` as JSON).

    Its `from` cause is the user message, its `shown` causes are the events whose words were in its block. `kept` is
    how many blocks of earlier turns were left in place; `drops` says that this turn dropped all older ones.
    """

    record: dict[str, Any]
    kept: int = 0
    drops: bool = False


MembraneEvent = ContextShown

CONTEXT = "context.shown"

KINDS = (Kind(CONTEXT, ContextShown, Retention.ARCHIVE),)
"""Kinds this room registers."""

RECORDS = (CONTEXT,)
"""Kinds that list what was shown: they go with any of it."""
