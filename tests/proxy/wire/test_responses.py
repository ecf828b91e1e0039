"""OpenAI's responses: what is said where, what is written where, what the events say."""

import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innerlife.membrane.turn import Answer, Ending, Said, Speaker
from innerlife.proxy.threads import Threads
from innerlife.proxy.wire.call import LISTS, Chat, Reading, Unreadable, Untouched
from innerlife.proxy.wire.frame import Tally
from innerlife.proxy.wire.jsontext import decode, read_object
from innerlife.proxy.wire.responses import Responses
from innerlife.proxy.wire.writing import Additions, written
from tests.proxy.fakes import WORDS, named, responses_events, whole

FORM = Responses()
URL = "data:image/png;base64," + base64.b64encode(b"\x89PNG rest").decode()
IMAGE = {"type": "input_image", "image_url": URL, "detail": "low"}
CALL = {"type": "function_call", "call_id": "c1", "name": "look", "arguments": '{"q":"x"}'}
OUTPUT = {"type": "function_call_output", "call_id": "c1", "output": "42"}
THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "xyz"}


def read(body: Any) -> Reading:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return FORM.read("/v1/responses", read_object(decode(raw), LISTS))


def chat(words: Any, **more: Any) -> Chat:
    reading = read({"model": "m", "input": words, **more})
    assert isinstance(reading, Chat)
    return reading


def user(content: Any) -> dict[str, Any]:
    return {"role": "user", "content": content}


def text(words: str) -> dict[str, Any]:
    return {"type": "input_text", "text": words}


def answered(words: str) -> dict[str, Any]:
    return {
        "type": "message",
        "id": "msg_1",
        "role": "assistant",
        "status": "completed",
        "content": [{"type": "output_text", "text": words, "annotations": []}],
    }


def out(reading: Chat, added: Additions) -> Any:
    return json.loads(written(reading, added))


HISTORY = [
    {"role": "developer", "content": "rules"},
    user("one"),
    THOUGHT,
    CALL,
    OUTPUT,
    answered("done"),
    {"type": "item_reference", "id": "x"},
    user([IMAGE, text("two")]),
]


def test_items_are_read() -> None:
    """[P1] Messages, calls and results; what nobody said is passed over, and the places tell."""
    found = chat(HISTORY, instructions="be kind")
    assert [(one.speaker, one.text, len(one.images)) for one in found.said] == [
        (Speaker.SYSTEM, "be kind", 0),
        (Speaker.SYSTEM, "rules", 0),
        (Speaker.USER, "one", 0),
        (Speaker.ASSISTANT, "", 0),
        (Speaker.TOOL, "42", 0),
        (Speaker.ASSISTANT, "done", 0),
        (Speaker.USER, "two", 1),
    ]
    assert found.places == (-1, 0, 1, 3, 4, 5, 7)
    assert json.loads(found.said[3].tool_calls) == [
        {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"q":"x"}'}}
    ]


def test_blocks_stand_where_the_plan_says() -> None:
    """[P3] [P4] `kept` indexes `said`; each block lands in the item which that one was read from."""
    found = chat([*HISTORY, CALL, OUTPUT], instructions="be kind")
    at = next(index for index, said in enumerate(found.said) if said.text == "one")
    sent = out(found, Additions("STABLE", "NEW", kept=((at, "OLD"),)))
    assert sent["instructions"] == "STABLE\n\nbe kind"
    assert sent["input"][1] == user("OLD\n\none")
    assert sent["input"][7] == user([IMAGE, text("NEW\n\ntwo")])
    untouched = [index for index in range(10) if index not in {1, 7}]
    assert [sent["input"][index] for index in untouched] == [[*HISTORY, CALL, OUTPUT][i] for i in untouched]


def test_one_text_takes_the_block_in_front() -> None:
    """[P3] And the stable text becomes the instructions, where there are none."""
    raw = b'{"model":"m","input":"hi","instructions":null,"store":false,"x":1.0}'
    reading = read(raw)
    assert isinstance(reading, Chat)
    assert not reading.lone_prompt
    sent = written(reading, Additions("S", "B"))
    assert sent == raw.replace(b'"hi"', b'"B\\n\\nhi"').replace(b"null", b'"S"')
    assert out(chat("hi"), Additions("S")) == {"instructions": "S", "model": "m", "input": "hi"}


