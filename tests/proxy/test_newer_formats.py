"""Anthropic's messages and OpenAI's responses through the proxy: native or translated, told apart, told of."""

import hashlib
import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innerlife.adapters.models.upstream import Upstream
from innerlife.cli.commands.status import _counts
from innerlife.errors import BadInput
from innerlife.membrane.access import AccessBook, AccessKey, Admission, digest_of
from innerlife.membrane.clients import Purpose, purpose
from innerlife.membrane.fiction import is_fiction
from innerlife.membrane.turn import Ending, Opened, Plan, Speaker, Standing
from innerlife.proxy.chat import turn_request
from innerlife.proxy.counters import Counters
from innerlife.proxy.crossings import Crossed, crossed
from innerlife.proxy.reply import CHAT_FORMATS
from innerlife.proxy.wire.call import LISTS, Chat, Unreadable
from innerlife.proxy.wire.jsontext import decode, read_object
from innerlife.proxy.wire.translate_ollama_openai import Clocks
from innerlife.proxy.wire.writing import Additions, written
from tests.proxy.fakes import (
    WORDS,
    Engine,
    House,
    Keys,
    Memory,
    Received,
    Wire,
    frames_of,
    proxy,
)

pytestmark = pytest.mark.anyio

TEXT = "".join(WORDS)
MESSAGES, RESPONSES = "/v1/messages", "/v1/responses"
KEYS = [
    "type",
    "text",
    "content",
    "source",
    "input",
    "output",
    "name",
    "role",
    "data",
    "image_url",
    "function",
    "id",
]
ITEMS = [
    "message",
    "function_call",
    "function_call_output",
    "reasoning",
    "custom_tool_call",
    "web_search_call",
]
PLAN = Plan(Standing.OK, stable="STABLE", block="BLOCK", opened=Opened("c", 1, "u"))


def body_of(path: str, words: str = "hi", system: str = "") -> dict[str, Any]:
    """The same small chat in any of the formats."""
    if path == RESPONSES:
        return {"model": "m", "input": words, **({"instructions": system} if system else {})}
    said = [{"role": "user", "content": words}]
    if path == MESSAGES:
        return {"model": "m", "max_tokens": 9, "messages": said, **({"system": system} if system else {})}
    return {"model": "m", "messages": [*([{"role": "system", "content": system}] if system else []), *said]}


def remembering() -> House:
    return House(default=Memory(plan=PLAN))


def without_paths() -> Engine:
    """An engine that has only the older format."""
    engine = Engine()
    engine.knows.clear()
    return engine


@pytest.mark.parametrize("path", [MESSAGES, RESPONSES])
@pytest.mark.parametrize("stream", [True, False])
async def test_an_engine_that_has_the_path_gets_the_request(path: str, stream: bool) -> None:
    """[P1] [P3] With the additions, under its own path and query; its bytes are the client's."""
    async with proxy(house=remembering()) as place:
        headers = {"x-api-key": "sk-ant-1", "anthropic-version": "2023-06-01", "anthropic-beta": "x"}
        asked = {**body_of(path, system="sys"), "stream": stream}
        answer = await place.http.post(f"{path}?beta=true", json=asked, headers=headers)
        sent = place.engine.requests[0]
        assert sent.target == f"{path}?beta=true"
        assert {name: sent.header(name) for name in headers} == headers
        system, words = ("instructions", "input") if path == RESPONSES else ("system", "messages")
        said = "BLOCK\n\nhi"
        wanted = said if path == RESPONSES else [{"role": "user", "content": said}]
        assert sent.json() == {**asked, system: "STABLE\n\nsys", words: wanted}
        direct = await place.http.post(f"{place.engine.url}{path}", json=asked)
        assert hashlib.sha256(answer.content).digest() == hashlib.sha256(direct.content).digest()
        assert [(one.text, one.ending) for one in place.memory.finished] == [(TEXT, Ending.COMPLETE)]


