"""Ollama's requests and answers on an engine that speaks only OpenAI's format."""

import base64
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import count
from typing import Any

import pytest

from innerlife.proxy.wire.frame import Frame, Tally
from innerlife.proxy.wire.openai import OpenAI
from innerlife.proxy.wire.translate_ollama_openai import (
    Clocks,
    OllamaOverOpenAI,
    loaded,
    translated,
)

PNG = base64.b64encode(b"\x89PNG rest").decode()
SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}}


def clocks() -> Clocks:
    ticks = count(1_000_000, 1_000_000)
    return Clocks(lambda: datetime(2026, 3, 1, 12, tzinfo=UTC), lambda: next(ticks))


def sent(path: str, members: Mapping[str, Any], *, llama: bool = True) -> tuple[str, dict[str, Any]]:
    out = translated(path, members, "m", llama=llama)
    return out.target.decode(), json.loads(out.body)


def crossing(path: str = "/api/chat") -> OllamaOverOpenAI:
    return OllamaOverOpenAI(path, "m", clocks())


def event(delta: dict[str, Any], finish: str | None = None, **more: Any) -> Frame:
    choices = [{"index": 0, "delta": delta, "finish_reason": finish}]
    return OpenAI().frame(
        b"data: " + json.dumps({"model": "file.gguf", "choices": choices, **more}).encode() + b"\n\n"
    )


USAGE = OpenAI().frame(b'data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3}}\n\n')
DONE = OpenAI().frame(b"data: [DONE]\n\n")


def test_a_chat_is_translated() -> None:
    """[P1] Options, format, thinking, images and streaming have their counterparts; the rest is left out."""
    options = {"num_predict": 5, "temperature": 0.5, "stop": ["x"], "num_ctx": 4096, "top_k": 3, "seed": 1}
    members = {
        "model": "m:latest",
        "messages": [{"role": "user", "content": "look", "images": [PNG]}],
        "options": options,
        "format": SCHEMA,
        "think": False,
        "keep_alive": "5m",
    }
    target, value = sent("/api/chat", members)
    assert target == "/v1/chat/completions"
    url = f"data:image/png;base64,{PNG}"
    assert value.pop("messages") == [
        {
            "role": "user",
            "content": [{"type": "text", "text": "look"}, {"type": "image_url", "image_url": {"url": url}}],
        }
    ]
    assert value == {
        "model": "m",
        "max_tokens": 5,
        "temperature": 0.5,
        "stop": ["x"],
        "top_k": 3,
        "seed": 1,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "answer", "strict": True, "schema": SCHEMA},
        },
        "chat_template_kwargs": {"enable_thinking": False},
        "stream": True,
        "stream_options": {"include_usage": True},
    }


def test_other_servers_get_only_what_all_understand() -> None:
    """[P1] Members of llama.cpp's own are kept from servers that refuse what they do not know."""
    members = {"messages": [], "options": {"top_k": 3, "num_predict": -1}, "think": True, "format": "json"}
    _, value = sent("/api/chat", {**members, "stream": False}, llama=False)
    assert value == {
        "model": "m",
        "messages": [],
        "response_format": {"type": "json_object"},
        "stream": False,
    }


def test_tool_calls_get_ids_and_texts() -> None:
    """[P1] Arguments become text, results find the call they belong to, also with two calls of one name."""
    call = {"function": {"name": "f", "arguments": {"a": "ü"}}}
    other = {"function": {"name": "g", "arguments": {}}}
    members = {
        "messages": [
            {"role": "assistant", "content": "", "tool_calls": [call, other, call]},
            {"role": "tool", "tool_name": "g", "content": "1"},
            {"role": "tool", "tool_name": "f", "content": "2"},
            {"role": "tool", "content": "3"},
        ],
        "tools": [{"type": "function"}],
    }
    _, value = sent("/api/chat", members)
    first = value["messages"][0]["tool_calls"]
    assert [(one["id"], one["type"], one["function"]["name"]) for one in first] == [
        ("call_1", "function", "f"),
        ("call_2", "function", "g"),
        ("call_3", "function", "f"),
    ]
    assert json.loads(first[0]["function"]["arguments"]) == {"a": "ü"}
    assert [one["tool_call_id"] for one in value["messages"][1:]] == ["call_2", "call_1", "call_3"]
    assert value["tools"] == [{"type": "function"}]


