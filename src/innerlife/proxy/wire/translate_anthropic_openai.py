"""Anthropic's clients on an engine that speaks only OpenAI's format."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from innerlife.errors import BadInput
from innerlife.proxy.wire import openai
from innerlife.proxy.wire.anthropic import Anthropic
from innerlife.proxy.wire.call import Format
from innerlife.proxy.wire.frame import Frame, ToolPiece
from innerlife.proxy.wire.splitting import event_bytes

_PLAIN_OPTIONS: Final = {
    "max_tokens": "max_tokens",
    "temperature": "temperature",
    "top_p": "top_p",
    "stop_sequences": "stop",
}
_ENDINGS: Final[Mapping[str, str]] = {
    "length": "max_tokens",
    "max_tokens": "max_tokens",
    "tool_calls": "tool_use",
    "function_call": "tool_use",
    "content_filter": "refusal",
}
_CHOICES: Final[Mapping[str, str]] = {"auto": "auto", "any": "required", "none": "none"}

ANTHROPIC: Final = Anthropic()


def translated(members: Mapping[str, Any], model: str, *, llama: bool) -> bytes:
    """A request to /v1/messages as one to /v1/chat/completions. `llama` says that the engine is a llama.cpp server.

    Left out is what has no counterpart: cache marks, metadata, thinking of earlier turns, tools that Anthropic's own
    servers run. Raises BadInput for documents that are no text, which the engine could not read.
    """
    messages: list[dict[str, Any]] = []
    system = _joined(members.get("system"))
    if system:
        messages.append({"role": "system", "content": system})
    for message in members.get("messages") or ():
        messages += _messages(message)
    value: dict[str, Any] = {"model": model, "messages": messages}
    value |= {new: members[old] for old, new in _PLAIN_OPTIONS.items() if members.get(old) is not None}
    value |= _tools(members)
    thinking = members.get("thinking")
    if llama:
        value |= {"top_k": members["top_k"]} if members.get("top_k") is not None else {}
        if isinstance(thinking, dict):
            value["chat_template_kwargs"] = {"enable_thinking": thinking.get("type") != "disabled"}
    value["stream"] = members.get("stream") is True
    if value["stream"]:
        value["stream_options"] = {"include_usage": True}
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")


@dataclass(slots=True)
class AnthropicOverOpenAI:
    """Turns one answer of an OpenAI-compatible server into Anthropic's. `model` is the name the client used.

    One block is open at a time, but that calls of tools stay open to the end: servers may send their parts in turn.
    """

    answer_id: str
    model: str
    source: Format = field(default_factory=openai.OpenAI)
    _begun: bool = False
    _done: bool = False
    _blocks: int = 0
    _open: str = ""
    _tools: dict[int, int] = field(default_factory=dict)
    _finish: str = ""
    _usage: tuple[int, int] = (0, 0)

    def frames(self, frame: Frame) -> Iterator[Frame]:
        """The events for one of the engine's. The last ones wait for the counts that follow the finish reason."""
        self._usage = frame.usage or self._usage
        if frame.error:
            yield Frame(ANTHROPIC.error_frame(frame.error), error=frame.error)
            return
        if frame.reasoning:
            yield from self._words("thinking", frame.reasoning)
        if frame.content:
            yield from self._words("text", frame.content)
        for piece in frame.tools:
            yield from self._tool(piece)
        self._finish = frame.finish or self._finish
        if frame.final and not frame.finish:
            yield from self.ending()

    def ending(self) -> Iterator[Frame]:
        """What closes the answer, once, where it came to its end."""
        if self._done or not self._finish:
            return
        self._done = True
        yield from self._begin()
        yield from self._close()
        for block in self._tools.values():
            yield _event("content_block_stop", index=block)
        delta = {"stop_reason": _ending(self._finish, called=bool(self._tools)), "stop_sequence": None}
        yield _event("message_delta", delta=delta, usage=_counts(self._usage))
        yield _event("message_stop")

    def whole(self, frame: Frame, status: int) -> Frame:
        """The document for an answer that is not streamed, an error included."""
        if frame.error or not frame.final:
            error = frame.error or frame.raw.decode("utf-8", "replace")[:500] or "the answer was empty"
            return Frame(ANTHROPIC.error(status, error), error=error)
        content: list[dict[str, Any]] = []
        if frame.reasoning:
            content.append({"type": "thinking", "thinking": frame.reasoning, "signature": ""})
        if frame.content:
            content.append({"type": "text", "text": frame.content})
        content += [_use(piece, _input(piece.arguments)) for piece in frame.tools]
        reason = _ending(frame.finish, called=bool(frame.tools))
        value = self._message(content, reason, frame.usage or (0, 0))
        return ANTHROPIC.whole(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))

    def _begin(self) -> Iterator[Frame]:
        if not self._begun:
            self._begun = True
            yield _event("message_start", message=self._message([], None, self._usage))

    def _words(self, kind: str, words: str) -> Iterator[Frame]:
        yield from self._begin()
        if self._open != kind:
            yield from self._close()
            more = {"signature": ""} if kind == "thinking" else {}
            block = {"type": kind, kind: "", **more}
            yield _event("content_block_start", index=self._blocks, content_block=block)
            self._open = kind
            self._blocks += 1
        yield _event(
            "content_block_delta", index=self._blocks - 1, delta={"type": f"{kind}_delta", kind: words}
        )

    def _close(self) -> Iterator[Frame]:
        if self._open:
            self._open = ""
            yield _event("content_block_stop", index=self._blocks - 1)

    def _tool(self, piece: ToolPiece) -> Iterator[Frame]:
        yield from self._begin()
        if piece.index not in self._tools:
            yield from self._close()
            self._tools[piece.index] = self._blocks
            self._blocks += 1
            block = self._tools[piece.index]
            yield _event("content_block_start", index=block, content_block=_use(piece, {}))
        if piece.arguments:
            delta = {"type": "input_json_delta", "partial_json": piece.arguments}
            yield _event("content_block_delta", index=self._tools[piece.index], delta=delta)

    def _message(
        self, content: list[dict[str, Any]], reason: str | None, usage: tuple[int, int]
    ) -> dict[str, Any]:
        head = {"id": self.answer_id, "type": "message", "role": "assistant", "model": self.model}
        return {
            **head,
            "content": content,
            "stop_reason": reason,
            "stop_sequence": None,
            "usage": _counts(usage),
        }


