"""A request for an answer, read from its wire format, and how it is changed on its way."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol

from innerlife.kernel import canonical
from innerlife.membrane.turn import Image, Opened, Said, Speaker, TurnRequest
from innerlife.proxy.wire.frame import Frame, Splitter, Stage, Tell
from innerlife.proxy.wire.jsontext import Document, Placed

FormatName = Literal["ollama", "openai", "responses", "anthropic"]

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


@dataclass(frozen=True, slots=True)
class Layout:
    """Where requests of one kind carry their words.

    `words` names the member that holds them, one text or a list of messages; `system` the member that holds the
    system text, "" where that is the first message; `text_part` is the type of a message's parts of text.
    """

    words: str
    system: str = ""
    text_part: str = "text"


MESSAGES: Final = Layout("messages")
PROMPT: Final = Layout("prompt")
PROMPT_WITH_SYSTEM: Final = Layout("prompt", "system")

LISTS: Final = ("messages", "input")
"""Members whose elements are placed when a request is read: each message is written into where it stands."""


@dataclass(frozen=True, slots=True)
class Chat:
    """A readable request for an answer. `model` is the name as the client wrote it, a profile suffix included.

    `places` tells for each of `said` where in the list of `layout.words` it stands: -1 where it stands nowhere in
    that list (a system text in a member of its own, a message that only the engine still has). Empty where each
    of `said` stands at its own index. `follows` is the id of the answer that the request goes on from, where the
    client leaves the history to the engine; `conversation` the client's own name of the conversation.
    """

    document: Document
    layout: Layout
    model: str
    stream: bool
    said: tuple[Said, ...]
    window: int | None = None
    offers_tools: bool = False
    places: tuple[int, ...] = ()
    follows: str = ""
    conversation: str = ""

    @property
    def lone_prompt(self) -> bool:
        """Whether the request carries one prompt and no history."""
        return self.layout.words == PROMPT.words

    @property
    def structured(self) -> bool:
        """Whether the answer is to be data in a given form, and not words for a person."""
        value = self.document.value
        text, config = value("text"), value("output_config")
        forms = [value("response_format"), value("format"), value("output_format")]
        forms += [part.get("format") for part in (text, config) if isinstance(part, dict)]
        bound = any(value(name) for name in _BOUND)
        return bound or any(_is_structured(form) for form in forms)

    @property
    def tools_size(self) -> int:
        """Length of the tools' definitions as they came, in characters."""
        placed = self.document.members.get("tools")
        return placed.end - placed.start if placed is not None else 0

    @property
    def brings_no_system_text(self) -> bool:
        """Whether a system text that is added would be the request's only one."""
        return self.layout != PROMPT and self.said[0].speaker is not Speaker.SYSTEM


_BOUND: Final = ("grammar", "json_schema", "guided_json", "guided_grammar", "structured_outputs")
"""Members with which llama.cpp and vLLM bind an answer to a form."""


def _is_structured(form: object) -> bool:
    """Whether a wish for a form is one for something else than text."""
    if isinstance(form, dict):
        return form.get("type") != "text" and bool(form)
    return isinstance(form, str) and form == "json"


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

    def retell(self, value: dict[str, Any], tell: Tell) -> None:
        """Put each text that a frame's or an answer's value holds for the client through `tell`.

        What repeats a changed text in another shape, token by token, is left out.
        """
        ...

    def error(self, status: int, sentence: str) -> bytes:
        """The body of an error."""
        ...

    def error_frame(self, sentence: str) -> bytes:
        """An error inside a stream that has begun."""
        ...


@dataclass(frozen=True, slots=True)
class Awaited:
    """An answer that is to come, as a stage may know of it. `opened` is None where nothing is recorded."""

    form: Format
    request: TurnRequest
    opened: Opened | None
    structured: bool


StageMaker = Callable[[Awaited], Stage]
"""Makes a stage for one answer."""


def said_of(
    messages: Sequence[Placed], read: Callable[[dict[str, Any], bool], Said | None]
) -> tuple[Said, ...] | None:
    """All messages, or None when one of them is not shaped like a message.

    `read(message, new)` reads one; `new` says that it belongs to the user's newest words or follows them, so that
    its images are wanted: older ones were recorded when they came, and clients resend them every turn.
    """
    newest = newest_words([isinstance(m.value, dict) and m.value.get("role") == "user" for m in messages])
    said: list[Said] = []
    for index, placed in enumerate(messages):
        one = read(placed.value, index >= newest) if isinstance(placed.value, dict) else None
        if one is None:
            return None
        said.append(one)
    return tuple(said)


def newest_words(users: Sequence[bool]) -> int:
    """Where the user's newest words begin, given for each message whether it holds words of the user.

    Rounds of tools, and an answer that is to be carried on, may follow them: in each the message must look the same.
    """
    at = len(users)
    while at and not users[at - 1]:
        at -= 1
    while at and users[at - 1]:
        at -= 1
    return at


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
