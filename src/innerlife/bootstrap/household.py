"""The companions of one home."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from innerlife.bootstrap.opening import open_companion, shelf_for
from innerlife.companion import Companion
from innerlife.ports import Embedder
from innerlife.recall.embeddings import Shelf
from innerlife.settings import Configured


@dataclass
class Household:
    """The companions of one home, each opened once, when it is first asked for; `greet` is told of each one."""

    configured: Configured
    greet: Callable[[Companion], None] = field(default=lambda _: None)

    def __post_init__(self) -> None:
        self._open: dict[str, Companion] = {}
        self._lock = threading.Lock()
        self._opening: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)

    @cached_property
    def shelf(self) -> Shelf | None:
        """The embedding models of this process, each loaded once; every companion uses them."""
        return shelf_for(self.configured)

    @property
    def embedder(self) -> Embedder | None:
        """The one that embeds for other programs."""
        return self.shelf.english if self.shelf else None

    def companion(self, profile: str) -> Companion:
        """The profile's companion, keeping its views up to date. Raises as `open_companion` does."""
        with self._lock:
            opening = self._opening[profile]
        # Opening may take a passphrase's seconds: the other profiles do not wait for it.
        with opening:
            with self._lock:
                if profile in self._open:
                    return self._open[profile]
            companion = open_companion(self.configured, profile, shelf=self.shelf)
            companion.upkeep.start()
            companion.warm()
            self.greet(companion)
            with self._lock:
                self._open[profile] = companion
            return companion

    def opened(self) -> dict[str, Companion]:
        """Those that are open now."""
        with self._lock:
            return dict(self._open)

    def close(self) -> None:
        """Close them all."""
        with self._lock:
            for companion in self._open.values():
                companion.close()
            self._open.clear()
