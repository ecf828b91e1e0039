"""What learning and the self-model hand each other: growth entries for changes, preferences for conflicts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from innerlife.learning.changes import Change
from innerlife.learning.rules import Preferred
from innerlife.ledger.envelope import Draft
from innerlife.selfmodel import preferences
from innerlife.selfmodel.desk import Desk, by_companion, by_user, rests_on
from innerlife.selfmodel.events import GrowthEntered, GrowthSort


def entries_for(changes: Sequence[Change], *, user: bool = False) -> list[Draft]:
    """A growth entry for each change (promises L2, S1). What only weighs evidence is no part of the digest."""
    make = by_user if user else by_companion
    return [
        make(
            GrowthEntered(GrowthSort.EVIDENCE if change.weighs else GrowthSort.RULE, change.text),
            rests_on(change.evidence),
        )
        for change in changes
    ]


def preferred_by(desk: Desk, until: datetime | None = None) -> list[Preferred]:
    """What the person said they want, or wanted at `until`, as rules are measured by it. Raises StorageFailed."""
    rows = desk.rows(*preferences.NOUNS, until=until)
    return [Preferred(one.text) for one in preferences.preferences_of(rows)]
