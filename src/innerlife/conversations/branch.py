"""The branch of a conversation that leads to a message: what a client resends in front of it."""

from __future__ import annotations

from collections.abc import Sequence

from innerlife.conversations.events import COMPANION, USER
from innerlife.conversations.view import parent_of
from innerlife.kernel.text import normalised
from innerlife.ledger.envelope import Event
from innerlife.ledger.ledger import Ledger

MOST = 64
"""User messages that are looked back to: more than the blocks of a conversation can be."""


def leading_to(ledger: Ledger, stream: str, user_seq: int, most: int = MOST) -> list[Event]:
    """The user messages before this one on its branch, newest first."""
    recent = {event.seq: event for event in ledger.by_stream(stream, 4 * most, {USER, COMPANION})}
    found: list[Event] = []
    event = recent.get(user_seq)
    while event is not None and len(found) < most:
        event = recent.get(parent_of(event))
        if event is not None and event.kind == USER:
            found.append(event)
    return found


def places(branch: Sequence[Event], resent: Sequence[tuple[int, str]]) -> dict[int, int]:
    """Where each message of the branch stands in what was resent: seq → index.

    `branch` is newest first; `resent` are (index, own words) of the client's user messages before the newest, in
    order. They are laid side by side from the end; from where they differ on, nothing is placed.
    """
    placed: dict[int, int] = {}
    for event, (index, words) in zip(branch, reversed(resent), strict=False):
        if normalised(words) != normalised(event.body.text):
            break
        placed[event.seq] = index
    return placed
