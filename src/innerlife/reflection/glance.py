"""The glance of a turn: the newest message with what came before it, read against the person's own habits (A6)."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from innerlife.affect.cues import Affect, Say
from innerlife.affect.features import Features, features_of
from innerlife.affect.habits import Habits
from innerlife.affect.habits import learned as learn
from innerlife.affect.read import glimpse
from innerlife.affect.reading_policy import ReadingPolicy
from innerlife.affect.said import Earlier, Said
from innerlife.affect.signals import Glimpse
from innerlife.affect.statements import statements_in
from innerlife.conversations.events import COMPANION, UserMessage
from innerlife.conversations.own_words import own_words_of
from innerlife.ledger.envelope import Event
from innerlife.ledger.ledger import Ledger
from innerlife.reflection.talks import SAID_BEFORE, TALK, Talk, Talks
from innerlife.reflection.then import Then
from innerlife.selfmodel.due import zone_of

_LOOKED_BACK: Final = 800
"""Messages of both sides that habits are learned from: several times what is kept of each band of hours."""

_NEW: Final = 40
"""Messages of both sides that a turn learns from by itself, some ten milliseconds; more are learned beside it."""

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
"""Reads a message without a model; what that takes stands in docs/benchmarks.md."""


@dataclass(frozen=True, slots=True)
class _Learned:
    """The habits by what was said up to a seq, in an epoch of the ledger: a forgetting ends it."""

    epoch: int
    known: int = 0
    habits: Habits = field(default_factory=Habits)

    def newer_than(self, other: _Learned) -> bool:
        return (self.epoch, self.known) > (other.epoch, other.known)


class Glances:
    """Reads the newest message at a glance. What came before and the habits are kept at hand until a forgetting.

    A turn learns what few messages are new since, and waits for nothing else: while there is more to learn, after a
    start, a forgetting or an import, it goes by what is at hand, and `catch_up` or `step` does the rest beside it.
    Safe to use from any thread; nothing is read from the ledger under the lock that a turn takes.
    """

    def __init__(self, ledger: Ledger, policy: ReadingPolicy) -> None:
        self._ledger = ledger
        self._policy = policy
        self._talks = Talks(ledger)
        self._lock = threading.Lock()
        self._learned = _Learned(-1)
        self._catching_up = threading.Lock()
        self._closed = threading.Event()
        self._then = Then(ledger, self._features_of)

    def __call__(self, spoken: Spoken) -> Glimpse:
        """The cues and statements of a message. Raises StorageFailed."""
        habits = self._near(spoken.seq).habits
        before = self._talks.before(spoken.conversation, spoken.seq) if spoken.conversation else ()
        said = _with(spoken, before)
        return glimpse(said, habits, self._policy)

    def said_in(self, message: Event) -> Said | None:
        """A recorded message as it is read, None where it has no words of the person's own. Raises StorageFailed."""
        spoken = next(_own([message]), None)
        return _with(spoken, self._talks.before(message.stream, message.seq)) if spoken else None

    def habits(self) -> Habits:
        """How the person usually writes, by all that they wrote; not for a turn. Raises StorageFailed."""
        self.catch_up()
        return self._at_hand(self._ledger.epoch()).habits

    def habits_before(self, seq: int) -> Habits:
        """How the person usually wrote until a message, whenever it is asked; not for a turn. Raises StorageFailed."""
        habits = Habits()
        for features in self._then.before(seq, _LOOKED_BACK):
            habits = learn(habits, features, self._policy)
        return habits

    def step(self) -> int:
        """Learn what a turn would not, and say from how many messages; none while turns keep up. For upkeep.

        Raises StorageFailed.
        """
        learned = self._at_hand(self._ledger.epoch())
        return self.catch_up() if len(self._ledger.read(learned.known, _NEW + 1, TALK)) > _NEW else 0

    def catch_up(self) -> int:
        """Learn from everything that is new, and say how many messages that was. Raises StorageFailed."""
        with self._catching_up:
            learned = self._at_hand(self._ledger.epoch())
            talk = self._ledger.read(learned.known, _LOOKED_BACK + 1, TALK)
            if len(talk) > _LOOKED_BACK:
                # Habits are those of the newest messages: what lies further back is not worth the time.
                learned = _Learned(learned.epoch)
                talk = self._ledger.newest(_LOOKED_BACK, TALK)[::-1]
            self._keep(self._grown(learned, talk, self._talks.read))
            return len(talk)

    def close(self) -> None:
        """Break off what is being learned, and wait until it is: the ledger may be closed then."""
        self._closed.set()
        with self._catching_up:
            pass

    def _near(self, before: int) -> _Learned:
        """What is known of the habits before a message, with what is new since where that is little."""
        learned = self._at_hand(self._ledger.epoch())
        new = self._ledger.read(learned.known, _NEW + 1, TALK)
        if len(new) > _NEW:
            return learned
        learned = self._grown(learned, [event for event in new if event.seq < before], self._talks.before)
        self._keep(learned)
        return learned

    def _grown(
        self, learned: _Learned, talk: Iterable[Event], before: Callable[[str, int], Talk]
    ) -> _Learned:
        """The habits with further messages in order, each read with what was said before it."""
        known, habits = learned.known, learned.habits
        for seq, features in self._features_of(talk, before):
            habits = learn(habits, features, self._policy) if features else habits
            known = seq
        return _Learned(learned.epoch, known, habits)

    def _features_of(
        self, talk: Iterable[Event], before: Callable[[str, int], Talk] | None = None
    ) -> Iterator[tuple[int, Features | None]]:
        """The seq of each, and the features of those that are the person's own words."""
        before = before or self._talks.read
        talks: dict[str, deque[Event]] = {}
        for event in talk:
            if self._closed.is_set():
                break
            features = None
            for spoken in _own([event]):
                if event.stream not in talks:
                    talks[event.stream] = deque(before(event.stream, event.seq), SAID_BEFORE)
                features = features_of(_with(spoken, talks[event.stream]), self._policy)
            if event.stream in talks:
                talks[event.stream].append(event)
            yield event.seq, features

    def _at_hand(self, epoch: int) -> _Learned:
        with self._lock:
            return self._learned if self._learned.epoch == epoch else _Learned(epoch)

    def _keep(self, learned: _Learned) -> None:
        with self._lock:
            if learned.newer_than(self._learned):
                self._learned = learned


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
