"""Streams through the proxy: bytes, order, durability, hang-ups, broken engines."""

import asyncio
import hashlib
import json
import threading
import time
from typing import Any

import pytest

from innerlife.adapters.models.upstream import Upstream
from innerlife.errors import DiskFull, KeyMissing
from innerlife.membrane.turn import Ending, Opened, Plan, Standing
from innerlife.proxy.wire.frame import Frame
from tests.proxy.fakes import (
    WORDS,
    Engine,
    House,
    Memory,
    RawClient,
    Received,
    Wire,
    eventually,
    frames_of,
    ollama_lines,
    openai_events,
    proxy,
    request_bytes,
    split_points,
)

pytestmark = pytest.mark.anyio

TEXT = "".join(WORDS)
CHATS: list[tuple[str, dict[str, Any]]] = [
    ("/api/chat", {"messages": [{"role": "user", "content": "hi"}]}),
    ("/api/generate", {"prompt": "hi"}),
    ("/v1/chat/completions", {"messages": [{"role": "user", "content": "hi"}]}),
    ("/v1/completions", {"prompt": "hi"}),
    ("/v1/responses", {"input": "hi"}),
    ("/v1/messages", {"max_tokens": 9, "messages": [{"role": "user", "content": "hi"}]}),
]
FRAMED = [CHATS[0], CHATS[2], CHATS[4], CHATS[5]]
"""One of each format."""
BEFORE_WORDS = {"/v1/responses": 4, "/v1/messages": 3}
"""How many frames stand before the first word."""
AFTER_END = {"/v1/responses": 1, "/v1/messages": 2, "/v1/chat/completions": 3, "/v1/completions": 3}
"""How many frames tell that the answer is over, the first of them included."""


def kind_of(path: str) -> str:
    return "application/x-ndjson" if path.startswith("/api") else "text/event-stream"


@pytest.mark.parametrize(("path", "body"), CHATS)
@pytest.mark.parametrize("ending", [b"\n", b"\r\n"])
async def test_bytes_of_a_stream_pass_unchanged(path: str, body: dict[str, Any], ending: bytes) -> None:
    """[P1] The whole stream arrives with its own bytes, comments, odd spacing and unknown members included."""
    extra = (
        b'{"unknown":  1.50, "x": null}\n'
        if path.startswith("/api")
        else b": keep-alive\n\nevent: x\nid: 7\n\n"
    )
    stream = (extra + b"".join(frames_of(path))).replace(b"\n", ending)

    async def script(request: Received, wire: Wire) -> None:
        await wire.head(kind_of(path), "200 OK", "X-Engine: yes")
        for piece in split_points(stream, 37):
            await wire.chunk(piece)
        await wire.end()

    async with proxy(Engine(script)) as place:
        answer = await place.http.post(path, json={"model": "m", "stream": True, **body})
        assert hashlib.sha256(answer.content).digest() == hashlib.sha256(stream).digest()
        assert answer.headers["x-engine"] == "yes"
        assert answer.headers["x-innerlife"] == "ok"
        assert answer.headers["content-type"] == kind_of(path)
        assert [one.text for one in place.memory.finished] == [TEXT]
        assert place.memory.finished[0].ending is Ending.COMPLETE


@pytest.mark.parametrize(("path", "body"), CHATS)
async def test_frames_split_at_every_byte_are_still_read(path: str, body: dict[str, Any]) -> None:
    """[P1] An engine that sends one byte at a time changes neither what arrives nor what is recorded."""
    stream = b"".join(frames_of(path))

    async def script(request: Received, wire: Wire) -> None:
        await wire.head(kind_of(path))
        for piece in split_points(stream, 1):
            await wire.chunk(piece)
        await wire.end()

    async with proxy(Engine(script)) as place:
        answer = await place.http.post(path, json={"model": "m", "stream": True, **body})
        assert answer.content == stream
        assert place.memory.finished[0].text == TEXT


@pytest.mark.parametrize(("path", "body"), CHATS)
async def test_answers_that_are_not_streamed_pass_unchanged(path: str, body: dict[str, Any]) -> None:
    """[P1] [C9] A whole answer keeps its bytes, and is recorded before it is sent."""
    async with proxy() as place:
        answer = await place.http.post(path, json={"model": "m", "stream": False, **body})
        direct = await place.http.post(
            f"{place.engine.url}{path}", json={"model": "m", "stream": False, **body}
        )
        assert answer.content == direct.content
        assert int(answer.headers["content-length"]) == len(answer.content)
        assert [one.text for one in place.memory.finished] == [TEXT]


