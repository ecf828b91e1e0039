"""OpenAI's newer format: /v1/responses, streamed as named server-sent events.

The words are one text or a list of items: messages, calls of tools and their results, reasoning. Items that nobody
said (reasoning, references) are not in `Chat.said`; `Chat.places` says where those stand that are. A client may leave
the history to the engine (`previous_response_id`, `conversation`) and send what is new alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

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
from innerlife.proxy.wire.openai import OpenAI
from innerlife.proxy.wire.splitting import event_bytes, event_data, events

RESPONSES: Final = "/v1/responses"

LAYOUT: Final = Layout("input", "instructions", "input_text")

_TEXTS: Final = frozenset({"input_text", "output_text", "text", "refusal"})
_CALLS: Final = frozenset({"function_call", "custom_tool_call"})


_WORDS_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "response.output_text.delta": ("delta",),
    "response.refusal.delta": ("delta",),
    "response.output_text.done": ("text",),
    "response.refusal.done": ("refusal",),
    "output_text": ("text",),
    "refusal": ("refusal",),
}
"""Where words for the client stand, by the type of an event or of a part."""

_CLOSING: Final = frozenset({
    "response.output_text.done", "response.refusal.done", "response.content_part.done",
})  # fmt: skip


class Responses:
    """Reads and speaks the format of OpenAI's responses."""

    name: FormatName = "responses"
    media_type = b"text/event-stream"
    between = b"\n\n"
    ends = (b"\n\n", b"\n\r\n", b"\r\r")

    def read(self, path: str, document: Document) -> Reading:
        """What a request to /v1/responses asks for."""
        del path
        model = document.value("model", "")
        stream = document.value("stream") is True
        words, system = document.value("input"), document.value("instructions")
        if not isinstance(model, str):
            return Unreadable("the model's name is no text")
        if system is not None and not isinstance(system, str):
            return Unreadable("the instructions are no text")
        if document.value("background") is True:
            return Untouched(document, model, stream, "its answer is fetched later")
        if not words:
            return Untouched(document, model, stream, "no input")
        said = _said(words)
        if said is None:
            return Unreadable("the input has another shape")
        if not said:
            return Untouched(document, model, stream, "an input without words")
        if system:
            said.insert(0, (Said(Speaker.SYSTEM, system), -1))
        return _chat(document, model, said, stream=stream)

    def splitter(self) -> Splitter:
        """A new cutter of events."""
        return events()

    def frame(self, raw: bytes) -> Frame:
        """The reading of one event; comments, keep-alives and garbage read as nothing."""
        data = event_data(raw)
        try:
            value = json.loads(data) if data else None
        except (ValueError, RecursionError):
            return Frame(raw)
        return _read_event(raw, value) if isinstance(value, dict) else Frame(raw)

    def whole(self, raw: bytes) -> Frame:
        """The reading of an answer that is not streamed."""
        try:
            value = json.loads(raw)
        except (ValueError, RecursionError):
            return Frame(raw)
        return _read_answer(raw, value) if isinstance(value, dict) else Frame(raw)

    def retell(self, value: dict[str, Any], tell: Tell) -> None:
        """A part of the text, and wherever it is told again: in its part, its item, the whole response."""
        kind = _text(value.get("type"))
        response = value.get("response") if isinstance(value.get("response"), dict) else value
        items = [*_listed(_dict(response).get("output")), value.get("item")]
        parts = [value.get("part"), *(part for item in items for part in _listed(_dict(item).get("content")))]
        told = [(part, key) for part in parts for key in _WORDS_OF.get(_text(_dict(part).get("type")), ())]
        told += [(value, key) for key in _WORDS_OF.get(kind, ())]
        for holder, key in told:
            if retold(holder, key, tell) and "logprobs" in holder:
                holder["logprobs"] = []
        retold(response, "output_text", tell)

    def error(self, status: int, sentence: str) -> bytes:
        """The same as of the older format."""
        return OpenAI().error(status, sentence)

    def error_frame(self, sentence: str) -> bytes:
        """An `error` event; with an `error` member as well, without which the official client reads on."""
        detail = {"type": "server_error", "code": "server_error", "message": sentence, "param": None}
        value = {"type": "error", "code": "server_error", "message": sentence, "param": None}
        return event_bytes({**value, "sequence_number": 0, "error": detail})


def _chat(document: Document, model: str, said: list[tuple[Said, int]], *, stream: bool) -> Chat:
    conversation = document.value("conversation")
    if isinstance(conversation, dict):
        conversation = conversation.get("id")
    return Chat(
        document,
        LAYOUT,
        model,
        stream,
        tuple(one for one, _ in said),
        offers_tools=bool(document.value("tools")),
        places=tuple(place for _, place in said),
        follows=_text(document.value("previous_response_id")),
        conversation=_text(conversation),
    )


def _said(words: Any) -> list[tuple[Said, int]] | None:
    """Who said what, each with its place; None where the input is not shaped like one."""
    if isinstance(words, str):
        return [(Said(Speaker.USER, words), -1)]
    if not isinstance(words, list):
        return None
    newest = newest_words([_dict(placed.value).get("role") == "user" for placed in words])
    found: list[tuple[Said, int]] = []
    calls: list[dict[str, Any]] = []
    for index, placed in enumerate(words):
        if not isinstance(placed.value, dict):
            return None
        if _is_message(placed) and not isinstance(placed.value.get("content"), str | list | None):
            return None
        # Older images were recorded when they came (clients resend them every turn).
        one = _item(placed, new=index >= newest)
        if one is not None:
            found.append((one, index))
            calls = []
        elif _text(placed.value.get("type")).endswith("_call"):
            calls.append(_call(placed.value))
            # What the assistant says and the calls behind it are one message in all other formats.
            if not found or found[-1][0].speaker is not Speaker.ASSISTANT:
                found.append((Said(Speaker.ASSISTANT, ""), index))
            found[-1] = (replace(found[-1][0], tool_calls=tool_text(calls)), found[-1][1])
    return found


