"""A request for an answer, read from its wire format, and how it is changed on its way."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Literal, Protocol

from innerlife.kernel import canonical
from innerlife.membrane.turn import Image, Said, Speaker
from innerlife.proxy.wire.frame import Frame, Splitter
from innerlife.proxy.wire.jsontext import Document, Edit, Placed, encode, inner, literal, members_at
from innerlife.proxy.wire.jsontext import edited as edited_text

FormatName = Literal["ollama", "openai"]

GAP: Final = "\n\n"
"""What stands between an added text and the client's own."""

_SPEAKERS: Final[Mapping[str, Speaker]] = {
    "system": Speaker.SYSTEM,
    "developer": Speaker.SYSTEM,
    "user": Speaker.USER,
    "assistant": Speaker.ASSISTANT,
    "tool": Speaker.TOOL,
    "function": Speaker.TOOL,
}

_FILL_MARKS: Final = (
    "<|fim_prefix|>", "<|fim_middle|>", "<|fim_begin|>", "<｜fim▁begin｜>", "<fim_prefix>", "<fim-prefix>",
    "<PRE>", "[PREFIX]", "[SUFFIX]", "<|fim|>", "<|code_prefix|>",
)  # fmt: skip
"""How editors mark the place to fill in, where they do so inside a plain prompt."""


class Shape(StrEnum):
    """Where a request carries its words."""

    MESSAGES = "messages"
    PROMPT = "prompt"
    PROMPT_WITH_SYSTEM = "prompt_with_system"


@dataclass(frozen=True, slots=True)
class Chat:
    """A readable request for an answer. `model` is the name as the client wrote it, a profile suffix included."""

    document: Document
    shape: Shape
    model: str
    stream: bool
    said: tuple[Said, ...]
    window: int | None = None
    offers_tools: bool = False

    @property
    def tools_size(self) -> int:
        """Length of the tools' definitions as they came, in characters."""
        placed = self.document.members.get("tools")
        return placed.end - placed.start if placed is not None else 0

    @property
    def brings_no_system_text(self) -> bool:
        """Whether a system text that is added would be the request's only one."""
        return self.shape is not Shape.PROMPT and self.said[0].speaker is not Speaker.SYSTEM


@dataclass(frozen=True, slots=True)
class Untouched:
    """A request that is forwarded as it is but for the model's name: raw, fill-in-the-middle, load, unload."""

    document: Document
    model: str
    stream: bool
    why: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A request that is not shaped as we know it; the upstream says what it makes of it."""

    why: str


Reading = Chat | Untouched | Unreadable


class Format(Protocol):
    """A wire format: reading requests and frames, and speaking in its own form."""

    @property
    def name(self) -> FormatName:
        """Which one it is."""
        ...

    @property
    def media_type(self) -> bytes:
        """The content type of its streams."""
        ...

    @property
    def between(self) -> bytes:
        """What certainly ends a frame that was begun."""
        ...

    @property
    def ends(self) -> tuple[bytes, ...]:
        """How a frame ends that needs no `between` behind it."""
        ...

    def read(self, path: str, document: Document) -> Reading:
        """What a request asks for."""
        ...

    def splitter(self) -> Splitter:
        """A new cutter for a stream."""
        ...

    def frame(self, raw: bytes) -> Frame:
        """The reading of one frame of a stream; never raises."""
        ...

    def whole(self, raw: bytes) -> Frame:
        """The reading of an answer that is not streamed; never raises."""
        ...

    def error(self, status: int, sentence: str) -> bytes:
        """The body of an error."""
        ...

    def error_frame(self, sentence: str) -> bytes:
        """An error inside a stream that has begun."""
        ...


@dataclass(frozen=True, slots=True)
class Additions:
    """What is written into a request; empty strings and None leave everything as it is.

    `kept` are blocks of earlier turns, each with the index of the message that it stays in.
    """

    stable: str = ""
    block: str = ""
    model: str | None = None
    kept: tuple[tuple[int, str], ...] = ()


def written(reading: Chat | Untouched, additions: Additions) -> bytes:
    """The request's bytes with the additions made, all else as it came (promise P3)."""
    document = reading.document
    edits: list[Edit] = []
    if additions.model is not None and (placed := document.members.get("model")):
        edits.append(Edit(placed.start, placed.end, literal(additions.model)))
    if isinstance(reading, Chat):
        match reading.shape:
            case Shape.MESSAGES:
                edits += _into_messages(document, additions)
            case Shape.PROMPT:
                both = GAP.join(text for text in (additions.stable, additions.block) if text)
                edits += _before(document.members["prompt"], both)
            case Shape.PROMPT_WITH_SYSTEM:
                edits += _into_system_member(document, additions.stable)
                edits += _before(document.members["prompt"], additions.block)
    return encode(edited_text(document.text, edits) if edits else document.text)


