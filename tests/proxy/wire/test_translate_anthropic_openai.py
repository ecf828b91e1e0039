"""Anthropic's requests and answers over OpenAI's format."""

import json
from typing import Any

import pytest

from innerlife.errors import BadInput
from innerlife.membrane.turn import Ending
from innerlife.proxy.wire.anthropic import Anthropic
from innerlife.proxy.wire.frame import Frame, Tally
from innerlife.proxy.wire.openai import OpenAI
from innerlife.proxy.wire.translate_anthropic_openai import AnthropicOverOpenAI, translated

IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}
USE = {"type": "tool_use", "id": "t1", "name": "look", "input": {"q": "é"}}
SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}}}


def sent(*messages: Any, llama: bool = False, **more: Any) -> Any:
    return json.loads(translated({"messages": messages, "max_tokens": 9, **more}, "m", llama=llama))


def user(content: Any) -> dict[str, Any]:
    return {"role": "user", "content": content}


def crossing() -> AnthropicOverOpenAI:
    return AnthropicOverOpenAI("msg_1", "claude")


def chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> bytes:
    choices = [{"index": 0, "delta": delta, "finish_reason": finish}]
    return b"data: " + json.dumps({"model": "m", "choices": choices, **more}).encode() + b"\n\n"


def call(index: int, name: str = "", arguments: str = "") -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {"tool_calls": [{"index": index, **({"id": f"c{index}"} if name else {}), "function": function}]}


def streamed(*chunks: bytes) -> tuple[list[dict[str, Any]], Tally]:
    """The events' data, and what was read of them."""
    over, tally, events = crossing(), Tally(), []
    frames = [ours for raw in chunks for ours in over.frames(OpenAI().frame(raw))]
    for frame in [*frames, *over.ending()]:
        name, _, data = frame.raw.decode().partition("\ndata: ")
        events.append(json.loads(data))
        assert name == f"event: {events[-1]['type']}"
        tally.add(frame)
    return events, tally


def test_a_plain_request() -> None:
    """[P1] System text, options and words, under the names they have there."""
    value = sent(
        user("hi"),
        system=[{"type": "text", "text": "a", "cache_control": {}}, {"type": "text", "text": "b"}],
        temperature=0.5,
        top_p=0.9,
        top_k=4,
        stop_sequences=["x"],
        metadata={"user_id": "u"},
        stream=True,
    )
    assert value == {
        "model": "m",
        "messages": [{"role": "system", "content": "a\n\nb"}, {"role": "user", "content": "hi"}],
        "max_tokens": 9,
        "temperature": 0.5,
        "top_p": 0.9,
        "stop": ["x"],
        "stream": True,
        "stream_options": {"include_usage": True},
    }


def test_what_only_llama_knows() -> None:
    """[P9] Top-k and thinking go to the embedded engine alone; others refuse members they do not know."""
    thinking = {"type": "enabled", "budget_tokens": 1024}
    value = sent(user("hi"), top_k=4, thinking=thinking, llama=True)
    assert (value["top_k"], value["chat_template_kwargs"]) == (4, {"enable_thinking": True})
    assert "chat_template_kwargs" not in sent(user("hi"), thinking=thinking)


def test_rounds_of_tools() -> None:
    """[P1] Calls and results, tied by their ids, results before the words that came with them."""
    value = sent(
        user("look"),
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}, USE]},
        user([
            {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "42"}, IMAGE]},
            {"type": "text", "text": "go on"},
        ]),
        tools=[{"name": "look", "description": "d", "input_schema": SCHEMA}, {"type": "web_search_20250305"}],
        tool_choice={"type": "tool", "name": "look", "disable_parallel_tool_use": True},
    )  # fmt: skip
    function = {"name": "look", "arguments": '{"q": "é"}'}
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    assert value["messages"][1:] == [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "t1", "type": "function", "function": function}],
        },
        {"role": "tool", "tool_call_id": "t1", "content": "42"},
        {"role": "user", "content": [picture, {"type": "text", "text": "go on"}]},
    ]
    assert value["tools"] == [
        {"type": "function", "function": {"name": "look", "parameters": SCHEMA, "description": "d"}}
    ]
    assert value["tool_choice"] == {"type": "function", "function": {"name": "look"}}
    assert value["parallel_tool_calls"] is False


@pytest.mark.parametrize(("choice", "there"), [("auto", "auto"), ("any", "required"), ("none", "none")])
def test_choices_of_tools(choice: str, there: str) -> None:
    tools = [{"name": "f", "input_schema": SCHEMA}]
    assert sent(user("x"), tools=tools, tool_choice={"type": choice})["tool_choice"] == there


