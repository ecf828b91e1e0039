"""The event that says a reflection happened: first of what it appends, so that what follows it is what it changed."""

from __future__ import annotations

from collections.abc import Collection

from innerlife.ledger.envelope import Actor, Draft, Trust
from innerlife.reflection.events import Reflected
from innerlife.selfmodel.desk import rests_on


def reflected(done: Reflected, read: Collection[int], conversation: str = "") -> Draft:
    """It rests on everything it read: with one of these it goes, and what is left is thought over again."""
    return Draft(done, Actor.COMPANION, Trust.COMPANION, causes=rests_on(read), stream=conversation)
