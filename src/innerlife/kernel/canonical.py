"""Canonical JSON: one value has one text, and any Python string survives (lone surrogates included)."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def dumps(value: Any) -> str:
    """`value` as JSON with sorted keys and no spaces; non-ASCII is escaped, so every `str` round-trips."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def loads(text: str) -> Any:
    """The value of a text written by `dumps`."""
    return json.loads(text)


def digest(value: Any) -> str:
    """SHA-256 of the canonical JSON, in hex (64 characters)."""
    return hashlib.sha256(dumps(value).encode("ascii")).hexdigest()
