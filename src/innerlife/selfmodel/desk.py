"""What every use-case of this room works with: the ledger, what stands now, and what it may ask the other rooms."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Protocol

from innerlife.errors import BadInput
from innerlife.kernel import canonical
from innerlife.ledger.envelope import Actor, Cause, Draft, Event, Role, Trust
from innerlife.ledger.ledger import Ledger
from innerlife.ledger.views import position_of
from innerlife.ports import Clock, Runtime
from innerlife.selfmodel.due import local_day
from innerlife.selfmodel.gates import Gate
from innerlife.selfmodel.journal import SelfModelView, all_standing, read
from innerlife.selfmodel.policy import SelfModelPolicy
from innerlife.selfmodel.rows import Noun, Row, row_of
from innerlife.selfmodel.sizes import Measure

_TAIL = 100_000
"""Events that the view may lag behind; more of this room's kinds are not written in a life."""


class Lived(Protocol):
    """What the conversations tell: evidence, and how much was lived."""

    def own_words(self, seqs: Collection[int]) -> Mapping[int, str]:
        """The user's own words in those of these that are messages of theirs, without quoted ones and fiction."""
        ...

    def meaningful(self, since: datetime | None) -> Sequence[date]:
        """The local day of each meaningful interaction after `since`; of all there were, where it is None."""
        ...


class MoodIn(Protocol):
    """Finds a word of mood that a text makes something lasting of."""

    def __call__(self, text: str, own_words: str, *, dated: bool, mine: bool) -> str:
        """`own_words` are the person's: quotations from them stand. `dated`: how it seemed, and when, may stand."""
        ...


def anything_stands(text: str, own_words: str, *, dated: bool, mine: bool) -> str:
    """Where nothing reads moods, no text is held back for them."""
    del text, own_words, dated, mine
    return ""


@dataclass(frozen=True)
class Desk:
    """Made once by `bootstrap`. `gate` finds near-duplicates; None where nothing measures nearness."""

    ledger: Ledger
    runtime: Runtime
    clock: Clock
    policy: SelfModelPolicy
    measure: Measure
    lived: Lived
    gate: Callable[[], Gate]
    mood_in: MoodIn = anything_stands
    """The word of mood for which a text about the person may not stand, empty where it may (promise A2)."""
    alone: threading.RLock = field(default_factory=threading.RLock)
    """Held from the look at what is there to the append: two calls at once must not both find it missing."""

    def rows(self, *nouns: Noun, until: datetime | None = None) -> list[Row]:
        """Rows of these nouns as they stand now, what the view has not read yet included. Raises StorageFailed."""
        # Between the two steps of a forgetting the view still holds what the ledger has lost.
        gone = self.ledger.leaving()
        with self.runtime.reading() as rows:
            position = position_of(rows, "selfmodel_row")
            there = () if position is None else nouns
            found = read(rows, there, until) if until else all_standing(rows, there)
        found += [row for row in self.tail(position) if row.noun in nouns and _by(row, until)]
        return [row for row in found if row.seq not in gone]

    def tail(self, position: int | None) -> list[Row]:
        """Rows of what the view has not read; all there are, where it is not there. Raises StorageFailed."""
        unread = self.ledger.read(position or 0, _TAIL, SelfModelView.kinds)
        return [row_of(event) for event in unread]

    def today(self) -> date:
        """The user's local day."""
        return local_day(self.clock.now(), self.clock.zone())

    def evidence(self, seqs: Collection[int]) -> dict[int, str]:
        """The user's own words among these events; what is somebody else's is no evidence."""
        return {seq: words for seq, words in self.lived.own_words(seqs).items() if words.strip()}

    def check_moods(
        self, text: str, seqs: Collection[int], *, dated: bool = False, mine: bool = False
    ) -> None:
        """Raise BadInput where a text makes a lasting thing of a mood; `dated` where it is an observation of a day.

        `mine`: the companion writes of itself. What the person said of themselves in these messages may be quoted.
        """
        own = "\n".join(self.lived.own_words(seqs).values()) if seqs else ""
        if word := self.mood_in(text, own, dated=dated, mine=mine):
            raise BadInput(
                f"“{word}” names a mood, and a mood is nothing that lasts",
                "Say what helps, quote what they said, or observe how it seemed and when. Nothing was changed.",
            )

    def append(self, *drafts: Draft) -> list[Event]:
        """Append all of them or none. Raises StorageFailed, CauseGone."""
        return self.ledger.append_all(drafts)


def _by(row: Row, until: datetime | None) -> bool:
    return until is None or row.at <= until


def rests_on(seqs: Collection[int]) -> tuple[Cause, ...]:
    """Causes of something that words flowed into."""
    return tuple(Cause(seq, Role.FROM) for seq in sorted(set(seqs)))


def by_companion(body: object, causes: Sequence[Cause], key: str | None = None) -> Draft:
    """A draft of the companion's own."""
    return Draft(body, Actor.COMPANION, Trust.COMPANION, causes=tuple(dict.fromkeys(causes)), key=key)  # type: ignore[arg-type]


def by_user(body: object, causes: Sequence[Cause] = (), key: str | None = None) -> Draft:
    """A draft of the user's hand."""
    return Draft(body, Actor.USER, Trust.USER, causes=tuple(dict.fromkeys(causes)), key=key)  # type: ignore[arg-type]


def place_after(what: str, ident: str) -> str:
    """The key of what follows an event: only one can take it, and it names the event to nobody."""
    return canonical.digest([what, "after", ident])[:40]
