"""The one error tree. Surfaces translate it once; nothing else in Innerlife is raised on purpose.

    InnerlifeError
    ├── BadInput                what was sent cannot be understood; nothing changed
    ├── NotFound                what was named does not exist
    ├── Refused                 who asks may not do this
    │   └── ProfileClosed       the key does not open the profile
    ├── CauseGone               an event's cause was forgotten meanwhile; compute again
    ├── StorageFailed           the ledger or a view could not be read or written
    │   ├── DiskFull
    │   ├── ReadOnlyHome
    │   ├── HomeBusy            another process holds what is needed
    │   ├── CoreCorrupted
    │   ├── ViewsCorrupted
    │   └── CoreTooNew
    ├── KeyFailed               the Core stays locked
    │   ├── WrongKey
    │   └── KeyMissing
    ├── EngineUnavailable       no language model answers
    ├── ModelUnavailable        a named model is not here or could not be fetched
    ├── ModelFailed             a model's answer is of no use, which is never an empty result
    └── ShippedTextChanged      a text that only a release may change was changed

Every error is one clear sentence (`message`) and, where there is one, the way out (`hint`).
"""

from __future__ import annotations


class InnerlifeError(Exception):
    """Root of every error that a person may see.

    `message` is one sentence without a final full stop; `hint` says what to do, or is empty.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}. {self.hint}" if self.hint else f"{self.message}."


class BadInput(InnerlifeError):
    """What was sent cannot be understood. Nothing changed."""


class NotFound(InnerlifeError):
    """What was named does not exist."""


class Refused(InnerlifeError):
    """Who asks may not do this."""


class ProfileClosed(Refused):
    """The key given does not open the profile asked for."""


class CauseGone(InnerlifeError):
    """A cause of the event no longer exists: a normal outcome, the work is computed again (design §3)."""


class StorageFailed(InnerlifeError):
    """The ledger or a view could not be read or written."""


class DiskFull(StorageFailed):
    """No space is left where the home lies."""


class ReadOnlyHome(StorageFailed):
    """The home cannot be written to."""


class HomeBusy(StorageFailed):
    """Another process holds the database or the lease for longer than the wait allows."""


class CoreCorrupted(StorageFailed):
    """The Core's file is damaged. It is never repaired silently."""


class ViewsCorrupted(StorageFailed):
    """The database of views is damaged. It holds nothing of its own and is made again from the Core."""


class CoreTooNew(StorageFailed):
    """The Core was written by a newer Innerlife."""


class KeyFailed(InnerlifeError):
    """The Core stays locked."""


class WrongKey(KeyFailed):
    """The key or passphrase does not open this Core. Nothing changed."""


class KeyMissing(KeyFailed):
    """The key is not where the Core's key record says."""


class EngineUnavailable(InnerlifeError):
    """No language model answers."""


class ModelUnavailable(InnerlifeError):
    """A named model is not here or could not be fetched."""


class ModelFailed(InnerlifeError):
    """A model answered late, broken or beside the question. It is a failure, never an empty result (promise F8).

    `flaw` is a `thinking.events.Flaw`.
    """

    def __init__(self, message: str, hint: str = "", flaw: str = "") -> None:
        super().__init__(message, hint)
        self.flaw = flaw


class ShippedTextChanged(InnerlifeError):
    """A shipped text differs from its checksum; only a release changes it (promise Z12)."""
