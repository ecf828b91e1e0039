"""The official clients of the newer formats, and a program that people use, pointed at Innerlife alone."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anthropic
import httpx2
import openai
import pytest
from anthropic.types import ToolParam

from innerlife.membrane.turn import Ending
from tests.proxy.fakes import WORDS, Engine, Place, Received, Wire, frames_of, proxy
from tests.proxy.test_sdks import place

__all__ = ["place"]

pytestmark = pytest.mark.anyio

TEXT = "".join(WORDS)
LOOK: ToolParam = {
    "name": "look",
    "description": "Looks something up.",
    "input_schema": {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]},
}
FUNCTION: Any = {"type": "function", "name": "look", "parameters": LOOK["input_schema"], "strict": False}


def older(script: Any = None) -> Engine:
    """An engine that has the older paths alone, so that answers are translated."""
    engine = Engine(script)
    engine.knows.clear()
    return engine


def plain_http() -> httpx2.AsyncClient:
    return httpx2.AsyncClient(trust_env=False, verify=False)


@asynccontextmanager
async def claude(place: Place) -> AsyncIterator[anthropic.AsyncAnthropic]:
    async with anthropic.AsyncAnthropic(
        base_url=place.url, api_key="sk-ant-x", http_client=plain_http(), max_retries=0
    ) as client:
        yield client


@asynccontextmanager
async def gpt(place: Place) -> AsyncIterator[openai.AsyncOpenAI]:
    async with openai.AsyncOpenAI(
        base_url=f"{place.url}/v1", api_key="sk-x", http_client=plain_http(), max_retries=0
    ) as client:
        yield client


async def test_anthropic_messages(place: Place) -> None:
    """[P1] Streamed, by the stream helper, and not; on engines that have the path and on those that have not."""
    async with claude(place) as client:
        asked: Any = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "hi"}]}
        whole = await client.messages.create(**asked, system="be kind")
        assert [block.text for block in whole.content if block.type == "text"] == [TEXT]
        assert (whole.stop_reason, whole.usage.output_tokens) == ("end_turn", 5)
        events = [event async for event in await client.messages.create(**asked, stream=True)]
        assert (events[0].type, events[-1].type) == ("message_start", "message_stop")
        async with client.messages.stream(**asked) as stream:
            assert "".join([text async for text in stream.text_stream]) == TEXT
            final = await stream.get_final_message()
        assert (final.stop_reason, final.usage.output_tokens) == ("end_turn", 5)
    assert [(one.text, one.ending) for one in place.memory.finished] == [(TEXT, Ending.COMPLETE)] * 3


async def test_openai_responses(place: Place) -> None:
    """[P1] Streamed, by the stream helper, and not; on engines that have the path and on those that have not."""
    async with gpt(place) as client:
        whole = await client.responses.create(model="m", input="hi", instructions="be kind")
        assert (whole.output_text, whole.status) == (TEXT, "completed")
        items: Any = [{"role": "user", "content": [{"type": "input_text", "text": "hi"}]}]
        events = [event async for event in await client.responses.create(model="m", input=items, stream=True)]
        assert (events[0].type, events[-1].type) == ("response.created", "response.completed")
        async with client.responses.stream(model="m", input="hi") as stream:
            deltas = [event.delta async for event in stream if event.type == "response.output_text.delta"]
            final = await stream.get_final_response()
        assert ("".join(deltas), final.output_text) == (TEXT, TEXT)
        assert final.usage
        assert final.usage.total_tokens == 8
    assert [(one.text, one.ending) for one in place.memory.finished] == [(TEXT, Ending.COMPLETE)] * 3


async def calling(request: Received, wire: Wire) -> None:
    """Asks for a tool, thinking before it, once; then answers with what came."""
    body = request.json()
    if body["messages"][-1]["role"] == "tool":
        parts: list[dict[str, Any]] = [{"content": body["messages"][-1]["content"]}]
        finish = "stop"
    else:
        function = {"name": "look", "arguments": ""}
        parts = [
            {"reasoning_content": "hm"},
            {"content": "I look"},
            {"tool_calls": [{"index": 0, "id": "c1", "type": "function", "function": function}]},
            {"tool_calls": [{"index": 0, "function": {"arguments": '{"q":'}}]},
            {"tool_calls": [{"index": 0, "function": {"arguments": '"x"}'}}]},
        ]
        finish = "tool_calls"
    await wire.head("text/event-stream")
    for delta, why in [*((part, None) for part in parts), ({}, finish)]:
        choice = {"index": 0, "delta": delta, "finish_reason": why}
        await wire.chunk(b"data: " + json.dumps({"model": "m", "choices": [choice]}).encode() + b"\n\n")
    await wire.chunk(b"data: [DONE]\n\n")
    await wire.end()


async def test_tools_through_the_anthropic_client() -> None:
    """[P1] [P5] A call arrives as the client's own; its result goes back, is a tool's, and not the user's words."""
    async with proxy(older(calling)) as place, claude(place) as client:
        said: list[Any] = [{"role": "user", "content": "look"}]
        for _ in range(2):
            async with client.messages.stream(model="m", max_tokens=9, messages=said, tools=[LOOK]) as stream:
                message = await stream.get_final_message()
            said.append({"role": "assistant", "content": message.content})
            used = [block for block in message.content if block.type == "tool_use"]
            if used:
                assert [(block.name, block.input) for block in used] == [("look", {"q": "x"})]
                assert [block.type for block in message.content] == ["thinking", "text", "tool_use"]
                result = {"type": "tool_result", "tool_use_id": used[0].id, "content": "42"}
                said.append({"role": "user", "content": [result]})
        assert [getattr(block, "text", "") for block in said[-1]["content"]] == ["42"]
        roles = [one.speaker.value for one in place.memory.begun[1].messages]
        assert roles == ["user", "assistant", "tool"]
        assert json.loads(place.memory.finished[0].tool_calls)[0]["function"]["arguments"] == '{"q":"x"}'


