"""A passage: something that can be searched for, in the form every room gives it to recall."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Passage:
    """One searchable text and where it came from.

    `source` is the ledger seq of the event; `stream` groups passages that are neighbours of one another
    (the conversation's id for messages; empty for texts that have no neighbours); `importance` lies in [0, 1].
    """

    source: int
    event_id: str
    kind: str
    stream: str
    speaker: str
    text: str
    at: datetime
    zone: str = "UTC"
    importance: float = 0.5
