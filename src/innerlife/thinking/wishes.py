"""What the user may ask of background thinking: each wish is an event, and so known to every process."""

from __future__ import annotations

from datetime import datetime

from innerlife.kernel.ids import new_id
from innerlife.ledger.envelope import Actor, Draft, Trust
from innerlife.ledger.ledger import Ledger
from innerlife.thinking.events import NewRun, Pause


def pause(ledger: Ledger, *, on: bool) -> int:
    """Stop background thinking, or let it go on. Returns the event's seq. Raises StorageFailed."""
    return ledger.append(Draft(Pause(on), Actor.USER, Trust.USER)).seq


def afresh(ledger: Ledger, stage: str, now: datetime) -> str:
    """Let a stage derive everything anew, what was settled as failed included. Returns the run's name.

    What it derived before stays in the ledger; views show the newest run. Raises StorageFailed.
    """
    run = new_id(now)
    ledger.append(Draft(NewRun(stage, run), Actor.USER, Trust.USER))
    return run
