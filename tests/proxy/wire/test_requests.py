"""Reading and writing requests: what is added is the only difference."""

import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innerlife.membrane.turn import Speaker
from innerlife.proxy.reply import CHAT_FORMATS
from innerlife.proxy.wire.call import LISTS, Chat, Reading, Unreadable, Untouched
from innerlife.proxy.wire.jsontext import NotJson, TooDeep, decode, encode, read_object
from innerlife.proxy.wire.writing import Additions, written

CHAT, GENERATE = "/api/chat", "/api/generate"
OPENAI, COMPLETIONS = "/v1/chat/completions", "/v1/completions"
PNG = b"\x89PNG\r\n\x1a\nrest"
ADDED = Additions("be whole", "remember: <blue>", None)


def read(path: str, body: Any) -> Reading:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return CHAT_FORMATS[path].read(path, read_object(decode(raw), LISTS))


def chat(path: str, body: Any) -> Chat:
    reading = read(path, body)
    assert isinstance(reading, Chat)
    return reading


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
EXTRAS = st.dictionaries(
    st.text().filter(
        lambda key: key not in {"messages", "model", "prompt", "system", "raw", "suffix", "context"}
    ),
    JSON,
    max_size=4,
)


@given(EXTRAS, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_nothing_but_the_added_text_differs(extras: dict[str, Any], indent: Any, ascii_only: bool) -> None:
    """[P3] Unknown members, order, spelling and white space stay; the added text is all that is new."""
    body = {
        "a": 1,
        "messages": [
            {"role": "system", "content": "sys", "x": 1.0},
            {"role": "user", "content": "hi", "y": []},
        ],
        **extras,
        "model": "m",
    }
    raw = json.dumps(body, indent=indent, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    out = written(chat(CHAT, raw), ADDED)
    undone = out.replace(b'"be whole\\n\\nsys"', b'"sys"').replace(b'"remember: <blue>\\n\\nhi"', b'"hi"')
    assert undone == raw
    assert written(chat(CHAT, raw), Additions()) == raw


def test_numbers_doubled_keys_and_invalid_bytes_keep_their_spelling() -> None:
    """[P3] What a JSON library would rewrite arrives as it was written."""
    raw = (
        b'{ "model":"m","options":{"temperature":1.50e0,"seed":12345678901234567890123},"k":1,"k":2,'
        b'\n"messages":[{"role":"user","content":"a\\u00e9\xff\\ud800\\/b"}]}'
    )
    out = written(chat(CHAT, raw), Additions(block="B"))
    assert out == raw.replace(b'"a\\u00e9', b'"B\\n\\na\\u00e9')


def test_a_system_message_is_added_where_there_is_none() -> None:
    """[P3] The client's messages stay; ours stands in front of them."""
    out = json.loads(
        written(chat(CHAT, {"model": "m", "messages": [{"role": "user", "content": "hi"}]}), ADDED)
    )
    assert [message["role"] for message in out["messages"]] == ["system", "user"]
    assert out["messages"][0]["content"] == "be whole"


def test_content_lists_keep_their_parts() -> None:
    """[P3] The block goes into the first text part; images and order stay."""
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA", "detail": "low"}}
    parts = [image, {"type": "text", "text": "what is it?"}, {"type": "odd", "v": 1}]
    body = {"model": "m", "messages": [{"role": "developer", "content": [{"type": "text", "text": "sys"}]}]}
    body["messages"].append({"role": "user", "content": parts})  # type: ignore[attr-defined]
    out = json.loads(written(chat(OPENAI, body), ADDED))["messages"]
    assert out[0]["content"] == [{"type": "text", "text": "be whole\n\nsys"}]
    assert out[1]["content"] == [image, {"type": "text", "text": "remember: <blue>\n\nwhat is it?"}, parts[2]]
    only = {"model": "m", "messages": [{"role": "user", "content": [image]}]}
    added = json.loads(written(chat(OPENAI, only), ADDED))["messages"][1]["content"]
    assert added == [{"type": "text", "text": "remember: <blue>"}, image]


@pytest.mark.parametrize("content", [{"content": None}, {}, {"content": ""}, {"content": []}])
def test_messages_without_text_get_the_block_alone(content: dict[str, Any]) -> None:
    body = {"model": "m", "messages": [{"role": "user", **content}]}
    got = json.loads(written(chat(OPENAI, body), Additions(block="B")))["messages"][0]
    assert got["role"] == "user"
    assert got["content"] in ("B", [{"type": "text", "text": "B"}])


def test_the_block_stays_with_the_newest_user_message_through_tool_rounds() -> None:
    """[P4] A request that ends with a tool's result carries the block in the user message before it."""
    messages = [
        {"role": "user", "content": "old"},
        {"role": "assistant", "content": "ok"},
        {"role": "user", "content": "new"},
        {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "f", "arguments": {}}}]},
        {"role": "tool", "content": "42"},
    ]
    out = json.loads(written(chat(CHAT, {"model": "m", "messages": messages}), Additions(block="B")))[
        "messages"
    ]
    assert [message["content"] for message in out] == ["old", "ok", "B\n\nnew", "", "42"]