def test_an_image_alone_gets_the_block_in_front() -> None:
    """[P3] As a part of its own, of the type that this format has."""
    assert out(chat([user([IMAGE])]), Additions(block="B"))["input"] == [user([text("B"), IMAGE])]


def test_all_else_arrives_as_it_was() -> None:
    """[P3] Unknown members, spelling and order."""
    raw = (
        b'{ "store" : false,"model":"m","include":["reasoning.encrypted_content"],"temperature":1.50,\n'
        b'"input":[{"type":"reasoning","summary":[]},{"role":"user","content":[{"type":"input_text","text":"a\\u00e9",'
        b'"x":1.0}]}],"metadata":{"k":"v"},"k":1,"k":2}'
    )
    reading = read(raw)
    assert isinstance(reading, Chat)
    assert written(reading, Additions(block="B")) == raw.replace(b'"a\\u00e9"', b'"B\\n\\na\\u00e9"')
    assert written(reading, Additions()) == raw


@pytest.mark.parametrize(
    "body",
    [
        {"model": 5, "input": "x"},
        {"model": "m", "input": 5},
        {"model": "m", "input": [5]},
        {"model": "m", "input": [user(5)]},
        {"model": "m", "input": "x", "instructions": [1]},
    ],
)
def test_what_has_another_shape_is_the_engines_to_judge(body: Any) -> None:
    assert isinstance(read(body), Unreadable)


@pytest.mark.parametrize(
    "body", [{"model": "m"}, {"input": []}, {"input": "x", "background": True}, {"input": [THOUGHT]}]
)
def test_what_holds_no_words_now_is_untouched(body: Any) -> None:
    """[P5] Nothing said, or an answer that is fetched later."""
    assert isinstance(read(body), Untouched)


def test_what_the_engine_still_has_is_joined_and_never_written() -> None:
    """[P5] A request that brings only what is new is put behind what went before it, as context."""
    threads = Threads()
    first = chat("one", instructions="sys")
    threads.keep("p", first, "resp_1", Answer("done", Ending.COMPLETE))
    joined = threads.joined("p", chat([user("two")], instructions="sys", previous_response_id="resp_1"))
    assert [one.text for one in joined.said] == ["sys", "one", "done", "two"]
    assert joined.places == (-1, -1, -1, 0)
    sent = out(joined, Additions("S", "B", kept=((1, "OLD"),)))
    assert sent["input"] == [user("B\n\ntwo")]
    assert "OLD" not in json.dumps(sent)
    alone = threads.joined("other", chat("two", previous_response_id="resp_1"))
    assert [one.text for one in alone.said] == ["two"]


def test_a_round_of_tools_by_reference_belongs_to_its_message() -> None:
    """[P5] A result alone, sent behind an answer's name, follows the user's message there."""
    threads = Threads()
    threads.keep("p", chat("look"), "resp_1", Answer("", Ending.COMPLETE, tool_calls="[1]"))
    joined = threads.joined("p", chat([OUTPUT], previous_response_id="resp_1"))
    assert joined.said == (
        Said(Speaker.USER, "look"),
        Said(Speaker.ASSISTANT, "", tool_calls="[1]"),
        Said(Speaker.TOOL, "42"),
    )
    assert out(joined, Additions(block="B"))["input"] == [OUTPUT]


def test_a_named_conversation_goes_on() -> None:
    """[P5] `conversation` names it, as text or as an object; both at once keep both names."""
    threads = Threads()
    threads.keep("p", chat("one", conversation={"id": "conv_1"}), "resp_1", Answer("ok", Ending.COMPLETE))
    for more in ({"conversation": "conv_1"}, {"previous_response_id": "resp_1"}):
        joined = threads.joined("p", chat("two", **more))
        assert [one.text for one in joined.said] == ["one", "ok", "two"]


def test_threads_do_not_grow_without_bound() -> None:
    threads = Threads()
    for number in range(2_100):
        threads.keep("p", chat("x"), f"resp_{number}", Answer("ok", Ending.COMPLETE))
    threads.keep("p", chat("y" * 200_000), "resp_long", Answer("ok", Ending.COMPLETE))
    assert len(threads.joined("p", chat("z", previous_response_id="resp_0")).said) == 1
    assert len(threads.joined("p", chat("z", previous_response_id="resp_2099")).said) == 3
    assert len(threads.joined("p", chat("z", previous_response_id="resp_long")).said) == 2