@pytest.mark.parametrize("path", [MESSAGES, RESPONSES])
async def test_an_engine_is_asked_once_for_its_paths(path: str) -> None:
    """[P1] With an empty request of ours, so that no person's request is sent twice; not at all where it is told."""
    async with proxy() as place:
        for _ in range(3):
            await place.http.post(path, json=body_of(path))
        asked = [request for request in place.engine.asides if request.target == path]
        assert [request.body for request in asked] == [b"{}"]
        assert len(place.engine.requests) == 3


@pytest.mark.parametrize("path", [MESSAGES, RESPONSES])
async def test_a_model_that_is_not_found_is_no_missing_path(path: str) -> None:
    """[P1] The engine's own 404 reaches the client, once, and nothing is translated."""

    async def script(request: Received, wire: Wire) -> None:
        await wire.document(b'{"error": {"message": "model m not found"}}', "404 Not Found")

    async with proxy(Engine(script)) as place:
        answer = await place.http.post(path, json=body_of(path))
        assert (answer.status_code, len(place.engine.requests)) == (404, 1)
        assert place.engine.requests[0].target == path
        assert place.memory.finished[0].error == "model m not found"


@pytest.mark.parametrize("path", [MESSAGES, RESPONSES])
async def test_without_the_path_a_stream_is_translated(path: str) -> None:
    """[P1] [P3] [P9] Valid frames of the client's dialect, the words of the engine, the additions in the request."""
    async with proxy(without_paths(), remembering()) as place:
        answer = await place.http.post(path, json={**body_of(path, system="sys"), "stream": True})
        assert answer.headers["content-type"] == "text/event-stream"
        assert answer.headers["x-innerlife"] == "ok"
        sent = place.engine.requests[0]
        assert sent.target == "/v1/chat/completions"
        assert [one["content"] for one in sent.json()["messages"]] == ["STABLE\n\nsys", "BLOCK\n\nhi"]
        form = CHAT_FORMATS[path]
        frames = [form.frame(raw + b"\n\n") for raw in answer.content.split(b"\n\n") if raw]
        assert "".join(frame.content for frame in frames) == TEXT
        assert frames[-1].final
        kinds = [raw.partition(b"\n")[0][7:].decode() for raw in answer.content.split(b"\n\n") if raw]
        assert [kind for kind in kinds if kind != "ping"] == [
            raw.partition(b"\n")[0][7:].decode() for raw in frames_of(path) if b": ping" not in raw
        ]
        assert [(one.text, one.ending) for one in place.memory.finished] == [(TEXT, Ending.COMPLETE)]


@pytest.mark.parametrize("path", [MESSAGES, RESPONSES])
async def test_without_the_path_a_whole_answer_is_translated(path: str) -> None:
    """[P1] [P9] One document of the client's kind."""
    async with proxy(without_paths()) as place:
        answer = await place.http.post(path, json=body_of(path))
        assert CHAT_FORMATS[path].whole(answer.content).content == TEXT
        assert place.memory.finished[0].text == TEXT


@pytest.mark.parametrize("path", [MESSAGES, RESPONSES])
@pytest.mark.parametrize("stream", [True, False])
async def test_failures_of_a_translated_engine(path: str, stream: bool) -> None:
    """[P1] Status and sentence, in the client's form."""

    async def script(request: Received, wire: Wire) -> None:
        await wire.document(b'{"error": {"message": "too long"}}', "400 Bad Request")

    engine = Engine(script)
    engine.knows.clear()
    async with proxy(engine) as place:
        answer = await place.http.post(path, json={**body_of(path), "stream": stream})
        error = answer.json()["error"]
        assert (answer.status_code, error["message"], error["type"]) == (
            400,
            "too long",
            "invalid_request_error",
        )
        assert place.memory.finished[0].ending is Ending.FAILED


