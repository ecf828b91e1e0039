"""Calling for a reflection on a conversation."""

from __future__ import annotations

from innerlife.ledger.envelope import Actor, Cause, Draft, Role, Trust
from innerlife.reflection.events import Called, Sort, Why


def call(why: Why, message: int, conversation: str) -> Draft:
    """The event that wants what is unread there to be looked back on now; it goes with the message it follows."""
    causes = tuple(Cause(message, role) for role in (Role.TRIGGER, Role.FROM))
    user = why is Why.ASKED
    return Draft(
        Called(Sort.QUICK, why),
        Actor.USER if user else Actor.COMPANION,
        Trust.USER if user else Trust.COMPANION,
        causes=causes,
        stream=conversation,
    )
