"""Anthropic's format: /v1/messages, streamed as named server-sent events.

A message of the user may hold tool results, words, or both. Results are what tools said and never the user's words;
so one message may become two of `Chat.said`, and `Chat.places` says where each of them stands.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from innerlife.kernel import canonical
from innerlife.membrane.turn import Image, Said, Speaker
from innerlife.proxy.wire.call import (
    Chat,
    FormatName,
    Layout,
    Reading,
    Unreadable,
    Untouched,
    image_of,
    newest_words,
    speaker,
    tool_text,
)
from innerlife.proxy.wire.frame import Frame, Splitter, Tell, ToolPiece, retold
from innerlife.proxy.wire.jsontext import Document, Placed
from innerlife.proxy.wire.splitting import event_bytes, event_data, events

MESSAGES: Final = "/v1/messages"
COUNT: Final = "/v1/messages/count_tokens"

LAYOUT: Final = Layout("messages", "system")

_KINDS: Final = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
}

_REMINDER: Final = ("<system-reminder>", "</system-reminder>")
"""How Claude Code marks blocks that it adds to the user's message by itself, anew in each request."""


class Anthropic:
    """Reads and speaks Anthropic's format."""

    name: FormatName = "anthropic"
    media_type = b"text/event-stream"
    between = b"\n\n"
    ends = (b"\n\n", b"\n\r\n", b"\r\r")

    def read(self, path: str, document: Document) -> Reading:
        """What a request to /v1/messages asks for."""
        del path
        model = document.value("model", "")
        messages, system = document.value("messages"), document.value("system")
        if not isinstance(model, str):
            return Unreadable("the model's name is no text")
        if not isinstance(messages, list):
            return Unreadable("the messages are no list")
        if system is not None and not isinstance(system, str | list):
            return Unreadable("the system text is no text")
        stream = document.value("stream") is True
        said = _said(system, messages)
        if said is None:
            return Unreadable("a message has another shape")
        if not messages or not said:
            return Untouched(document, model, stream, "no messages")
        return Chat(
            document,
            LAYOUT,
            model,
            stream,
            tuple(one for one, _ in said),
            offers_tools=bool(document.value("tools")),
            places=tuple(place for _, place in said),
        )

    def splitter(self) -> Splitter:
        """A new cutter of events."""
        return events()

    def frame(self, raw: bytes) -> Frame:
        """The reading of one event; pings, comments and garbage read as nothing."""
        data = event_data(raw)
        return self.whole(data, raw) if data else Frame(raw)

    def whole(self, raw: bytes, sent: bytes | None = None) -> Frame:
        """The reading of an answer that is not streamed; `sent` are the bytes around it, where they differ."""
        around = raw if sent is None else sent
        try:
            value = json.loads(raw)
        except (ValueError, RecursionError):
            return Frame(around)
        return _read_answer(around, value)

    def retell(self, value: dict[str, Any], tell: Tell) -> None:
        """The text of a block, or of a part of one; in a whole message those of all blocks."""
        content = value.get("content")
        blocks = content if isinstance(content, list) else []
        for part in (*blocks, value.get("content_block"), value.get("delta")):
            if _dict(part).get("type") in {"text", "text_delta"}:
                retold(part, "text", tell)

    def error(self, status: int, sentence: str) -> bytes:
        """`{"type": "error", "error": {"type": "…", "message": "…"}}`."""
        return json.dumps(_error(_KINDS.get(status, "api_error"), sentence)).encode()

    def error_frame(self, sentence: str) -> bytes:
        """The same as an event."""
        return event_bytes(_error("api_error", sentence))


def _error(kind: str, sentence: str) -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": sentence}}


def _said(system: Any, messages: list[Placed]) -> list[tuple[Said, int]] | None:
    """Who said what, each with its place; None where a message is not shaped like one."""
    found: list[tuple[Said, int]] = []
    if text := "\n".join(_texts(system)):
        found.append((Said(Speaker.SYSTEM, text), -1))
    newest = newest_words([_is_the_users(placed.value) for placed in messages])
    for index, placed in enumerate(messages):
        message = placed.value
        if not isinstance(message, dict) or not isinstance(message.get("content"), str | list | None):
            return None
        # Older images were recorded when they came (clients resend them every turn).
        new = index >= newest
        found += [(one, index) for one in _parts(message.get("role"), message.get("content"), new=new)]
    return found


def _is_the_users(message: Any) -> bool:
    """Whether a message holds more than results of tools."""
    if not isinstance(message, dict) or message.get("role") != "user":
        return False
    content = message.get("content")
    return not isinstance(content, list) or any(
        _dict(block).get("type") != "tool_result" for block in content
    )