def test_images_and_documents() -> None:
    """[P1] Images by data or address, documents of text; what the engine cannot read is said, not dropped."""
    linked = {"type": "image", "source": {"type": "url", "url": "https://x/y.png"}}
    text = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "words"}}
    parts = sent(user([linked, text]))["messages"][0]["content"]
    assert parts == [
        {"type": "image_url", "image_url": {"url": "https://x/y.png"}},
        {"type": "text", "text": "words"},
    ]
    paper = {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "x"}}
    for content in ([paper], [{"type": "tool_result", "tool_use_id": "t", "content": [paper]}]):
        with pytest.raises(BadInput, match="document"):
            sent(user(content))


def test_a_stream() -> None:
    """[P1] [P2] Thinking, words and calls in blocks of their own, each closed; the counts come with the end."""
    events, tally = streamed(
        chunk({"role": "assistant", "content": ""}),
        chunk({"reasoning_content": "hm"}),
        chunk({"content": "I "}),
        chunk({"content": "look"}),
        chunk(call(0, "look")),
        chunk(call(0, arguments='{"q":')),
        chunk(call(1, "go", "{}")),
        chunk(call(0, arguments='"x"}')),
        chunk({}, "tool_calls"),
        b'data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":5}}\n\n',
        b"data: [DONE]\n\n",
    )
    assert [(event["type"].removeprefix("content_block_"), event.get("index")) for event in events] == [
        ("message_start", None),
        ("start", 0), ("delta", 0), ("stop", 0),
        ("start", 1), ("delta", 1), ("delta", 1), ("stop", 1),
        ("start", 2), ("delta", 2), ("start", 3), ("delta", 3), ("delta", 2),
        ("stop", 2), ("stop", 3),
        ("message_delta", None), ("message_stop", None),
    ]  # fmt: skip
    assert events[0]["message"]["model"] == "claude"
    assert events[8]["content_block"] == {"type": "tool_use", "id": "c0", "name": "look", "input": {}}
    assert events[-2]["delta"]["stop_reason"] == "tool_use"
    assert events[-2]["usage"] == {"input_tokens": 3, "output_tokens": 5}
    answer = tally.answer()
    assert (answer.text, answer.reasoning, answer.ending) == ("I look", "hm", Ending.COMPLETE)
    made = [one["function"] for one in json.loads(answer.tool_calls)]
    assert made == [{"name": "look", "arguments": '{"q":"x"}'}, {"name": "go", "arguments": "{}"}]


@pytest.mark.parametrize(
    ("finish", "reason"),
    [
        ("stop", "end_turn"),
        ("length", "max_tokens"),
        ("tool_calls", "tool_use"),
        ("content_filter", "refusal"),
    ],
)
def test_why_it_ended(finish: str, reason: str) -> None:
    """[P1] In Anthropic's words, streamed and not, also without a final mark."""
    events, _ = streamed(chunk({"content": "x"}, finish))
    assert events[-2]["delta"]["stop_reason"] == reason
    value = {"choices": [{"message": {"content": "x"}, "finish_reason": finish}]}
    whole = crossing().whole(OpenAI().whole(json.dumps(value).encode()), 200)
    assert json.loads(whole.raw)["stop_reason"] == reason


def test_a_stream_that_breaks_off_has_no_end() -> None:
    """[P1] Its client must not take a part for the whole."""
    events, tally = streamed(chunk({"content": "x"}))
    assert "message_stop" not in [event["type"] for event in events]
    assert tally.answer().ending is Ending.INTERRUPTED


def test_an_error_in_a_stream() -> None:
    events, tally = streamed(b'data: {"error": {"message": "boom"}}\n\n')
    assert events == [{"type": "error", "error": {"type": "api_error", "message": "boom"}}]
    assert tally.answer().error == "boom"


def test_whole_answers() -> None:
    """[P1] Read by the client's own rules, they say the same."""
    calls = [{"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"q":1}'}},
             {"id": "c2", "type": "function", "function": {"name": "go", "arguments": "not json"}}]  # fmt: skip
    message = {"content": "ok", "reasoning_content": "hm", "tool_calls": calls}
    value = {"choices": [{"message": message, "finish_reason": "tool_calls"}], "usage": {"prompt_tokens": 3}}
    frame = crossing().whole(OpenAI().whole(json.dumps(value).encode()), 200)
    sent = json.loads(frame.raw)
    assert [block["type"] for block in sent["content"]] == ["thinking", "text", "tool_use", "tool_use"]
    assert [block["input"] for block in sent["content"][2:]] == [{"q": 1}, {"text": "not json"}]
    assert sent["usage"] == {"input_tokens": 3, "output_tokens": 0}
    assert (frame.content, frame.reasoning, len(frame.tools)) == ("ok", "hm", 2)
    assert Anthropic().whole(frame.raw).final


def test_failures_are_said_in_its_own_form() -> None:
    """[P1] Kind by status, JSON or not."""
    whole = crossing().whole(OpenAI().whole(b'{"error": {"message": "too long"}}'), 400)
    assert json.loads(whole.raw)["error"] == {"type": "invalid_request_error", "message": "too long"}
    assert json.loads(crossing().whole(Frame(b""), 502).raw)["error"]["message"] == "the answer was empty"
