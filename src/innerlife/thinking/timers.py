"""Timers: what is to happen again and again, and what waits for quiet. Each firing is an event, and so a subject."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from innerlife.ledger.envelope import Actor, Draft, Trust
from innerlife.thinking.events import Due


@dataclass(frozen=True, slots=True)
class Timer:
    """Goes off every `every_s` seconds, once nobody has talked for `quiet_s` seconds.

    At the latest, whatever is said, after `latest_s` seconds (0: there is no latest). While a job of `stage` is still
    open, it does not go off again.
    """

    name: str
    every_s: float
    quiet_s: float = 0.0
    latest_s: float = 0.0
    stage: str = ""


def due_in(timer: Timer, last: datetime | None, now: datetime, quiet_s: float) -> float:
    """Seconds until a timer goes off; 0 or less for now. `quiet_s`: how long nobody has talked.

    One that never went off waits for its quiet only. A clock that was set back does not stop it: an hour that lies
    ahead counts as this one, and what lies further ahead than it ever waits was told by a clock that was wrong.
    """
    if last is None:
        return timer.quiet_s - quiet_s
    passed = (now - last) / timedelta(seconds=1)
    passed = timer.every_s if passed < -timer.every_s else max(0.0, passed)
    wait = max(timer.every_s - passed, timer.quiet_s - quiet_s)
    return min(wait, timer.latest_s - passed) if timer.latest_s else wait


def firing(timer: Timer, last: datetime | None, now: datetime) -> Draft:
    """The event of a timer that goes off. Two that fire at once after the same last time make one event."""
    after = "never" if last is None else last.isoformat()
    return Draft(Due(timer.name), Actor.SYSTEM, Trust.COMPANION, key=f"due/{timer.name}/{after}/{now.date()}")
