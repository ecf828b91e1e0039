"""Ollama's clients on an engine that speaks only OpenAI's format, such as the embedded one.

The other direction needs no translation: every Ollama speaks OpenAI's format too, on the same port.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from innerlife.proxy.wire import ollama, openai
from innerlife.proxy.wire.call import Format, image_of
from innerlife.proxy.wire.frame import Frame, ToolPiece

_PLAIN_OPTIONS: Final = ("temperature", "top_p", "seed", "stop", "presence_penalty", "frequency_penalty")
_LLAMA_OPTIONS: Final = (
    "top_k", "min_p", "typical_p", "repeat_penalty", "repeat_last_n", "mirostat", "mirostat_tau", "mirostat_eta",
)  # fmt: skip
"""What llama.cpp's server understands beyond OpenAI's own; others refuse unknown members."""

_ENDINGS: Final[Mapping[str, str]] = {"length": "length", "max_tokens": "length"}


@dataclass(frozen=True, slots=True)
class Translated:
    """A request in OpenAI's format: the path to send it to and its body."""

    target: bytes
    body: bytes


@dataclass(frozen=True, slots=True)
class Clocks:
    """Now with its zone, and nanoseconds that only grow."""

    now: Callable[[], datetime]
    elapsed_ns: Callable[[], int]


def translated(path: str, members: Mapping[str, Any], model: str, *, llama: bool) -> Translated:
    """An Ollama request as OpenAI's. `llama` says that the engine is a llama.cpp server.

    `num_ctx`, `keep_alive`, `context` and `template` have no counterpart: there the window, the life and the
    template of a model are settled when it is loaded.
    """
    if path == ollama.GENERATE and (members.get("raw") or members.get("suffix")):
        value: dict[str, Any] = {"model": model, "prompt": members.get("prompt") or ""}
        if members.get("suffix"):
            value["suffix"] = members["suffix"]
        target = openai.COMPLETIONS
    else:
        messages = _messages(members) if path == ollama.CHAT else _prompt_messages(members)
        value = {"model": model, "messages": messages}
        if members.get("tools"):
            value["tools"] = members["tools"]
        value |= _thinking(members.get("think"), llama=llama)
        target = openai.CHAT
    value |= _options(members.get("options"), llama=llama) | _form(members.get("format"))
    value["stream"] = members.get("stream") is not False
    if value["stream"]:
        value["stream_options"] = {"include_usage": True}
    return Translated(target.encode(), json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))


def loaded(path: str, members: Mapping[str, Any], model: str, clocks: Clocks) -> bytes | None:
    """The answer to a request that only loads or unloads a model, None for all others."""
    if path == ollama.CHAT and not members.get("messages"):
        words: dict[str, Any] = {"message": {"role": "assistant", "content": ""}}
    elif path == ollama.GENERATE and not members.get("prompt"):
        words = {"response": ""}
    else:
        return None
    reason = "unload" if members.get("keep_alive") in (0, "0", "0s") else "load"
    head = {"model": model, "created_at": stamp(clocks.now())}
    return _line({**head, **words, "done": True, "done_reason": reason})


@dataclass(slots=True)
class OllamaOverOpenAI:
    """Turns one answer of an OpenAI-compatible server into Ollama's. `model` is the name the client used."""

    path: str
    model: str
    clocks: Clocks
    source: Format = field(default_factory=openai.OpenAI)
    _started: int = 0
    _first: int = 0
    _usage: tuple[int, int] = (0, 0)
    _finish: str = ""
    _done: bool = False
    _tools: dict[int, ToolPiece] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._started = self.clocks.elapsed_ns()

    def frames(self, frame: Frame) -> Iterator[Frame]:
        """The lines for one event. The last line waits for the counts that follow the finish reason."""
        self._usage = frame.usage or self._usage
        if frame.error:
            yield Frame(_line({"error": frame.error}), error=frame.error)
            return
        for piece in frame.tools:
            known = self._tools.get(piece.index)
            self._tools[piece.index] = piece if known is None else known.joined(piece)
        if frame.content or frame.reasoning:
            self._first = self._first or self.clocks.elapsed_ns()
            yield self._words(frame.content, frame.reasoning)
        self._finish = frame.finish or self._finish
        if frame.final and not frame.finish:
            yield from self.ending()

    def ending(self) -> Iterator[Frame]:
        """The tool calls and the last line, once, where the answer came to its end."""
        if self._done or not self._finish:
            return
        self._done = True
        if self._tools:
            calls = _calls(self._tools.values())
            self._tools = {}
            yield self._words("", "", calls)
        reason = _ENDINGS.get(self._finish, "stop")
        value = {**self._head(), **self._said("", "", ()), "done": True, "done_reason": reason}
        yield Frame(_line(value | self._counts()), final=True, finish=reason, model=self.model)

    def whole(self, frame: Frame, status: int) -> Frame:
        """The document for an answer that is not streamed, an error included."""
        del status
        if frame.error or not frame.final:
            error = frame.error or frame.raw.decode("utf-8", "replace")[:500] or "the answer was empty"
            return Frame(_line({"error": error}).rstrip(), error=error)
        self._usage = frame.usage or self._usage
        self._first = self.clocks.elapsed_ns()
        calls = _calls(frame.tools)
        reason = _ENDINGS.get(frame.finish, "stop")
        value = {**self._head(), **self._said(frame.content, frame.reasoning, calls)}
        value |= {"done": True, "done_reason": reason, **self._counts()}
        return Frame(
            _line(value).rstrip(),
            frame.content,
            frame.reasoning,
            tuple(ToolPiece(index, whole=call) for index, call in enumerate(calls)),
            final=True,
            finish=reason,
            model=self.model,
        )

    def _words(self, content: str, reasoning: str, calls: tuple[Any, ...] = ()) -> Frame:
        value = {**self._head(), **self._said(content, reasoning, calls), "done": False}
        tools = tuple(ToolPiece(index, whole=call) for index, call in enumerate(calls))
        return Frame(_line(value), content, reasoning, tools, model=self.model)

    def _head(self) -> dict[str, Any]:
        return {"model": self.model, "created_at": stamp(self.clocks.now())}

    def _said(self, content: str, reasoning: str, calls: tuple[Any, ...]) -> dict[str, Any]:
        more: dict[str, Any] = {"thinking": reasoning} if reasoning else {}
        if self.path == ollama.GENERATE:
            return {"response": content, **more}
        if calls:
            more["tool_calls"] = list(calls)
        return {"message": {"role": "assistant", "content": content, **more}}

    def _counts(self) -> dict[str, int]:
        end = self.clocks.elapsed_ns()
        first = self._first or end
        return {
            "total_duration": end - self._started,
            "load_duration": 0,
            "prompt_eval_count": self._usage[0],
            "prompt_eval_duration": max(first - self._started, 1),
            "eval_count": self._usage[1],
            "eval_duration": max(end - first, 1),
        }


