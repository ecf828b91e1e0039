"""The keys that open profiles, in one small file beside the profiles. Only hashes are kept."""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from innerlife.adapters.files import held, write_private
from innerlife.adapters.profiles import profiles_of
from innerlife.errors import BadInput, HomeBusy, NotFound, StorageFailed
from innerlife.membrane.access import DEFAULT_PROFILE, PREFIX, AccessBook, AccessKey, digest_of

FILE_NAME: Final = "access.json"
"""Its name in the home."""

LOCK_SECONDS: Final = 10.0
"""How long a change waits for another one, which takes milliseconds."""


class AccessFile:
    """Reads and changes `home/access.json` (mode 0600). Safe for several threads; changes are seen at once."""

    def __init__(self, home: Path, served: str = DEFAULT_PROFILE) -> None:
        """`served` is the profile of requests that name none; it is made when it is first used."""
        self._served = served
        self._path = home / FILE_NAME
        self._home = home
        self._lock = threading.Lock()
        self._seen: tuple[object, ...] | None = None
        self._book = AccessBook()

    def book(self) -> AccessBook:
        """The keys and profiles as they are now; the file is read again only when it changed.

        Raises StorageFailed when the file is there and cannot be read: then no key is good.
        """
        seen = (_stamp(self._path), profiles_of(self._home))
        with self._lock:
            if seen != self._seen:
                self._book = AccessBook(self._read(), seen[1] | {self._served}, self._served)
                self._seen = seen
            return self._book

    def add(self, name: str, profiles: tuple[str, ...], now: datetime) -> str:
        """Make a key that opens the profiles and return it; it is shown once and kept nowhere.

        Raises BadInput (no profile, or the name is taken), StorageFailed.
        """
        if not name.strip() or not profiles:
            raise BadInput(
                "A key needs a name and a profile", "innerlife profile key add NAME --profile PROFILE"
            )
        with self._changing():
            keys = self._read()
            if any(key.name == name for key in keys):
                raise BadInput(
                    f"There is already a key named {name!r}", "Choose another name, or revoke that one"
                )
            key = PREFIX + secrets.token_urlsafe(32)
            created = now.isoformat(timespec="seconds")
            self._write((*keys, AccessKey(name, digest_of(key), profiles, created)))
        return key

    def list(self) -> tuple[AccessKey, ...]:
        """All keys that are good. Raises StorageFailed."""
        return self.book().keys

    def revoke(self, name: str) -> None:
        """Make a key useless at once. Raises NotFound, StorageFailed."""
        with self._changing():
            keys = self._read()
            kept = tuple(key for key in keys if key.name != name)
            if len(kept) == len(keys):
                raise NotFound(f"There is no key named {name!r}", "`innerlife profile key list` names them")
            self._write(kept)

    def _read(self) -> tuple[AccessKey, ...]:
        try:
            content = json.loads(self._path.read_text(encoding="utf-8"))
            return tuple(_key(entry) for entry in content["keys"])
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise StorageFailed(f"{self._path} cannot be read ({error.strerror})") from error
        except (ValueError, KeyError, TypeError) as error:
            raise StorageFailed(
                f"{self._path} is damaged, so no key can be checked",
                "Restore it, or delete it and make the keys anew",
            ) from error

    def _write(self, keys: tuple[AccessKey, ...]) -> None:
        text = json.dumps({"keys": [asdict(key) for key in keys]}, indent=2)
        write_private(self._path, f"{text}\n".encode())
        self._seen = None

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Nobody else, in this process or another, changes the file until the block ends."""
        busy = HomeBusy("Another command is changing the keys", "Try again when it is done")
        with held(self._path.with_suffix(".lock"), LOCK_SECONDS, busy), self._lock:
            yield


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_mtime_ns, state.st_ino, state.st_size


def _key(entry: Any) -> AccessKey:
    name, digest, profiles, created = (entry[key] for key in ("name", "digest", "profiles", "created"))
    if not all(isinstance(one, str) for one in (name, digest, created, *profiles)):
        message = "a key's fields are texts"
        raise TypeError(message)
    return AccessKey(name, digest, tuple(profiles), created)
