"""A kind of event that only these tests know."""

from __future__ import annotations

from dataclasses import dataclass

from innerlife.kernel.text import storable
from innerlife.ledger.envelope import Actor, Cause, Draft, Role, Trust
from innerlife.ledger.registry import Kind, Retention

NOTE = "test.note"


@dataclass(frozen=True, slots=True)
class Note:
    text: str


KIND = Kind(NOTE, Note, Retention.ARCHIVE)


def draft(text: str, *causes: int, role: Role = Role.FROM, key: str | None = None, stream: str = "") -> Draft:
    """A note that rests on `causes`."""
    return Draft(
        Note(text),
        Actor.USER,
        Trust.USER,
        causes=tuple(Cause(seq, role) for seq in causes),
        key=key,
        stream=stream,
        handle=f"h:{storable(text)}",
    )
