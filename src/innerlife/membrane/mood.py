"""What a turn does with how the person seems: read the newest message, choose a manner, and show it again for `why`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Final

from innerlife.affect.drafts import glanced, manner_draft, read_drafts
from innerlife.affect.events import MANNER, Aim, MannerChosen, Point
from innerlife.affect.journal import Row
from innerlife.affect.manner import Guidance, sentence
from innerlife.affect.mood import Mood, Standing
from innerlife.affect.signals import Glimpse
from innerlife.conversations.events import USER, UserMessage
from innerlife.conversations.own_words import own_words_of
from innerlife.conversations.quoting import quoted_spans
from innerlife.kernel.moments import Moment
from innerlife.ledger.envelope import Actor, Draft, Event, Trust
from innerlife.reflection.glance import Glance, Spoken
from innerlife.workspace.inputs import Written

LAYER: Final = "manner"

_NOT_YET: Final = 1 << 60
"""Stands for the seq of a message that is only previewed: above all there are."""

_LOOKED_THROUGH: Final = 20
"""Newest messages that are looked through for one of today; stories are passed over."""


class Attending:
    """Use-case: attend to how a message is said, and choose how to answer. Safe to use from any thread."""

    def __init__(self, mood: Mood, glance: Glance) -> None:
        self._mood = mood
        self._glance = glance

    def attend(self, user_seq: int, now: datetime) -> tuple[Written, ...]:
        """The manner for a recorded message; what stands out in it is durable on return.

        Nothing of a story or of somebody else's words is read, and nothing is given with them. Raises StorageFailed,
        CauseGone.
        """
        ledger, policy = self._mood.desk.ledger, self._mood.desk.policy
        message = next(iter(ledger.get([user_seq])), None)
        if message is None or not (words := _own_words(message)):
            return ()
        drafts = read_drafts(message, words, self._seen(message, words), policy, glanced(policy))
        if drafts:
            ledger.append_all(drafts)
        standing = self._mood.standing(max(now, message.happened.at))
        chosen = self._choose(message, standing)
        if not chosen:
            return ()
        seq, ident, points = self._chosen_by(message, chosen, standing.newest)
        known = standing.ids({one for this in chosen for one in this.evidence})
        behind = {one.point: one.evidence for one in chosen}
        return tuple(
            _written(
                sentence(point),
                {
                    seq: ident,
                    **{one: known[one] for one in behind.get(point, ()) if one in known},
                    message.seq: message.id,
                },
            )
            for point in points
        )

    def foresee(self, text: str, now: datetime) -> tuple[Written, ...]:
        """What `attend` would give for a first message of these words; nothing is recorded. Raises StorageFailed."""
        zone = self._mood.desk.clock.zone()
        message = Event(
            _NOT_YET, "", USER, 1, now, Moment(now, zone), Actor.USER, Trust.USER,
            UserMessage(text, quoted=quoted_spans(text)),
        )  # fmt: skip
        if not (words := _own_words(message)):
            return ()
        seen, policy = self._seen(message, words), self._mood.desk.policy
        drafts = read_drafts(message, words, seen, policy, glanced(policy))
        chosen = self._choose(message, self._mood.standing(now), drafts)
        return tuple(_written(one.text, {}) for one in chosen)

    def _chosen_by(
        self, message: Event, chosen: Sequence[Guidance], newest: Row | None
    ) -> tuple[int, str, tuple[Point, ...]]:
        """(Seq, id, points) of the event that says so, durable on return.

        Where nothing was read or said since it was chosen in this conversation, what was chosen then stands, and a turn
        waits for no disk.
        """
        if newest is not None and newest.stream == message.stream and isinstance(newest.body, MannerChosen):
            points = newest.body.points
            if points == tuple(one.point for one in chosen):
                return newest.seq, newest.id, points
        # Another process may have chosen for the same message: what it chose stands.
        event = self._mood.desk.ledger.append(manner_draft(message, chosen, self._mood.desk.policy))
        return event.seq, event.id, event.body.points

    def _choose(self, message: Event, standing: Standing, also: Sequence[Draft] = ()) -> tuple[Guidance, ...]:
        chosen = standing.guidance(first_today=True, also=also)
        # Whether it is the first message of the day is looked up only where that would change anything.
        if any(one.point.aim is Aim.CHECK_IN for one in chosen) and not self._is_first(message):
            return standing.guidance(also=also)
        return chosen

    def _seen(self, message: Event, words: str) -> Glimpse:
        happened = message.happened
        return self._glance(Spoken(words, message.seq, message.stream, happened.at, happened.zone))

    def _is_first(self, message: Event) -> bool:
        """Whether nothing was said before it on its local day."""
        desk = self._mood.desk
        today = desk.day_of(message.happened.at, message.happened.zone)
        return not any(
            desk.day_of(one.happened.at, one.happened.zone) == today
            for one in desk.ledger.newest(_LOOKED_THROUGH, {USER})
            if one.seq < message.seq and not one.body.fiction
        )


def manner_again(events: Sequence[Event], lines: Sequence[Collection[str]]) -> tuple[Written, ...]:
    """The manner that a turn was given, from the events that its record names.

    `lines` are the ids behind each sentence that was shown; where room was short these are the first ones of those
    chosen.
    """
    points = [point for event in events if event.kind == MANNER for point in event.body.points]
    seqs = {event.id: event.seq for event in events}
    return tuple(
        _written(sentence(point), {seqs[one]: one for one in ids if one in seqs})
        for point, ids in zip(points, lines, strict=False)
    )


def _own_words(message: Event) -> str:
    body = message.body
    return own_words_of(body) if isinstance(body, UserMessage) and not body.fiction else ""


def _written(text: str, evidence: dict[int, str]) -> Written:
    return Written(LAYER, text, tuple(evidence), tuple(evidence.values()))
