"""Use-case: readings of how the person seems. They read, correct and drop every one of them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from innerlife.affect.course import Course, Reading, course_of
from innerlife.affect.cues import Affect
from innerlife.affect.drafts import read_drafts
from innerlife.affect.events import SignalCorrected, SignalDropped, SignalRead
from innerlife.affect.journal import AffectView, Row, about, read, row_of, row_to_be
from innerlife.affect.manner import DayOf, Guidance, guidance
from innerlife.affect.measures import Month, measures_of
from innerlife.affect.policy import AffectPolicy
from innerlife.affect.signals import Glimpse
from innerlife.affect.windows import windows_of
from innerlife.errors import BadInput, NotFound
from innerlife.kernel import canonical
from innerlife.ledger.envelope import Actor, Derivation, Draft, Event, Role, Trust
from innerlife.ledger.ledger import Ledger
from innerlife.ledger.views import position_of
from innerlife.ports import Clock, Runtime

_TAIL = 100_000
"""Events that the view may lag behind; more of this room's kinds are not written in a life."""

_KEPT = timedelta(days=1)
"""How long rows are kept at hand before they are read afresh, the oldest left out."""

_LONGEST = 500
"""Characters of a correction: a few sentences."""


@dataclass(frozen=True)
class Desk:
    """What this room works with, made once by `bootstrap`.

    `own_words` gives the person's own words in messages (by seq), without quoted ones, fiction and what is no message
    of theirs. `named` gives what words about oneself name ("I was only tired"), a point without values where they
    name nothing known.
    """

    ledger: Ledger
    runtime: Runtime
    clock: Clock
    policy: AffectPolicy
    day_of: DayOf
    own_words: Callable[[Collection[int]], Mapping[int, str]]
    named: Callable[[str], Affect] = lambda _: Affect()

    def rows(self, since: datetime | None = None, until: datetime | None = None) -> list[Row]:
        """Rows from `since` on, as they stood at `until`; what the view has not read included.

        Raises StorageFailed.
        """
        # Between the two steps of a forgetting the view still holds what the ledger has lost.
        gone = self.ledger.leaving()
        with self.runtime.reading() as rows:
            position = position_of(rows, "affect_row")
            found = read(rows, since) if position is not None else []
        unread = self.ledger.read(position or 0, _TAIL, AffectView.kinds)
        found += [row for row in map(row_of, unread) if since is None or row.at >= since]
        return [row for row in found if row.seq not in gone and (until is None or row.recorded <= until)]


