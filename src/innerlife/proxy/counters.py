"""What the proxy did since it started, for `status`."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

_MOST_PATHS: Final = 40
_OTHERS: Final = "others"


@dataclass(frozen=True, slots=True)
class Counts:
    """Requests by what became of them. `passthrough` counts everything that was forwarded and not remembered.

    `unrecorded` counts exchanges that should have been remembered and were not, or not wholly; the last reason
    stands beside it. `unknown` counts by path what was forwarded unread (names of single things as `*`; where there
    are too many paths, new ones as `others`). `degraded` counts exchanges that were answered with less than all that
    is remembered.
    """

    requests: int = 0
    recorded: int = 0
    unrecorded: int = 0
    last_unrecorded: str = ""
    degraded: int = 0
    passthrough: int = 0
    unknown: Mapping[str, int] = field(default_factory=dict)
    upstream_errors: int = 0
    last_upstream_error: str = ""


def _segment(text: str) -> str:
    """A part of a path, but for names of single things, which would each be counted apart."""
    return "*" if len(text) > 24 or sum(map(str.isdigit, text)) > 1 else text


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

    def unknown(self, path: str) -> None:
        """A request on a path that nothing here reads was forwarded."""
        name = "/".join(map(_segment, path.split("/")))
        with self._lock:
            known = self._counts.unknown
            name = name if name in known or len(known) < _MOST_PATHS else _OTHERS
            counted = {**known, name: known.get(name, 0) + 1}
            self._set(passthrough=self._counts.passthrough + 1, unknown=counted)

    def upstream_error(self, why: str) -> None:
        """The engine failed, could not be reached or broke off."""
        with self._lock:
            self._set(upstream_errors=self._counts.upstream_errors + 1, last_upstream_error=why)

    def _set(self, **changes: Any) -> None:
        self._counts = replace(self._counts, **changes)