def stamp(now: datetime) -> str:
    """An instant as Ollama writes it."""
    return now.isoformat().replace("+00:00", "Z")


def _messages(members: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The messages with images as parts, and tool results tied to their calls by ids, which Ollama has not."""
    found: list[dict[str, Any]] = []
    waiting: list[tuple[str, str]] = []
    number = 0
    for message in members.get("messages") or ():
        role = message.get("role")
        one: dict[str, Any] = {
            "role": role,
            "content": _content(message.get("content"), message.get("images")),
        }
        calls = message.get("tool_calls")
        if isinstance(calls, list) and calls:
            one["tool_calls"] = []
            waiting = []
            for call in calls:
                number += 1
                waiting.append((f"call_{number}", _function(call).get("name") or ""))
                one["tool_calls"].append(_openai_call(call, waiting[-1][0]))
        if role == "tool":
            one["tool_call_id"] = _answered(waiting, message.get("tool_name") or message.get("name") or "")
        found.append(one)
    return found


def _answered(waiting: list[tuple[str, str]], name: str) -> str:
    """The id of the call that a tool's result belongs to: the first open one of that name, else the first."""
    for index, (call_id, called) in enumerate(waiting):
        if called == name or not name:
            del waiting[index]
            return call_id
    return waiting.pop(0)[0] if waiting else "call_0"


def _prompt_messages(members: Mapping[str, Any]) -> list[dict[str, Any]]:
    system = members.get("system")
    found = [{"role": "system", "content": system}] if isinstance(system, str) and system else []
    found.append({"role": "user", "content": _content(members.get("prompt"), members.get("images"))})
    return found


def _content(text: object, images: object) -> Any:
    words = text if isinstance(text, str) else ""
    found = (
        [(data, image) for data in images if (image := image_of(data))] if isinstance(images, list) else []
    )
    if not found:
        return words
    parts: list[dict[str, Any]] = [{"type": "text", "text": words}] if words else []
    return parts + [
        {"type": "image_url", "image_url": {"url": f"data:{image.media_type};base64,{data}"}}
        for data, image in found
    ]


def _function(call: object) -> dict[str, Any]:
    function = call.get("function") if isinstance(call, dict) else None
    return function if isinstance(function, dict) else {}


def _openai_call(call: object, call_id: str) -> dict[str, Any]:
    function = _function(call)
    arguments = function.get("arguments")
    text = arguments if isinstance(arguments, str) else json.dumps(arguments or {}, ensure_ascii=False)
    return {
        "id": call_id,
        "type": "function",
        "function": {"name": function.get("name") or "", "arguments": text},
    }


def _calls(pieces: Iterable[ToolPiece]) -> tuple[dict[str, Any], ...]:
    """Tool calls as Ollama has them: arguments are an object. What the model botched arrives under `text`."""
    found: list[dict[str, Any]] = []
    for piece in pieces:
        try:
            arguments = json.loads(piece.arguments or "{}")
        except (ValueError, RecursionError):
            arguments = None
        if not isinstance(arguments, dict):
            arguments = {"text": piece.arguments}
        found.append({"function": {"name": piece.name, "arguments": arguments}})
    return tuple(found)


def _options(options: object, *, llama: bool) -> dict[str, Any]:
    if not isinstance(options, dict):
        return {}
    names = _PLAIN_OPTIONS + _LLAMA_OPTIONS if llama else _PLAIN_OPTIONS
    found = {name: options[name] for name in names if options.get(name) is not None}
    most = options.get("num_predict")
    # Minus one and minus two mean "no limit" and "fill the window", which is what no number means there.
    if isinstance(most, int) and most > 0:
        found["max_tokens"] = most
    return found


def _form(form: object) -> dict[str, Any]:
    if form == "json":
        return {"response_format": {"type": "json_object"}}
    if isinstance(form, dict) and form:
        schema = {"name": "answer", "strict": True, "schema": form}
        return {"response_format": {"type": "json_schema", "json_schema": schema}}
    return {}


def _thinking(think: object, *, llama: bool) -> dict[str, Any]:
    if isinstance(think, str):
        return {"reasoning_effort": think}
    if isinstance(think, bool) and llama:
        return {"chat_template_kwargs": {"enable_thinking": think}}
    return {}


def _line(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
