"""What was said, as a reflection reads it: the lines of a conversation that no reflection has read yet."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from innerlife.conversations.events import UserMessage
from innerlife.conversations.own_words import own_words_of
from innerlife.kernel.moments import from_micros, to_micros
from innerlife.kernel.text import without_fence_lines
from innerlife.ledger.envelope import Role
from innerlife.ledger.ledger import Ledger
from innerlife.ports import Rows, Runtime
from innerlife.reflection.events import Sort

_NOT_READ: Final = "NOT EXISTS (SELECT 1 FROM reflection_read r WHERE r.message = m.seq AND r.sort = 'quick')"
"""No quick reflection has read the message `m`."""

_WORDLESS: Final = 4
"""For each line with words, how many messages are looked through: pasted ones, failed answers."""

_LIVED: Final = "fiction = 0 AND speaker IN ('user', 'companion')"
_READ: Final = "seq, speaker, text, at, zone, ending, parent"


@dataclass(frozen=True, slots=True)
class Line:
    """A message: the user's own words, or what the companion was seen to answer. `broken`: it was not ended."""

    seq: int
    user: bool
    text: str
    at: datetime
    zone: str
    broken: bool = False


@dataclass(frozen=True, slots=True)
class Unread:
    """What is new in a conversation, in order. `seqs` are all messages it stands for, those without words too."""

    conversation: str
    lines: tuple[Line, ...]
    seqs: tuple[int, ...]
    more: bool = False
    """Whether there is more than this."""


class Lines:
    """Reads conversations for the stages. Every method raises StorageFailed on a broken store."""

    def __init__(self, ledger: Ledger, runtime: Runtime) -> None:
        self._ledger = ledger
        self._runtime = runtime

    def unread(self, conversation: str, most: int) -> Unread:
        """The oldest unread messages, at most so many with words; stories and failed answers left out."""
        query = f"""SELECT {_READ} FROM conversations_message m
            WHERE stream = ? AND {_LIVED} AND {_NOT_READ} ORDER BY seq LIMIT ?"""  # noqa: S608 - constants
        with self._runtime.reading() as rows:
            found = rows.execute(query, (conversation, most * _WORDLESS)).fetchall()
        lines = self._lines(found)
        # What has no words of its own is passed over together with what stands before the next line.
        end = lines[most].seq if len(lines) > most else None
        seqs = tuple(row[0] for row in found if end is None or row[0] < end)
        more = end is not None or len(found) == most * _WORDLESS
        return Unread(conversation, lines[:most], seqs, more)

    def leading_to(self, conversation: str, last: int, most: int) -> tuple[Line, ...]:
        """The newest lines of a conversation up to the message of seq `last`, read or not, oldest first."""
        query = f"""SELECT {_READ} FROM conversations_message m
            WHERE stream = ? AND {_LIVED} AND seq <= ? ORDER BY seq DESC LIMIT ?"""  # noqa: S608 - constants
        with self._runtime.reading() as rows:
            found = rows.execute(query, (conversation, last, most)).fetchall()
        return self._lines(found[::-1])

    def _lines(self, found: Sequence[Any]) -> tuple[Line, ...]:
        # An attempt that failed, or had nothing but a call of a tool in it, takes nobody's place.
        newest = {
            parent: seq
            for seq, speaker, text, _, _, ending, parent in found
            if speaker == "companion" and ending != "failed" and text.strip()
        }
        own = self.own_words([seq for seq, *_ in found])
        lines = (
            Line(
                seq,
                speaker == "user",
                own.get(seq, "") if speaker == "user" else without_fence_lines(text).strip(),
                from_micros(at),
                zone,
                ending in ("interrupted", "writing"),
            )
            for seq, speaker, text, at, zone, ending, parent in found
            # Of several answers to one message only the last one stands; to none that is known, each.
            if speaker == "user" or (ending != "failed" and (not parent or newest.get(parent) == seq))
        )
        return tuple(line for line in lines if line.text)

    def own_words(self, seqs: Collection[int]) -> dict[int, str]:
        """The user's own words in those of these that are messages of theirs, stories left out."""
        bodies = ((event.seq, event.body) for event in self._ledger.get(seqs))
        return {
            seq: own_words_of(body)
            for seq, body in bodies
            if isinstance(body, UserMessage) and not body.fiction
        }

    def rests_on(self, seq: int, messages: Collection[int]) -> bool:
        """Whether words of any of these messages flowed into an event."""
        return any(set(event.caused(Role.FROM)) & set(messages) for event in self._ledger.get([seq]))

    def newest(self, conversation: str) -> int:
        """The seq of the last message of either side that is whole, stories left out; 0 where there is none."""
        query = f"""SELECT MAX(seq) FROM conversations_message m
            WHERE stream = ? AND {_LIVED} AND ending != 'writing'"""  # noqa: S608 - constant
        with self._runtime.reading() as rows:
            return int(rows.execute(query, (conversation,)).fetchone()[0] or 0)

    def read_in(self, message: int) -> int:
        """The quick reflection that has read this message, 0 where none has."""
        query = "SELECT MAX(reflection) FROM reflection_read WHERE message = ? AND sort = ?"
        with self._runtime.reading() as rows:
            return int(rows.execute(query, (message, Sort.QUICK.value)).fetchone()[0] or 0)

    def unread_exchanges(self, conversation: str, last: int) -> int:
        """How many messages of the user in a conversation, up to the one of seq `last`, nobody has read."""
        with self._runtime.reading() as rows:
            return int(
                rows.execute(
                    f"""SELECT COUNT(*) FROM conversations_message m
                        WHERE stream = ? AND seq <= ? AND speaker = 'user' AND fiction = 0 AND {_NOT_READ}""",  # noqa: S608 - constant
                    (conversation, last),
                ).fetchone()[0]
            )

    def waiting(self, since: datetime) -> list[tuple[str, int]]:
        """(Conversation, its last unread message) of each with something unread since then, oldest first."""
        query = f"""SELECT stream, MAX(seq) AS last FROM conversations_message m
            WHERE {_LIVED} AND ending != 'writing' AND at >= ? AND {_NOT_READ}
            GROUP BY stream ORDER BY last"""  # noqa: S608 - constants
        with self._runtime.reading() as rows:
            return [(str(stream), int(seq)) for stream, seq in rows.execute(query, (to_micros(since),))]

    def said_lately(self, most: int, since: datetime | None = None) -> list[Line]:
        """The user's newest messages with own words in them, at most so many, oldest first."""
        with self._runtime.reading() as rows:
            found = _said(rows, most, since)
        own = self.own_words([seq for seq, *_ in found])
        return [
            Line(seq, user=True, text=own[seq], at=from_micros(at), zone=zone)
            for seq, at, zone in found
            if own.get(seq)
        ]

    def read_by(self, sort: Sort) -> int:
        """The newest message that a reflection of this sort has read, 0 where there is none."""
        query = "SELECT MAX(message) FROM reflection_read WHERE sort = ?"
        with self._runtime.reading() as rows:
            return int(rows.execute(query, (sort.value,)).fetchone()[0] or 0)


def _said(rows: Rows, most: int, since: datetime | None) -> Sequence[tuple[int, int, str]]:
    query = """SELECT seq, at, zone FROM conversations_message
        WHERE speaker = 'user' AND fiction = 0 AND at > ? ORDER BY seq DESC LIMIT ?"""
    after = to_micros(since) if since else -(1 << 62)
    newest: list[tuple[int, int, str]] = rows.execute(query, (after, most)).fetchall()
    return newest[::-1]
