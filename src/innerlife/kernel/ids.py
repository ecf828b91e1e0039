"""Identifiers: ULIDs, which sort by time and are unique without coordination."""

from __future__ import annotations

from datetime import datetime

from ulid import ULID


def new_id(now: datetime) -> str:
    """A fresh ULID (26 characters, Crockford base 32) stamped with `now`."""
    # A clock before 1970 cannot be expressed; the ledger orders by seq, so the stamp is only a convenience.
    return str(ULID.from_timestamp(max(now.timestamp(), 0.0)))


def is_id(text: str) -> bool:
    """Whether `text` is written like one of our identifiers."""
    try:
        ULID.from_str(text)
    except ValueError:
        return False
    return True
