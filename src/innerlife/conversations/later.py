"""What rests on a message without a cause row of its own, for forgetting."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from innerlife.conversations.events import CHECKPOINT, COMPANION, TOOL, USER
from innerlife.conversations.view import parent_of
from innerlife.ledger.envelope import Event, Role
from innerlife.ledger.ledger import Ledger
from innerlife.ledger.store import Effect

_PAGE = 10_000
"""Messages that are read at once: all of a conversation's later ones are looked at, however many there are."""

_SAID = frozenset({USER, COMPANION, TOOL, CHECKPOINT})
_LATER = frozenset({COMPANION, TOOL, CHECKPOINT})


def later_answers(ledger: Ledger, events: Sequence[Event], reached: Collection[int]) -> Iterable[Effect]:
    """Answers and tool results that came after a message in its conversation: every client resends what was said."""
    by_stream: dict[str, list[int]] = {}
    for event in events:
        if event.kind in _SAID and event.stream:
            by_stream.setdefault(event.stream, []).append(event.seq)
    for stream, earlier in by_stream.items():
        for later in _after(ledger, stream, min(earlier)):
            if later.seq not in reached:
                yield from (Effect(seq, later.seq, Role.SHOWN) for seq in earlier if seq < later.seq)


def _after(ledger: Ledger, stream: str, first: int) -> Iterator[Event]:
    """Answers and tool results of a conversation after a seq, newest first."""
    before: int | None = None
    while page := ledger.by_stream(stream, _PAGE, _LATER, before):
        yield from (event for event in page if event.seq > first)
        before = page[-1].seq
        if len(page) < _PAGE or before <= first:
            return


def pieces(ledger: Ledger, events: Sequence[Event], reached: Collection[int]) -> Iterable[Effect]:
    """The pieces that were kept while an answer was written: they go with it, and with one another."""
    answers = {parent_of(e): e.seq for e in events if e.kind in (COMPANION, CHECKPOINT) and parent_of(e)}
    beside = [e for e in ledger.store.effects(answers) if e.role is Role.FROM and e.effect not in reached]
    for piece in ledger.get([effect.effect for effect in beside]):
        if piece.kind == CHECKPOINT:
            yield Effect(answers[parent_of(piece)], piece.seq, Role.FROM)
