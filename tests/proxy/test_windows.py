"""The model's window, as far as the engine says."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.proxy.fakes import Place, Source, proxy

pytestmark = pytest.mark.anyio

OLLAMA = {"model": "m", "stream": False, "messages": [{"role": "user", "content": "Hello"}]}


async def ask(place: Place, body: dict[str, Any] = OLLAMA, path: str = "/api/chat") -> int | None:
    answer = await place.http.post(path, json=body)
    assert answer.status_code == 200
    return place.memory.begun[-1].window


@pytest.mark.parametrize(
    ("knows", "expected"),
    [
        ({"/api/ps": {"models": [{"name": "m:latest", "context_length": 8192}]}}, 8192),
        ({"/api/ps": {"models": [{"name": "other", "context_length": 512}]}, "/api/show": {}}, None),
        ({"/api/show": {"parameters": "temperature 1\nnum_ctx    16384\n"}}, 16384),
        ({"/api/ps": {"models": [{"name": "m", "context_length": "big"}]}}, None),
        ({"/api/ps": [], "/api/show": "?"}, None),
        ({}, None),
    ],
)
async def test_ollama_says_what_a_model_was_loaded_with(knows: dict[str, Any], expected: int | None) -> None:
    """[P12] The loaded window counts, else the model's own setting; nothing believable is nothing known."""
    async with proxy() as place:
        place.engine.knows = knows
        assert await ask(place) == expected


@pytest.mark.parametrize(
    ("knows", "expected"),
    [
        ({"/props": {"default_generation_settings": {"n_ctx": 4096}}}, 4096),
        ({"/v1/models": {"data": [{"id": "m", "max_model_len": 32768}]}}, 32768),
        ({"/v1/models": {"data": [{"id": "x", "meta": {"n_ctx": 2048}}]}}, 2048),
        ({"/v1/models": {"data": [{"id": "x", "meta": {"n_ctx_train": 2048}}]}}, None),
        ({"/v1/models": {"data": [{"id": "x"}, {"id": "m", "max_model_len": 1}]}, "/props": {}}, None),
    ],
)
async def test_openai_servers_say_it_in_their_ways(knows: dict[str, Any], expected: int | None) -> None:
    """[P12] llama.cpp in its properties, vLLM beside the model's name; what a model was trained for does not count."""
    async with proxy() as place:
        place.engine.knows = knows
        place.house.rooms["default"].begun.clear()
        place.source.upstream = Source(place.engine.url, "embedded").upstream
        assert await ask(place, path="/v1/chat/completions") == expected


async def test_what_the_request_says_comes_first() -> None:
    """[P12] A request's own `num_ctx` is the window, and nobody is asked."""
    async with proxy() as place:
        place.engine.knows = {"/api/ps": {"models": [{"name": "m", "context_length": 8192}]}}
        assert await ask(place, OLLAMA | {"options": {"num_ctx": 1024}}) == 1024
        assert place.engine.asides == []


async def test_an_engine_is_asked_once_in_a_while() -> None:
    """[P12] A chat does not wait for look-ups that were made a moment ago, and they carry no word of it."""
    async with proxy() as place:
        place.engine.knows = {"/api/ps": {"models": [{"name": "m", "context_length": 8192}]}}
        for _ in range(4):
            assert await ask(place) == 8192
        assert [aside.target for aside in place.engine.asides] == ["/api/ps", "/api/show"]
        assert not any(b"Hello" in aside.body for aside in place.engine.asides)
        assert json.loads(place.engine.asides[1].body) == {"model": "m"}
