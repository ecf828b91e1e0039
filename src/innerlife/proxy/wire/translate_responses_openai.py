"""Clients of OpenAI's responses on an engine that speaks only OpenAI's older format: the answers.

The requests are turned by `responses_as_chat`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from innerlife.proxy.wire import openai
from innerlife.proxy.wire.call import Format
from innerlife.proxy.wire.frame import CUT_SHORT, Frame, ToolPiece
from innerlife.proxy.wire.responses import Responses
from innerlife.proxy.wire.splitting import event_bytes

RESPONSES: Final = Responses()


@dataclass(slots=True)
class _Item:
    """One item of an answer while it is written: `kind` is `message`, `reasoning` or `function_call`."""

    kind: str
    place: int
    name: str
    call: ToolPiece | None = None
    words: list[str] = field(default_factory=list)

    def value(self, status: str) -> dict[str, Any]:
        """The item as far as it has come."""
        text = "".join(self.words)
        if self.call is not None:
            call = {"call_id": self.call.call_id or self.name, "name": self.call.name, "arguments": text}
            return {"type": self.kind, "id": self.name, "status": status, **call}
        parts = [self.part(text)] if text or status == "completed" else []
        if self.kind == "reasoning":
            return {"type": self.kind, "id": self.name, "status": status, "summary": [], "content": parts}
        return {
            "type": self.kind,
            "id": self.name,
            "status": status,
            "role": "assistant",
            "content": parts,
        }

    def part(self, text: str) -> dict[str, Any]:
        """The one part of an item that holds words."""
        if self.kind == "reasoning":
            return {"type": "reasoning_text", "text": text}
        return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


_DELTAS: Final[Mapping[str, str]] = {
    "message": "response.output_text",
    "reasoning": "response.reasoning_text",
    "function_call": "response.function_call_arguments",
}


@dataclass(slots=True)
class ResponsesOverOpenAI:
    """Turns one answer of an OpenAI-compatible server into a response.

    `answer_id` is a name for it, `model` the name the client used, `asked` the request's members, of which an answer
    repeats some; `at` is the moment in whole seconds.
    """

    answer_id: str
    model: str
    asked: Mapping[str, Any]
    at: int
    source: Format = field(default_factory=openai.OpenAI)
    _number: int = 0
    _done: bool = False
    _items: list[_Item] = field(default_factory=list)
    _open: _Item | None = None
    _tools: dict[int, _Item] = field(default_factory=dict)
    _finish: str = ""
    _usage: tuple[int, int] | None = None

    def frames(self, frame: Frame) -> Iterator[Frame]:
        """The events for one of the engine's. The last ones wait for the counts that follow the finish reason."""
        self._usage = frame.usage or self._usage
        if frame.error:
            yield Frame(RESPONSES.error_frame(frame.error), error=frame.error)
            return
        if frame.reasoning:
            yield from self._words("reasoning", frame.reasoning)
        if frame.content:
            yield from self._words("message", frame.content)
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
        for item in self._tools.values():
            yield from self._finished(item)
        kind = "response.incomplete" if self._finish in CUT_SHORT else "response.completed"
        yield self._event(kind, response=self._response(self._items, self._finish))

    def whole(self, frame: Frame, status: int) -> Frame:
        """The document for an answer that is not streamed, an error included."""
        if frame.error or not frame.final:
            error = frame.error or frame.raw.decode("utf-8", "replace")[:500] or "the answer was empty"
            return Frame(RESPONSES.error(status, error), error=error)
        self._usage = frame.usage
        for kind, words in (("reasoning", frame.reasoning), ("message", frame.content)):
            if words:
                self._item(kind).words.append(words)
        for piece in frame.tools:
            self._item("function_call", piece).words.append(piece.arguments)
        value = self._response(self._items, frame.finish or "stop")
        return RESPONSES.whole(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))

    def _begin(self) -> Iterator[Frame]:
        if self._number == 0:
            yield self._event("response.created", response=self._response([], ""))
            yield self._event("response.in_progress", response=self._response([], ""))

    def _words(self, kind: str, words: str) -> Iterator[Frame]:
        yield from self._begin()
        if self._open is None or self._open.kind != kind:
            yield from self._close()
            self._open = self._item(kind)
            yield self._of(self._open, "response.output_item.added", item=self._open.value("in_progress"))
            yield self._of(
                self._open, "response.content_part.added", content_index=0, part=self._open.part("")
            )
        yield from self._delta(self._open, words)

    def _tool(self, piece: ToolPiece) -> Iterator[Frame]:
        yield from self._begin()
        if piece.index not in self._tools:
            yield from self._close()
            item = self._tools[piece.index] = self._item("function_call", piece)
            yield self._of(item, "response.output_item.added", item=item.value("in_progress"))
        if piece.arguments:
            yield from self._delta(self._tools[piece.index], piece.arguments)

    def _delta(self, item: _Item, words: str) -> Iterator[Frame]:
        item.words.append(words)
        more: dict[str, Any] = {} if item.call else {"content_index": 0}
        if item.kind == "message":
            more["logprobs"] = []
        yield self._of(item, f"{_DELTAS[item.kind]}.delta", item_id=item.name, delta=words, **more)

    def _close(self) -> Iterator[Frame]:
        item, self._open = self._open, None
        if item is not None:
            yield from self._finished(item)

    def _finished(self, item: _Item) -> Iterator[Frame]:
        text = "".join(item.words)
        if item.call is not None:
            more = {"arguments": text, "name": item.call.name, "item_id": item.name}
            yield self._of(item, f"{_DELTAS[item.kind]}.done", **more)
        else:
            said = {"text": text, "logprobs": []} if item.kind == "message" else {"text": text}
            yield self._of(item, f"{_DELTAS[item.kind]}.done", item_id=item.name, content_index=0, **said)
            part = item.part(text)
            yield self._of(item, "response.content_part.done", item_id=item.name, content_index=0, part=part)
        yield self._of(item, "response.output_item.done", item=item.value("completed"))

    def _item(self, kind: str, call: ToolPiece | None = None) -> _Item:
        place = len(self._items)
        item = _Item(kind, place, f"{kind[:2]}_{self.answer_id.removeprefix('resp_')}_{place}", call)
        self._items.append(item)
        return item

    def _of(self, about: _Item, kind: str, /, **members: Any) -> Frame:
        more = {"item_id": about.name} if kind == "response.content_part.added" else {}
        return self._event(kind, output_index=about.place, **more, **members)

    def _event(self, kind: str, **members: Any) -> Frame:
        """An event, read as any other of its kind, so that what the client sees is what is recorded."""
        value = {"type": kind, "sequence_number": self._number, **members}
        self._number += 1
        return RESPONSES.frame(event_bytes(value))

    def _response(self, items: list[_Item], finish: str) -> dict[str, Any]:
        """The response itself; `finish` is the engine's word, "" while it is written."""
        cut = finish in CUT_SHORT
        reason = "content_filter" if finish == "content_filter" else "max_output_tokens"
        status = "incomplete" if cut else "completed"
        asked = {name: self.asked.get(name, other) for name, other in _REPEATED.items()}
        head = {"id": self.answer_id, "object": "response", "created_at": self.at, "model": self.model}
        return {
            **asked,
            **head,
            "status": status if finish else "in_progress",
            "error": None,
            "incomplete_details": {"reason": reason} if cut else None,
            "output": [item.value("completed") for item in items],
            "usage": _counts(self._usage) if finish else None,
            "store": False,
        }


_REPEATED: Final[Mapping[str, Any]] = {
    "instructions": None, "max_output_tokens": None, "metadata": {}, "parallel_tool_calls": True,
    "previous_response_id": None, "reasoning": None, "temperature": None, "text": {"format": {"type": "text"}},
    "tool_choice": "auto", "tools": [], "top_p": None, "truncation": "disabled", "user": None,
}  # fmt: skip
"""Members of a request that its answer repeats, and what stands there where the request has none."""


def _counts(usage: tuple[int, int] | None) -> dict[str, Any] | None:
    if usage is None:
        return None
    return {
        "input_tokens": usage[0],
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": usage[1],
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": sum(usage),
    }
