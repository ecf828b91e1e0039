"""Observations: short dated insights, how conclusions changed, where the sections say what they are now (S7, S8)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from innerlife.errors import BadInput
from innerlife.kernel.passage import Passage
from innerlife.ledger.envelope import Draft, Event
from innerlife.selfmodel.desk import Desk, by_companion, by_user, rests_on
from innerlife.selfmodel.events import (
    Insight,
    ObservationRecorded,
    ObservationRetired,
    ObservationRevised,
    about,
)
from innerlife.selfmodel.gates import GateKind, Known, Near
from innerlife.selfmodel.handles import handle_of, named
from innerlife.selfmodel.merge import same_words
from innerlife.selfmodel.rows import Noun, Row, row_of
from innerlife.selfmodel.sizes import fitting

NOUNS: Final = (Noun.OBSERVATIONS,)


@dataclass(frozen=True, slots=True)
class Observation:
    """One observation as it reads now. `words` is the event that gave it its present words."""

    seq: int
    id: str
    handle: str
    sort: Insight
    text: str
    at: datetime
    zone: str
    words: tuple[int, str]
    revised: datetime | None = None
    note: str = ""


def observations_of(rows: Sequence[Row]) -> list[Observation]:
    """Those that hold, oldest first."""
    found: dict[int, Observation] = {}
    for row in rows:
        match row.what:
            case "recorded":
                sort = Insight(row.extra)
                found[row.seq] = Observation(
                    row.seq, row.id, handle_of(row.id), sort, row.text, row.at, row.zone, (row.seq, row.id)
                )
            case "revised" if row.thing in found:
                found[row.thing] = replace(
                    found[row.thing], text=row.text, words=(row.seq, row.id), revised=row.at, note=row.note
                )
            case "retired":
                found.pop(row.thing, None)
            case _:
                continue
    return list(found.values())


@dataclass(frozen=True, slots=True)
class Recorded:
    """It stands."""

    observation: Observation


@dataclass(frozen=True, slots=True)
class SaidBefore:
    """It says what an older one says: that one is shown back, to be revised instead. Nothing was recorded."""

    older: Observation
    near: Near


class Observations:
    """Use-case: record, revise, retire. Every method raises StorageFailed on a broken store."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def read(self, until: datetime | None = None) -> list[Observation]:
        """Those that hold, or held at `until`, oldest first."""
        return observations_of(self._desk.rows(*NOUNS, until=until))

    def record(
        self, sort: Insight, text: str, evidence_seqs: Collection[int], *, different: bool = False
    ) -> Recorded | SaidBefore:
        """Record one, unless it says what an older one says; `different` insists. Raises BadInput for a long one."""
        with self._desk.alone:
            outcome = self.decided(self.read(), sort, text, evidence_seqs, different=different)
            if isinstance(outcome, SaidBefore):
                return outcome
            event = self._desk.append(outcome)[0]
            return Recorded(next(one for one in observations_of([row_of(event)])))

    def decided(
        self,
        there: Sequence[Observation],
        sort: Insight,
        text: str,
        evidence_seqs: Collection[int],
        *,
        different: bool = False,
    ) -> Draft | SaidBefore:
        """The event that records one, appended by the caller, or the older one. Raises BadInput."""
        text = self._fitting(text)
        self._desk.check_moods(text, evidence_seqs, dated=True)
        same = next((one for one in there if same_words(one.text) == same_words(text)), None)
        near = Near(Known(same.seq, same.text), 1.0) if same else None
        if near is None and not different:
            near = self._desk.gate().nearest(GateKind.PAIR, text, [Known(one.seq, one.text) for one in there])
        if near is not None:
            return SaidBefore(next(one for one in there if one.seq == near.known.seq), near)
        causes = rests_on(evidence_seqs)
        return by_companion(ObservationRecorded(sort, text), causes)

    def revise(
        self, handle: str, text: str, note: str, evidence_seqs: Collection[int] = (), *, user: bool = False
    ) -> Observation:
        """Give one other words. Raises NotFound, BadInput."""
        one = named(self.read(), handle, "observation")
        text = self._fitting(text)
        if not user:
            self._desk.check_moods(text, evidence_seqs, dated=True)
        if not (note.strip() or user):
            raise BadInput("A revision needs a note", "Say in a sentence what changed and why.")
        causes = (*about(one.seq), *rests_on(evidence_seqs))
        make = by_user if user else by_companion
        self._desk.append(make(ObservationRevised(text, note.strip()), causes))
        return named(self.read(), one.handle, "observation")

    def retire(self, handle: str, note: str = "", *, user: bool = False) -> Observation:
        """It holds no longer. Raises NotFound, BadInput."""
        one = named(self.read(), handle, "observation")
        make = by_user if user else by_companion
        self._desk.append(make(ObservationRetired(note.strip()), about(one.seq)))
        return one

    def _fitting(self, text: str) -> str:
        return fitting(text, self._desk.policy.item_tokens, "An observation", self._desk.measure)[0]


def passage(event: Event) -> Passage | None:
    """The searchable form of an observation, so that it comes to mind when its topic does."""
    if not isinstance(event.body, ObservationRecorded):
        return None
    row = row_of(event)
    return Passage(row.seq, row.id, event.kind, "", "self", row.text, row.at, row.zone)
