"""What the conversations tell the self-model: evidence in the user's own words, and how much was lived."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime

from innerlife.conversations.events import UserMessage
from innerlife.conversations.own_words import own_words_of
from innerlife.conversations.substance import answered_since, substantial
from innerlife.ledger.ledger import Ledger
from innerlife.ports import Runtime
from innerlife.selfmodel.due import local_day


class Lived:
    """Port `selfmodel.desk.Lived` over ledger and views."""

    def __init__(self, ledger: Ledger, runtime: Runtime) -> None:
        self._ledger = ledger
        self._runtime = runtime

    def own_words(self, seqs: Collection[int]) -> Mapping[int, str]:
        """The user's own words in those of these that are messages of theirs, without quoted ones and fiction."""
        said: dict[int, str] = {}
        for event in self._ledger.get(seqs):
            body = event.body
            if isinstance(body, UserMessage) and not body.fiction:
                said[event.seq] = own_words_of(body)
        return said

    def meaningful(self, since: datetime | None) -> Sequence[date]:
        """The local day of each meaningful interaction after `since`: a conversation, on a day."""
        exchanges: Counter[tuple[str, date]] = Counter()
        characters: Counter[tuple[str, date]] = Counter()
        with self._runtime.reading() as rows:
            for told in answered_since(rows, since):
                day = local_day(told.at, told.zone)
                exchanges[told.conversation, day] += 1
                characters[told.conversation, day] += told.characters
        return [one[1] for one in exchanges if substantial(exchanges[one], characters[one])]
