"""A message of the person, as it is read for how they are: own words, time, and what came before. Plain values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, tzinfo


@dataclass(frozen=True, slots=True)
class Earlier:
    """A message of the person from earlier in the conversation, own words only."""

    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Voice:
    """How a transcribed message was spoken: its length and the pauses within it, in seconds."""

    seconds: float
    pauses: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Said:
    """What the person said.

    `text` holds their own words, what they quote and paste taken out. `at` has a zone of its own (UTC); `zone` is where
    the person is. `earlier` are their messages before it in the conversation, oldest first; `answered` is when the
    companion's answer before it was there, None where there was none; `voice` is there where it was spoken.
    """

    text: str
    at: datetime
    zone: tzinfo
    earlier: tuple[Earlier, ...] = ()
    answered: datetime | None = None
    voice: Voice | None = None
