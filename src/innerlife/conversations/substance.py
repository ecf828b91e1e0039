"""Which conversations count as meaningful, for as long as nothing weighs what was lived (promise S2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from innerlife.kernel.moments import from_micros, to_micros
from innerlife.ports import Rows

EXCHANGES = 2
"""A greeting and its answer are one; a conversation has at least two. Our choice."""

CHARACTERS = 120
"""What the user wrote in it, at least: two or three sentences. Our choice."""


ANSWERED: Final = """speaker = 'user' AND fiction = 0 AND EXISTS (
    SELECT 1 FROM conversations_message a
    WHERE a.parent = m.seq AND a.speaker = 'companion' AND a.ending != 'failed')"""
"""SQL over `conversations_message m`: a message of the user that was answered, outside of stories."""


@dataclass(frozen=True, slots=True)
class Told:
    """A message of the user that was answered: its conversation, when and where, and its length."""

    conversation: str
    at: datetime
    zone: str
    characters: int


def answered_since(rows: Rows, since: datetime | None) -> Iterator[Told]:
    """The user's answered messages after `since`, stories left out, in order; one at a time, for there may be many."""
    found = rows.execute(
        f"""SELECT stream, at, zone, LENGTH(text) FROM conversations_message m
           WHERE {ANSWERED} AND at > ? ORDER BY seq""",  # noqa: S608 - constant
        (to_micros(since) if since else -(1 << 62),),
    )
    for stream, at, zone, characters in found:
        yield Told(stream, from_micros(at), zone, characters)


def substantial(exchanges: int, characters: int) -> bool:
    """Whether what was said in one conversation on one day is more than a word in passing."""
    return exchanges >= EXCHANGES and characters >= CHARACTERS
