"""Bad input on the chat paths: said plainly or passed on, never a crash, never a record of nonsense."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from innerlife.membrane.turn import Ending, Opened, Plan, Speaker, Standing
from innerlife.proxy.policy import ProxyPolicy
from tests.proxy.fakes import House, Memory, proxy

pytestmark = pytest.mark.anyio

PATHS = ["/api/chat", "/api/generate", "/v1/chat/completions", "/v1/completions"]
BLOCK = Plan(Standing.OK, stable="STABLE", block="BLOCK", opened=Opened("c", 1, "u"))


def sentence(answer: Any) -> str:
    error = answer.json()["error"]
    return str(error["message"] if isinstance(error, dict) else error)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("body", [b"", b"{", b"hello", b"[]", b'{"a":1}{', b"\xff\xfe{}"])
async def test_invalid_json_is_refused_in_the_clients_form(path: str, body: bytes) -> None:
    """Nothing is recorded and nothing sent on."""
    async with proxy() as place:
        answer = await place.http.post(path, content=body)
        assert answer.status_code == 400
        assert "not a JSON object" in sentence(answer)
        assert not place.engine.requests
        assert not place.memory.begun


@pytest.mark.parametrize(
    "messages",
    [
        7,
        "x",
        [None],
        [{}],
        [{"role": 5, "content": "x"}],
        [{"role": "user", "content": 7}],
        [[]],
        {"role": "user"},
    ],
)
@pytest.mark.parametrize("path", ["/api/chat", "/v1/chat/completions"])
async def test_wrong_types_never_crash(path: str, messages: Any) -> None:
    """What cannot be read is the engine's to judge, forwarded as it is."""
    async with proxy(house=House(default=Memory(plan=BLOCK))) as place:
        raw = json.dumps({"model": "m", "messages": messages, "stream": False}).encode()
        answer = await place.http.post(path, content=raw)
        assert answer.status_code == 200
        if not place.memory.begun:
            assert place.engine.requests[0].body == raw
            assert answer.headers["x-innerlife"] == "passthrough"


async def test_too_deep_nesting_is_forwarded() -> None:
    async def script(request: Any, wire: Any) -> None:
        await wire.document(b"{}")

    async with proxy() as place:
        place.engine.script = script
        raw = b'{"model":"m","messages":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
        answer = await place.http.post("/api/chat", content=raw)
        assert answer.headers["x-innerlife"] == "passthrough"
        assert place.engine.requests[0].body == raw


async def test_unknown_roles_and_empty_messages() -> None:
    """They are read as they are, and the engine gets them unchanged."""
    said = [{"role": "critic", "content": "?"}, {"role": "user", "content": ""}, {"content": "who?"}]
    async with proxy() as place:
        raw = json.dumps({"model": "m", "messages": said}).encode()
        await place.http.post("/api/chat", content=raw)
        got = place.memory.begun[0].messages
        assert [one.speaker for one in got] == [Speaker.OTHER, Speaker.USER, Speaker.OTHER]
        assert place.engine.requests[0].body == raw


@pytest.mark.parametrize("path", ["/api/chat", "/v1/chat/completions"])
@pytest.mark.parametrize(
    "text",
    [
        "nul \\u0000 here",
        "lone \\ud800 and \\udfff",
        "\\u202eright to left\\u202c שלום مرحبا",
        "\\ud83d\\ude00",
    ],
)
async def test_odd_characters_survive(path: str, text: str) -> None:
    """[P3] NUL, lone surrogates, right-to-left text: the client's spelling arrives, the text is recorded as meant."""
    raw = b'{"model":"m","messages":[{"role":"user","content":"' + text.encode() + b'"}]}'
    async with proxy(house=House(default=Memory(plan=BLOCK))) as place:
        answer = await place.http.post(path, content=raw)
        assert answer.status_code == 200
        assert b'"BLOCK\\n\\n' + text.encode() + b'"' in place.engine.requests[-1].body
        assert place.memory.begun[0].messages[0].text == json.loads(f'"{text}"')


@pytest.mark.parametrize("path", ["/api/chat", "/v1/chat/completions"])
async def test_ten_megabytes_and_ten_thousand_messages(path: str) -> None:
    """Long talks go through whole."""
    big = [{"role": "user", "content": "x" * 10_000_000}]
    many = [{"role": ("user", "assistant")[n % 2], "content": f"message {n}"} for n in range(10_001)]
    async with proxy(house=House(default=Memory(plan=BLOCK))) as place:
        for messages in (big, many):
            answer = await place.http.post(path, json={"model": "m", "messages": messages})
            assert answer.status_code == 200
            sent = place.engine.requests[-1].json()["messages"]
            assert [one["content"] for one in sent[1:-1]] == [one["content"] for one in messages[:-1]]
            assert sent[-1]["content"] == "BLOCK\n\n" + messages[-1]["content"]
        assert [one.ending for one in place.memory.finished] == [Ending.COMPLETE, Ending.COMPLETE]


@pytest.mark.parametrize("path", PATHS)
async def test_more_than_is_read_is_refused_clearly(path: str) -> None:
    async with proxy(policy=ProxyPolicy(body_bytes=3 * 2**20)) as place:
        answer = await place.http.post(path, content=b" " * (3 * 2**20 + 1))
        assert answer.status_code == 413
        assert "larger than 3 MB" in sentence(answer)

        async def pieces() -> Any:
            for _ in range(4):
                yield b" " * 2**20

        chunked = await place.http.post(path, content=pieces())
        assert chunked.status_code == 413
        assert not place.engine.requests


VALUE = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=5)
    | st.lists(st.text(max_size=3), max_size=2)
)
MESSAGE = st.fixed_dictionaries(
    {},
    optional={
        "role": st.sampled_from(["user", "assistant", "system", "tool", "x"]) | VALUE,
        "content": VALUE
        | st.lists(st.fixed_dictionaries({}, optional={"type": VALUE, "text": VALUE}), max_size=2),
        "images": VALUE,
        "tool_calls": VALUE,
    },
)
BODY = st.fixed_dictionaries(
    {},
    optional={
        "model": st.just("m") | VALUE,
        "messages": st.lists(MESSAGE | VALUE, max_size=4) | VALUE,
        "prompt": VALUE,
        "system": VALUE,
        "options": VALUE | st.fixed_dictionaries({"num_ctx": VALUE}),
        "stream": VALUE,
        "raw": VALUE,
        "tools": VALUE,
        "format": VALUE,
        "think": VALUE,
    },
)


@pytest.mark.parametrize("kind", ["ollama", "embedded"])
async def test_any_json_object_gets_an_answer(kind: Any) -> None:
    """Whatever the members hold, no request ends in a failure of ours."""
    async with proxy(house=House(default=Memory(plan=BLOCK)), kind=kind) as place:

        async def forgiving(request: Any, wire: Any) -> None:
            await wire.document(b'{"choices": []}')

        place.engine.script = forgiving
        found: list[tuple[str, Any]] = []

        @settings(max_examples=60, deadline=None, database=None, suppress_health_check=list(HealthCheck))
        @given(st.sampled_from(PATHS), BODY)
        def gather(path: str, body: Any) -> None:
            found.append((path, body))

        gather()
        for path, body in found:
            answer = await place.http.post(path, json=body)
            assert answer.status_code in {200, 400}, (path, body, answer.text)
            assert answer.status_code == 200 or kind == "embedded"
