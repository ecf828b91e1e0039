"""Text as people type it and as machines send it."""

from __future__ import annotations

import re
import unicodedata

_SPACES = re.compile(r"\s+")
_FENCE_LINE = re.compile(r"⟦[0-9a-z]{6,32}: [^⟦⟧\n]{0,400}(?:⟧|$)")


def storable(text: str) -> str:
    """`text` with what a UTF-8 column cannot hold made visible: NUL and lone surrogates become U+FFFD.

    The ledger keeps the original; this form is for views and indexes.
    """
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    if text.isascii():
        return text
    return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)


def normalised(text: str) -> str:
    """`text` in the form in which two sendings of the same message are equal.

    Clients trim, re-wrap and re-compose what they resend (field-notes §1): white space is folded, Unicode composed.
    """
    return _SPACES.sub(" ", unicodedata.normalize("NFC", storable(text))).strip()


def without_fence_lines(text: str) -> str:
    """`text` without the lines that fence what is remembered in a prompt: a weak model echoes them (field-notes §2)."""
    return _FENCE_LINE.sub("", text) if "⟦" in text else text
