"""Looking at a Core without changing anything: no byte of it is written, repaired, migrated or made."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from innerlife.adapters.profiles import KEYS
from innerlife.adapters.sqlite import keys as keyring
from innerlife.adapters.sqlite.connection import CORE, complaints
from innerlife.adapters.sqlite.core import SqliteCore
from innerlife.adapters.sqlite.opening import RUNTIME, check_present
from innerlife.adapters.sqlite.runtime import SqliteRuntime
from innerlife.errors import StorageFailed


@dataclass(frozen=True)
class Seen:
    """A Core that is only looked at. Writing to it raises StorageFailed."""

    core: SqliteCore
    runtime: SqliteRuntime

    @property
    def has_views(self) -> bool:
        """Whether there is a database of views; where there is none, the next reading makes it."""
        return self.runtime.path.exists()

    def damage(self) -> list[str]:
        """What is wrong with the database of views; empty when it is sound. Raises StorageFailed."""
        return complaints(self.runtime.engine, self.runtime.path)


@contextmanager
def looked_at(folder: Path, config: Path, passphrase: str | None) -> Iterator[Seen]:
    """The Core in `folder` as it is. Raises KeyFailed, CoreCorrupted, CoreTooNew, StorageFailed."""
    check_present(folder)
    record = keyring.read_record(folder / KEYS)
    key = keyring.keys_of(keyring.unwrap(record, config, passphrase)).database
    if not (folder / CORE).exists():
        raise StorageFailed(
            f"{folder / CORE} is not there yet: a first start was cut off", "The next start makes it."
        )
    with (
        closing(SqliteCore(folder / CORE, key, look=True)) as core,
        closing(SqliteRuntime(folder / RUNTIME, key, look=True)) as runtime,
    ):
        yield Seen(core, runtime)
