"""Events of the membrane, a closed union."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from innerlife.conversations.events import CHECKPOINT
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


def _told_of_context(context: ContextShown) -> str:
    shown = (line for section in context.record["sections"] for line in section.get("lines", ()))
    lines = sum(bool(line["event_ids"]) for line in shown)
    return f"Gave the model {lines or 'no'} remembered {'text' if lines == 1 else 'texts'} with a message"


KINDS = (Kind(CONTEXT, ContextShown, Retention.ARCHIVE, tells=_told_of_context),)
"""Kinds this room registers."""

RECORDS = (CONTEXT, CHECKPOINT)
"""Kinds that go with anything they were shown: a record lists it, a piece of an answer may hold its words."""
