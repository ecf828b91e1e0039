"""Background calls on the wire: requests of both dialects as they are sent, answers as they stream in. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from innerlife.thinking.calls import Finish, LastChat, Question, Reply, loading_options

Dialect = Literal["ollama", "openai"]

PATHS: Final[dict[Dialect, str]] = {"ollama": "/api/chat", "openai": "/v1/chat/completions"}

_TEMPERATURE: Final = 0.1
"""Nearly the likeliest word each time; at 0 some small models repeat themselves without end."""

_FINISHES: Final[dict[str, Finish]] = {
    "length": Finish.LENGTH,
    "max_tokens": Finish.LENGTH,
    "tool_calls": Finish.TOOL,
    "function_call": Finish.TOOL,
}


def request(
    dialect: Dialect, question: Question, chat: LastChat | None, *, llama: bool, form: bool
) -> dict[str, Any]:
    """The body of a background call. `llama`: the engine is llama.cpp's own server; `form`: send the schema along."""
    messages = [{"role": one.speaker, "content": one.text} for one in question.messages]
    value: dict[str, Any] = {"model": question.model, "messages": messages, "stream": True}
    if dialect == "ollama":
        loading = loading_options(chat, question.model)
        own = {"temperature": _TEMPERATURE, "num_predict": question.limits.tokens}
        value |= {**loading, "options": {**loading.get("options", {}), **own}, "think": False}
        if form and question.schema is not None:
            value["format"] = question.schema
        return value
    value |= {"temperature": _TEMPERATURE, "max_tokens": question.limits.tokens}
    value["stream_options"] = {"include_usage": True}
    if llama:
        value["chat_template_kwargs"] = {"enable_thinking": False}
    if form and question.schema is not None:
        schema = {"name": "answer", "schema": question.schema}
        value["response_format"] = {"type": "json_schema", "json_schema": schema}
    return value


def warming(chat: LastChat) -> dict[str, Any]:
    """The chat's own request, asking for one token: the engine reads the prefix and stops."""
    value: dict[str, Any] = {**chat.body, "stream": False}
    if chat.path.startswith("/api/"):
        options = chat.body.get("options")
        value["options"] = {**(options if isinstance(options, Mapping) else {}), "num_predict": 1}
    else:
        value["max_completion_tokens" if "max_completion_tokens" in value else "max_tokens"] = 1
        value.pop("stream_options", None)
    return value


class EngineSaid(ValueError):
    """The engine reported an error in the middle of an answer."""


@dataclass(slots=True)
class Gathered:
    """An answer as far as it has come. Feed it bytes; nothing of a line over the limit is kept."""

    dialect: Dialect
    limit: int
    text: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    finish: Finish = Finish.STOP
    done: bool = False
    tokens: tuple[int, int] = (0, 0)
    _rest: bytes = b""
    _seen: int = 0

    def feed(self, data: bytes) -> bool:
        """Take in what came. Returns whether to read on. Raises EngineSaid."""
        self._seen += len(data)
        lines = (self._rest + data).split(b"\n")
        self._rest = lines.pop()
        for line in lines:
            self._line(line)
        written = sum(map(len, self.text)) + sum(map(len, self.reasoning))
        # Frames carry many bytes around each word, so the two are bounded apart.
        if written > self.limit or len(self._rest) > self.limit or self._seen > 64 * self.limit:
            self.finish = Finish.CUT
            return False
        return True

    def reply(self) -> Reply:
        """What came, as an answer. Raises EngineSaid where the answer broke off."""
        if self.finish is not Finish.CUT:
            self._line(self._rest)
            self._rest = b""
            if not self.done:
                raise EngineSaid("the answer broke off")
        return Reply("".join(self.text), self.finish, "".join(self.reasoning), *self.tokens)

    def _line(self, line: bytes) -> None:
        line = line.strip().removeprefix(b"data:").strip()
        if not line or line.startswith((b":", b"event:", b"id:", b"retry:")):
            return
        if line == b"[DONE]":
            self.done = True
            return
        try:
            value = json.loads(line)
        except ValueError as error:
            raise EngineSaid("the engine sent what is no JSON") from error
        if not isinstance(value, dict):
            raise EngineSaid("the engine sent what is no answer")
        if trouble := value.get("error"):
            said = trouble.get("message", trouble) if isinstance(trouble, Mapping) else trouble
            raise EngineSaid(str(said)[:200])
        if self.dialect == "ollama":
            self._ollama(value)
        else:
            self._openai(value)

    def _ollama(self, value: Mapping[str, Any]) -> None:
        self._said(_mapping(value.get("message")))
        if value.get("done"):
            self.done = True
            self._finished(value.get("done_reason"))
            self.tokens = (_count(value, "prompt_eval_count"), _count(value, "eval_count"))

    def _openai(self, value: Mapping[str, Any]) -> None:
        for choice in _choices(value):
            self._said(_mapping(choice.get("delta") or choice.get("message")))
            if choice.get("finish_reason"):
                self.done = True
                self._finished(choice["finish_reason"])
        usage = _mapping(value.get("usage"))
        if usage:
            self.tokens = (_count(usage, "prompt_tokens"), _count(usage, "completion_tokens"))

    def _said(self, message: Mapping[str, Any]) -> None:
        if isinstance(content := message.get("content"), str):
            self.text.append(content)
        for name in ("thinking", "reasoning_content", "reasoning"):
            if isinstance(thought := message.get(name), str):
                self.reasoning.append(thought)
        if message.get("tool_calls") or message.get("function_call"):
            self.finish = Finish.TOOL

    def _finished(self, reason: Any) -> None:
        if self.finish is Finish.STOP:
            self.finish = _FINISHES.get(str(reason), Finish.STOP)


def _choices(value: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for choice in value.get("choices") or ():
        if isinstance(choice, Mapping) and choice.get("index", 0) == 0:
            yield choice


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _count(value: Mapping[str, Any], name: str) -> int:
    found = value.get(name)
    return found if isinstance(found, int) and found > 0 else 0