def test_generate_and_completions_take_additions() -> None:
    """[P3] A lone prompt takes the block in front; the system text has its own member where the format has one."""
    out = json.loads(written(chat(GENERATE, {"model": "m", "prompt": "hi", "system": "sys"}), ADDED))
    assert (out["system"], out["prompt"]) == ("be whole\n\nsys", "remember: <blue>\n\nhi")
    out = json.loads(written(chat(GENERATE, {"model": "m", "prompt": "hi"}), ADDED))
    assert (out["system"], out["prompt"]) == ("be whole", "remember: <blue>\n\nhi")
    out = json.loads(written(chat(COMPLETIONS, {"model": "m", "prompt": "hi"}), ADDED))
    assert out["prompt"] == "be whole\n\nremember: <blue>\n\nhi"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (GENERATE, {"model": "m", "prompt": "x", "raw": True}),
        (GENERATE, {"model": "m", "prompt": "x", "suffix": "y"}),
        (GENERATE, {"model": "m", "prompt": "x", "context": [1, 2]}),
        (GENERATE, {"model": "m", "prompt": "<|fim_prefix|>a<|fim_suffix|>b<|fim_middle|>"}),
        (GENERATE, {"model": "m"}),
        (GENERATE, {"model": "m", "keep_alive": 0, "prompt": ""}),
        (CHAT, {"model": "m", "messages": []}),
        (CHAT, {"model": "m"}),
        (COMPLETIONS, {"model": "m", "prompt": "x", "suffix": "y"}),
        (COMPLETIONS, {"model": "m", "prompt": ["a", "b"]}),
        (COMPLETIONS, {"model": "m", "prompt": [1, 2, 3]}),
        (COMPLETIONS, {"model": "m", "prompt": "<PRE> a <SUF> b <MID>"}),
        (OPENAI, {"model": "m", "messages": []}),
    ],
)
def test_raw_filling_and_loading_calls_are_untouched(path: str, body: dict[str, Any]) -> None:
    """[P5] Nothing is added to them, and nothing learned from them."""
    assert isinstance(read(path, body), Untouched)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (CHAT, {"model": 3, "messages": []}),
        (CHAT, {"messages": [{"role": "user", "content": "x"}]}),
        (CHAT, {"model": "m", "messages": "hello"}),
        (CHAT, {"model": "m", "messages": ["hello"]}),
        (CHAT, {"model": "m", "messages": [{"role": "user", "content": 7}]}),
        (OPENAI, {"model": "m", "messages": None}),
        (OPENAI, {"model": "m", "messages": [None]}),
        (OPENAI, {"model": "m", "messages": [{"role": "user", "content": {"a": 1}}]}),
        (GENERATE, {"model": "m", "prompt": {"a": 1}}),
        (COMPLETIONS, {"model": "m", "prompt": 7}),
    ],
)
def test_other_shapes_are_unreadable(path: str, body: dict[str, Any]) -> None:
    assert isinstance(read(path, body), Unreadable)


