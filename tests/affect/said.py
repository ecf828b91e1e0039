"""Messages of a made-up person, for the tests of reading."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from innerlife.affect.features import features_of
from innerlife.affect.habits import Habits, learned
from innerlife.affect.reading_policy import ReadingPolicy
from innerlife.affect.said import Said

MONDAY = datetime(2026, 3, 2, 10, tzinfo=UTC)
POLICY = ReadingPolicy()


def message(text: str, at: datetime = MONDAY) -> Said:
    return Said(text, at, UTC, answered=at - timedelta(seconds=40))


def habits(*texts: str, times: int = 8, at: datetime = MONDAY) -> Habits:
    """Somebody who wrote these texts in turn, on one weekday after the other at about the same hour."""
    found = Habits()
    for number, text in enumerate(texts * times):
        day = at + timedelta(days=7 * (number // 5) + number % 5)
        found = learned(found, features_of(message(text, day), POLICY), POLICY)
    return found


CALM = habits(
    "Could you look at the second paragraph for me?",
    "I think the third one reads better than the first.",
    "Right, let us go on with the garden plan then.",
    "What would you plant beside the wall, in the shade?",
)
"""Whole sentences, about ten words, no shouting, in the mornings of weekdays."""
