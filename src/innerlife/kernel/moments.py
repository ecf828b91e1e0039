"""When something happened, with the zone it happened in and how exactly that is known."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


class Precision(StrEnum):
    """How exactly a moment is known."""

    EXACT = "exact"
    MINUTE = "minute"
    DAY = "day"
    MONTH = "month"
    YEAR = "year"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Moment:
    """An instant in UTC, the IANA zone or offset it was lived in, and its precision."""

    at: datetime
    zone: str = "UTC"
    precision: Precision = Precision.EXACT

    def __post_init__(self) -> None:
        if self.at.tzinfo is None:
            raise ValueError("a moment needs an instant with a time zone")


def to_micros(at: datetime) -> int:
    """Microseconds since 1970-01-01 UTC, exact (no floats)."""
    return (at - EPOCH) // MICROSECOND


def from_micros(micros: int) -> datetime:
    """The UTC instant of `to_micros`."""
    return EPOCH + timedelta(microseconds=micros)
