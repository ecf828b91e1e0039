"""Reading the views of conversations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from innerlife.conversations.substance import ANSWERED
from innerlife.kernel.moments import from_micros
from innerlife.kernel.text import storable
from innerlife.ports import Runtime

_QUARTER_HOUR: Final = 900_000_000
"""Microseconds. Every zone lies whole quarters of an hour from UTC, so that no day begins within one."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message as a person reads it."""

    seq: int
    id: str
    conversation: str
    speaker: str
    text: str
    at: datetime
    zone: str
    parent: int
    ending: str
    again: bool
    model: str
    fiction: bool
    attachments: int


@dataclass(frozen=True, slots=True)
class Exchange:
    """A user message with its newest answer (None while there is none) and how many answers there were."""

    said: Message
    answer: Message | None
    answers: int


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation at a glance."""

    id: str
    began: datetime
    last: datetime
    messages: int
    opening: str
    fiction: bool


_COLUMNS = "seq, id, stream, speaker, text, at, zone, parent, ending, again, model, fiction, attachments"
"""In the order in which `_message` reads them."""


class Conversations:
    """Use-case: look at what was said. Every method raises StorageFailed on a broken runtime."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    def newest(self, limit: int = 20) -> list[Conversation]:
        """Conversations, the one that was last spoken in first."""
        with self._runtime.reading() as rows:
            found = rows.execute(
                """SELECT found.stream, began, last, messages, opening.text, found.fiction
                   FROM (SELECT stream, MIN(at) AS began, MAX(at) AS last, COUNT(*) AS messages,
                                MIN(seq) AS first, MAX(seq) AS newest, MAX(fiction) AS fiction
                         FROM conversations_message GROUP BY stream ORDER BY newest DESC LIMIT ?) AS found
                   JOIN conversations_message AS opening ON opening.seq = found.first ORDER BY found.newest DESC""",
                (limit,),
            ).fetchall()
        return [_conversation(row) for row in found]

    def count(self) -> int:
        """How many conversations there are."""
        with self._runtime.reading() as rows:
            return int(rows.execute("SELECT COUNT(DISTINCT stream) FROM conversations_message").fetchone()[0])

    def matching(self, prefix: str) -> list[str]:
        """Ids of conversations that begin with `prefix` (at most ten)."""
        prefix = storable(prefix)
        with self._runtime.reading() as rows:
            found = rows.execute(
                """SELECT DISTINCT stream FROM conversations_message
                   WHERE substr(stream, 1, ?) = ? ORDER BY stream LIMIT 10""",
                (len(prefix), prefix),
            )
            return [row[0] for row in found]

    def messages(self, conversation: str, limit: int = 1000) -> list[Message]:
        """The last messages of a conversation, in order."""
        with self._runtime.reading() as rows:
            found = rows.execute(
                f"SELECT {_COLUMNS} FROM conversations_message WHERE stream = ? ORDER BY seq DESC LIMIT ?",  # noqa: S608 - constant
                (conversation, limit),
            ).fetchall()
        return [_message(row) for row in reversed(found)]

    def last_before(self, seq: int) -> Message | None:
        """The newest message of the user before an event, in any conversation; stories are passed over."""
        with self._runtime.reading() as rows:
            found = rows.execute(
                f"""SELECT {_COLUMNS} FROM conversations_message
                    WHERE speaker = 'user' AND fiction = 0 AND seq < ? ORDER BY seq DESC LIMIT 1""",  # noqa: S608 - constant
                (seq,),
            ).fetchone()
        return _message(found) if found else None

    def by_month(self, day_of: Callable[[datetime, str], date]) -> dict[str, int]:
        """How many messages of the user were answered, by their month (`2026-03`); stories are left out.

        `day_of` gives the local day of an instant where a zone is: the month is that where the user was.
        """
        with self._runtime.reading() as rows:
            found = rows.execute(
                f"""SELECT at / :quarter * :quarter, zone, COUNT(*) FROM conversations_message m
                    WHERE {ANSWERED} GROUP BY 1, 2 ORDER BY 1""",  # noqa: S608 - constant
                {"quarter": _QUARTER_HOUR},
            ).fetchall()
        months: Counter[str] = Counter()
        for at, zone, number in found:
            months[day_of(from_micros(at), zone).strftime("%Y-%m")] += number
        return dict(sorted(months.items()))

    def exchanges(self, conversation: str, limit: int = 1000) -> list[Exchange]:
        """The exchanges of a conversation, in order."""
        return _pair(self.messages(conversation, limit))


def _pair(messages: Sequence[Message]) -> list[Exchange]:
    answers: dict[int, list[Message]] = {}
    for message in messages:
        if message.speaker == "companion":
            answers.setdefault(message.parent, []).append(message)
    return [
        Exchange(said, given[-1] if given else None, len(given))
        for said, given in ((m, answers.get(m.seq, [])) for m in messages if m.speaker == "user")
    ]


def _message(row: Sequence[Any]) -> Message:
    seq, ident, stream, speaker, text, at, zone, parent, ending, again, model, fiction, attachments = row
    return Message(
        seq, ident, stream, speaker, text, from_micros(at), zone, parent, ending, bool(again), model,
        bool(fiction), attachments,
    )  # fmt: skip


def _conversation(row: Sequence[Any]) -> Conversation:
    stream, began, last, count, opening, fiction = row
    return Conversation(stream, from_micros(began), from_micros(last), count, opening, bool(fiction))