@pytest.mark.parametrize(("path", "body"), CHATS)
async def test_each_frame_arrives_before_the_next_is_sent(path: str, body: dict[str, Any]) -> None:
    """[P2] The engine waits for the client's word that frame n came before it sends frame n+1."""
    confirmed = asyncio.Queue[int]()
    frames = frames_of(path)

    async def script(request: Received, wire: Wire) -> None:
        await wire.head(kind_of(path))
        for number, frame in enumerate(frames):
            await wire.chunk(frame)
            assert await asyncio.wait_for(confirmed.get(), 2) == number
        await wire.end()

    async with proxy(Engine(script)) as place:
        request = {"model": "m", "stream": True, **body}
        seen = b""
        async with place.http.stream("POST", path, json=request) as answer:
            number = 0
            async for piece in answer.aiter_raw():
                seen += piece
                while number < len(frames) and len(seen) >= len(b"".join(frames[: number + 1])):
                    confirmed.put_nowait(number)
                    number += 1
        assert seen == b"".join(frames)


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize(("path", "body"), CHATS)
async def test_the_answer_is_recorded_before_its_final_frame_leaves(
    path: str, body: dict[str, Any], at_once: bool
) -> None:
    """[C9] While recording is held up, everything but the frames that end the answer has arrived."""
    memory = Memory(hold_finish=threading.Event())
    frames = frames_of(path)
    before = b"".join(frames[: -AFTER_END.get(path, 1)])

    async def script(request: Received, wire: Wire) -> None:
        await wire.head(kind_of(path))
        for piece in [b"".join(frames)] if at_once else frames:
            await wire.chunk(piece)
        await wire.end()

    async with proxy(Engine(script), House(default=memory)) as place:
        seen = b""
        done = False

        async def read() -> None:
            nonlocal seen, done
            async with place.http.stream("POST", path, json={"model": "m", "stream": True, **body}) as answer:
                async for piece in answer.aiter_raw():
                    seen += piece
            done = True

        task = asyncio.create_task(read())
        await eventually(lambda: len(seen) >= len(before))
        await asyncio.sleep(0.1)
        assert seen == before
        assert not memory.finished
        assert memory.hold_finish is not None
        memory.hold_finish.set()
        await task
        assert seen == b"".join(frames)
        assert memory.finished[0].text == TEXT


async def test_the_message_is_recorded_before_the_engine_is_called() -> None:
    """[C9] The engine gets the request only when `begin` has returned."""
    memory = Memory()

    async def script(request: Received, wire: Wire) -> None:
        assert memory.happened == ["begun"]
        await wire.document(json.dumps({"message": {"content": "x"}, "done": True}).encode())

    async with proxy(Engine(script), House(default=memory)) as place:
        await place.http.post("/api/chat", json={"model": "m", "stream": False, **CHATS[0][1]})
        assert memory.happened == ["begun", "finished"]


@pytest.mark.parametrize(("path", "body"), FRAMED)
async def test_a_hang_up_stops_the_engine_and_keeps_what_was_said(path: str, body: dict[str, Any]) -> None:
    """[P2] Within 100 ms the engine's connection is closed; the answer so far is kept as interrupted."""
    frames = frames_of(path)
    part = BEFORE_WORDS.get(path, 0) + 3

    async def script(request: Received, wire: Wire) -> None:
        await wire.head(kind_of(path))
        for frame in frames[:part]:
            await wire.chunk(frame)
        await asyncio.wait_for(wire.gone(), 3)

    async with proxy(Engine(script)) as place:
        async with place.http.stream("POST", path, json={"model": "m", "stream": True, **body}) as answer:
            seen = b""
            async for piece in answer.aiter_raw():
                seen += piece
                if len(seen) >= len(b"".join(frames[:part])):
                    break
        left = time.monotonic()
        await eventually(lambda: place.engine.hang_ups)
        assert place.engine.hang_ups[0] - left < 0.1
        await eventually(lambda: place.memory.finished)
        assert place.memory.finished[0].ending is Ending.INTERRUPTED
        assert place.memory.finished[0].text == "".join(WORDS[:3])


