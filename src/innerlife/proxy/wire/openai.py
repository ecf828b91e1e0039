"""OpenAI's format: /v1/chat/completions and /v1/completions, streamed as server-sent events."""

from __future__ import annotations

import json
from typing import Any, Final

from innerlife.membrane.turn import Image, Said, Speaker
from innerlife.proxy.wire.call import (
    MESSAGES,
    PROMPT,
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
)
from innerlife.proxy.wire.frame import Frame, Splitter, Tell, ToolPiece, retold
from innerlife.proxy.wire.jsontext import Document
from innerlife.proxy.wire.splitting import event_data, events

CHAT: Final = "/v1/chat/completions"
COMPLETIONS: Final = "/v1/completions"

_KINDS: Final = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "invalid_request_error",
}


class OpenAI:
    """Reads and speaks OpenAI's format. Of several answers it reads the one with the number `choice`."""

    def __init__(self, choice: int = 0) -> None:
        self._choice = choice

    name: FormatName = "openai"
    media_type = b"text/event-stream"
    between = b"\n\n"
    ends = (b"\n\n", b"\n\r\n", b"\r\r")

    def read(self, path: str, document: Document) -> Reading:
        """What a request to /v1/chat/completions or /v1/completions asks for."""
        model = document.value("model")
        if not isinstance(model, str):
            # Servers with one model accept a request that names none.
            if model is not None:
                return Unreadable("the model's name is no text")
            model = ""
        stream = document.value("stream") is True
        if path == COMPLETIONS:
            return _read_prompt(document, model, stream=stream)
        return _read_chat(document, model, stream=stream)

    def splitter(self) -> Splitter:
        """A new cutter of events."""
        return events()

    def frame(self, raw: bytes) -> Frame:
        """The reading of one event; comments, keep-alives and garbage read as nothing."""
        data = event_data(raw)
        if not data:
            return Frame(raw)
        if data == b"[DONE]":
            return Frame(raw, final=True)
        return self.whole(data, raw)

    def whole(self, raw: bytes, sent: bytes | None = None) -> Frame:
        """The reading of an answer that is not streamed; `sent` are the bytes around it, where they differ."""
        try:
            value = json.loads(raw)
        except (ValueError, RecursionError):
            return Frame(raw if sent is None else sent)
        return _read_answer(raw if sent is None else sent, value, self._choice)

    def retell(self, value: dict[str, Any], tell: Tell) -> None:
        """The words of the choice that is read: a part, a message, or the text of a completion."""
        choice = _choice_of(value.get("choices"), self._choice)
        found = [_retold_content(choice.get(name), tell) for name in ("delta", "message")]
        if any([*found, retold(choice, "text", tell)]) and choice.get("logprobs"):
            choice["logprobs"] = None

    def error(self, status: int, sentence: str) -> bytes:
        """`{"error": {"message": "…", …}}`."""
        kind = _KINDS.get(status, "server_error")
        fields = {"message": sentence, "type": kind, "param": None, "code": None}
        return json.dumps({"error": fields}).encode()

    def error_frame(self, sentence: str) -> bytes:
        """The same as an event."""
        return b"data: " + self.error(502, sentence) + b"\n\n"


def _read_chat(document: Document, model: str, *, stream: bool) -> Reading:
    messages = document.value("messages")
    if not isinstance(messages, list):
        return Unreadable("the messages are no list")
    if not messages:
        return Untouched(document, model, stream, "no messages")
    said = said_of(messages, _said)
    if said is None:
        return Unreadable("a message has another shape")
    tools = bool(document.value("tools") or document.value("functions"))
    return Chat(document, MESSAGES, model, stream, said, None, tools)


def _read_prompt(document: Document, model: str, *, stream: bool) -> Reading:
    prompt = document.value("prompt")
    if isinstance(prompt, list) or not prompt:
        return Untouched(document, model, stream, "several prompts, tokens, or none")
    if not isinstance(prompt, str):
        return Unreadable("the prompt is no text")
    if document.value("suffix") or document.value("echo") or fills_in(prompt):
        return Untouched(document, model, stream, "a prompt to be filled in or repeated")
    return Chat(document, PROMPT, model, stream, (Said(Speaker.USER, prompt),))


