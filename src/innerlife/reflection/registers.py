"""Use-case: how the person's manner differs by channel and addressee, from what they said themselves (promise A10)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from innerlife.affect.addressing import meant_for
from innerlife.affect.reading_policy import ReadingPolicy
from innerlife.affect.registers import Register, Written, registers_of, style_of
from innerlife.affect.said import Said
from innerlife.conversations.events import USER, UserMessage
from innerlife.conversations.own_words import own_words_of
from innerlife.ledger.ledger import Ledger
from innerlife.selfmodel.due import zone_of


@dataclass(frozen=True)
class Registers:
    """Works registers out from the newest messages each time; keeps nothing, so that what is forgotten is in none."""

    ledger: Ledger
    policy: ReadingPolicy

    def read(self) -> tuple[Register, ...]:
        """One register for each channel and addressee, most messages first.

        Left out are stories, quoted words, and messages that hold words for somebody without its being clear which or
        for whom. A message that passes words on counts for their addressee alone. Raises StorageFailed.
        """
        return registers_of(self._written())

    def _written(self) -> Iterator[Written]:
        for event in self.ledger.newest(self.policy.register_messages, {USER}):
            body = event.body
            if not isinstance(body, UserMessage) or body.fiction:
                continue
            words = own_words_of(body)
            meant = meant_for(words) if words else None
            if meant is not None:
                said = Said(meant.words, event.happened.at, zone_of(event.happened.zone))
                yield Written(body.surface, meant.addressee, style_of(said, self.policy))
