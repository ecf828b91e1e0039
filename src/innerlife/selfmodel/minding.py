"""What is on the companion's mind: the inner state, and what it holds for a few days (promise S1)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from innerlife.errors import BadInput
from innerlife.ledger.envelope import Draft
from innerlife.selfmodel.desk import Desk, by_companion, by_user, rests_on
from innerlife.selfmodel.due import due_day, end_of, held_until, local_day
from innerlife.selfmodel.events import InnerStateSet, WorkingMemoryAdded, WorkingMemoryDropped, about
from innerlife.selfmodel.handles import handle_of, named
from innerlife.selfmodel.merge import same_words
from innerlife.selfmodel.portraits import Section
from innerlife.selfmodel.rows import Noun, Row
from innerlife.selfmodel.sizes import Size, fitting

NOUNS: Final = (Noun.INNER_STATE, Noun.WORKING_MEMORY)


@dataclass(frozen=True, slots=True)
class Held:
    """One thing held in mind. `due` is when it is to be done or asked about, None where it is at any time."""

    seq: int
    id: str
    handle: str
    text: str
    at: datetime
    zone: str
    expires: datetime
    due: datetime | None


def state_of(rows: Sequence[Row]) -> Section | None:
    """The newest inner state, None where there was none."""
    for row in reversed(rows):
        if row.noun is Noun.INNER_STATE:
            return Section(row.noun.value, row.text, row.seq, row.id, row.at, row.zone, row.by_user)
    return None


def held_of(rows: Sequence[Row], now: datetime) -> list[Held]:
    """What is held at `now`, what is due first in front. What has expired is left out, whenever that is asked."""
    found: dict[int, Held] = {}
    for row in rows:
        if row.noun is Noun.WORKING_MEMORY and row.what == "added":
            due = datetime.fromisoformat(row.extra) if row.extra else None
            expires = datetime.fromisoformat(row.note)
            found[row.seq] = Held(
                row.seq, row.id, handle_of(row.id), row.text, row.at, row.zone, expires, due
            )
        elif row.noun is Noun.WORKING_MEMORY:
            found.pop(row.thing, None)
    late = datetime.max.replace(tzinfo=UTC)
    return sorted(
        (one for one in found.values() if one.expires > now), key=lambda one: (one.due or late, one.seq)
    )


def due_of(held: Sequence[Held], now: datetime, ahead_days: float) -> list[Held]:
    """Those that come to mind now: due soon, due and not yet expired, or of no day."""
    return [one for one in held if one.due is None or one.due - now <= timedelta(days=ahead_days + 1)]


def let_go_of(rows: Sequence[Row], since: datetime, now: datetime) -> list[Held]:
    """What was held after `since` and is not at `now`, because its time is over."""
    return [one for one in held_of(rows, since) if one.expires <= now]


class Minding:
    """Use-case: inner state and working memory. Every method raises StorageFailed on a broken store."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def state(self, until: datetime | None = None) -> Section | None:
        """The inner state, or what it was at `until`."""
        return state_of(self._desk.rows(Noun.INNER_STATE, until=until))

    def set_inner_state(self, text: str, evidence_seqs: Collection[int], *, user: bool = False) -> Size:
        """What is on the mind now. Raises BadInput for an empty or too long text."""
        return self._say(self.inner_state_draft(text, evidence_seqs, user=user))

    def inner_state_draft(self, text: str, evidence_seqs: Collection[int], *, user: bool = False) -> Draft:
        """The event of it, appended by the caller. Raises BadInput."""
        text, _ = fitting(text, self._desk.policy.state_tokens, "The inner state", self._desk.measure)
        if not user:
            self._desk.check_moods(text, evidence_seqs)
        return (by_user if user else by_companion)(InnerStateSet(text), rests_on(evidence_seqs))

    def held(self, until: datetime | None = None) -> list[Held]:
        """What is held in mind, or was at `until`."""
        return held_of(self._desk.rows(Noun.WORKING_MEMORY, until=until), until or self._desk.clock.now())

    def let_go(self, since: datetime) -> list[Held]:
        """What was held at `since` and has expired by now."""
        return let_go_of(self._desk.rows(Noun.WORKING_MEMORY), since, self._desk.clock.now())

    def add_working_memory(
        self,
        text: str,
        evidence_seqs: Collection[int],
        due: str | datetime = "",
        expires: str | datetime = "",
        *,
        user: bool = False,
    ) -> Held:
        """Hold something in mind. Days may be said in words, in the user's zone; the same again changes nothing.

        Raises BadInput for words that name no day, and for an expiry that has passed.
        """
        with self._desk.alone:
            same = next((one for one in self.held() if same_words(one.text) == same_words(text)), None)
            if same:
                return same
            event = self._desk.append(self.memory_draft(text, evidence_seqs, due, expires, user=user))[0]
            return next(one for one in self.held() if one.seq == event.seq)

    def memory_draft(
        self,
        text: str,
        evidence_seqs: Collection[int],
        due: str | datetime = "",
        expires: str | datetime = "",
        *,
        user: bool = False,
        said: tuple[datetime, str] | None = None,
    ) -> Draft:
        """The event of it, appended by the caller. `said` is when and in which zone the words for the day were said.

        Raises BadInput.
        """
        policy, clock = self._desk.policy, self._desk.clock
        now, zone = clock.now(), clock.zone()
        then, zone = said or (now, zone)
        text, _ = fitting(text, policy.item_tokens, "What is held in mind", self._desk.measure)
        if not user:
            self._desk.check_moods(text, evidence_seqs)
        day = None
        at: datetime | None = due if isinstance(due, datetime) else None
        if isinstance(due, str) and due.strip():
            day = due_day(due, then, zone)
            if day is None:
                raise BadInput(f"{due!r} names no day", "Say a day: 'Thursday', '12 March', 'in two weeks'.")
            at = end_of(day, zone)
        if at is not None and at <= now:
            raise BadInput("The day on which it is due has passed", "Name a later day.")
        day = day or (local_day(at, zone) if at else None)
        until = held_until(expires, day, now, zone, policy.memory_days)
        body = WorkingMemoryAdded(
            text, until.astimezone(UTC).isoformat(), at.astimezone(UTC).isoformat() if at else ""
        )
        return (by_user if user else by_companion)(body, rests_on(evidence_seqs))

    def drop(self, handle: str, reason: str = "", *, user: bool = False) -> Held:
        """It is done with. Raises NotFound, BadInput."""
        one = named(self.held(), handle, "thing held in mind")
        self._desk.append(
            (by_user if user else by_companion)(WorkingMemoryDropped(reason.strip()), about(one.seq))
        )
        return one

    def _say(self, draft: Draft) -> Size:
        self._desk.append(draft)
        return Size(self._desk.measure(draft.body.text), self._desk.policy.state_tokens)  # type: ignore[attr-defined]
