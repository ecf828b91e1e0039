"""Ollama's clients on an engine without Ollama's API."""

import base64
import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from innerlife.membrane.turn import Ending, Opened, Plan, Standing
from innerlife.ports import Vector
from innerlife.proxy.wire.ollama_catalogue import public_name
from tests.proxy.fakes import WORDS, Engine, House, Memory, Received, Wire, openai_events, proxy

pytestmark = pytest.mark.anyio

TEXT = "".join(WORDS)
HELLO: dict[str, Any] = {"model": "small-talk:latest", "messages": [{"role": "user", "content": "hi"}]}


class Lengths:
    """Embeds a text as its length."""

    model = "lengths"
    dimension = 2

    def embed_query(self, text: str) -> Vector:
        return np.array([len(text), 1.0], dtype=np.float32)

    def embed_passages(self, texts: Sequence[str]) -> Vector:
        return np.array([[len(text), 1.0] for text in texts], dtype=np.float32)


@pytest.mark.parametrize("path", ["/api/chat", "/api/generate"])
async def test_streams_are_lines_of_ollamas_kind(path: str) -> None:
    """[P1] [P9] Valid frames of the client's dialect; what it saw is what is recorded."""
    plan = Plan(Standing.OK, stable="S", block="B", opened=Opened("c", 1, "u"))
    async with proxy(kind="embedded", house=House(default=Memory(plan=plan))) as place:
        body = HELLO if path == "/api/chat" else {"model": "small-talk", "prompt": "hi"}
        answer = await place.http.post(path, json=body)
        assert answer.headers["content-type"] == "application/x-ndjson"
        lines = [json.loads(line) for line in answer.content.splitlines()]
        said = [line["message"]["content"] if path == "/api/chat" else line["response"] for line in lines]
        assert "".join(said) == TEXT
        assert [line["done"] for line in lines] == [False] * len(WORDS) + [True]
        assert lines[-1]["eval_count"] == 5
        assert lines[0]["model"] == body["model"]
        sent = place.engine.requests[0]
        assert (sent.target, sent.json()["model"]) == ("/v1/chat/completions", "small-talk")
        assert [one["content"] for one in sent.json()["messages"]] == ["S", "B\n\nhi"]
        assert (place.memory.finished[0].text, place.memory.finished[0].ending) == (TEXT, Ending.COMPLETE)


@pytest.mark.parametrize("path", ["/api/chat", "/api/generate"])
async def test_whole_answers(path: str) -> None:
    """[P1] [P9] Also when not streamed."""
    async with proxy(kind="embedded") as place:
        body = HELLO if path == "/api/chat" else {"model": "small-talk", "prompt": "hi"}
        answer = (await place.http.post(path, json={**body, "stream": False})).json()
        assert (answer["message"]["content"] if path == "/api/chat" else answer["response"]) == TEXT
        assert (answer["done"], answer["done_reason"], answer["prompt_eval_count"]) == (True, "stop", 3)
        assert place.memory.finished[0].text == TEXT


async def test_openais_clients_get_the_engines_bytes() -> None:
    """[P1] Where the dialects agree nothing is translated."""
    async with proxy(kind="embedded") as place:
        answer = await place.http.post("/v1/chat/completions", json={**HELLO, "stream": True})
        assert answer.content == b"".join(openai_events())


@pytest.mark.parametrize("stream", [True, False])
async def test_failures_come_in_ollamas_form(stream: bool) -> None:
    """[P1] Status and sentence of the engine, said in the client's dialect."""

    async def script(request: Received, wire: Wire) -> None:
        said = {"error": {"message": "the prompt is too long", "code": 400}}
        await wire.document(json.dumps(said).encode(), "400 Bad Request")

    async with proxy(Engine(script), kind="embedded") as place:
        answer = await place.http.post("/api/chat", json={**HELLO, "stream": stream})
        assert (answer.status_code, answer.json()) == (400, {"error": "the prompt is too long"})
        assert place.memory.finished[0].ending is Ending.FAILED


async def test_a_break_off_comes_as_a_line() -> None:
    async def script(request: Received, wire: Wire) -> None:
        await wire.head("text/event-stream")
        await wire.chunk(openai_events()[0])
        await wire.end()

    async with proxy(Engine(script), kind="embedded") as place:
        answer = await place.http.post("/api/chat", json=HELLO)
        lines = [json.loads(line) for line in answer.content.splitlines() if line]
        assert lines[0]["message"]["content"] == WORDS[0]
        assert "ended the answer" in lines[-1]["error"]
        assert place.memory.finished[0].ending is Ending.INTERRUPTED


