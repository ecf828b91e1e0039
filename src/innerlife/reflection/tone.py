"""After each exchange, without a language model: the tone of what was said, where it is English (promise A1).

A turn reads its message at a glance; here it is read once more with the vector of its words. What is
believed of a message is the surer of the two.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from innerlife.affect.read import read, stated, toned_part
from innerlife.affect.signals import Glimpse
from innerlife.affect.valence import reads_english
from innerlife.conversations.events import USER
from innerlife.ledger.envelope import Derivation, Draft, Event
from innerlife.reflection.reading import own_reading
from innerlife.reflection.sources import Sources
from innerlife.thinking.stage import RuleStage

STAGE: Final = "tone"


@dataclass(frozen=True, slots=True)
class Heard:
    """A message, and what its words told."""

    message: int
    glimpse: Glimpse


class ReadTone(RuleStage[Heard]):
    """Reads each message of the person once more."""

    name = STAGE
    version = 1
    opens = frozenset({USER})
    priority = 80

    def __init__(self, sources: Sources) -> None:
        self._mood = sources.mood
        self._glances = sources.glances
        self._english = sources.english
        self.lapses_s = sources.reflection.lapses_s
        self._numbers = sources.mood.desk.policy
        self.policy = self._numbers.digest

    def subjects(self, event: Event) -> Collection[int]:
        """Every message of the person that is no part of a story."""
        return () if event.body.fiction else (event.seq,)

    def inputs(self, subject: Event, now: datetime) -> Heard | None:
        """The reading; None where there is nothing to read, or nothing that reads it better than the glance did."""
        del now
        said = self._glances.said_in(subject)
        if said is None or self._english is None or not reads_english(said.text):
            return None
        plain = toned_part(said.text)
        if not plain:
            return None
        vector = self._english.embed_passages([plain])[0]
        habits = self._glances.habits_before(subject.seq)
        return Heard(
            subject.seq, Glimpse(read(said, habits, vector, self._numbers), stated(said, self._numbers))
        )

    def results(self, inputs: Heard) -> Sequence[Draft]:
        """One signal, where anything stands out."""
        derivation = Derivation(STAGE, policy=self.policy)
        drafts = self._mood.reading_drafts(inputs.message, inputs.glimpse, derivation)
        return [own_reading(draft) for draft in drafts]
