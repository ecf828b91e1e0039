"""The doors of the proxy, over the companions of one home (port `proxy.doors.Doors`)."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Final

from innerlife.bootstrap import Household
from innerlife.cli.output import count
from innerlife.companion import Companion
from innerlife.errors import InnerlifeError
from innerlife.membrane.turns import Turns

RETRY_SECONDS: Final = 5.0
"""How long a Core that could not be opened is not tried again: a chat must not wait for it at each message."""

_log: Final = logging.getLogger(__name__)


class HouseholdDoors:
    """Opens profiles for the proxy. One that cannot be opened costs the memory of a turn, never the turn (P6)."""

    def __init__(self, household: Household, clock: Callable[[], float] = time.monotonic) -> None:
        self._household = household
        self._clock = clock
        self._lock = threading.Lock()
        self._failed: dict[str, tuple[float, InnerlifeError]] = {}
        self._tidied: set[str] = set()
        self._tidying: list[threading.Thread] = []

    def open(self, profile: str) -> Turns:
        """The turns of a profile. Raises InnerlifeError while its Core cannot be opened."""
        return self.companion(profile).turns

    def companion(self, profile: str) -> Companion:
        """The profile's companion. Raises InnerlifeError."""
        with self._lock:
            at, error = self._failed.get(profile, (0.0, None))
        if error is not None and self._clock() - at < RETRY_SECONDS:
            raise error
        try:
            companion = self._household.companion(profile)
        except InnerlifeError as error:
            with self._lock:
                self._failed[profile] = (self._clock(), error)
            raise
        with self._lock:
            self._failed.pop(profile, None)
            if profile not in self._tidied:
                self._tidied.add(profile)
                thread = threading.Thread(
                    target=self._tidy, args=(companion,), name="forgetting", daemon=True
                )
                self._tidying.append(thread)
                thread.start()
        return companion

    def troubles(self) -> dict[str, str]:
        """What is wrong in the background, by profile."""
        with self._lock:
            found = {profile: error.message for profile, (_, error) in self._failed.items()}
        for profile, companion in self._household.opened().items():
            if companion.upkeep.trouble:
                found[profile] = companion.upkeep.trouble
            elif companion.embeddings and companion.embeddings.trouble:
                failed = companion.embeddings.failed
                what = count(failed, "message") if failed else "what is new"
                found[profile] = (
                    f"{what} cannot be found by meaning yet, and is tried again: {companion.embeddings.trouble}"
                )
            elif companion.turns.context_failures:
                found[profile] = f"{companion.turns.context_failures} records for `why` could not be written"
        return found

    def close(self) -> None:
        """Close all companions. A forgetting that is being finished goes on first."""
        for thread in self._tidying:
            thread.join()
        self._household.close()

    def _tidy(self, companion: Companion) -> None:
        """Finish forgettings that were interrupted: they may take their time, and nothing of them is served."""
        try:
            companion.forgetting.resume()
        except InnerlifeError as error:
            # `status` goes on saying "unfinished", and the next start tries again.
            _log.warning("a forgetting could not be finished: %s", type(error).__name__)
