"""The origin: a name and a birth date, frozen with the first exchange (promise S3)."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from datetime import date

from innerlife.errors import BadInput, NotFound
from innerlife.ledger.envelope import Actor, Draft, Trust
from innerlife.ledger.ledger import Ledger
from innerlife.selfmodel.events import ORIGIN, OriginGiven

DEFAULT_NAME = "Anima"
LONGEST_NAME = 40


def checked_name(name: str) -> str:
    """A name fit for the origin: one line of visible characters. Raises BadInput."""
    name = unicodedata.normalize("NFC", name).strip()
    if not name:
        raise BadInput("A companion needs a name")
    if len(name) > LONGEST_NAME:
        raise BadInput(f"A name has at most {LONGEST_NAME} characters, this one has {len(name)}")
    if any(unicodedata.category(c)[0] == "C" or c in "{}<>" for c in name):
        raise BadInput("A name is one line of letters, marks and spaces")
    return name


class Origins:
    """Use-case: give and read the origin of one Core. `has_lived` says whether an exchange is recorded."""

    def __init__(self, ledger: Ledger, has_lived: Callable[[], bool]) -> None:
        self._ledger = ledger
        self._has_lived = has_lived

    def give(self, name: str, born: date) -> OriginGiven:
        """Give a new Core its origin; the first one stands. Raises BadInput."""
        body = OriginGiven(checked_name(name), born.isoformat())
        self._ledger.append(Draft(body, Actor.SYSTEM, Trust.USER, key="origin"))
        return self.read()

    def rename(self, name: str) -> OriginGiven:
        """Change the name while nothing was lived together. Raises BadInput; then nothing changed."""
        now = self.read()
        name = checked_name(name)
        if name == now.name:
            return now
        if self._has_lived():
            raise BadInput(f"{now.name} has lived through a first exchange; the name is part of it now")
        self._ledger.append(Draft(OriginGiven(name, now.born), Actor.USER, Trust.USER))
        return OriginGiven(name, now.born)

    def read(self) -> OriginGiven:
        """The origin in force. Raises NotFound in a Core that was never given one."""
        events = self._ledger.newest(1, {ORIGIN})
        if not events:
            raise NotFound("This Core has no origin yet", "Run `innerlife init`.")
        body: OriginGiven = events[0].body
        return body