def _parts(role: object, content: Any, *, new: bool) -> Iterator[Said]:
    """A message as one thing said; as two, where words of the user follow the results of tools."""
    who = speaker(role)
    text = "\n".join(_texts(content, own=who is Speaker.USER))
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    results = [block for block in blocks if block.get("type") == "tool_result"]
    for block in results:
        yield Said(Speaker.TOOL, "\n".join(_texts(block.get("content"))))
    images = tuple(filter(None, map(_image, blocks))) if new else ()
    if text or images or not results:
        calls = [_call(block) for block in blocks if block.get("type") == "tool_use"]
        yield Said(who, text, images, tool_text(calls))


def _texts(content: Any, *, own: bool = False) -> Iterator[str]:
    """The texts of a content; with `own` without what a client put there by itself."""
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for block in content:
            text = block.get("text") if isinstance(block, dict) and block.get("type") == "text" else None
            if isinstance(text, str) and not (own and _is_reminder(text)):
                yield text


def _is_reminder(text: str) -> bool:
    bare = text.strip()
    return bare.startswith(_REMINDER[0]) and bare.endswith(_REMINDER[1])


def _call(block: dict[str, Any]) -> dict[str, Any]:
    """A tool's call in the one shape in which calls are recorded, whatever the format."""
    given = block.get("input")
    function = {
        "name": _text(block.get("name")),
        "arguments": canonical.dumps({} if given is None else given),
    }
    return {"id": _text(block.get("id")), "type": "function", "function": function}


def _image(block: dict[str, Any]) -> Image | None:
    """The image of a block that carries it in base64; addresses are not fetched."""
    source = block.get("source")
    if block.get("type") != "image" or not isinstance(source, dict) or source.get("type") != "base64":
        return None
    return image_of(source.get("data"), _text(source.get("media_type")))


def _read_answer(raw: bytes, value: Any) -> Frame:
    if not isinstance(value, dict):
        return Frame(raw)
    if value.get("error"):
        return Frame(raw, error=_sentence(value["error"]))
    match value.get("type"):
        case "message":
            return _whole(raw, value)
        case "message_start":
            message = _dict(value.get("message"))
            return Frame(raw, model=_text(message.get("model")), usage=_usage(message))
        case "content_block_start" | "content_block_delta":
            return _piece(raw, value)
        case "content_block_stop":
            return Frame(raw, closes=True)
        case "message_delta":
            finish = _text(_dict(value.get("delta")).get("stop_reason"))
            return Frame(raw, final=bool(finish), finish=finish, usage=_usage(value))
        case "message_stop":
            return Frame(raw, final=True)
        case _:
            return Frame(raw)


def _piece(raw: bytes, value: dict[str, Any]) -> Frame:
    """The beginning of a block, or a part of one."""
    block = _dict(value.get("content_block") or value.get("delta"))
    number = value.get("index")
    index = number if isinstance(number, int) else 0
    match block.get("type"):
        case "text" | "text_delta":
            return Frame(raw, content=_text(block.get("text")))
        case "thinking" | "thinking_delta":
            return Frame(raw, reasoning=_text(block.get("thinking")))
        case "tool_use":
            piece = ToolPiece(index, _text(block.get("name")), call_id=_text(block.get("id")))
            return Frame(raw, tools=(piece,))
        case "input_json_delta":
            return Frame(raw, tools=(ToolPiece(index, arguments=_text(block.get("partial_json"))),))
        case _:
            return Frame(raw)


def _whole(raw: bytes, value: dict[str, Any]) -> Frame:
    content = value.get("content")
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    calls = [_call(block) for block in blocks if block.get("type") == "tool_use"]
    finish = _text(value.get("stop_reason"))
    return Frame(
        raw,
        content="".join(_text(block.get("text")) for block in blocks if block.get("type") == "text"),
        reasoning="".join(_text(b.get("thinking")) for b in blocks if b.get("type") == "thinking"),
        tools=tuple(ToolPiece(index, whole=call) for index, call in enumerate(calls)),
        final=bool(finish),
        finish=finish,
        model=_text(value.get("model")),
        usage=_usage(value),
    )


def _usage(holder: dict[str, Any]) -> tuple[int, int] | None:
    usage = _dict(holder.get("usage"))
    counts = [usage.get(name) for name in ("input_tokens", "output_tokens")]
    if not usage or not all(isinstance(count, int | None) for count in counts):
        return None
    return counts[0] or 0, counts[1] or 0


def _sentence(error: Any) -> str:
    if isinstance(error, dict) and isinstance(error.get("message"), str):
        return str(error["message"])
    return error if isinstance(error, str) else json.dumps(error)


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