def _is_message(placed: Placed) -> bool:
    return bool(placed.value.get("type", "message") == "message")


def _item(placed: Placed, *, new: bool) -> Said | None:
    """One item as something said; None for calls and for what nobody said."""
    item: dict[str, Any] = placed.value
    if _is_message(placed):
        content = item.get("content")
        images = tuple(filter(None, map(_image, content))) if new and isinstance(content, list) else ()
        return Said(speaker(item.get("role")), _words(content), images)
    kind = _text(item.get("type"))
    if kind.endswith("_call_output"):
        return Said(Speaker.TOOL, _words(item.get("output")))
    return None


def _words(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    texts = [part.get("text", part.get("refusal")) for part in parts if _text(part.get("type")) in _TEXTS]
    return "\n".join(text for text in texts if isinstance(text, str))


def _call(item: dict[str, Any]) -> dict[str, Any]:
    """A tool's call in the one shape in which calls are recorded, whatever the format."""
    given = item.get("arguments", item.get("input", item.get("action")))
    arguments = given if isinstance(given, str) else tool_text(given)
    function = {"name": _text(item.get("name")) or _text(item.get("type")), "arguments": arguments}
    return {"id": _text(item.get("call_id")), "type": "function", "function": function}


def _image(part: object) -> Image | None:
    """The image of a part that carries it as a data URL; addresses and files are not fetched."""
    url = _dict(part).get("image_url") if _dict(part).get("type") == "input_image" else None
    if not isinstance(url, str) or not url.startswith("data:"):
        return None
    head, _, data = url.partition(",")
    return image_of(data, head[5:].split(";")[0]) if head.endswith(";base64") else None


def _read_event(raw: bytes, value: dict[str, Any]) -> Frame:
    kind = _text(value.get("type"))
    match kind:
        case "response.output_text.delta" | "response.refusal.delta":
            return Frame(raw, content=_text(value.get("delta")))
        case "response.reasoning_text.delta" | "response.reasoning_summary_text.delta":
            return Frame(raw, reasoning=_text(value.get("delta")))
        case "response.output_item.done":
            # Parts of calls come before; the whole is what a client acts upon, and it bears its own name.
            return Frame(raw, tools=_tools([value.get("item")]), closes=True)
        case _ if kind in _CLOSING:
            return Frame(raw, closes=True)
        case "response.completed" | "response.incomplete" | "response.failed":
            head = _head(_dict(value.get("response")))
            error = head["error"] or ("the answer failed" if kind.endswith("failed") else "")
            return Frame(raw, final=not error, **{**head, "error": error})
        case _ if kind.startswith("response."):
            return Frame(raw, **{**_head(_dict(value.get("response"))), "finish": ""})
        case _ if kind == "error" or value.get("error"):
            return Frame(raw, error=_sentence(value.get("error") or value))
        case _:
            return Frame(raw)


def _read_answer(raw: bytes, value: dict[str, Any]) -> Frame:
    if value.get("error"):
        return Frame(raw, error=_sentence(value["error"]))
    output = value.get("output")
    items = [_dict(item) for item in output] if isinstance(output, list) else []
    messages = [item for item in items if item.get("type") == "message"]
    thoughts = [item for item in items if item.get("type") == "reasoning"]
    return Frame(
        raw,
        content="".join(_joined(item.get("content")) for item in messages),
        reasoning="".join(_joined(item.get("content")) or _joined(item.get("summary")) for item in thoughts),
        tools=_tools(items),
        final=_text(value.get("status")) in {"completed", "incomplete"},
        **_head(value),
    )


def _head(response: dict[str, Any]) -> dict[str, Any]:
    """What a response tells of itself, as members of a frame."""
    error, cut = response.get("error"), _dict(response.get("incomplete_details")).get("reason")
    usage = _dict(response.get("usage"))
    counts = [usage.get(name) for name in ("input_tokens", "output_tokens")]
    known = bool(usage) and all(isinstance(count, int | None) for count in counts)
    return {
        "finish": _text(cut) or _text(response.get("status")),
        "error": _sentence(error) if error else "",
        "model": _text(response.get("model")),
        "usage": (counts[0] or 0, counts[1] or 0) if known else None,
        "answer_id": _text(response.get("id")),
    }


def _joined(parts: Any) -> str:
    """All texts of an answer's parts; a refusal is what the client sees."""
    found = [_dict(part) for part in parts] if isinstance(parts, list) else []
    return "".join(_text(part.get("text")) or _text(part.get("refusal")) for part in found)


def _tools(items: list[Any]) -> tuple[ToolPiece, ...]:
    """Calls that the client is to make; those of the engine's own tools are not its business."""
    calls = [item for item in map(_dict, items) if _text(item.get("type")) in _CALLS]
    return tuple(ToolPiece(index, whole=_call(call)) for index, call in enumerate(calls))


def _sentence(error: Any) -> str:
    if isinstance(error, dict) and isinstance(error.get("message"), str):
        return str(error["message"])
    return error if isinstance(error, str) else json.dumps(error)


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