def test_generate_becomes_a_chat_and_raw_a_completion() -> None:
    """[P1] A templated prompt is a chat with one message; a raw one keeps its marks."""
    target, value = sent("/api/generate", {"prompt": "hi", "system": "s", "stream": False})
    assert target == "/v1/chat/completions"
    assert value["messages"] == [{"role": "system", "content": "s"}, {"role": "user", "content": "hi"}]
    target, value = sent("/api/generate", {"prompt": "<|x|>", "raw": True, "suffix": "y", "stream": False})
    assert (target, value["prompt"], value["suffix"]) == ("/v1/completions", "<|x|>", "y")


@pytest.mark.parametrize(
    ("path", "members", "reason"),
    [
        ("/api/chat", {"messages": []}, "load"),
        ("/api/generate", {"keep_alive": 0}, "unload"),
        ("/api/generate", {"prompt": "", "keep_alive": "10m"}, "load"),
    ],
)
def test_loading_is_answered_at_once(path: str, members: dict[str, Any], reason: str) -> None:
    got = loaded(path, members, "m", clocks())
    assert got is not None
    value = json.loads(got)
    assert (value["done"], value["done_reason"], value["created_at"]) == (
        True,
        reason,
        "2026-03-01T12:00:00Z",
    )
    assert loaded("/api/chat", {"messages": [{}]}, "m", clocks()) is None


@pytest.mark.parametrize("path", ["/api/chat", "/api/generate"])
def test_a_stream_is_translated(path: str) -> None:
    """[P1] [P2] Each event gives its line at once; the last line waits for the counts, and alone is final."""
    cross = crossing(path)
    events = [event({"role": "assistant"}), event({"reasoning_content": "hm"}), event({"content": "Hé"})]
    events += [event({"content": "llo"}), event({}, "length"), USAGE, DONE]
    lines = [list(cross.frames(one)) for one in events]
    assert [len(found) for found in lines] == [0, 1, 1, 1, 0, 0, 1]
    tally = Tally()
    for frame in (frame for found in lines for frame in found):
        tally.add(frame)
        assert frame.raw.endswith(b"\n")
    assert (tally.text, tally.final, tally.finish, tally.model) == ("Héllo", True, "length", "m")
    thought, _, _, last = (json.loads(found[0].raw) for found in lines if found)
    assert (thought["message"] if path == "/api/chat" else thought)["thinking"] == "hm"
    assert (last["done"], last["done_reason"]) == (True, "length")
    assert (last["prompt_eval_count"], last["eval_count"]) == (7, 3)
    assert last["total_duration"] >= last["prompt_eval_duration"] + last["eval_duration"] > 0
    assert list(cross.ending()) == []


def test_a_stream_without_a_done_mark_still_ends() -> None:
    """[P1] Servers that close after the finish reason are understood; those that break off are not covered up."""
    cross = crossing()
    assert [frame.final for frame in cross.frames(event({"content": "a"}, "stop"))] == [False]
    assert next(iter(cross.ending())).final
    broken = crossing()
    list(broken.frames(event({"content": "a"})))
    assert list(broken.ending()) == []


def test_tool_calls_of_a_stream_arrive_whole() -> None:
    """[P1] Their parts are joined; arguments are an object; what the model botched is not lost."""
    parts = [
        {"index": 0, "id": "c", "function": {"name": "f", "arguments": ""}},
        {"index": 0, "function": {"arguments": '{"a":'}},
        {"index": 0, "function": {"arguments": "1}"}},
        {"index": 1, "id": "d", "function": {"name": "g", "arguments": "{oops"}},
    ]
    cross = crossing()
    for part in parts:
        assert list(cross.frames(event({"tool_calls": [part]}))) == []
    list(cross.frames(event({}, "tool_calls")))
    calls, last = (json.loads(frame.raw) for frame in cross.frames(DONE))
    assert calls["message"]["tool_calls"] == [
        {"function": {"name": "f", "arguments": {"a": 1}}},
        {"function": {"name": "g", "arguments": {"text": "{oops"}}},
    ]
    assert (last["done"], last["done_reason"]) == (True, "stop")


def test_errors_are_translated() -> None:
    """[P1] In a stream and as a whole, JSON or not."""
    raw = b'data: {"error": {"message": "too long", "code": 400}}\n\n'
    frames = list(crossing().frames(OpenAI().frame(raw)))
    assert [(json.loads(frame.raw), frame.error) for frame in frames] == [({"error": "too long"}, "too long")]
    whole = crossing().whole(OpenAI().whole(b'{"error": {"message": "too long"}}'), 400)
    assert json.loads(whole.raw) == {"error": "too long"}
    assert json.loads(crossing().whole(OpenAI().whole(b"Bad Gateway"), 502).raw) == {"error": "Bad Gateway"}