@pytest.mark.parametrize(("path", "body"), FRAMED)
async def test_a_client_may_go_away_at_any_byte_of_its_answer(path: str, body: dict[str, Any]) -> None:
    """[P2] Whenever it hangs up, the answer is recorded once, as a beginning of what the engine said."""
    frames = frames_of(path)

    async def script(request: Received, wire: Wire) -> None:
        await wire.head(kind_of(path))
        for frame in frames:
            await wire.chunk(frame)
            await asyncio.sleep(0.001)
        await wire.end()

    async with proxy(Engine(script)) as place:
        cuts = range(1, len(b"".join(frames)), 61)
        for cut in cuts:
            async with place.http.stream("POST", path, json={"model": "m", "stream": True, **body}) as answer:
                seen = 0
                async for piece in answer.aiter_raw():
                    seen += len(piece)
                    if seen >= cut:
                        break
        await eventually(lambda: len(place.memory.finished) == len(cuts))
        assert all(TEXT.startswith(one.text) for one in place.memory.finished)
        endings = {one.ending for one in place.memory.finished}
        assert endings <= {Ending.INTERRUPTED, Ending.COMPLETE}
        assert all(one.text == TEXT for one in place.memory.finished if one.ending is Ending.COMPLETE)


@pytest.mark.parametrize("stream", [True, False])
async def test_a_hang_up_before_the_first_word_stops_the_engine(stream: bool) -> None:
    """[P2] Also while the engine reads the prompt and has sent nothing at all."""

    async def script(request: Received, wire: Wire) -> None:
        await asyncio.wait_for(wire.gone(), 3)

    async with proxy(Engine(script)) as place:
        client = RawClient(place.port)
        body = json.dumps({"model": "m", "stream": stream, **CHATS[0][1]}).encode()
        client.send(request_bytes("/api/chat", body))
        await eventually(lambda: place.engine.requests)
        left = time.monotonic()
        client.close()
        await eventually(lambda: place.engine.hang_ups)
        assert place.engine.hang_ups[0] - left < 0.1
        await eventually(lambda: place.memory.finished)
        assert place.memory.finished[0].ending is Ending.INTERRUPTED
        assert place.memory.finished[0].text == ""


async def test_a_client_may_go_away_at_any_byte_of_its_request() -> None:
    """A request that is cut off anywhere records nothing and disturbs nobody."""
    async with proxy() as place:
        data = request_bytes("/api/chat", json.dumps({"model": "m", **CHATS[0][1]}).encode())
        for cut in range(0, len(data), 7):
            client = RawClient(place.port)
            client.send(data[:cut])
            client.close()
        answer = await place.http.post("/api/chat", json={"model": "m", **CHATS[0][1]})
        assert answer.status_code == 200
        assert len(place.memory.begun) == 1


@pytest.mark.parametrize(("path", "body"), CHATS)
@pytest.mark.parametrize("how", ["cleanly", "abruptly", "stalls"])
async def test_an_engine_that_breaks_off(path: str, body: dict[str, Any], how: str) -> None:
    """What came arrives, an error in the client's own form follows, and the answer is kept as interrupted."""
    frames = frames_of(path)
    part = BEFORE_WORDS.get(path, 0) + 2

    async def script(request: Received, wire: Wire) -> None:
        await wire.head(kind_of(path))
        for frame in frames[:part]:
            await wire.chunk(frame)
        if how == "cleanly":
            await wire.end()
        elif how == "abruptly":
            await wire.chunk(frames[part][:10])
            await asyncio.sleep(0.05)
            wire.abort()
        else:
            await asyncio.wait_for(wire.gone(), 3)

    async with proxy(Engine(script)) as place:
        answer = await place.http.post(path, json={"model": "m", "stream": True, **body})
        assert answer.content.startswith(b"".join(frames[:part]))
        last = answer.content.strip().splitlines()[-1].removeprefix(b"data: ")
        assert (said := json.loads(last))["error"]
        if part > 2:
            assert said["type"] == "error"
            assert answer.content.rpartition(b"\n\nevent: ")[2].startswith(b"error\n")
        assert place.memory.finished[0].ending is Ending.INTERRUPTED
        assert place.memory.finished[0].text == "".join(WORDS[:2])
        assert place.counters.counts().upstream_errors == 1


