"""How each store of an embedded Core is purged, scrubbed and searched (port `ledger.forget.Store`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

from innerlife.adapters.sqlite.blobs import BlobFolder
from innerlife.adapters.sqlite.core import SqliteCore
from innerlife.adapters.sqlite.pages import contains
from innerlife.adapters.sqlite.runtime import SqliteRuntime
from innerlife.errors import CoreCorrupted, NotFound
from innerlife.ledger.projector import Projector
from innerlife.ledger.store import Intent
from innerlife.ledger.upkeep import Upkeep


class CorePages:
    """The ledger's own file. Its rows go in the ledger's transaction; here it is only searched."""

    name = "the ledger"

    def __init__(self, core: SqliteCore, key: bytes) -> None:
        self._core = core
        self._key = key

    def purge(self, gone: Intent) -> None:
        """Nothing to do: the ledger deleted the rows itself."""

    def scrub(self, gone: Intent) -> None:
        """Nothing to do: the ledger scrubs itself last."""

    def holds(self, needles: Sequence[bytes]) -> set[bytes]:
        """Search every decrypted page and journal frame."""
        return contains(self._core.path, self._key, list(needles))


class RuntimeViews:
    """The views: purged row by row at once, then rebuilt from what is left into a new database and swapped."""

    name = "the views"

    def __init__(self, runtime: SqliteRuntime, projector: Projector, upkeep: Upkeep, key: bytes) -> None:
        self._runtime = runtime
        self._projector = projector
        self._upkeep = upkeep
        self._key = key

    def purge(self, gone: Intent) -> None:
        """Take the rows out of every view. Views of another version cannot be purged: they are rebuilt at once."""
        if self._upkeep.current:
            self._projector.purge(gone.seqs)
        else:
            self._upkeep.rebuild()

    def scrub(self, gone: Intent) -> None:  # noqa: ARG002 - what is gone is not in the ledger any more
        """Rebuild all views from what is left."""
        self._upkeep.rebuild()

    def holds(self, needles: Sequence[bytes]) -> set[bytes]:
        """Search every decrypted page and journal frame."""
        return contains(self._runtime.path, self._key, list(needles))


class BlobStore:
    """Attachments. A blob goes with the last event that cites it.

    `citations` gives the names of those that are cited, and lets none more be cited until its block ends: an image that
    was sent again after the forgetting was planned is a new event's, and stays.
    """

    name = "the attachments"

    def __init__(self, blobs: BlobFolder, citations: Callable[[], AbstractContextManager[set[str]]]) -> None:
        self._blobs = blobs
        self._citations = citations

    def purge(self, gone: Intent) -> None:
        """Remove the files that nothing cites."""
        if gone.blobs:
            with self._citations() as cited:
                self._blobs.remove(set(gone.blobs) - cited)

    def scrub(self, gone: Intent) -> None:
        """Remove the files again, in case a crash kept one, and those whose event was never appended."""
        with self._citations() as cited:
            self._blobs.remove(set(gone.blobs) - cited)
            self._blobs.sweep(cited)

    def holds(self, needles: Sequence[bytes]) -> set[bytes]:
        """Search every decrypted file."""
        found: set[bytes] = set()
        for name in self._blobs.names():
            try:
                data = self._blobs.get(name)
            except (NotFound, CoreCorrupted):
                continue
            found.update(needle for needle in needles if needle in data)
        return found
