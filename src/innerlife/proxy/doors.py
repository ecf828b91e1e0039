"""What the proxy needs of the companion behind it: who remembers, who answers, who may enter."""

from __future__ import annotations

from typing import Protocol

from innerlife.adapters.models.upstream import Upstream
from innerlife.membrane.access import AccessBook
from innerlife.membrane.turn import Answer, Opened, Plan, TurnRequest


class ProfileTurns(Protocol):
    """The turns of one profile. Called from worker threads, several at once."""

    def begin(self, request: TurnRequest) -> Plan:
        """Record what is new in a request, durably, and say what to add to it.

        Trouble with the storage is no error: the plan says so by its standing (promise P6).
        """
        ...

    def checkpoint(self, opened: Opened, text: str, offset: int, model: str) -> None:
        """Keep the answer as far as it has come. May raise InnerlifeError.

        `text` is the whole of it, of which the first `offset` characters were kept before.
        """
        ...

    def finish(self, opened: Opened, answer: Answer) -> None:
        """Record the answer; durable on return (promise C9). May raise InnerlifeError."""
        ...


class Doors(Protocol):
    """Opens profiles."""

    def open(self, profile: str) -> ProfileTurns:
        """The turns of a profile. Raises InnerlifeError while its Core cannot be opened."""
        ...


class UpstreamSource(Protocol):
    """Knows which engine answers now."""

    async def current(self) -> Upstream:
        """The engine to use for a request. Raises EngineUnavailable where there is none."""
        ...


class AccessSource(Protocol):
    """Knows which keys open which profiles."""

    def book(self) -> AccessBook:
        """The keys and profiles as they are now. Raises StorageFailed when they cannot be read."""
        ...
