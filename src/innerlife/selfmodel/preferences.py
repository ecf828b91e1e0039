"""Preferences: what the user said they want. What is inferred of how to help are rules, kept elsewhere (promise L3)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from innerlife.errors import BadInput
from innerlife.selfmodel.desk import Desk, by_companion, by_user, rests_on
from innerlife.selfmodel.events import PreferenceRetired, PreferenceSaid, about
from innerlife.selfmodel.handles import handle_of, named
from innerlife.selfmodel.merge import same_words
from innerlife.selfmodel.rows import Noun, Row
from innerlife.selfmodel.sizes import fitting

NOUNS: Final = (Noun.PREFERENCES,)


@dataclass(frozen=True, slots=True)
class Preference:
    """One preference in the user's words."""

    seq: int
    id: str
    handle: str
    text: str
    at: datetime
    zone: str


def preferences_of(rows: Sequence[Row]) -> list[Preference]:
    """Those in force, oldest first; one said again in the same words stands once."""
    found: dict[int, Preference] = {}
    for row in rows:
        if row.what == "said" and all(same_words(one.text) != same_words(row.text) for one in found.values()):
            found[row.seq] = Preference(row.seq, row.id, handle_of(row.id), row.text, row.at, row.zone)
        elif row.what == "retired":
            found.pop(row.thing, None)
    return list(found.values())


class Preferences:
    """Use-case: preferences. Every method raises StorageFailed on a broken store."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def read(self, until: datetime | None = None) -> list[Preference]:
        """Those in force, or in force at `until`, oldest first."""
        return preferences_of(self._desk.rows(*NOUNS, until=until))

    def say(self, text: str, evidence_seqs: Collection[int] = (), *, user: bool = False) -> Preference:
        """The user wants it so. It rests on a message of theirs, or is of their hand. Raises BadInput."""
        with self._desk.alone:
            text, _ = fitting(text, self._desk.policy.item_tokens, "A preference", self._desk.measure)
            same = next((one for one in self.read() if same_words(one.text) == same_words(text)), None)
            if same:
                return same
            quotes = self._desk.evidence(evidence_seqs)
            if not (user or quotes):
                raise BadInput(
                    "A preference is what the person said", "Name the message in which they said it."
                )
            body = PreferenceSaid(text)
            event = self._desk.append(by_user(body) if user else by_companion(body, rests_on(evidence_seqs)))[
                0
            ]
            return Preference(
                event.seq, event.id, handle_of(event.id), text, event.recorded_at, event.happened.zone
            )

    def retire(self, handle: str, note: str = "", *, user: bool = True) -> Preference:
        """The user wants it no longer. Raises NotFound, BadInput."""
        one = named(self.read(), handle, "preference")
        make = by_user if user else by_companion
        self._desk.append(make(PreferenceRetired(note.strip()), about(one.seq)))
        return one