@pytest.mark.parametrize(("path", "body"), CHATS)
@pytest.mark.parametrize("stream", [True, False])
async def test_an_engine_that_fails(path: str, body: dict[str, Any], stream: bool) -> None:
    """Status and body of a failure pass through, and the answer is recorded as failed."""
    said = b'{"error": "model runner has unexpectedly stopped"}'

    async def script(request: Received, wire: Wire) -> None:
        await wire.document(said, "500 Internal Server Error")

    async with proxy(Engine(script)) as place:
        answer = await place.http.post(path, json={"model": "m", "stream": stream, **body})
        assert (answer.status_code, answer.content) == (500, said)
        assert place.memory.finished[0].ending is Ending.FAILED
        assert place.memory.finished[0].error == "model runner has unexpectedly stopped"


@pytest.mark.parametrize(("path", "body"), CHATS)
@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("garbage", [b"<html>\xff\x00</html>", b"{" * 5000, b"[1,2]\n\nnull\n\n", b""])
async def test_garbage_passes_and_is_no_answer(
    path: str, body: dict[str, Any], stream: bool, garbage: bytes
) -> None:
    async def script(request: Received, wire: Wire) -> None:
        await wire.document(garbage, kind=kind_of(path) if stream else "application/json")

    async with proxy(Engine(script)) as place:
        answer = await place.http.post(path, json={"model": "m", "stream": stream, **body})
        assert answer.content.startswith(garbage)
        assert place.memory.finished[0].text == ""
        assert place.memory.finished[0].ending in {Ending.FAILED, Ending.INTERRUPTED}


@pytest.mark.parametrize(("path", "body"), FRAMED)
async def test_no_engine(path: str, body: dict[str, Any]) -> None:
    """[P6] Without an engine the message is kept, and the error says what to do, in the client's own form."""
    async with proxy() as place:
        place.source.upstream = None
        answer = await place.http.post(path, json={"model": "m", **body})
        assert answer.status_code == 503
        error = answer.json()["error"]
        assert "Start Ollama" in (error if isinstance(error, str) else error["message"])
        assert place.memory.finished[0].ending is Ending.FAILED


async def test_an_engine_that_is_not_there() -> None:
    async with proxy() as place:
        assert place.source.upstream is not None
        place.source.upstream = Upstream("http://127.0.0.1:9", frozenset({"ollama"}), "configured")
        answer = await place.http.post("/api/chat", json={"model": "m", **CHATS[0][1]})
        assert answer.status_code == 502
        assert "--upstream" in answer.json()["error"]
        assert place.memory.finished[0].ending is Ending.FAILED


async def test_long_answers_are_checkpointed() -> None:
    """[C9] While an answer grows, its text so far is kept from time to time, each part once."""
    frames = ollama_lines()

    async def script(request: Received, wire: Wire) -> None:
        await wire.head("application/x-ndjson")
        for frame in frames:
            await wire.chunk(frame)
            await asyncio.sleep(0.1)
        await wire.end()

    async with proxy(Engine(script)) as place:
        await place.http.post("/api/chat", json={"model": "m", **CHATS[0][1]})
        kept = [text for text, _, _ in place.memory.kept]
        assert len(kept) >= 3
        assert all(TEXT.startswith(text) for text in kept)
        assert kept == sorted(set(kept), key=len)
        assert [offset for _, offset, _ in place.memory.kept] == [0, *(len(text) for text in kept[:-1])]
        assert {model for _, _, model in place.memory.kept} == {"m"}


async def test_recording_that_fails_breaks_nothing() -> None:
    """[P6] The stream goes on to its end; the loss is counted with its reason."""
    memory = Memory(finish_error=DiskFull("No space is left"))
    async with proxy(house=House(default=memory)) as place:
        answer = await place.http.post("/api/chat", json={"model": "m", **CHATS[0][1]})
        assert answer.content == b"".join(ollama_lines())
        assert place.counters.counts().unrecorded == 1
        assert "No space" in place.counters.counts().last_unrecorded
        whole = await place.http.post("/api/chat", json={"model": "m", "stream": False, **CHATS[0][1]})
        assert whole.headers["x-innerlife"].startswith("unrecorded; No space")


