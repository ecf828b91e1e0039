"""Turns go first: whoever works beside them waits, for a moment, while one begins.

All of a process shares one interpreter. What is folded or derived from the turn before would otherwise be worked on
just while the next one is waited for, and each of its queries would wait in turn.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

LINGER_S: Final = 0.01
"""How long after it was begun a turn still goes first: its request is on the way to the engine then."""


class Courtesy:
    """One Core's order of precedence within a process. Safe to use from any thread."""

    def __init__(self, seconds: Callable[[], float] = time.monotonic) -> None:
        """`seconds` gives a time that only grows."""
        self._seconds = seconds
        self._changed = threading.Condition()
        self._beginning = 0
        self._until = 0.0

    @contextmanager
    def beginning(self) -> Iterator[None]:
        """A turn begins within this block."""
        with self._changed:
            self._beginning += 1
        try:
            yield
        finally:
            with self._changed:
                self._beginning -= 1
                self._until = self._seconds() + LINGER_S
                self._changed.notify_all()

    def let_pass(self, most_s: float) -> None:
        """Return when no turn begins, at the latest after `most_s`: under a steady stream of turns work goes on too."""
        with self._changed:
            end = self._seconds() + most_s
            while (left := end - (now := self._seconds())) > 0:
                if self._beginning:
                    self._changed.wait(left)
                elif (lingers := self._until - now) > 0:
                    self._changed.wait(min(lingers, left))
                else:
                    return
