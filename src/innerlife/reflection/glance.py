"""The glance of a turn: the newest message with what came before it, read against the person's own habits (A6)."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from innerlife.affect.cues import Affect, Say
from innerlife.affect.features import features_of
from innerlife.affect.habits import Habits, learned
from innerlife.affect.read import glance, stated
from innerlife.affect.reading_policy import ReadingPolicy
from innerlife.affect.said import Earlier, Said
from innerlife.affect.signals import Glimpse
from innerlife.affect.statements import statements_in
from innerlife.conversations.events import COMPANION, USER, UserMessage
from innerlife.conversations.own_words import own_words_of
from innerlife.ledger.envelope import Event
from innerlife.ledger.ledger import Ledger
from innerlife.selfmodel.due import zone_of

_TALK: Final = frozenset({USER, COMPANION})

_LOOKED_BACK: Final = 800
"""Messages of both sides that habits are learned from: several times what is kept of each band of hours."""

_SAID_BEFORE: Final = 30
"""Messages of both sides of one conversation that are looked at: enough for its topics and for the sitting."""


_TALKS: Final = 64
"""Conversations at hand: far more than anybody has open."""

_AS_THEN: Final = {
    "was": "am", "were": "am", "felt": "feel", "only": "", "just": "", "simply": "", "merely": "",
    "estaba": "estoy", "estuve": "estoy", "sentía": "siento", "sentí": "siento", "solo": "", "sólo": "",
    "simplemente": "",
}  # fmt: skip
"""How a correction's words are put to be read as said in that moment."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """The newest message as a glance takes it: the person's own words, without what they quote.

    `seq` is above all there are, and `conversation` empty, where it is only previewed.
    """

    words: str
    seq: int
    conversation: str
    at: datetime
    zone: str


Glance = Callable[[Spoken], Glimpse]
"""Reads a message in about a millisecond, without a model."""


class Glances:
    """Reads the newest message at a glance. What came before and the habits are kept at hand until a forgetting.

    Safe to use from any thread.
    """

    def __init__(self, ledger: Ledger, policy: ReadingPolicy) -> None:
        self._ledger = ledger
        self._policy = policy
        self._lock = threading.Lock()
        self._habits = Habits()
        self._talks: OrderedDict[str, deque[Event]] = OrderedDict()
        self._known = 0
        self._epoch = -1

    def __call__(self, spoken: Spoken) -> Glimpse:
        """The cues and statements of a message. Raises StorageFailed."""
        with self._lock:
            habits = self._caught_up(spoken.seq)
            said = _with(spoken, self._before(spoken) if spoken.conversation else ())
        return Glimpse(glance(said, habits, self._policy), stated(said, self._policy))

    def said_in(self, message: Event) -> Said | None:
        """A recorded message as it is read, None where it has no words of the person's own. Raises StorageFailed."""
        with self._lock:
            self._caught_up(message.seq)
            return next((_with(spoken, self._before(spoken)) for spoken in _own([message])), None)

    def habits(self, before: int) -> Habits:
        """How the person usually writes, by what they wrote before the message of this seq. Raises StorageFailed."""
        with self._lock:
            return self._caught_up(before)

    def _caught_up(self, before: int) -> Habits:
        epoch = self._ledger.epoch()
        afresh = epoch != self._epoch
        if afresh:
            self._habits, self._known, self._epoch = Habits(), 0, epoch
            self._talks.clear()
            talk = self._ledger.newest(_LOOKED_BACK, _TALK)[::-1]
        else:
            talk = self._ledger.read(self._known, _LOOKED_BACK, _TALK)
        for event in talk:
            if event.seq >= before:
                break
            self._learn(event, afresh=afresh)
            self._known = event.seq
        return self._habits

    def _learn(self, event: Event, *, afresh: bool) -> None:
        for spoken in _own([event]):
            # What stands before the messages that are looked at is not asked for one by one.
            before = self._talks.get(event.stream, ()) if afresh else self._before(spoken)
            features = features_of(_with(spoken, before), self._policy)
            self._habits = learned(self._habits, features, self._policy)
        self._keep(event.stream).append(event)

    def _before(self, spoken: Spoken) -> list[Event]:
        """What was said before a message in its conversation, oldest first."""
        if spoken.conversation not in self._talks:
            found = self._ledger.by_stream(spoken.conversation, _SAID_BEFORE, _TALK, spoken.seq)
            self._keep(spoken.conversation).extend(found[::-1])
        return [event for event in self._talks[spoken.conversation] if event.seq < spoken.seq]

    def _keep(self, stream: str) -> deque[Event]:
        talk = self._talks.setdefault(stream, deque(maxlen=_SAID_BEFORE))
        self._talks.move_to_end(stream)
        while len(self._talks) > _TALKS:
            self._talks.popitem(last=False)
        return talk


def feeling_named(words: str) -> Affect:
    """What a correction names ("tired", "I was only tired"), a point without values where it is nothing known.

    It speaks of the moment of the message, so that what is told as past counts as if it were said then.
    """
    then = " ".join(" ".join(_AS_THEN.get(word.lower(), word) for word in words.split()).split())
    for text in (words, then, f"I'm {then}", f"Estoy {then}"):
        felt = [one.affect for one in statements_in(text) if one.say is Say.FEELS]
        if felt:
            return felt[-1]
    return Affect()


def _own(events: Iterable[Event]) -> Iterator[Spoken]:
    """Those that are messages of the person with words of their own, no part of a story."""
    for event in events:
        body = event.body
        if isinstance(body, UserMessage) and not body.fiction and (words := own_words_of(body)):
            yield Spoken(words, event.seq, event.stream, event.happened.at, event.happened.zone)


def _with(spoken: Spoken, before: Iterable[Event]) -> Said:
    talk = list(before)
    answers = [event.happened.at for event in talk if event.kind == COMPANION]
    earlier = tuple(Earlier(one.words, one.at) for one in _own(talk))
    return Said(spoken.words, spoken.at, zone_of(spoken.zone), earlier, answers[-1] if answers else None)
