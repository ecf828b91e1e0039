"""Anthropic's messages: what is said where, what is written where, what the events say."""

import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innerlife.membrane.turn import Ending, Speaker
from innerlife.proxy.wire.anthropic import Anthropic
from innerlife.proxy.wire.call import LISTS, Chat, Reading, Unreadable, Untouched
from innerlife.proxy.wire.frame import Tally
from innerlife.proxy.wire.jsontext import decode, read_object
from innerlife.proxy.wire.writing import Additions, written
from tests.proxy.fakes import WORDS, anthropic_events, named, whole

FORM = Anthropic()
PNG = base64.b64encode(b"\x89PNG rest").decode()
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
CACHED = {"cache_control": {"type": "ephemeral"}}
USE = {"type": "tool_use", "id": "t1", "name": "look", "input": {"q": "x"}}
RESULT = {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "42"}]}


def read(body: Any) -> Reading:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return FORM.read("/v1/messages", read_object(decode(raw), LISTS))


def chat(*messages: Any, **more: Any) -> Chat:
    reading = read({"model": "m", "max_tokens": 5, "messages": list(messages), **more})
    assert isinstance(reading, Chat)
    return reading


def user(content: Any) -> dict[str, Any]:
    return {"role": "user", "content": content}


def assistant(content: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": content}


def out(reading: Chat, added: Additions) -> Any:
    return json.loads(written(reading, added))


def test_texts_blocks_and_images_are_read() -> None:
    """[P1] A string and a list of blocks say the same; images come with the newest words alone."""
    found = chat(
        user([IMAGE, {"type": "text", "text": "old"}]),
        assistant([{"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "text", "text": "ok"}]),
        user([IMAGE, {"type": "text", "text": "new"}]),
        system=[{"type": "text", "text": "be", **CACHED}, {"type": "text", "text": "kind"}],
    )
    assert [(one.speaker, one.text, len(one.images)) for one in found.said] == [
        (Speaker.SYSTEM, "be\nkind", 0),
        (Speaker.USER, "old", 0),
        (Speaker.ASSISTANT, "ok", 0),
        (Speaker.USER, "new", 1),
    ]
    assert found.places == (-1, 0, 1, 2)


def test_results_of_tools_are_not_the_users_words() -> None:
    """[P5] A message of results is a tool's; words beside them are the user's, reminders of Claude Code are not."""
    reminder = {"type": "text", "text": "<system-reminder>\nbe brief\n</system-reminder>\n"}
    found = chat(
        user([reminder, {"type": "text", "text": "look"}]),
        assistant([{"type": "text", "text": "I will"}, USE]),
        user([RESULT, reminder]),
        assistant([USE]),
        user([RESULT, {"type": "text", "text": "and hurry"}]),
    )
    said = [(one.speaker, one.text) for one in found.said]
    assert said == [
        (Speaker.USER, "look"),
        (Speaker.ASSISTANT, "I will"),
        (Speaker.TOOL, "42"),
        (Speaker.ASSISTANT, ""),
        (Speaker.TOOL, "42"),
        (Speaker.USER, "and hurry"),
    ]
    assert found.places == (0, 1, 2, 3, 4, 4)
    assert json.loads(found.said[1].tool_calls) == [
        {"id": "t1", "type": "function", "function": {"name": "look", "arguments": '{"q":"x"}'}}
    ]


def test_an_image_stays_with_its_message_through_rounds_of_tools() -> None:
    """[P5] Else the message would look like another one in the second round, and be recorded twice."""
    first = chat(user([IMAGE, {"type": "text", "text": "look"}]))
    second = chat(user([IMAGE, {"type": "text", "text": "look"}]), assistant([USE]), user([RESULT]))
    assert second.said[0] == first.said[0]


def test_blocks_stand_where_the_plan_says() -> None:
    """[P3] [P4] `kept` indexes `said`; each block lands in the message which that one was read from."""
    found = chat(
        user("one"),
        assistant([USE]),
        user([RESULT]),
        assistant("done"),
        user([{"type": "text", "text": "two", **CACHED}]),
        assistant([USE]),
        user([RESULT]),
        system="sys",
    )
    at = next(index for index, said in enumerate(found.said) if said.text == "one")
    sent = out(found, Additions("STABLE", "NEW", kept=((at, "OLD"),)))
    assert sent["system"] == "STABLE\n\nsys"
    assert sent["messages"][0]["content"] == "OLD\n\none"
    assert sent["messages"][4]["content"] == [{"type": "text", "text": "NEW\n\ntwo", **CACHED}]
    assert [sent["messages"][place]["content"] for place in (2, 6)] == [[RESULT], [RESULT]]


def test_words_after_results_take_the_block() -> None:
    """[P3] Results of tools must come first in their message, so the block goes into the words behind them."""
    sent = out(chat(user([RESULT, {"type": "text", "text": "go on"}])), Additions(block="B"))
    assert sent["messages"][0]["content"] == [RESULT, {"type": "text", "text": "B\n\ngo on"}]


@pytest.mark.parametrize("system", [None, "", "sys", [], [{"type": "text", "text": "sys", **CACHED}]])
def test_the_stable_text_stands_in_front_of_the_clients(system: Any) -> None:
    """[P3] Its blocks and their cache marks stay as they were."""
    sent = out(chat(user("hi"), system=system), Additions("STABLE"))["system"]
    if isinstance(system, list):
        assert sent == [{"type": "text", "text": "STABLE"}, *system]
    else:
        assert sent == ("STABLE\n\nsys" if system else "STABLE")


def test_a_request_without_system_text_gets_one() -> None:
    """[P3] In a member of its own, the rest untouched."""
    raw = b'{"model":"m","max_tokens":5,"messages":[{"role":"user","content":"hi"}]}'
    reading = read(raw)
    assert isinstance(reading, Chat)
    assert reading.brings_no_system_text
    assert written(reading, Additions("S")) == raw.replace(b"{", b'{"system":"S",', 1)


def test_an_image_alone_gets_the_block_in_front() -> None:
    """[P3] As a block of text of its own."""
    sent = out(chat(user([IMAGE])), Additions(block="B"))["messages"][0]["content"]
    assert sent == [{"type": "text", "text": "B"}, IMAGE]


EXTRAS = st.dictionaries(
    st.text(min_size=1).filter(
        lambda key: key not in {"model", "messages", "system", "stream", "tools", "input"}
    ),
    st.integers() | st.text() | st.lists(st.booleans()),
    max_size=4,
)


@given(EXTRAS, st.sampled_from([None, 1]))
def test_all_else_arrives_as_it_was(extras: dict[str, Any], indent: int | None) -> None:
    """[P3] Metadata, cache marks, unknown members, order and spelling."""
    body = {
        "metadata": {"user_id": "u"},
        "model": "m",
        "system": [{"type": "text", "text": "sys", **CACHED}],
        **extras,
        "messages": [user([{"type": "text", "text": "hi", **CACHED, "x": 1.0}])],
        "thinking": {"type": "enabled", "budget_tokens": 1024},
    }
    raw = json.dumps(body, indent=indent).encode()
    reading = read(raw)
    assert isinstance(reading, Chat)
    sent = written(reading, Additions("STABLE", "BLOCK"))
    undone = sent.replace(b'{"type":"text","text":"STABLE"},', b"").replace(b'"BLOCK\\n\\nhi"', b'"hi"')
    assert undone == raw
    assert written(reading, Additions()) == raw


@pytest.mark.parametrize(
    "body",
    [
        {"model": 5, "messages": [user("x")]},
        {"model": "m"},
        {"model": "m", "messages": "x"},
        {"model": "m", "messages": [5]},
        {"model": "m", "messages": [user(5)]},
        {"model": "m", "messages": [user("x")], "system": 5},
    ],
)
def test_what_has_another_shape_is_the_engines_to_judge(body: Any) -> None:
    assert isinstance(read(body), Unreadable)


def test_no_messages_are_nothing_to_remember() -> None:
    assert isinstance(read({"model": "m", "messages": []}), Untouched)


@pytest.mark.parametrize("odd", [None, 5, "x", [5], {"type": 5}, {"type": "tool_result", "content": 7}])
def test_odd_blocks_are_passed_over(odd: Any) -> None:
    """[P1] What is not known is neither refused nor lost."""
    found = chat(user([odd, {"type": "text", "text": "hi"}]))
    assert found.said[-1].text == "hi"
    assert out(found, Additions(block="B"))["messages"][0]["content"][0] == odd


def tally(*events: dict[str, Any]) -> Tally:
    seen = Tally()
    for raw in named(*events):
        frame = FORM.frame(raw)
        assert frame.raw == raw
        seen.add(frame)
    return seen


def test_a_stream_is_read() -> None:
    """[P1] Text, model, end and counts."""
    frames = [FORM.frame(raw) for raw in anthropic_events()]
    assert "".join(frame.content for frame in frames) == "".join(WORDS)
    assert [frame.final for frame in frames] == [False] * 9 + [True, True]
    assert frames[0].model == "m"
    assert (frames[0].usage, frames[9].usage) == ((3, 1), (0, 5))
    assert frames[9].finish == "end_turn"


def test_thinking_and_calls_are_channels_of_their_own() -> None:
    """[P2] Parts of a call are joined in the shape in which the client resends it."""
    seen = tally(
        {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "s"}},
        {"type": "content_block_start", "index": 1, "content_block": {**USE, "input": {}}},
        {
            "type": "content_block_delta",
            "index": 1,
            "delta": {"type": "input_json_delta", "partial_json": '{"q":'},
        },
        {
            "type": "content_block_delta",
            "index": 1,
            "delta": {"type": "input_json_delta", "partial_json": '"x"}'},
        },
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 1}},
    )
    answer = seen.answer()
    assert (answer.text, answer.reasoning, answer.ending) == ("", "hm", Ending.COMPLETE)
    assert answer.tool_calls == chat(assistant([USE]), user("x")).said[0].tool_calls


@pytest.mark.parametrize(
    ("reason", "ending"),
    [("end_turn", Ending.COMPLETE), ("max_tokens", Ending.TRUNCATED), ("stop_sequence", Ending.COMPLETE)],
)
def test_why_it_ended(reason: str, ending: Ending) -> None:
    """[P1] Cut off is not complete, streamed or not."""
    assert tally({"type": "message_delta", "delta": {"stop_reason": reason}}).answer().ending is ending
    value = {**json.loads(whole("/v1/messages")), "stop_reason": reason}
    seen = Tally()
    seen.add(FORM.whole(json.dumps(value).encode()))
    assert seen.answer().ending is ending


def test_whole_answers_are_read() -> None:
    """[P1] Thinking, text and calls of an answer that is not streamed."""
    blocks = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "ok"}, USE]
    frame = FORM.whole(json.dumps({**json.loads(whole("/v1/messages")), "content": blocks}).encode())
    assert (frame.reasoning, frame.content, frame.final, frame.usage) == ("hm", "ok", True, (3, 5))
    assert frame.tools[0].whole["function"]["name"] == "look"


