"""Requests for responses, and their answers, over OpenAI's older format."""

import json
from typing import Any

import pytest

from innerlife.errors import BadInput
from innerlife.membrane.turn import Ending
from innerlife.proxy.wire.frame import Frame, Tally
from innerlife.proxy.wire.openai import OpenAI
from innerlife.proxy.wire.responses_as_chat import translated
from innerlife.proxy.wire.translate_responses_openai import ResponsesOverOpenAI

CALL = {"type": "function_call", "call_id": "c1", "name": "look", "arguments": '{"q":"x"}'}
OUTPUT = {"type": "function_call_output", "call_id": "c1", "output": "42"}
SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}}}


def sent(words: Any, *, llama: bool = False, **more: Any) -> Any:
    return json.loads(translated({"input": words, **more}, "m", llama=llama))


def user(content: Any) -> dict[str, Any]:
    return {"role": "user", "content": content}


def crossing(**asked: Any) -> ResponsesOverOpenAI:
    return ResponsesOverOpenAI("resp_1", "gpt", asked, 7)


def chunk(delta: dict[str, Any], finish: str | None = None) -> bytes:
    choices = [{"index": 0, "delta": delta, "finish_reason": finish}]
    return b"data: " + json.dumps({"model": "m", "choices": choices}).encode() + b"\n\n"


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
    """[P1] Instructions and leading system texts become one; options have the names they have there."""
    value = sent(
        [{"role": "developer", "content": "b"}, user([{"type": "input_text", "text": "hi"}])],
        instructions="a",
        max_output_tokens=9,
        temperature=0.5,
        reasoning={"effort": "low"},
        text={"format": {"type": "json_schema", "name": "n", "schema": SCHEMA, "strict": True}},
        store=True,
        metadata={"k": "v"},
        stream=True,
    )
    form = {"name": "n", "strict": True, "schema": SCHEMA}
    assert value == {
        "model": "m",
        "messages": [{"role": "system", "content": "a\n\nb"}, {"role": "user", "content": "hi"}],
        "max_tokens": 9,
        "temperature": 0.5,
        "response_format": {"type": "json_schema", "json_schema": form},
        "reasoning_effort": "low",
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    assert sent("hi", text={"format": {"type": "json_object"}})["response_format"] == {"type": "json_object"}
    assert sent("hi", llama=True, reasoning={"effort": "none"})["chat_template_kwargs"] == {
        "enable_thinking": False
    }


def test_rounds_of_tools() -> None:
    """[P1] Calls join the assistant's message before them; the work of OpenAI's own tools is passed over."""
    value = sent(
        [
            user("look"),
            {"type": "reasoning", "summary": []},
            {"role": "assistant", "content": [{"type": "output_text", "text": "I look"}]},
            CALL,
            {**CALL, "call_id": "c2"},
            OUTPUT,
            {"type": "web_search_call", "id": "w"},
            {**OUTPUT, "call_id": "c2", "output": [{"type": "input_text", "text": "43"}]},
        ],
        tools=[
            {"type": "function", "name": "look", "parameters": SCHEMA, "strict": False},
            {"type": "web_search"},
        ],
        tool_choice={"type": "function", "name": "look"},
        parallel_tool_calls=False,
    )
    function = {"name": "look", "arguments": '{"q":"x"}'}
    made = [{"id": name, "type": "function", "function": function} for name in ("c1", "c2")]
    assert value["messages"] == [
        user("look"),
        {"role": "assistant", "content": "I look", "tool_calls": made},
        {"role": "tool", "tool_call_id": "c1", "content": "42"},
        {"role": "tool", "tool_call_id": "c2", "content": "43"},
    ]
    assert value["tools"] == [
        {"type": "function", "function": {"name": "look", "parameters": SCHEMA, "strict": False}}
    ]
    assert value["tool_choice"] == {"type": "function", "function": {"name": "look"}}
    assert value["parallel_tool_calls"] is False
    assert "tool_choice" not in sent(
        "x", tools=[{"type": "function", "name": "f"}], tool_choice={"type": "mcp"}
    )


def test_images() -> None:
    """[P1] By data or address; a file that only OpenAI has is said, not dropped."""
    image = {"type": "input_image", "image_url": "data:image/png;base64,AAAA"}
    assert sent([user([image, {"type": "input_text", "text": "what?"}])])["messages"][0]["content"] == [
        {"type": "text", "text": "what?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
    ]
    with pytest.raises(BadInput, match="no files"):
        sent([user([{"type": "input_image", "file_id": "f"}])])


@pytest.mark.parametrize(
    "more",
    [
        {"previous_response_id": "resp_0"},
        {"conversation": "conv_1"},
        {"prompt": {"id": "p"}},
        {"background": True},
        {"input": [{"type": "item_reference", "id": "x"}]},
    ],
)
def test_what_needs_a_memory_at_the_engine_is_said(more: dict[str, Any]) -> None:
    """[P1] One sentence, and what to do."""
    with pytest.raises(BadInput, match=r"keeps no.*Send"):
        sent(**{"words": "x", **{("words" if key == "input" else key): value for key, value in more.items()}})


def test_a_stream() -> None:
    """[P1] [P2] Items and parts are opened and closed, numbered, and end in the whole response."""
    events, tally = streamed(
        chunk({"role": "assistant", "content": ""}),
        chunk({"reasoning_content": "hm"}),
        chunk({"content": "I "}),
        chunk({"content": "look"}),
        chunk(call(0, "look")),
        chunk(call(1, "go", "{}")),
        chunk(call(0, arguments='{"q":"x"}')),
        chunk({}, "tool_calls"),
        b'data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":5}}\n\n',
        b"data: [DONE]\n\n",
    )
    found = [(event["type"].removeprefix("response."), event.get("output_index")) for event in events]
    assert found == [
        ("created", None), ("in_progress", None),
        ("output_item.added", 0), ("content_part.added", 0), ("reasoning_text.delta", 0),
        ("reasoning_text.done", 0), ("content_part.done", 0), ("output_item.done", 0),
        ("output_item.added", 1), ("content_part.added", 1), ("output_text.delta", 1), ("output_text.delta", 1),
        ("output_text.done", 1), ("content_part.done", 1), ("output_item.done", 1),
        ("output_item.added", 2), ("output_item.added", 3), ("function_call_arguments.delta", 3),
        ("function_call_arguments.delta", 2),
        ("function_call_arguments.done", 2), ("output_item.done", 2),
        ("function_call_arguments.done", 3), ("output_item.done", 3),
        ("completed", None),
    ]  # fmt: skip
    assert [event["sequence_number"] for event in events] == list(range(len(events)))
    response = events[-1]["response"]
    assert [item["type"] for item in response["output"]] == [
        "reasoning",
        "message",
        "function_call",
        "function_call",
    ]
    assert response["output"][2]["arguments"] == '{"q":"x"}'
    assert (response["status"], response["usage"]["total_tokens"], response["id"]) == (
        "completed",
        8,
        "resp_1",
    )
    answer = tally.answer()
    assert (answer.text, answer.reasoning, answer.ending) == ("I look", "hm", Ending.COMPLETE)
    assert [one["id"] for one in json.loads(answer.tool_calls)] == ["c0", "c1"]


@pytest.mark.parametrize(
    ("finish", "kind", "reason"),
    [
        ("stop", "completed", None),
        ("length", "incomplete", {"reason": "max_output_tokens"}),
        ("content_filter", "incomplete", {"reason": "content_filter"}),
    ],
)
def test_why_it_ended(finish: str, kind: str, reason: Any) -> None:
    """[P1] In this format's words, streamed and not; cut off is recorded as cut off."""
    events, tally = streamed(chunk({"content": "x"}, finish))
    assert events[-1]["type"] == f"response.{kind}"
    assert events[-1]["response"]["incomplete_details"] == reason
    assert (tally.answer().ending is Ending.TRUNCATED) == (kind == "incomplete")
    value = {"choices": [{"message": {"content": "x"}, "finish_reason": finish}]}
    whole = crossing().whole(OpenAI().whole(json.dumps(value).encode()), 200)
    assert json.loads(whole.raw)["status"] == kind


def test_a_stream_that_breaks_off_has_no_end() -> None:
    """[P1] Its client must not take a part for the whole."""
    events, tally = streamed(chunk({"content": "x"}))
    assert events[-1]["type"] == "response.output_text.delta"
    assert tally.answer().ending is Ending.INTERRUPTED


def test_an_error_in_a_stream() -> None:
    events, tally = streamed(b'data: {"error": {"message": "boom"}}\n\n')
    assert (events[0]["type"], events[0]["message"]) == ("error", "boom")
    assert tally.answer().error == "boom"


def test_whole_answers() -> None:
    """[P1] With what the request said of itself, as the client expects it back."""
    calls = [{"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"q":1}'}}]
    message = {"content": "ok", "reasoning_content": "hm", "tool_calls": calls}
    value = {"choices": [{"message": message, "finish_reason": "tool_calls"}], "usage": {"prompt_tokens": 3}}
    frame = crossing(metadata={"k": "v"}, temperature=0.5).whole(
        OpenAI().whole(json.dumps(value).encode()), 200
    )
    sent = json.loads(frame.raw)
    assert [item["type"] for item in sent["output"]] == ["reasoning", "message", "function_call"]
    assert (sent["metadata"], sent["temperature"], sent["created_at"]) == ({"k": "v"}, 0.5, 7)
    assert (frame.content, frame.reasoning, len(frame.tools), frame.final) == ("ok", "hm", 1, True)


def test_failures_are_said_in_its_own_form() -> None:
    """[P1] Kind by status, JSON or not."""
    whole = crossing().whole(OpenAI().whole(b'{"error": {"message": "too long"}}'), 400)
    assert json.loads(whole.raw)["error"]["type"] == "invalid_request_error"
    assert json.loads(crossing().whole(Frame(b""), 502).raw)["error"]["message"] == "the answer was empty"
