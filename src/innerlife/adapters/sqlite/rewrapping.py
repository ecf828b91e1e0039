"""Keeping a Core's key another way: the data key stays, what it is wrapped with changes."""

from __future__ import annotations

import hmac
from pathlib import Path

from innerlife.adapters.sqlite.keys import KeyRecord, Method, discard, read_record, unwrap, wrap
from innerlife.errors import StorageFailed


def rewrap(path: Path, config: Path, old: str | None, method: Method, new: str | None) -> KeyRecord:
    """Wrap the data key of the record at `path` by another method, or under another passphrase.

    `old` and `new` are passphrases, where those play a part. The old key is removed only when the new record is
    on disk and was seen to open. A method that needs no passphrase stays as it is where it is in use already: its
    key lies under one name, so a crash between key and record would lock the Core. Raises KeyFailed, BadInput,
    CoreCorrupted, CoreTooNew, StorageFailed; then the old record and its key still hold.
    """
    record = read_record(path)
    data_key = unwrap(record, config, old)
    if method == record.method and method != "passphrase":
        return record
    fresh, _ = wrap(record.core_id, data_key, method, config, new)
    fresh.save(path)
    if not hmac.compare_digest(unwrap(read_record(path), config, new), data_key):
        record.save(path)
        raise StorageFailed("The new key was not written as it should be", "Nothing was changed.")
    if record.method != method:
        discard(record, config)
    return fresh
