"""Frames and answers told anew: their words changed, all else as it came."""

from __future__ import annotations

import json
from typing import Any, Final

from innerlife.proxy.wire.call import Format
from innerlife.proxy.wire.frame import Tell
from innerlife.proxy.wire.splitting import event_data

_NUMBER: Final = "sequence_number"


def rewritten(form: Format, raw: bytes, tell: Tell, number: int | None = None) -> bytes:
    """A frame, or a whole answer, with each of its texts for the client put through `tell`.

    `number` is its place, in formats that count their events. What cannot be read or needs no change stays as it is.
    """
    is_document = raw.lstrip()[:1] == b"{"
    data = raw.strip() if is_document else event_data(raw)
    value = _object(data)
    if value is None:
        return raw
    changed = False

    def noted(text: str) -> str:
        nonlocal changed
        told = tell(text)
        changed = changed or told != text
        return told

    form.retell(value, noted)
    if not changed and number is None:
        return raw
    if number is not None and _NUMBER in value:
        value[_NUMBER] = number
    told = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    if data in raw:
        return raw.replace(data, told, 1)
    # The data came in several lines; the event's name and what else stands there stay in front.
    head = [line for line in raw.splitlines() if line and not line.startswith(b"data:")]
    return b"\n".join([*head, b"data: " + told]) + b"\n\n"


def number_of(raw: bytes) -> int | None:
    """The number of an event, None where events are not counted."""
    value = _object(event_data(raw))
    number = value.get(_NUMBER) if value is not None else None
    return number if isinstance(number, int) else None


def _object(data: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