@pytest.mark.parametrize("error", [DiskFull("No space is left"), RuntimeError("boom")])
async def test_memory_that_fails_lets_the_chat_go_on(error: Exception) -> None:
    """[P6] Whatever `begin` raises, the chat goes on and a header says that it is not recorded."""
    async with proxy(house=House(default=Memory(begin_error=error))) as place:
        answer = await place.http.post("/api/chat", json={"model": "m", **CHATS[0][1]})
        assert answer.content == b"".join(ollama_lines())
        assert answer.headers["x-innerlife"].startswith("unrecorded; ")
        assert place.counters.counts().unrecorded == 1


async def test_a_locked_core_lets_the_chat_go_on() -> None:
    """[P6] A profile that cannot be opened is told in the header."""
    house = House()
    house.error = KeyMissing("The key is gone")
    async with proxy(house=house) as place:
        answer = await place.http.post(
            "/v1/chat/completions", json={"model": "m", "stream": True, **CHATS[2][1]}
        )
        assert answer.content == b"".join(openai_events())
        assert answer.headers["x-innerlife"] == "unrecorded; The key is gone."


async def test_memory_that_hangs_lets_the_chat_go_on_and_catches_up() -> None:
    """[P6] The chat does not wait for storage that hangs; when it comes back, the turn is recorded after all."""
    hold = threading.Event()
    async with proxy(house=House(default=Memory(hold_begin=hold))) as place:
        answer = await place.http.post("/api/chat", json={"model": "m", **CHATS[0][1]})
        assert answer.content == b"".join(ollama_lines())
        assert answer.headers["x-innerlife"].startswith("unrecorded; remembering took longer")
        assert not place.memory.finished
        hold.set()
        await eventually(lambda: place.memory.finished)
        assert place.memory.finished[0].text == TEXT


async def test_stages_decide_what_is_sent_and_recorded() -> None:
    """[P2] What a stage holds, drops or rewrites is what the client sees, and that is what is recorded."""

    class Shorten:
        def __init__(self) -> None:
            self.held: list[Frame] = []

        def __call__(self, frame: Frame) -> list[Frame]:
            if frame.content == "lo ":
                return []
            if frame.content == "wörld ":
                self.held.append(frame)
                return []
            return [*self.held, frame] if frame.final else [frame]

    async with proxy(stages=[lambda asked: Shorten()]) as place:
        answer = await place.http.post("/api/chat", json={"model": "m", **CHATS[0][1]})
        seen = "".join(json.loads(line)["message"]["content"] for line in answer.content.splitlines())
        assert seen == "Hel🙂!wörld "
        assert place.memory.finished[0].text == seen


async def test_two_clients_at_once_do_not_mix() -> None:
    """Parallel answers keep their own frames and their own records."""

    async def script(request: Received, wire: Wire) -> None:
        name = request.json()["messages"][0]["content"]
        await wire.head("application/x-ndjson")
        for line in ollama_lines(tuple(name for _ in range(20))):
            await wire.chunk(line)
            await asyncio.sleep(0.001)
        await wire.end()

    async with proxy(Engine(script)) as place:

        async def talk(name: str) -> bytes:
            said = [{"role": "user", "content": name}]
            return (await place.http.post("/api/chat", json={"model": "m", "messages": said})).content

        names = [f"n{number}" for number in range(12)]
        answers = await asyncio.gather(*(talk(name) for name in names))
        for name, answer in zip(names, answers, strict=True):
            assert answer == b"".join(ollama_lines(tuple(name for _ in range(20))))
        assert sorted(one.text for one in place.memory.finished) == sorted(name * 20 for name in names)


async def test_a_stop_lets_open_answers_finish() -> None:
    """A server that is told to stop ends the answers it is giving."""

    async def script(request: Received, wire: Wire) -> None:
        await wire.head("application/x-ndjson")
        for line in ollama_lines():
            await wire.chunk(line)
            await asyncio.sleep(0.05)
        await wire.end()

    async with proxy(Engine(script)) as place:
        task = asyncio.create_task(place.http.post("/api/chat", json={"model": "m", **CHATS[0][1]}))
        await eventually(lambda: place.engine.requests)
        place.server.should_exit = True
        answer = await task
        assert answer.content == b"".join(ollama_lines())
        assert place.memory.finished[0].ending is Ending.COMPLETE


