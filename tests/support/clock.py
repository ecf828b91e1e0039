"""A clock that a test sets."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


class FixedClock:
    """Stands still until it is moved; `tick` moves it by itself at each reading."""

    def __init__(
        self, at: datetime = datetime(2026, 3, 1, 12, tzinfo=UTC), tick: timedelta = timedelta()
    ) -> None:
        self.at = at
        self._tick = tick

    def now(self) -> datetime:
        self.at += self._tick
        return self.at

    def zone(self) -> str:
        return "Europe/Vienna"

    def move(self, by: timedelta) -> None:
        """Move it, backwards too."""
        self.at += by