@pytest.mark.parametrize("path", [MESSAGES, RESPONSES])
async def test_a_translated_engine_that_breaks_off(path: str) -> None:
    """[P1] [P2] An error event of the client's kind; what was said is kept as interrupted."""

    async def script(request: Received, wire: Wire) -> None:
        await wire.head("text/event-stream")
        for frame in frames_of("/v1/chat/completions")[:2]:
            await wire.chunk(frame)
        await wire.end()

    engine = Engine(script)
    engine.knows.clear()
    async with proxy(engine) as place:
        answer = await place.http.post(path, json={**body_of(path), "stream": True})
        assert answer.content.rpartition(b"\n\nevent: ")[2].startswith(b"error\ndata: ")
        assert place.memory.finished[0].ending is Ending.INTERRUPTED
        assert place.memory.finished[0].text == "".join(WORDS[:2])


async def test_what_cannot_be_translated_is_said() -> None:
    """[P1] In one sentence, and the message that was recorded gets its ending."""
    async with proxy(without_paths()) as place:
        asked = {**body_of(RESPONSES), "previous_response_id": "resp_0"}
        answer = await place.http.post(RESPONSES, json=asked)
        assert answer.status_code == 400
        assert "previous_response_id" in answer.json()["error"]["message"]
        assert place.memory.finished[0].ending is Ending.FAILED
        odd = await place.http.post(MESSAGES, json={"model": "m", "messages": "x"})
        assert (odd.status_code, odd.json()["type"]) == (400, "error")
        assert not place.engine.requests


@pytest.mark.parametrize(("path", "target"), [(MESSAGES, MESSAGES), (RESPONSES, "/v1/chat/completions")])
async def test_the_embedded_engine_is_known(path: str, target: str) -> None:
    """[P9] It speaks Anthropic's format by itself; its own responses are incomplete, so ours are sent."""
    async with proxy(kind="embedded") as place:
        await place.http.post(path, json=body_of(path))
        assert [request.target for request in place.engine.requests] == [target]
        assert not [request for request in place.engine.asides if request.target == path]


async def test_a_server_that_says_it_under_status_200() -> None:
    """[P1] As LM Studio does of paths that it has not."""
    engine = Engine()
    engine.knows[MESSAGES] = {"error": "Unexpected endpoint or method. (POST /v1/messages)"}
    async with proxy(engine) as place:
        await place.http.post(MESSAGES, json=body_of(MESSAGES))
        assert place.engine.requests[0].target == "/v1/chat/completions"


async def test_a_shut_door_says_nothing_of_what_is_behind_it() -> None:
    """[P1] An engine that refuses the key is asked as it is, and its refusal is the client's."""

    async def script(request: Received, wire: Wire) -> None:
        await wire.document(b'{"type":"error","error":{"message":"bad key"}}', "401 Unauthorized")

    async with proxy() as place:
        # Refused before the path is looked at, ours as well.
        place.engine.script = script
        place.engine.refuses = True
        answer = await place.http.post(MESSAGES, json=body_of(MESSAGES))
        assert (answer.status_code, answer.json()["error"]["message"]) == (401, "bad key")
        assert place.engine.requests[0].target == MESSAGES


@pytest.mark.parametrize("path", [MESSAGES, RESPONSES])
async def test_no_engine(path: str) -> None:
    """[P6] The message is kept, and the error is of the client's kind."""
    async with proxy() as place:
        place.source.upstream = None
        answer = await place.http.post(path, json=body_of(path))
        assert answer.status_code == 503
        assert "Start Ollama" in answer.json()["error"]["message"]
        assert place.memory.finished[0].ending is Ending.FAILED
        place.source.upstream = Upstream("http://127.0.0.1:9", frozenset({"openai"}), "configured")
        assert (await place.http.post(path, json=body_of(path))).status_code == 502


async def test_counting_tokens_passes_through() -> None:
    """[P1] Byte for byte, but that a profile behind the model's name is taken off."""
    async with proxy() as place:
        raw = b'{ "model":"m", "messages": [] }'
        answer = await place.http.post(f"{MESSAGES}/count_tokens?beta=true", content=raw)
        assert (answer.content, answer.headers["x-innerlife"]) == (raw, "passthrough")
        assert place.engine.requests[0].target == f"{MESSAGES}/count_tokens?beta=true"
        await place.http.post(f"{MESSAGES}/count_tokens", content=raw.replace(b'"m"', b'"m@fiction"'))
        assert place.engine.requests[1].body == raw
        assert not place.memory.begun


