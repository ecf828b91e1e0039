"""The growth log: how the companion changed. Nothing in it is edited or trimmed, but for forgetting (promise S1)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from innerlife.ledger.envelope import Draft, Event
from innerlife.selfmodel.desk import Desk, by_companion, by_user, rests_on
from innerlife.selfmodel.events import GrowthEntered, GrowthSort
from innerlife.selfmodel.rows import Noun, Row
from innerlife.selfmodel.sizes import fitting

NOUNS: Final = (Noun.IDENTITY, Noun.PERSONA, Noun.GROWTH)

_IN_DIGEST: Final = frozenset({"rewritten", "change", "scar", "correction", "rule"})
_BY_HAND: Final = frozenset({"scar", "rule"})
_WHAT: Final = {Noun.IDENTITY: "who I am", Noun.PERSONA: "how I speak"}


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the log. `sort` is a `GrowthSort`, or what became of a portrait: rewritten, noted, flagged.

    `before` and `proposed` are the two texts of a portrait; `reason` is why it was not taken on.
    """

    seq: int
    id: str
    at: datetime
    zone: str
    sort: str
    text: str
    before: str = ""
    proposed: str = ""
    reason: str = ""
    by_user: bool = False


def entries_of(rows: Sequence[Row]) -> list[Entry]:
    """The whole log in order."""
    return [_entry(row) for row in rows if row.noun in NOUNS]


def digest_of(entries: Sequence[Entry], most: int) -> list[Entry]:
    """The newest entries that tell of a change that happened, oldest first.

    What the person took out or disputed by hand is no part of it: it would be told to every model once more.
    """
    told = (one for one in entries if one.sort in _IN_DIGEST)
    return [one for one in told if not (one.by_user and one.sort in _BY_HAND)][-most:]


def _entry(row: Row) -> Entry:
    if row.noun is Noun.GROWTH:
        return Entry(row.seq, row.id, row.at, row.zone, row.what, row.text, by_user=row.by_user)
    what = _WHAT[row.noun]
    to = f": {row.extra}" if row.extra else ""
    match row.what:
        case "rewritten" if row.by_user:
            text = f"The words for {what} were set by hand."
        case "rewritten":
            text = f"I put {what} in other words{to}."
        case "flagged":
            text = f"I held back a change of {what} that went too far{to}."
        case _:
            text = f"I noted a change of {what} and did not make it{to}."
    return Entry(
        row.seq, row.id, row.at, row.zone, row.what, text, row.before, row.text, row.note, row.by_user
    )


class Growth:
    """Use-case: read and continue the log. Every method raises StorageFailed on a broken store."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def read(self, until: datetime | None = None) -> list[Entry]:
        """All entries, oldest first."""
        return entries_of(self._desk.rows(*NOUNS, until=until))

    def enter(self, sort: GrowthSort, text: str, evidence_seqs: Collection[int]) -> Event:
        """One more entry. Raises BadInput for an empty or too long one."""
        return self._desk.append(self.draft(sort, text, evidence_seqs))[0]

    def draft(
        self, sort: GrowthSort, text: str, evidence_seqs: Collection[int], *, user: bool = False
    ) -> Draft:
        """The event of an entry, appended by the caller. Raises BadInput."""
        text, _ = fitting(text, self._desk.policy.entry_tokens, "A growth entry", self._desk.measure)
        make = by_user if user else by_companion
        return make(GrowthEntered(sort, text), rests_on(evidence_seqs))