def test_a_request_is_read_into_plain_words() -> None:
    """[P1] Roles, images, tool calls, window, streaming and tools are read in both formats."""
    data = base64.b64encode(PNG).decode()
    calls = [{"function": {"name": "f", "arguments": {"a": 1}}}]
    messages = [
        {"role": "system", "content": "s"},
        {"role": "user", "content": "old", "images": [data]},
        {"role": "assistant", "content": "", "tool_calls": calls},
        {"role": "tool", "content": "t", "tool_name": "f"},
        {"role": "critic", "content": "?"},
        {"role": "user", "content": "new", "images": [data, "no base64!", 5]},
    ]
    got = chat(CHAT, {"model": "m", "messages": messages, "options": {"num_ctx": 4096}, "tools": [{}]})
    speakers = [said.speaker for said in got.said]
    expected = [Speaker.SYSTEM, Speaker.USER, Speaker.ASSISTANT, Speaker.TOOL, Speaker.OTHER, Speaker.USER]
    assert speakers == expected
    assert got.said[1].images == ()
    assert [(image.data, image.media_type) for image in got.said[5].images] == [(PNG, "image/png")]
    assert json.loads(got.said[2].tool_calls) == calls
    assert (got.window, got.stream, got.offers_tools) == (4096, True, True)
    parts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    parts.append({"type": "image_url", "image_url": {"url": f"data:image/jpeg;base64,{data}"}})  # type: ignore[dict-item]
    other = chat(OPENAI, {"model": "m", "messages": [{"role": "user", "content": parts}]})
    assert other.said[0].text == "a\nb"
    assert other.said[0].images[0].media_type == "image/jpeg"
    assert (other.stream, other.offers_tools, other.window) == (False, False, None)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"a":}',
        b'{"a":1,}',
        b'{"a":1} x',
        b"{'a':1}",
        b'{"a":"\x01"}',
        b"\xef\xbb\xbf{}",
    ],
)
def test_what_is_no_object_is_refused(raw: bytes) -> None:
    with pytest.raises(NotJson):
        read_object(decode(raw))


def test_depth_beyond_reading_is_told_apart() -> None:
    with pytest.raises(TooDeep):
        read_object('{"a":' + "[" * 200_000 + "]" * 200_000 + "}")


@given(st.text() | st.binary().map(decode))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        read_object(text, ("messages",))
    except NotJson:
        return
    assert isinstance(json.loads(text), dict)


@given(st.binary())
def test_bytes_come_back_from_text(data: bytes) -> None:
    assert encode(decode(data)) == data


@given(JSON.filter(lambda value: isinstance(value, dict)))
def test_reading_agrees_with_the_library(value: Any) -> None:
    """What is read by place is what the standard library reads."""
    text = json.dumps(value)
    members = read_object(text, tuple(value)).members
    for key, placed in members.items():
        assert json.loads(text[placed.start : placed.end]) == value[key]


def test_a_long_history_is_read_quickly_enough() -> None:
    """Ten thousand messages and ten megabytes are read, and the additions land in the right place."""
    messages = [{"role": ("user", "assistant")[n % 2], "content": f"message {n}"} for n in range(9_999)]
    out = json.loads(written(chat(CHAT, {"model": "m", "messages": messages}), ADDED))["messages"]
    assert out[-1]["content"] == "remember: <blue>\n\nmessage 9998"
    big = {"model": "m", "messages": [{"role": "user", "content": "x" * 10_000_000}]}
    assert len(chat(CHAT, big).said[0].text) == 10_000_000