@pytest.mark.parametrize(
    ("method", "more"), [("GET", ""), ("DELETE", ""), ("GET", "/input_items"), ("POST", "/cancel")]
)
async def test_related_paths_pass_through(method: str, more: str) -> None:
    """[P1] What is not a request for an answer is the engine's."""
    path = f"{RESPONSES}/resp_1{more}"
    async with proxy() as place:
        answer = await place.http.request(method, path)
        assert (answer.status_code, answer.headers["x-innerlife"]) == (200, "passthrough")
        assert (place.engine.requests[0].method, place.engine.requests[0].target) == (method, path)


async def test_a_key_of_ours_may_come_as_anthropics() -> None:
    """[P7] In `x-api-key` it opens its profile and stays here."""
    key = "il-secret"
    book = AccessBook((AccessKey("k", digest_of(key), ("work",), "now"),), frozenset({"default", "work"}))
    work = Memory()
    async with proxy(house=House(default=Memory(), work=work), keys=Keys(book)) as place:
        body = {**body_of(MESSAGES), "model": "m@work"}
        answer = await place.http.post(MESSAGES, json=body, headers={"x-api-key": key})
        assert answer.headers["x-innerlife-profile"] == "work"
        assert (work.finished[0].text, place.engine.requests[0].json()["model"]) == (TEXT, "m")
        assert place.engine.requests[0].header("x-api-key") is None
        refused = await place.http.post(MESSAGES, json=body, headers={"x-api-key": "il-other"})
        assert (refused.status_code, refused.json()["error"]["type"]) == (401, "authentication_error")


async def test_an_answer_is_followed_by_its_name() -> None:
    """[P5] A request that names an answer begins with what went before it, for us alone."""
    async with proxy() as place:
        first = await place.http.post(RESPONSES, json={**body_of(RESPONSES, "one"), "stream": True})
        assert b'"resp_1"' in first.content
        await place.http.post(RESPONSES, json={**body_of(RESPONSES, "two"), "previous_response_id": "resp_1"})
        said = [(one.speaker, one.text) for one in place.memory.begun[1].messages]
        assert said == [(Speaker.USER, "one"), (Speaker.ASSISTANT, TEXT), (Speaker.USER, "two")]
        assert place.engine.requests[1].json()["input"] == "two"


async def test_what_was_forgotten_follows_no_name() -> None:
    """[G6] After a forgetting the last words before an answer are not held any more."""
    forgotten: list[str] = []
    memory = Memory(plan=Plan(Standing.OK, opened=Opened("c", 1, "u"), stands=lambda: not forgotten))
    async with proxy(house=House(default=memory)) as place:
        await place.http.post(RESPONSES, json={**body_of(RESPONSES, "one"), "stream": True})
        forgotten.append("one")
        await place.http.post(RESPONSES, json={**body_of(RESPONSES, "two"), "previous_response_id": "resp_1"})
        assert [one.text for one in memory.begun[1].messages] == ["two"]


def request_of(path: str, body: Any, headers: list[tuple[bytes, bytes]]) -> Any:
    reading = CHAT_FORMATS[path].read(path, read_object(decode(json.dumps(body).encode()), LISTS))
    assert isinstance(reading, Chat)
    return turn_request(reading, "m", headers, Admission("default"))