def test_errors_are_of_its_own_kind() -> None:
    """[P1] As a document and as an event, and read back."""
    value = json.loads(FORM.error(413, "too large"))
    assert value == {"type": "error", "error": {"type": "request_too_large", "message": "too large"}}
    raw = FORM.error_frame("it broke")
    assert raw.startswith(b"event: error\ndata: ")
    assert FORM.frame(raw).error == "it broke"
    assert FORM.whole(FORM.error(400, "no")).error == "no"


@given(st.binary(max_size=200))
def test_garbage_is_never_an_error_of_ours(raw: bytes) -> None:
    assert FORM.frame(raw).raw == raw
    assert FORM.frame(b"data: " + raw).raw == b"data: " + raw
    assert FORM.whole(raw).raw == raw


@given(st.recursive(st.none() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(
    st.sampled_from(["type", "error", "content", "delta", "index", "usage", "message", "content_block", "text"]), x
), max_leaves=12))  # fmt: skip
def test_odd_values_are_never_an_error_of_ours(value: Any) -> None:
    raw = json.dumps(value).encode()
    assert FORM.whole(raw).raw == raw
    for kind in ("message", "message_start", "content_block_delta", "message_delta"):
        if isinstance(value, dict):
            FORM.whole(json.dumps({**value, "type": kind}).encode())