def _event(kind: str, **members: Any) -> Frame:
    """An event, read as any other of its kind, so that what the client sees is what is recorded."""
    return ANTHROPIC.frame(event_bytes({"type": kind, **members}))


def _counts(usage: tuple[int, int]) -> dict[str, int]:
    return {"input_tokens": usage[0], "output_tokens": usage[1]}


def _ending(finish: str, *, called: bool) -> str:
    return _ENDINGS.get(finish, "tool_use" if called else "end_turn")


def _use(piece: ToolPiece, given: dict[str, Any]) -> dict[str, Any]:
    name = piece.call_id or f"toolu_{piece.index}"
    return {"type": "tool_use", "id": name, "name": piece.name, "input": given}


def _input(arguments: str) -> dict[str, Any]:
    """A call's arguments as an object. What the model botched arrives under `text`."""
    try:
        value = json.loads(arguments or "{}")
    except (ValueError, RecursionError):
        value = None
    return value if isinstance(value, dict) else {"text": arguments}


def _messages(message: Any) -> Iterator[dict[str, Any]]:
    """One message as one or several: results of tools are messages of their own there, and come first."""
    content, role = message.get("content"), message.get("role")
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    parts: list[dict[str, Any]] = [{"type": "text", "text": content}] if isinstance(content, str) else []
    calls: list[dict[str, Any]] = []
    for block in blocks:
        match block.get("type"):
            case "tool_result":
                yield {
                    "role": "tool",
                    "tool_call_id": block.get("tool_use_id") or "",
                    "content": _joined(block.get("content")),
                }
                parts += _parts(_listed(block.get("content")), texts=False)
            case "tool_use":
                calls.append(_call(block))
            case _:
                parts += _parts([block])
    if role == "assistant":
        more = {"tool_calls": calls} if calls else {}
        text = _joined(parts)
        yield {"role": role, "content": text if text or not calls else None, **more}
    elif parts or not blocks:
        yield {"role": role, "content": _content(parts)}


def _parts(blocks: Iterable[Any], *, texts: bool = True) -> Iterator[dict[str, Any]]:
    """Texts and images as parts of a message."""
    for block in blocks:
        source = block.get("source") if isinstance(block, dict) else None
        source = source if isinstance(source, dict) else {}
        match block.get("type") if isinstance(block, dict) else None:
            case "text" if texts:
                yield {"type": "text", "text": block.get("text") or ""}
            case "image" if source.get("type") == "base64":
                url = f"data:{source.get('media_type')};base64,{source.get('data')}"
                yield {"type": "image_url", "image_url": {"url": url}}
            case "image" if source.get("type") == "url":
                yield {"type": "image_url", "image_url": {"url": source.get("url")}}
            case "document" if source.get("type") == "text":
                yield {"type": "text", "text": source.get("data") or ""}
            case "document" | "image":
                raise BadInput(
                    "The engine behind Innerlife cannot read this document", "Send its text in the message"
                )
            case _:
                continue


def _content(parts: list[dict[str, Any]]) -> Any:
    """Plain text where there is nothing else: not every server and template knows parts."""
    return parts if any(part["type"] != "text" for part in parts) else _joined(parts)


def _joined(content: Any) -> str:
    if isinstance(content, str):
        return content
    texts = (block.get("text") for block in _listed(content) if isinstance(block, dict))
    return "\n\n".join(text for text in texts if isinstance(text, str))


def _listed(content: Any) -> list[Any]:
    return content if isinstance(content, list) else []


def _call(block: dict[str, Any]) -> dict[str, Any]:
    arguments = json.dumps(block.get("input") or {}, ensure_ascii=False)
    function = {"name": block.get("name") or "", "arguments": arguments}
    return {"id": block.get("id") or "", "type": "function", "function": function}


def _tools(members: Mapping[str, Any]) -> dict[str, Any]:
    found: list[dict[str, Any]] = []
    for tool in _listed(members.get("tools")):
        if isinstance(tool, dict) and isinstance(tool.get("input_schema"), dict):
            function = {"name": tool.get("name"), "parameters": tool["input_schema"]}
            if tool.get("description"):
                function["description"] = tool["description"]
            found.append({"type": "function", "function": function})
    if not found:
        return {}
    value: dict[str, Any] = {"tools": found}
    choice = members.get("tool_choice")
    if isinstance(choice, dict):
        if choice.get("type") == "tool":
            value["tool_choice"] = {"type": "function", "function": {"name": choice.get("name")}}
        elif str(choice.get("type")) in _CHOICES:
            value["tool_choice"] = _CHOICES[str(choice.get("type"))]
        if choice.get("disable_parallel_tool_use"):
            value["parallel_tool_calls"] = False
    return value