def test_a_stream_is_read() -> None:
    """[P1] Each word once, though events repeat the whole; the last event alone is the end."""
    frames = [FORM.frame(raw) for raw in responses_events()]
    assert "".join(frame.content for frame in frames) == "".join(WORDS)
    assert [frame.final for frame in frames] == [False] * (len(frames) - 1) + [True]
    assert (frames[0].model, frames[0].answer_id, frames[-1].usage) == ("m", "resp_1", (3, 5))


def test_calls_and_reasoning_are_channels_of_their_own() -> None:
    """[P2] A call is read whole, when its item is done."""
    seen = Tally()
    for raw in named(
        {"type": "response.reasoning_summary_text.delta", "delta": "h"},
        {"type": "response.reasoning_text.delta", "delta": "m"},
        {"type": "response.output_item.added", "output_index": 1, "item": {**CALL, "arguments": ""}},
        {"type": "response.function_call_arguments.delta", "output_index": 1, "delta": '{"q":"x"}'},
        {"type": "response.output_item.done", "output_index": 1, "item": CALL},
        {"type": "response.output_item.done", "output_index": 2, "item": {**CALL, "call_id": "c2"}},
        {"type": "response.completed", "response": {"status": "completed"}},
    ):
        seen.add(FORM.frame(raw))
    answer = seen.answer()
    assert (answer.text, answer.reasoning, answer.ending) == ("", "hm", Ending.COMPLETE)
    assert [call["id"] for call in json.loads(answer.tool_calls)] == ["c1", "c2"]
    assert json.loads(answer.tool_calls)[0] == json.loads(chat([user("x"), CALL]).said[1].tool_calls)[0]


@pytest.mark.parametrize(
    ("kind", "response", "ending"),
    [
        ("completed", {"status": "completed"}, Ending.COMPLETE),
        ("incomplete", {"incomplete_details": {"reason": "max_output_tokens"}}, Ending.TRUNCATED),
        ("failed", {"status": "failed", "error": {"code": "server_error", "message": "boom"}}, Ending.FAILED),
        ("failed", {"status": "failed"}, Ending.FAILED),
    ],
)
def test_why_it_ended(kind: str, response: dict[str, Any], ending: Ending) -> None:
    """[P1] Cut off is not complete, failed is neither."""
    seen = Tally()
    for raw in named({"type": f"response.{kind}", "response": response}):
        seen.add(FORM.frame(raw))
    assert seen.answer().ending is ending


def test_whole_answers_are_read() -> None:
    """[P1] Reasoning, text and calls of an answer that is not streamed."""
    value = json.loads(whole("/v1/responses"))
    thought = {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]}
    frame = FORM.whole(json.dumps({**value, "output": [thought, *value["output"], CALL]}).encode())
    assert (frame.reasoning, frame.content, frame.final) == ("hm", "".join(WORDS), True)
    assert (frame.usage, frame.answer_id, len(frame.tools)) == ((3, 5), "resp_1", 1)
    assert not FORM.whole(json.dumps({**value, "status": "queued", "output": []}).encode()).final


def test_errors_are_of_its_own_kind() -> None:
    """[P1] As a document and as an event, and read back."""
    assert json.loads(FORM.error(404, "no"))["error"]["type"] == "not_found_error"
    raw = FORM.error_frame("it broke")
    assert raw.startswith(b"event: error\ndata: ")
    value = json.loads(raw.partition(b"data: ")[2])
    assert (value["type"], value["message"], value["error"]["message"]) == ("error", "it broke", "it broke")
    assert FORM.frame(raw).error == "it broke"
    assert FORM.frame(b'data: {"type":"error","message":"plain"}\n\n').error == "plain"


@given(st.binary(max_size=200))
def test_garbage_is_never_an_error_of_ours(raw: bytes) -> None:
    assert FORM.frame(raw).raw == raw
    assert FORM.frame(b"data: " + raw).raw == b"data: " + raw
    assert FORM.whole(raw).raw == raw


@given(st.recursive(st.none() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(
    st.sampled_from(["type", "error", "output", "delta", "usage", "response", "content", "item", "status"]), x
), max_leaves=12))  # fmt: skip
def test_odd_values_are_never_an_error_of_ours(value: Any) -> None:
    FORM.whole(json.dumps(value).encode())
    for kind in ("response.completed", "response.output_item.done", "response.created", "error"):
        if isinstance(value, dict):
            FORM.frame(b"data: " + json.dumps({**value, "type": kind}).encode() + b"\n\n")