class _Recent:
    """The rows that bear on manner, at hand: a turn waits for what is new alone. Safe to use from any thread."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._lock = threading.Lock()
        self._rows: list[Row] = []
        self._back: datetime | None = None
        self._epoch = -1

    def since(self, at: datetime) -> list[Row]:
        """All rows from `at` on."""
        with self._lock:
            ledger, epoch = self._desk.ledger, self._desk.ledger.epoch()
            fits = self._back is not None and self._back <= at <= self._back + _KEPT
            if epoch != self._epoch or not fits or not self._rows:
                # A forgetting raises the epoch: what was kept before it may not be there any more.
                self._rows, self._back, self._epoch = self._desk.rows(at), at, epoch
            if self._rows:
                self._rows += map(row_of, ledger.read(self._rows[-1].seq, _TAIL, AffectView.kinds))
            return [row for row in self._rows if row.at >= at]


@dataclass(frozen=True)
class Standing:
    """What bears on manner at a moment: rows of this room, oldest first."""

    desk: Desk
    rows: Sequence[Row]
    now: datetime

    def guidance(self, *, first_today: bool = False, also: Sequence[Draft] = ()) -> tuple[Guidance, ...]:
        """How to answer, by what stands, and by what `also` would add were it recorded."""
        desk, head = self.desk, self.rows[-1].seq if self.rows else 0
        more = [row_to_be(draft, head + place, self.now) for place, draft in enumerate(also, 1)]
        readings = course_of([*self.rows, *more], desk.policy).readings
        zone = desk.clock.zone()
        return guidance(readings, self.now, zone, desk.policy, desk.day_of, first_today=first_today)

    @property
    def newest(self) -> Row | None:
        """The newest event, None where there is none."""
        return self.rows[-1] if self.rows else None

    def ids(self, seqs: Collection[int]) -> dict[int, str]:
        """Ids of events by seq."""
        wanted = set(seqs)
        return {row.seq: row.id for row in self.rows if row.seq in wanted}


class Mood:
    """The readings of one companion. Safe to use from any thread; every method raises StorageFailed."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._recent = _Recent(desk)

    def record(self, message_seq: int, glimpse: Glimpse, derivation: Derivation) -> list[Event]:
        """Record one look at a message of the person; empty where nothing stands out, or where it is not their own.

        Raises CauseGone where the message was forgotten meanwhile.
        """
        drafts = self.reading_drafts(message_seq, glimpse, derivation)
        return self.desk.ledger.append_all(drafts) if drafts else []

    def reading_drafts(self, message_seq: int, glimpse: Glimpse, derivation: Derivation) -> list[Draft]:
        """The events of it, appended by the caller."""
        words = self.desk.own_words([message_seq]).get(message_seq, "")
        found = self.desk.ledger.get([message_seq]) if words.strip() else []
        return read_drafts(found[0], words, glimpse, self.desk.policy, derivation) if found else []

    def course(self, since: datetime | None = None, until: datetime | None = None) -> Course:
        """What counts of the time from `since` on, or counted at `until`."""
        return course_of(self.desk.rows(since, until), self.desk.policy)

    def guidance(
        self, now: datetime, *, first_today: bool = False, also: Sequence[Draft] = ()
    ) -> tuple[Guidance, ...]:
        """How to answer now (promise A3), by what stands, and by what `also` would add were it recorded."""
        return self.standing(now).guidance(first_today=first_today, also=also)

    def standing(self, now: datetime) -> Standing:
        """What bears on manner at `now`, for asking more than one thing of it."""
        return Standing(self.desk, self._recent.since(self.looked_back(now)), now)

    def looked_back(self, now: datetime) -> datetime:
        """From when on readings bear on manner; a day more, so that the day before is whole."""
        return now - timedelta(days=self.desk.policy.back_days + 1)

    def correct(self, ident: str, words: str) -> Reading:
        """The person says how it was; their words are kept as they are and win over every reading of that message.

        `ident` is the beginning of a signal's id, empty for the newest. Raises NotFound, BadInput.
        """
        words = words.strip()
        if not words:
            raise BadInput("A correction needs words", "Say how it was: 'I was only in a hurry'.")
        if len(words) > _LONGEST:
            raise BadInput(f"A correction has at most {_LONGEST} characters, and this one has {len(words)}")
        one = self._named(ident)
        self.desk.ledger.append(
            Draft(
                SignalCorrected(words, self.desk.named(words)),
                Actor.USER,
                Trust.USER,
                causes=about(one.evidence[0]),
            )
        )
        return next(now for now in self.course().readings if now.message == one.message)

    def drop(self, ident: str) -> Reading:
        """Nothing rests on the reading of that message any more. Raises NotFound, also where it was dropped before."""
        one = self._named(ident)
        self.desk.ledger.append(
            Draft(
                SignalDropped(),
                Actor.USER,
                Trust.USER,
                causes=about(one.evidence[0]),
                key=canonical.digest(["affect", "dropped", one.id])[:40],
            )
        )
        return one

    def measures(self) -> list[Month]:
        """Who had the say over how the person is, by month (promise A7)."""
        return measures_of(self.desk.rows(), self.desk.policy, self.desk.day_of)

    def strong_moments(self, seqs: Collection[int]) -> frozenset[int]:
        """Those of these events that were captured in a window of strong feeling (promise A8).

        What was made of messages was captured when they were said, however much later it was made; else an event's own
        moment counts. For whatever is to say so of events: observations, goals, working memory, feedback.
        """
        events = self.desk.ledger.get(seqs)
        if not events:
            return frozenset()
        behind = {event.seq: event.caused(Role.FROM) or event.caused(Role.TRIGGER) for event in events}
        said = {
            event.seq: event
            for event in self.desk.ledger.get({one for found in behind.values() for one in found})
        }
        moments = {
            event.seq: [said[one].happened.at for one in behind[event.seq] if one in said]
            or [event.happened.at]
            for event in events
        }
        policy = self.desk.policy
        # What the person says in a sitting bears on all of it, so that whole sittings are looked at.
        earliest = min(at for found in moments.values() for at in found) - timedelta(
            days=1, hours=policy.intense_hours
        )
        windows = windows_of(self.course(earliest).readings, policy)
        return frozenset(seq for seq, found in moments.items() if any(map(windows.hold, found)))

    def _named(self, ident: str) -> Reading:
        readings = self.course().readings
        wanted = ident.strip().upper()
        # Without a name, the one that still says something is meant: no "I'm fine", and none that was set aside.
        counting = [one for one in readings if one.confidence > 0 and not one.overridden]
        # What was corrected may be corrected again.
        meant = counting or [one for one in readings if one.corrected is not None]
        found = self._read_as(wanted, readings) if wanted else meant[-1:]
        if not found:
            raise NotFound(
                f"There is no reading {ident.strip()!r}" if wanted else "There is no reading that counts",
                "`innerlife mood --evidence` shows those there are.",
            )
        if len(found) > 1:
            raise BadInput(f"{ident.strip()!r} names {len(found)} readings", "Give more of the id.")
        return found[0]

    def _read_as(self, wanted: str, readings: Sequence[Reading]) -> list[Reading]:
        """The readings of the messages that a signal of this name was read of.

        A later look may have taken the place of the one whose id was shown.
        """
        signals = (row for row in self.desk.rows() if isinstance(row.body, SignalRead))
        messages = {row.thing for row in signals if row.id.startswith(wanted)}
        return [one for one in readings if one.message in messages]
