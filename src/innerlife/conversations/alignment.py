"""Which conversation a request belongs to, and what in it is new (design §8, "Conversation identity").

A client resends its whole history and mostly no identity. The history's tail is aligned with what is recorded, our own
last answer being the strongest key; only what follows the last assistant message is new.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

LOOK_BACK = 24
"""Messages of the history that are tried as an anchor, from its end: edited or foreign answers are walked over."""

DEPTH = 6
"""Messages before an anchor that are compared to choose among equal ones ("OK." is answered often)."""


@dataclass(frozen=True, slots=True)
class Past:
    """One message of the client's history: its handle (keyed hash of speaker and normalised text).

    `telling` where it is long enough to be known again by itself; "OK." is not.
    """

    handle: str
    by_user: bool
    telling: bool = True


@dataclass(frozen=True, slots=True)
class Known:
    """A recorded message. `parent` is the seq of the one it follows, or 0.

    `answers` says of a user message how many answers it has, `answered` whether one of them is complete.
    """

    seq: int
    id: str
    stream: str
    handle: str
    by_user: bool
    parent: int = 0
    answers: int = 0
    answered: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """Where a request belongs. `stream` empty: a new conversation. `after` is the seq of the message it follows, or 0.

    `known` are the new messages that are recorded already (a retry, a regeneration, a tool round), in order;
    `siblings` are recorded messages in the place of the first one that is not: it is an edit of them.
    """

    stream: str = ""
    after: int = 0
    known: tuple[Known, ...] = ()
    siblings: tuple[Known, ...] = ()


class Recorded:
    """What alignment asks of the record."""

    def __init__(
        self,
        by_handle: Callable[[str], Sequence[Known]],
        alike: Callable[[str], Sequence[Known]],
        by_seq: Callable[[int], Known | None],
        children: Callable[[str, int], Sequence[Known]],
    ) -> None:
        self.by_handle = by_handle
        """The last few messages with this handle, newest first."""
        self.alike = alike
        """Many more of them, newest first; what is said of their answers does not count."""
        self.by_seq = by_seq
        self.children = children
        """User messages of a stream that follow the message with this seq (0: its first ones), newest first."""


def split(history: Sequence[Past]) -> tuple[Sequence[Past], Sequence[Past]]:
    """(What is resent, what is new): the border is after the last message that is not the user's."""
    border = len(history)
    while border and history[border - 1].by_user:
        border -= 1
    return history[:border], history[border:]


def place(history: Sequence[Past], recorded: Recorded, stream: str = "") -> Place:
    """The place of a request whose history ends with the user's new messages.

    `stream` is given where a header names the conversation: then only its own messages are looked at.
    """
    resent, new = split(history)
    anchor = _anchor(resent, recorded, stream)
    if anchor is None:
        if resent or not new:
            return Place(stream=stream)
        return _first(new, recorded, stream)
    return _follow(anchor.stream, anchor.seq, new, recorded)


def _anchor(resent: Sequence[Past], recorded: Recorded, stream: str) -> Known | None:
    """The recorded message nearest to the end of what was resent.

    One that short, or one of several, counts only where what stands before it agrees or nothing does: else any chat
    of another origin whose last answer was "OK." would be taken for one of ours.
    """
    for back in range(min(LOOK_BACK, len(resent))):
        at = len(resent) - 1 - back
        past, before = resent[at], resent[:at]
        if not past.handle:
            continue
        found = [k for k in recorded.alike(past.handle) if not stream or k.stream == stream]
        best, agreed = _most_agreeing(found, before, recorded)
        if best is not None and (agreed or stream or not before or (past.telling and len(found) == 1)):
            return best
    return None


def _most_agreeing(
    found: Sequence[Known], before: Sequence[Past], recorded: Recorded
) -> tuple[Known | None, int]:
    """The newest of those that agree best with what stands before, and in how many messages."""
    best, most = None, -1
    for known in found:
        agreed, wholly = _agreement(known, before, recorded)
        if agreed > most:
            best, most = known, agreed
        if wholly:
            break
    return best, most


def _agreement(known: Known, before: Sequence[Past], recorded: Recorded) -> tuple[int, bool]:
    """How many messages before `known` agree with the history, and whether all that are compared do."""
    agreed = 0
    for past in reversed(before[-DEPTH:]):
        parent = recorded.by_seq(known.parent) if known.parent else None
        if parent is None:
            return agreed, False
        if parent.handle == past.handle:
            agreed += 1
            known = parent
        elif past.by_user or not parent.by_user:
            return agreed, False
        # Else the answer came by rounds of tools, whose own texts stand between it and the question.
    if len(before) > DEPTH:
        return agreed, True
    # The beginning of a conversation that begins here too is worth more than any shared middle.
    return agreed + (not known.parent), not known.parent


def _first(new: Sequence[Past], recorded: Recorded, stream: str) -> Place:
    """A request without a past: a new conversation, unless its first message waits for an answer (a retry)."""
    for past in new:
        for known in recorded.by_handle(past.handle):
            if (
                known.by_user
                and not known.parent
                and (known.stream == stream if stream else not known.answered)
            ):
                return _follow(known.stream, 0, new, recorded)
    return Place(stream=stream, siblings=tuple(recorded.children(stream, 0)) if stream else ())


def _follow(stream: str, after: int, new: Sequence[Past], recorded: Recorded) -> Place:
    """Walk down what is recorded; a message that is not is passed over, for only the newest can be new."""
    known: list[Known] = []
    siblings: Sequence[Known] = ()
    for past in new:
        siblings = recorded.children(stream, known[-1].seq if known else after)
        same = next((child for child in siblings if child.handle == past.handle), None)
        if same is not None:
            known.append(same)
            siblings = ()
    return Place(stream, after, tuple(known), tuple(siblings))
