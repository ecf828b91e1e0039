"""What the proxy did since it started, for `status`."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class Counts:
    """Requests by what became of them. `passthrough` counts everything that was forwarded and not remembered.

    `unrecorded` counts exchanges that should have been remembered and were not, or not wholly; the last reason
    stands beside it. `degraded` counts exchanges that were answered with less than all that is remembered.
    """

    requests: int = 0
    recorded: int = 0
    unrecorded: int = 0
    last_unrecorded: str = ""
    degraded: int = 0
    passthrough: int = 0
    upstream_errors: int = 0
    last_upstream_error: str = ""


class Counters:
    """Counts, for any number of threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts = Counts()

    def counts(self) -> Counts:
        """The counts as they stand."""
        return self._counts

    def request(self) -> None:
        """A request came in."""
        with self._lock:
            self._set(requests=self._counts.requests + 1)

    def recorded(self) -> None:
        """An answer was recorded."""
        with self._lock:
            self._set(recorded=self._counts.recorded + 1)

    def unrecorded(self, why: str) -> None:
        """An exchange was not recorded though it should have been."""
        with self._lock:
            self._set(unrecorded=self._counts.unrecorded + 1, last_unrecorded=why)

    def degraded(self) -> None:
        """A chat went on with less than all that is remembered."""
        with self._lock:
            self._set(degraded=self._counts.degraded + 1)

    def passthrough(self) -> None:
        """A request was forwarded and not remembered."""
        with self._lock:
            self._set(passthrough=self._counts.passthrough + 1)

    def upstream_error(self, why: str) -> None:
        """The engine failed, could not be reached or broke off."""
        with self._lock:
            self._set(upstream_errors=self._counts.upstream_errors + 1, last_upstream_error=why)

    def _set(self, **changes: Any) -> None:
        self._counts = replace(self._counts, **changes)
