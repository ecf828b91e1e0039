"""Ollama's format: /api/chat and /api/generate, streamed as JSON lines."""

from __future__ import annotations

import json
from typing import Any, Final

from innerlife.membrane.turn import Said, Speaker
from innerlife.proxy.wire.call import (
    MESSAGES,
    PROMPT_WITH_SYSTEM,
    Chat,
    FormatName,
    Reading,
    Unreadable,
    Untouched,
    fills_in,
    image_of,
    said_of,
    speaker,
    tool_text,
    whole_number,
)
from innerlife.proxy.wire.frame import Frame, Splitter, Tell, ToolPiece, retold
from innerlife.proxy.wire.jsontext import Document
from innerlife.proxy.wire.splitting import lines

CHAT: Final = "/api/chat"
GENERATE: Final = "/api/generate"


class Ollama:
    """Reads and speaks Ollama's format."""

    name: FormatName = "ollama"
    media_type = b"application/x-ndjson"
    between = b"\n"
    ends = (b"\n",)

    def read(self, path: str, document: Document) -> Reading:
        """What a request to /api/chat or /api/generate asks for."""
        model = document.value("model")
        if not isinstance(model, str):
            return Unreadable("the request names no model")
        return _read_chat(document, model) if path == CHAT else _read_generate(document, model)

    def splitter(self) -> Splitter:
        """A new cutter of JSON lines."""
        return lines()

    def frame(self, raw: bytes) -> Frame:
        """The reading of one line; garbage reads as nothing."""
        try:
            value = json.loads(raw)
        except (ValueError, RecursionError):
            return Frame(raw)
        return _read_answer(raw, value)

    def whole(self, raw: bytes) -> Frame:
        """The reading of an answer that is not streamed: the same shape as a line."""
        return self.frame(raw)

    def retell(self, value: dict[str, Any], tell: Tell) -> None:
        """The message of a chat, the response of a prompt."""
        if retold(value.get("message"), "content", tell) | retold(value, "response", tell):
            value.pop("logprobs", None)

    def error(self, status: int, sentence: str) -> bytes:
        """`{"error": "…"}`, whatever the status."""
        del status
        return json.dumps({"error": sentence}).encode()

    def error_frame(self, sentence: str) -> bytes:
        """The same as a line."""
        return json.dumps({"error": sentence}).encode() + b"\n"


def _read_chat(document: Document, model: str) -> Reading:
    stream = document.value("stream") is not False
    messages = document.value("messages")
    if messages is None or messages == []:
        return Untouched(document, model, stream, "no messages: a model is loaded or unloaded")
    if not isinstance(messages, list):
        return Unreadable("the messages are no list")
    said = said_of(messages, _said)
    if said is None:
        return Unreadable("a message has another shape")
    return Chat(document, MESSAGES, model, stream, said, _window(document), bool(document.value("tools")))


def _read_generate(document: Document, model: str) -> Reading:
    stream = document.value("stream") is not False
    prompt = document.value("prompt")
    if prompt is None or prompt == "":
        return Untouched(document, model, stream, "no prompt: a model is loaded or unloaded")
    if not isinstance(prompt, str):
        return Unreadable("the prompt is no text")
    if document.value("raw") or document.value("context") or document.value("suffix") or fills_in(prompt):
        return Untouched(document, model, stream, "a raw prompt, or one to be filled in or carried on")
    system = document.value("system")
    said: list[Said] = []
    if isinstance(system, str) and system:
        said.append(Said(Speaker.SYSTEM, system))
    images = document.value("images")
    found = [image_of(one) for one in images] if isinstance(images, list) else []
    said.append(Said(Speaker.USER, prompt, tuple(image for image in found if image)))
    return Chat(document, PROMPT_WITH_SYSTEM, model, stream, tuple(said), _window(document))


def _said(message: dict[str, Any], new: bool) -> Said | None:  # noqa: FBT001 a callback with two values
    content = message.get("content")
    if content is not None and not isinstance(content, str):
        return None
    images = message.get("images") if new else None
    found = [image_of(one) for one in images] if isinstance(images, list) else []
    return Said(
        speaker(message.get("role")),
        content or "",
        tuple(image for image in found if image),
        tool_text(message.get("tool_calls")),
    )


def _window(document: Document) -> int | None:
    options = document.value("options")
    return whole_number(options.get("num_ctx")) if isinstance(options, dict) else None


def _read_answer(raw: bytes, value: Any) -> Frame:
    if not isinstance(value, dict):
        return Frame(raw)
    error = value.get("error")
    if error:
        return Frame(raw, error=error if isinstance(error, str) else json.dumps(error))
    message = value.get("message")
    part = message if isinstance(message, dict) else value
    calls = part.get("tool_calls")
    done = value.get("done") is True
    return Frame(
        raw,
        content=_text(part.get("content") if part is message else part.get("response")),
        reasoning=_text(part.get("thinking")),
        tools=_tools(calls) if isinstance(calls, list) else (),
        final=done,
        finish=_text(value.get("done_reason")) if done else "",
        model=_text(value.get("model")),
    )


def _tools(calls: list[Any]) -> tuple[ToolPiece, ...]:
    return tuple(ToolPiece(index, whole=call) for index, call in enumerate(calls) if call is not None)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
