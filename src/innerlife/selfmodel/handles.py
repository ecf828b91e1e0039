"""Short names for goals and observations: `#` and six hex digits, any beginning of which names one (promise S6)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Protocol, TypeVar

from innerlife.errors import BadInput, NotFound

LENGTH = 6


class Handled(Protocol):
    """What has a handle and a text."""

    @property
    def handle(self) -> str:
        """`#` and six hex digits."""
        ...

    @property
    def text(self) -> str:
        """What it says."""
        ...


H = TypeVar("H", bound=Handled)


def handle_of(event_id: str) -> str:
    """The handle of what an event began."""
    return "#" + hashlib.sha256(event_id.encode("ascii", "replace")).hexdigest()[:LENGTH]


def named(things: Sequence[H], handle: str, what: str) -> H:
    """The one whose handle begins so. Raises NotFound for none, BadInput for several, with all of them."""
    wanted = handle.strip().casefold().removeprefix("#")
    found = [one for one in things if wanted and one.handle[1:].startswith(wanted)]
    if not found:
        raise NotFound(f"There is no {what} {handle.strip()!r}")
    if len(found) > 1:
        listed = "; ".join(f"{one.handle} {one.text}" for one in found[:5])
        raise BadInput(f"{handle.strip()!r} names {len(found)} {what}s: {listed}", "Give more of the handle.")
    return found[0]