def said_of(
    messages: Sequence[Placed], read: Callable[[dict[str, Any], bool], Said | None]
) -> tuple[Said, ...] | None:
    """All messages, or None when one of them is not shaped like a message.

    `read(message, new)` reads one; `new` says that it follows the last assistant message, so that its images
    are wanted: older ones were recorded when they came (field-notes §1: clients resend them every turn).
    """
    newest = 0
    for index, placed in enumerate(messages):
        if isinstance(placed.value, dict) and placed.value.get("role") == "assistant":
            newest = index + 1
    said: list[Said] = []
    for index, placed in enumerate(messages):
        one = read(placed.value, index >= newest) if isinstance(placed.value, dict) else None
        if one is None:
            return None
        said.append(one)
    return tuple(said)


def speaker(role: object) -> Speaker:
    """Who a role stands for; what is not known is OTHER."""
    return _SPEAKERS.get(role, Speaker.OTHER) if isinstance(role, str) else Speaker.OTHER


def tool_text(calls: object) -> str:
    """A message's tool calls as JSON, or "" for none."""
    return canonical.dumps(calls) if calls else ""


def image_of(data: object, media_type: str = "") -> Image | None:
    """An image from its base64 text, or None when it is none."""
    if not isinstance(data, str) or not data:
        return None
    try:
        content = base64.b64decode("".join(data.split()), validate=True)
    except (binascii.Error, ValueError):
        return None
    return Image(content, media_type or _media_type(content)) if content else None


def fills_in(prompt: str) -> bool:
    """Whether a prompt asks to fill in the middle, as an editor's completion does."""
    return any(mark in prompt for mark in _FILL_MARKS)


def whole_number(value: object) -> int | None:
    """A positive whole number, or None."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if 0 < value < 1e12 else None


def _media_type(content: bytes) -> str:
    if content.startswith(b"\x89PNG"):
        return "image/png"
    if content.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if content.startswith(b"GIF8"):
        return "image/gif"
    if content.startswith(b"RIFF") and content[8:12] == b"WEBP":
        return "image/webp"
    return "application/octet-stream"


def _before(placed: Placed, text: str) -> list[Edit]:
    """Write `text` in front of a string's own words, inside its quotes."""
    if not text:
        return []
    return [Edit(placed.start + 1, placed.start + 1, inner(text + GAP if placed.value else text))]


def _into_system_member(document: Document, stable: str) -> list[Edit]:
    if not stable:
        return []
    placed = document.members.get("system")
    if placed is None:
        first = document.text.index("{") + 1
        return [Edit(first, first, f'"system":{literal(stable)},')]
    if isinstance(placed.value, str):
        return _before(placed, stable)
    return [Edit(placed.start, placed.end, literal(stable))]


def _into_messages(document: Document, additions: Additions) -> list[Edit]:
    messages: list[Placed] = document.members["messages"].value
    edits: list[Edit] = []
    if additions.stable and messages:
        if speaker(messages[0].value.get("role")) is Speaker.SYSTEM:
            edits += _into_message(document.text, messages[0], additions.stable)
        else:
            first = messages[0].start
            edits.append(Edit(first, first, f'{{"role":"system","content":{literal(additions.stable)}}},'))
    for index, block in additions.kept:
        edits += _into_message(document.text, messages[index], block)
    if additions.block:
        newest = next((m for m in reversed(messages) if m.value.get("role") == "user"), None)
        if newest is not None:
            edits += _into_message(document.text, newest, additions.block)
    return edits


def _into_message(text: str, message: Placed, added: str) -> list[Edit]:
    """Write into a message's content, be it a string, a list of parts, null or absent."""
    members, _ = members_at(text, message.start, ("content",))
    content = members.get("content")
    if content is None:
        return [Edit(message.start + 1, message.start + 1, f'"content":{literal(added)},')]
    if isinstance(content.value, str):
        return _before(content, added)
    if not isinstance(content.value, list):
        return [Edit(content.start, content.end, literal(added))]
    for part in content.value:
        if isinstance(part.value, dict) and part.value.get("type") == "text":
            own = members_at(text, part.start)[0].get("text")
            if own is not None and isinstance(own.value, str):
                # Inside the first text part, because servers make a message of its own from each part.
                return _before(own, added)
    first = content.start + 1
    comma = "," if content.value else ""
    return [Edit(first, first, f'{{"type":"text","text":{literal(added)}}}{comma}')]
