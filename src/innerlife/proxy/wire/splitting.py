"""Cutting streams into frames: JSON lines and server-sent events, split anywhere by the network."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from innerlife.proxy.wire.frame import LONGEST_FRAME

_LINE_END: Final = re.compile(rb"\n")
_EVENT_END: Final = re.compile(rb"\n\r?\n|\r\r")
"""An empty line ends an event. `CR LF CR` waits for its `LF`; an `LF` that still follows opens the next frame."""

_DATA_LINE: Final = re.compile(rb"^data:[ ]?(.*)$", re.MULTILINE)


class MarkSplitter:
    """Ends a frame after each match of a pattern of at most three bytes."""

    __slots__ = ("_end", "_held", "_looked")

    def __init__(self, end: re.Pattern[bytes]) -> None:
        self._end = end
        self._held = bytearray()
        self._looked = 0

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The frames that are complete now."""
        held = self._held
        held += data
        cut = 0
        while match := self._end.search(held, max(self._looked, cut)):
            yield bytes(held[cut : match.end()])
            cut = match.end()
        if cut:
            del held[:cut]
        if len(held) > LONGEST_FRAME:
            yield bytes(held)
            held.clear()
        # The mark may have begun in the last two bytes.
        self._looked = max(len(held) - 2, 0)

    def rest(self) -> bytes:
        """What is left when the stream has ended."""
        left = bytes(self._held)
        self._held.clear()
        self._looked = 0
        return left


def lines() -> MarkSplitter:
    """For streams of JSON lines, as Ollama sends them."""
    return MarkSplitter(_LINE_END)


def events() -> MarkSplitter:
    """For server-sent events, as OpenAI-compatible servers send them; LF, CRLF and CR."""
    return MarkSplitter(_EVENT_END)


def event_data(raw: bytes) -> bytes:
    """The data of one event: its `data` lines joined; empty for comments and keep-alives."""
    if raw.startswith(b"data: ") and raw.find(b"\n", 0, -2) < 0:
        return raw[6:].strip()
    if b"\r" in raw:
        raw = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return b"\n".join(match.group(1) for match in _DATA_LINE.finditer(raw)).strip()


def event_bytes(value: Mapping[str, Any]) -> bytes:
    """An event that is named by its data's `type`, as Anthropic's API and OpenAI's responses send them."""
    data = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
    return b"event: %s\ndata: %s\n\n" % (str(value["type"]).encode(), data)