async def test_lists_are_answered_by_us() -> None:
    """[P1] [P9] Models, what runs, a model's card and the version, from the engine's own list."""
    async with proxy(kind="embedded") as place:
        tags = (await place.http.get("/api/tags")).json()["models"]
        assert [(model["name"], model["size"]) for model in tags] == [("small-talk", 100_000_000)]
        assert tags[0]["details"]["parameter_size"] == "135M"
        assert (await place.http.get("/api/ps")).json()["models"][0]["context_length"] == 2048
        assert (await place.http.get("/api/version")).json()["version"]
        card = (await place.http.post("/api/show", json={"model": "small-talk:latest"})).json()
        assert card["model_info"]["llama.context_length"] == 2048
        unknown = await place.http.post("/api/show", json={"model": "other"})
        assert unknown.status_code == 404
        assert "not found" in unknown.json()["error"]


@pytest.mark.parametrize(
    ("method", "path"), [("POST", "/api/pull"), ("DELETE", "/api/delete"), ("POST", "/api/tags")]
)
async def test_what_only_ollama_can_is_said(method: str, path: str) -> None:
    """[P9] In Ollama's form, with the way out."""
    async with proxy(kind="embedded") as place:
        answer = await place.http.request(method, path)
        assert answer.status_code == 404
        assert "`innerlife model`" in answer.json()["error"]
        assert not place.engine.requests


async def test_loading_a_model_needs_no_engine() -> None:
    async with proxy(kind="embedded") as place:
        answer = (await place.http.post("/api/generate", json={"model": "small-talk"})).json()
        assert (answer["done"], answer["done_reason"]) == (True, "load")
        assert not place.engine.requests
        assert not place.memory.begun


async def test_raw_prompts_stay_raw() -> None:
    """[P5] They are translated, and neither added to nor recorded."""
    plan = Plan(Standing.OK, stable="S", block="B", opened=Opened("c", 1, "u"))
    async with proxy(kind="embedded", house=House(default=Memory(plan=plan))) as place:
        body = {"model": "small-talk", "prompt": "<|im_start|>", "raw": True, "stream": False}
        answer = await place.http.post("/api/generate", json=body)
        assert answer.json()["response"] == TEXT
        assert answer.headers["x-innerlife"] == "passthrough"
        sent = place.engine.requests[0]
        assert (sent.target, sent.json()["prompt"]) == ("/v1/completions", "<|im_start|>")
        assert not place.memory.begun


async def test_embeddings_come_from_this_process() -> None:
    """[P1] [P9] In all three forms, floats or base64."""
    async with proxy(kind="embedded", embedder=Lengths()) as place:
        new = (await place.http.post("/api/embed", json={"model": "m", "input": ["a", "abc"]})).json()
        assert new["embeddings"] == [[1.0, 1.0], [3.0, 1.0]]
        old = (await place.http.post("/api/embeddings", json={"model": "m", "prompt": "ab"})).json()
        assert old == {"embedding": [2.0, 1.0]}
        packed = {"model": "m", "input": "abcd", "encoding_format": "base64"}
        data = (await place.http.post("/v1/embeddings", json=packed)).json()["data"][0]["embedding"]
        assert np.frombuffer(base64.b64decode(data), "<f4").tolist() == [4.0, 1.0]
        wrong = await place.http.post("/v1/embeddings", json={"model": "m", "input": [[1, 2]]})
        assert (wrong.status_code, wrong.json()["error"]["type"]) == (400, "invalid_request_error")
        assert not place.engine.requests


async def test_without_an_embedder_it_is_said() -> None:
    async with proxy(kind="embedded") as place:
        answer = await place.http.post("/api/embed", json={"model": "m", "input": "a"})
        assert answer.status_code == 503
        assert "no embedding model" in answer.json()["error"]


@pytest.mark.parametrize(
    ("identifier", "name"),
    [
        ("/home/anna/models/Qwen2.5-1.5B.gguf", "Qwen2.5-1.5B"),
        ("C:\\models\\tiny.gguf", "tiny"),
        ("models/tiny.gguf", "tiny"),
        ("org/model", "org/model"),
        ("smollm2", "smollm2"),
    ],
)
def test_names_are_no_paths(identifier: str, name: str) -> None:
    """[P9] Where a model lies is nobody's business."""
    assert public_name(identifier) == name
