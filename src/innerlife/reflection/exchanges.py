"""The exchanges that lead to a message, as detectors look at them: own words alone, stories and failures left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from innerlife.conversations.events import COMPANION, USER, CompanionMessage, Ending, UserMessage
from innerlife.conversations.own_words import own_words_of
from innerlife.conversations.view import parent_of
from innerlife.learning.turns import Turn
from innerlife.ledger.envelope import Event
from innerlife.ledger.ledger import Ledger

MOST = 4
"""Exchanges that are looked at: a question is asked again soon or not at all."""

_NEWEST = 80
"""Events of a conversation among which they are found: edits and repeated answers stand between them."""


@dataclass(frozen=True, slots=True)
class Answered:
    """One answered message: the turn that it opened, and its event."""

    turn: Turn
    message: Event


def leading_to(ledger: Ledger, event: Event, most: int = MOST) -> list[Answered]:
    """The answered exchanges before a message on its branch, oldest first, at most so many. Raises StorageFailed."""
    recent = _before(ledger, event)
    found: list[Answered] = []
    at = recent.get(parent_of(event))
    while at is not None and len(found) < most:
        if at.kind == USER and (exchange := _exchange(at, list(recent.values()))) is not None:
            found.append(exchange)
        at = recent.get(parent_of(at))
    return found[::-1]


def replaced_by(ledger: Ledger, event: Event) -> Answered | None:
    """The exchange whose message an edited one took the place of. Raises StorageFailed."""
    recent = _before(ledger, event)
    siblings = [
        one
        for one in recent.values()
        if one.kind == USER and parent_of(one) == parent_of(event) and one.stream == event.stream
    ]
    newest = max(siblings, key=lambda one: one.seq, default=None)
    return _exchange(newest, list(recent.values())) if newest is not None else None


def ending_with(ledger: Ledger, message: Event, before: int, most: int = MOST) -> list[Answered]:
    """The exchanges up to a message, itself included where it was answered before a seq. Raises StorageFailed."""
    later = ledger.by_stream(message.stream, _NEWEST, {COMPANION}, before=before)
    last = _exchange(message, later)
    # A question that was never answered leaves nothing to judge: it is the engine that was away.
    return [*leading_to(ledger, message, most), last][-most:] if last is not None else []


def _before(ledger: Ledger, event: Event) -> Mapping[int, Event]:
    found = ledger.by_stream(event.stream, _NEWEST, {USER, COMPANION}, before=event.seq)
    return {one.seq: one for one in found}


def _exchange(message: Event, events: Sequence[Event]) -> Answered | None:
    """A message with its newest answer; None where there is none, or where either is part of a story."""
    body = message.body
    if not isinstance(body, UserMessage) or body.fiction:
        return None
    answers = [
        one for one in events if one.kind == COMPANION and parent_of(one) == message.seq and _is_answer(one)
    ]
    newest = max(answers, key=lambda one: one.seq, default=None)
    if newest is None:
        return None
    return Answered(Turn(message.seq, own_words_of(body), newest.body.text, newest.seq), message)


def _is_answer(event: Event) -> bool:
    body = event.body
    return isinstance(body, CompanionMessage) and not body.fiction and body.ending is not Ending.FAILED
