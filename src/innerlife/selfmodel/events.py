"""Events of the self-model, a closed union."""

from __future__ import annotations

from dataclasses import dataclass

from innerlife.ledger.registry import Kind, Retention


@dataclass(frozen=True, slots=True)
class OriginGiven:
    """The companion's name and birth date (ISO 8601, the day its Core was made)."""

    name: str
    born: str


SelfModelEvent = OriginGiven

ORIGIN = "self.origin"

KINDS = (
    Kind(
        ORIGIN,
        OriginGiven,
        Retention.SOUL,
        tells=lambda given: f"Was given the name {given.name}, born {given.born}",
    ),
)
"""Kinds this room registers."""