async def test_tools_through_the_responses_client() -> None:
    """[P1] [P5] The same, with items."""
    async with proxy(older(calling)) as place, gpt(place) as client:
        items: list[Any] = [{"role": "user", "content": "look"}]
        for _ in range(2):
            async with client.responses.stream(model="m", input=items, tools=[FUNCTION]) as stream:
                response = await stream.get_final_response()
            items += [item.to_dict(exclude_unset=True) for item in response.output]
            for item in response.output:
                if item.type == "function_call":
                    assert (item.name, item.arguments) == ("look", '{"q":"x"}')
                    items.append({"type": "function_call_output", "call_id": item.call_id, "output": "42"})
        assert items[-1]["content"][0]["text"] == "42"
        roles = [one.speaker.value for one in place.memory.begun[1].messages]
        assert roles == ["user", "assistant", "tool"]
        assert place.memory.finished[0].reasoning == "hm"


async def test_errors_reach_the_clients_as_their_own() -> None:
    """[P1] Each client raises its own error with our sentence, before and inside a stream."""

    async def breaks(request: Received, wire: Wire) -> None:
        path = request.target
        await wire.head("text/event-stream")
        for frame in frames_of(path)[:5]:
            await wire.chunk(frame)
        await wire.end()

    asked: Any = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "hi"}]}
    for engine in (Engine(breaks), older(breaks)):
        async with proxy(engine) as place, claude(place) as claudes, gpt(place) as gpts:
            with pytest.raises(anthropic.APIError, match="ended the answer"):
                _ = [event async for event in await claudes.messages.create(**asked, stream=True)]
            with pytest.raises(openai.APIError, match="ended the answer"):
                _ = [event async for event in await gpts.responses.create(model="m", input="x", stream=True)]
            place.source.upstream = None
            with pytest.raises(anthropic.InternalServerError, match="no language model"):
                await claudes.messages.create(**asked)
            with pytest.raises(openai.InternalServerError, match="no language model"):
                await gpts.responses.create(model="m", input="hi")


async def test_the_command_line_tool_llm(tmp_path: Path) -> None:
    """[P1] A program of others, told of Innerlife by its own settings, streams its answer from it."""
    async with proxy() as place:
        model = f"- model_id: mine\n  model_name: small-talk\n  api_base: {place.url}/v1\n"
        (tmp_path / "extra-openai-models.yaml").write_text(model)
        # Its plugins are not loaded, because one that lies beside it would load an engine.
        env = {**os.environ, "LLM_USER_PATH": str(tmp_path), "LLM_LOAD_PLUGINS": "", "OPENAI_API_KEY": "sk-x"}
        command = [sys.executable, "-m", "llm", "prompt", "-m", "mine", "-n", "Say hello"]
        process = await asyncio.create_subprocess_exec(
            *command, env=env, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
        )
        out, trouble = await asyncio.wait_for(process.communicate(), 60)
        assert out.decode().strip() == TEXT, trouble.decode()
        assert place.memory.finished[0].text == TEXT
        assert place.engine.requests[0].json()["messages"][-1]["content"] == "Say hello"