ODD = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from(["text", "tool_use", "x", "document", "image"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=10,
)
MEMBERS = [
    "tools",
    "tool_choice",
    "system",
    "instructions",
    "thinking",
    "reasoning",
    "text",
    "stop_sequences",
    "store",
]


@pytest.mark.parametrize("path", [MESSAGES, RESPONSES])
@given(
    said=ODD
    | st.lists(st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant", "x"]), "content": ODD}))
    | st.lists(st.fixed_dictionaries({"type": st.sampled_from(ITEMS), "output": ODD, "call_id": ODD})),
    more=st.dictionaries(st.sampled_from(MEMBERS), ODD, max_size=4),
)
def test_odd_requests_are_never_an_error_of_ours(path: str, said: Any, more: dict[str, Any]) -> None:
    """[P1] Whatever a request holds, it is read, written and translated, or refused in a sentence."""
    words = "input" if path == RESPONSES else "messages"
    raw = json.dumps({**more, "model": "m", words: said}).encode()
    reading = CHAT_FORMATS[path].read(path, read_object(decode(raw), LISTS))
    if isinstance(reading, Unreadable):
        return
    assert written(reading, Additions()) == raw
    body = written(reading, Additions("S", "B"))
    if isinstance(reading, Chat):
        assert b"S" in body
    form, upstream = CHAT_FORMATS[path].name, Upstream("http://x", frozenset({"openai"}), "embedded")
    try:
        found = crossed(form, path, body, "m", upstream, Clocks(lambda: datetime.now(UTC), lambda: 0))
    except BadInput:
        return
    assert isinstance(found, Crossed)
    assert isinstance(json.loads(found.body)["messages"], list)


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/api/chat", MESSAGES, RESPONSES])
def test_every_format_says_what_it_is_for(path: str) -> None:
    """[P5] [P13] Side tasks, temporary chats and role-play are known alike, whatever the format."""
    title = "### Task:\nGenerate a concise, 3-5 word title with an emoji"
    assert purpose(request_of(path, body_of(path, title), [])) is Purpose.SIDE_TASK
    assert (
        purpose(request_of(path, body_of(path), [(b"x-owui-task", b"title_generation")])) is Purpose.SIDE_TASK
    )
    temporary = [(b"x-openwebui-chat-id", b"temporary:1")]
    assert purpose(request_of(path, body_of(path), temporary)) is Purpose.TEMPORARY
    assert purpose(request_of(path, body_of(path), [])) is Purpose.CHAT
    play = "Write Seraphina's next reply in a fictional chat between Seraphina and Anna."
    assert is_fiction(request_of(path, body_of(path, system=play), []))
    assert not is_fiction(request_of(path, body_of(path, system="You are a helpful assistant."), []))


async def test_side_tasks_pass_untouched() -> None:
    """[P5] Also in the newer formats nothing of them is added to or kept."""
    plan = Plan(Standing.PASSTHROUGH, "side task")
    for path in (MESSAGES, RESPONSES):
        async with proxy(house=House(default=Memory(plan=plan))) as place:
            answer = await place.http.post(path, json={**body_of(path), "stream": True})
            assert answer.content == b"".join(frames_of(path))
            assert place.engine.requests[0].json() == {**body_of(path), "stream": True}
            assert not place.memory.finished


async def test_what_nobody_reads_is_counted_by_path() -> None:
    """[P1] Until a format is known it passes, says so, and `status` names the paths."""
    async with proxy() as place:
        for path in ("/v1/rerank", "/v1/rerank", "/v1/responses/resp_6f00aa17", "/v1/audio/speech"):
            answer = await place.http.post(path, content=b"x")
            assert (answer.content, answer.headers["x-innerlife"]) == (b"x", "passthrough")
        counts = place.counters.counts()
        assert counts.passthrough == 4
        assert dict(counts.unknown) == {"/v1/rerank": 2, "/v1/responses/*": 1, "/v1/audio/speech": 1}
        shown = _counts({"passthrough": counts.passthrough, "unknown": counts.unknown})
        assert "(unread: /v1/rerank 2; /v1/audio/speech 1; /v1/responses/* 1)" in shown


def test_counted_paths_do_not_grow_without_bound() -> None:
    counters = Counters()
    for number in range(300):
        counters.unknown("/" + "x" * (number % 20) + "abcdefghijklmnopqrst"[number // 20])
    found = counters.counts().unknown
    assert len(found) == 41
    assert sum(found.values()) == counters.counts().passthrough == 300
    assert found["others"] == 260
