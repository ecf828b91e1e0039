"""The official clients, pointed at Innerlife and otherwise unchanged."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Literal

import httpx2
import ollama
import openai
import pytest
from anyio import to_thread
from openai.types.chat import ChatCompletionMessageParam

from tests.proxy.fakes import WORDS, Engine, Place, Received, Wire, ollama_lines, openai_events, proxy
from tests.proxy.test_embedded import Lengths

pytestmark = pytest.mark.anyio

TEXT = "".join(WORDS)
SAID: list[ChatCompletionMessageParam] = [{"role": "user", "content": "hi"}]


@pytest.fixture(params=["ollama", "embedded", "older"])
async def place(request: pytest.FixtureRequest) -> AsyncIterator[Place]:
    """An engine that has every path, the embedded one, one that has the older paths alone."""
    kind: Literal["ollama", "embedded"] = "embedded" if request.param == "embedded" else "ollama"
    engine = Engine()
    if request.param == "older":
        engine.knows.clear()
    async with proxy(engine, kind=kind, embedder=Lengths()) as running:
        yield running


@pytest.fixture
async def gpt(place: Place) -> AsyncIterator[openai.AsyncOpenAI]:
    http = httpx2.AsyncClient(trust_env=False, verify=False)
    async with openai.AsyncOpenAI(
        base_url=f"{place.url}/v1", api_key="sk-x", http_client=http, max_retries=0
    ) as client:
        yield client


@asynccontextmanager
async def llama(place: Place) -> AsyncIterator[ollama.AsyncClient]:
    client = ollama.AsyncClient(place.url)
    try:
        yield client
    finally:
        await client.close()  # type: ignore[no-untyped-call]


async def test_openai_chat(place: Place, gpt: openai.AsyncOpenAI) -> None:
    """[P1] Streamed and not, with the official client."""
    whole = await gpt.chat.completions.create(model="small-talk", messages=SAID)
    assert whole.choices[0].message.content == TEXT
    stream = await gpt.chat.completions.create(model="small-talk", messages=SAID, stream=True)
    assert "".join([one.choices[0].delta.content or "" async for one in stream if one.choices]) == TEXT
    assert [one.text for one in place.memory.finished] == [TEXT, TEXT]


async def test_openai_completions_models_and_embeddings(place: Place, gpt: openai.AsyncOpenAI) -> None:
    """[P1] The other calls of OpenAI's API."""
    whole = await gpt.completions.create(model="small-talk", prompt="hi")
    assert whole.choices[0].text == TEXT
    stream = await gpt.completions.create(model="small-talk", prompt="hi", stream=True)
    assert "".join([one.choices[0].text async for one in stream if one.choices]) == TEXT
    assert [model.id async for model in gpt.models.list()] == ["small-talk"]
    if place.source.upstream and place.source.upstream.kind == "embedded":
        vectors = await gpt.embeddings.create(model="small-talk", input=["abc"])
        assert vectors.data[0].embedding == [3.0, 1.0]


async def test_ollama_chat_and_generate(place: Place) -> None:
    """[P1] [P9] Streamed and not, on Ollama and on the embedded engine."""
    async with llama(place) as client:
        chat: list[dict[str, Any]] = [{"role": "user", "content": "hi"}]
        whole = await client.chat("small-talk", chat)
        assert (whole.message.content, whole.done) == (TEXT, True)
        parts = [part async for part in await client.chat("small-talk", chat, stream=True)]
        assert "".join(part.message.content or "" for part in parts) == TEXT
        assert parts[-1].done_reason == "stop"
        lone = await client.generate("small-talk", "hi")
        assert lone.response == TEXT
        pieces = [
            part.response or "" async for part in await client.generate("small-talk", "hi", stream=True)
        ]
        assert "".join(pieces) == TEXT
        assert [one.text for one in place.memory.finished] == [TEXT] * 4


async def test_ollama_lists_on_the_embedded_engine() -> None:
    """[P1] [P9] Lists, cards and embeddings in the client's own types."""
    async with proxy(kind="embedded", embedder=Lengths()) as place, llama(place) as client:
        assert [model.model for model in (await client.list()).models] == ["small-talk"]
        assert [model.model for model in (await client.ps()).models] == ["small-talk"]
        assert (await client.show("small-talk")).capabilities == ["completion", "tools"]
        assert (await client.embed("small-talk", "abc")).embeddings == [[3.0, 1.0]]
        with pytest.raises(ollama.ResponseError, match="not found"):
            await client.show("nobody")


async def test_tools_through_the_ollama_client() -> None:
    """[P1] A tool's call made on the embedded engine arrives as Ollama's."""

    async def script(request: Received, wire: Wire) -> None:
        call = {"index": 0, "id": "c", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
        value = {"choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]}
        await wire.document(json.dumps(value).encode())

    async with proxy(Engine(script), kind="embedded") as place, llama(place) as client:
        answer = await client.chat("m", [{"role": "user", "content": "hi"}])
        assert answer.message.tool_calls
        assert answer.message.tool_calls[0].function.name == "f"
        assert answer.message.tool_calls[0].function.arguments == {"a": 1}
        assert place.memory.finished[0].tool_calls


async def test_errors_reach_the_clients_as_their_own() -> None:
    """[P1] Both clients raise their own error with our sentence, before and inside a stream."""

    async def breaks(request: Received, wire: Wire) -> None:
        lines = request.target.startswith("/api")
        await wire.head("application/x-ndjson" if lines else "text/event-stream")
        await wire.chunk((ollama_lines() if lines else openai_events())[0])
        await wire.end()

    http = httpx2.AsyncClient(trust_env=False, verify=False)
    async with proxy(Engine(breaks)) as place, llama(place) as client:
        gpt = openai.AsyncOpenAI(base_url=f"{place.url}/v1", api_key="x", http_client=http, max_retries=0)
        with pytest.raises(openai.APIError, match="ended the answer"):
            _ = [
                one async for one in await gpt.chat.completions.create(model="m", messages=SAID, stream=True)
            ]
        with pytest.raises(ollama.ResponseError, match="ended the answer"):
            _ = [
                one async for one in await client.chat("m", [{"role": "user", "content": "hi"}], stream=True)
            ]
        place.source.upstream = None
        with pytest.raises(openai.InternalServerError, match="no language model"):
            await gpt.chat.completions.create(model="m", messages=SAID)
        with pytest.raises(ollama.ResponseError, match="no language model"):
            await client.chat("m", [{"role": "user", "content": "hi"}])
        await gpt.close()


async def test_the_plain_ollama_client(place: Place) -> None:
    """[P1] The client that is not asynchronous, as most scripts use it."""

    def talk() -> str:
        with ollama.Client(place.url) as client:
            said = [{"role": "user", "content": "hi"}]
            return "".join(
                part.message.content or "" for part in client.chat("small-talk", said, stream=True)
            )

    assert await to_thread.run_sync(talk) == TEXT