def _said(message: dict[str, Any], new: bool) -> Said | None:  # noqa: FBT001 a callback with two values
    content = message.get("content")
    images: tuple[Image, ...] = ()
    if isinstance(content, list):
        texts = [part["text"] for part in content if _is_text(part)]
        text = "\n".join(texts)
        images = tuple(filter(None, map(_image, content))) if new else ()
    elif content is None or isinstance(content, str):
        text = content or ""
    else:
        return None
    calls = message.get("tool_calls") or message.get("function_call")
    return Said(speaker(message.get("role")), text, images, tool_text(calls))


def _is_text(part: object) -> bool:
    return isinstance(part, dict) and part.get("type") == "text" and isinstance(part.get("text"), str)


def _image(part: object) -> Image | None:
    """The image of a content part that carries it as a data URL; addresses are not fetched."""
    if not isinstance(part, dict) or part.get("type") != "image_url":
        return None
    holder = part.get("image_url")
    url = holder.get("url") if isinstance(holder, dict) else holder
    if not isinstance(url, str) or not url.startswith("data:"):
        return None
    head, _, data = url.partition(",")
    return image_of(data, head[5:].split(";")[0]) if head.endswith(";base64") else None


def _content(value: object) -> str:
    """The words of a content: a text, or a list of parts of which some are texts."""
    if isinstance(value, list):
        return "".join(part["text"] for part in value if _is_text(part))
    return _text(value)


def _retold_content(holder: object, tell: Tell) -> bool:
    parts = holder.get("content") if isinstance(holder, dict) else None
    if isinstance(parts, list):
        changed = [retold(part, "text", tell) for part in parts if _is_text(part)]
        return any(changed)
    return retold(holder, "content", tell)


def _read_answer(raw: bytes, value: Any, number: int) -> Frame:
    if not isinstance(value, dict):
        return Frame(raw)
    error = value.get("error")
    if error:
        return Frame(raw, error=_sentence(error))
    choices = value.get("choices")
    choice = _choice_of(choices, number)
    delta = choice.get("delta") or choice.get("message")
    if not isinstance(delta, dict):
        delta = {"content": choice.get("text")}
    finish = _text(choice.get("finish_reason"))
    calls = delta.get("tool_calls")
    return Frame(
        raw,
        content=_content(delta.get("content")),
        reasoning=_text(delta.get("reasoning_content")) or _text(delta.get("reasoning")),
        tools=tuple(_piece(call, place) for place, call in enumerate(calls) if isinstance(call, dict))
        if isinstance(calls, list)
        else (),
        final=bool(finish),
        finish=finish,
        model=_text(value.get("model")),
        usage=_usage(value.get("usage")),
        choices=tuple(found for found in _numbers(choices) if found != number),
    )


def _choice_of(choices: object, number: int) -> dict[str, Any]:
    """The choice of that number; of several the first, 0, is what a chat shows."""
    if isinstance(choices, list):
        for choice in choices:
            if isinstance(choice, dict) and choice.get("index", 0) == number:
                return choice
    return {}


def _numbers(choices: object) -> list[int]:
    """The numbers of the choices of one frame."""
    found = (
        [choice.get("index", 0) for choice in choices if isinstance(choice, dict)]
        if isinstance(choices, list)
        else []
    )
    return [number for number in found if isinstance(number, int)]


def _piece(call: dict[str, Any], place: int) -> ToolPiece:
    function = call.get("function")
    function = function if isinstance(function, dict) else {}
    index = call.get("index")
    return ToolPiece(
        index if isinstance(index, int) else place,
        _text(function.get("name")),
        _text(function.get("arguments")),
        _text(call.get("id")),
    )


def _usage(usage: object) -> tuple[int, int] | None:
    if not isinstance(usage, dict):
        return None
    counts = (usage.get("prompt_tokens"), usage.get("completion_tokens"))
    return (counts[0] or 0, counts[1] or 0) if all(isinstance(n, int | None) for n in counts) else None


def _sentence(error: object) -> str:
    if isinstance(error, dict) and isinstance(error.get("message"), str):
        return str(error["message"])
    return error if isinstance(error, str) else json.dumps(error)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
