"""Keeping the views up to date: in the background while serving, on the spot for a command that reads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from innerlife.errors import InnerlifeError, ViewsCorrupted
from innerlife.ledger.ledger import Ledger
from innerlife.ledger.projector import Projector
from innerlife.ports import Rows, Runtime

IDLE_SECONDS = 5.0
"""How often the ledger is looked at for what other processes appended; one's own appends wake at once."""


_LET_PASS_S = 0.25
"""How long a slice waits for turns that begin, at most: a late view is no trouble, one that never comes is."""


class _StoppedError(Exception):
    """The background work was told to end in the middle of a rebuild: the old views stay."""


def _never() -> bool:
    return False


class Replaceable(Runtime, Protocol):
    """A runtime that can be built anew beside itself and swapped."""

    def replacement(self, settle: Callable[[Rows], None] | None = None) -> AbstractContextManager[Runtime]:
        """An empty runtime; when the block ends its content takes this one's place.

        `settle` is given the new content when nobody can write to the old one any more. Raises ViewsCorrupted.
        """
        ...

    def discard(self) -> None:
        """Throw a damaged one away; an empty one takes its place."""
        ...


class Upkeep:
    """Use-case: catch the views up, rebuild them, and say how far behind they are."""

    def __init__(
        self,
        ledger: Ledger,
        runtime: Replaceable,
        projector: Projector,
        alone: Callable[[], AbstractContextManager[object]],
        afterwards: Sequence[Callable[[], int]] = (),
    ) -> None:
        self._ledger = ledger
        self._runtime = runtime
        self._projector = projector
        # Two processes that swap runtimes at once could bring back what one of them forgot.
        self._alone = alone
        self._afterwards = tuple(afterwards)
        self._wake = threading.Event()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._current = projector.prepare()
        self.trouble = ""
        """Why the background work failed last, or empty."""
        self.notices: list[str] = []
        """What a person should know about how the views were kept since the start."""
        ledger.on_append(self._wake.set)

    @property
    def current(self) -> bool:
        """False while the runtime holds views of another version: they are being rebuilt."""
        return self._current

    def behind(self) -> int:
        """How many events the views lack."""
        return self._projector.behind() if self._current else self._ledger.count()

    def catch_up(self) -> int:
        """Bring the views up to date now, rebuilding them where they are of another version or damaged.

        Raises StorageFailed.
        """
        return self._or_rebuild(self._projector.catch_up, _never)

    def rebuild(self) -> int:
        """Throw the views away and fold the whole ledger anew. Returns how many events. Raises StorageFailed."""
        return self._rebuild(_never)

    def _or_rebuild(self, work: Callable[[], int], stopped: Callable[[], bool]) -> int:
        if not self._current:
            return self._rebuild(stopped)
        try:
            return work()
        except ViewsCorrupted as error:
            rebuilt = self._rebuild(stopped)
            notice = f"{error.message}. It holds only what can be derived, and was rebuilt."
            if notice not in self.notices:
                self.notices.append(notice)
            return rebuilt

    def _rebuild(self, stopped: Callable[[], bool]) -> int:
        with self._alone():
            try:
                return self._replace(stopped)
            except ViewsCorrupted:
                self._runtime.discard()
                return self._replace(stopped)

    def _replace(self, stopped: Callable[[], bool]) -> int:
        with self._runtime.replacement(self._honour) as fresh:
            self._projector.prepare(fresh)
            folded = self._projector.catch_up(fresh, stopped)
            if stopped():
                # Half of the views may not take the place of the old ones.
                raise _StoppedError
        self._current = True
        return folded

    def _honour(self, rows: Rows) -> None:
        # What another process began to forget meanwhile was still in what was read: it waits for the lock of `_alone`
        # to finish, so its intent is here; and what it takes out of the old views, it has taken out by now.
        for intent in self._ledger.store.intents():
            self._projector.purge_from(rows, intent.seqs)

    def dump(self) -> Iterator[tuple[Any, ...]]:
        """Canonical content of all views; equal dumps mean equal views (promise C2)."""
        return self._projector.dump()

    def start(self) -> None:
        """Keep up in a background thread until `stop`."""
        self._thread = threading.Thread(target=self._run, name="upkeep", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the background thread; a rebuild is broken off after the slice that it is at."""
        self._stop.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _run(self) -> None:
        while not self._stop.is_set():
            self._wake.clear()
            self._ledger.courtesy.let_pass(_LET_PASS_S)
            if not self._once():
                self._wake.wait(IDLE_SECONDS)

    def _once(self) -> int:
        """One small piece of work. Returns how much was done."""
        try:
            done = self._or_rebuild(self._projector.step, self._stop.is_set)
            if not done:
                done = sum(work() for work in self._afterwards)
            self.trouble = ""
        except _StoppedError:
            return 0
        except InnerlifeError as error:
            # Shown in `status` and tried again at the next turn of the loop: the views are late, nothing is lost.
            self.trouble = error.message
            return 0
        except Exception as error:  # noqa: BLE001 - a thread that died of a defect would leave the views late for ever,
            # and nobody would know: it is said like any other trouble.
            self.trouble = f"The views could not be brought up to date ({type(error).__name__}: {error})"
            return 0
        return done
