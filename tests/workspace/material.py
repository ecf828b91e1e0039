"""Things remembered and turns to assemble, made up for the tests of the workspace."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

from innerlife.workspace import Origin, Remembered, TurnInputs, load_shipped

NONCE = "7f3a9c1e"
NOW = datetime(2023, 5, 30, 9, 0, tzinfo=UTC)
SHIPPED = load_shipped()
ORIGIN = Origin("Anima", date(2023, 3, 1))


def memory(seq: int, text: str, **changes: Any) -> Remembered:
    """Something the person said on 8 May 2023, unless `changes` say otherwise."""
    plain = Remembered(
        seq=seq,
        event_id=f"E{seq}",
        text=text,
        speaker="user",
        kind="message",
        at=datetime(2023, 5, 8, 18, 30, tzinfo=UTC),
        zone="Europe/Berlin",
        score=1.0,
        conversation="c1",
        pasted=False,
    )
    return replace(plain, **changes)


def turn(*remembered: Remembered, **changes: Any) -> TurnInputs:
    """A turn on 30 May 2023 in Berlin, the window unknown, unless `changes` say otherwise."""
    plain = TurnInputs(SHIPPED, ORIGIN, remembered, NOW, NONCE, "Europe/Berlin")
    return replace(plain, **changes)