async def test_a_plan_without_a_record_passes_everything() -> None:
    """[P5] A side task is forwarded untouched and nothing of it is finished."""
    memory = Memory(plan=Plan(Standing.PASSTHROUGH, "side task"))
    async with proxy(house=House(default=memory)) as place:
        answer = await place.http.post("/api/chat", json={"model": "m", **CHATS[0][1]})
        assert answer.content == b"".join(ollama_lines())
        assert answer.headers["x-innerlife"] == "passthrough; side task"
        assert not memory.finished
        assert place.counters.counts().passthrough == 1


async def test_tool_calls_are_recorded_in_the_clients_own_shape() -> None:
    """[P5] Tool calls in parts are joined, so that they equal what the client resends."""
    calls = [
        {"index": 0, "id": "c1", "type": "function", "function": {"name": "look", "arguments": ""}},
        {"index": 0, "function": {"arguments": '{"q":'}},
        {"index": 0, "function": {"arguments": '"x"}'}},
        {"index": 1, "id": "c2", "type": "function", "function": {"name": "go", "arguments": "{}"}},
    ]

    async def script(request: Received, wire: Wire) -> None:
        await wire.head("text/event-stream")
        for call in calls:
            choice = {"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": None}
            await wire.chunk(b"data: " + json.dumps({"choices": [choice]}).encode() + b"\n\n")
        last = {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}
        await wire.chunk(b"data: " + json.dumps(last).encode() + b"\n\ndata: [DONE]\n\n")
        await wire.end()

    async with proxy(Engine(script)) as place:
        await place.http.post("/v1/chat/completions", json={"model": "m", "stream": True, **CHATS[2][1]})
        seen = json.loads(place.memory.finished[0].tool_calls)
        assert seen == [
            {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"q":"x"}'}},
            {"id": "c2", "type": "function", "function": {"name": "go", "arguments": "{}"}},
        ]


async def test_the_plans_words_reach_the_engine() -> None:
    """[P3] What the plan adds is in the request, in front of the client's system text and beside its message."""
    plan = Plan(Standing.OK, stable="STABLE", block="BLOCK", opened=Opened("c", 1, "u"))
    async with proxy(house=House(default=Memory(plan=plan))) as place:
        said = [{"role": "system", "content": "be kind"}, {"role": "user", "content": "hi"}]
        await place.http.post("/api/chat", json={"model": "m", "messages": said})
        sent = place.engine.requests[0].json()["messages"]
        assert sent[0]["content"] == "STABLE\n\nbe kind"
        assert sent[1]["content"] == "BLOCK\n\nhi"


async def test_a_models_own_system_text_is_kept() -> None:
    """[P3] Ollama drops a model's own system text when a request brings one; so ours brings it along, asked once."""
    plan = Plan(Standing.OK, stable="STABLE", opened=Opened("c", 1, "u"))
    async with proxy(house=House(default=Memory(plan=plan))) as place:
        place.engine.knows["/api/show"] = {"system": "You are a pirate."}
        own = [{"role": "system", "content": "mine"}, {"role": "user", "content": "hi"}]
        systems: list[str] = []
        for path, body in [*CHATS[:3], ("/api/chat", {"messages": own})]:
            await place.http.post(path, json={"model": "pirate", **body})
            sent = place.engine.requests[-1].json()
            systems.append(sent["system"] if "system" in sent else sent["messages"][0]["content"])
        assert systems == ["STABLE\n\nYou are a pirate."] * 3 + ["STABLE\n\nmine"]
        (asked,) = [aside for aside in place.engine.asides if aside.target == "/api/show"]
        assert asked.json() == {"model": "pirate"}


async def test_temporary_chats_are_no_losses() -> None:
    """[P5] That they are not recorded is not counted as trouble."""
    memory = Memory(plan=Plan(Standing.UNRECORDED, "a temporary chat"))
    async with proxy(house=House(default=memory)) as place:
        headers = {"X-OpenWebUI-Chat-Id": "temporary:1"}
        answer = await place.http.post("/api/chat", json={"model": "m", **CHATS[0][1]}, headers=headers)
        assert answer.headers["x-innerlife"] == "unrecorded; a temporary chat"
        assert (place.counters.counts().unrecorded, place.counters.counts().passthrough) == (0, 1)
