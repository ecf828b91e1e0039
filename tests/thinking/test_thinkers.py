"""The port to models: the fakes and the real adapter, in both dialects, held to one contract; then the wire."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest

from innerlife.adapters.models.thinker import UpstreamThinker
from innerlife.adapters.models.thinker_wire import Dialect, Gathered
from innerlife.adapters.models.upstream import Upstream
from innerlife.errors import EngineUnavailable, ModelFailed, ModelUnavailable
from innerlife.thinking.calls import Finish, LastChat, Reply, Thinker
from innerlife.thinking.events import Flaw
from innerlife.thinking.gate import Gate
from innerlife.thinking.policy import ThinkingPolicy
from tests.proxy.fakes import Engine, Received, Wire, eventually, ollama_lines, openai_events, ordinary
from tests.support.models import (
    EchoModel,
    FlatteringModel,
    GarbageModel,
    Model,
    OverClaimingModel,
    ScriptedModel,
    SlowModel,
)
from tests.thinking.wire import CHAT, DIALECTS, SCHEMA, engine_script, question, thinking

pytestmark = pytest.mark.anyio

FAKES: dict[str, Model] = {
    "scripted": ScriptedModel("Hello", missing={"gone"}),
    "over-claiming": OverClaimingModel(missing={"gone"}),
    "flattering": FlatteringModel(missing={"gone"}),
    "garbage": GarbageModel(missing={"gone"}),
    "echo": EchoModel(missing={"gone"}),
    "slow": SlowModel("Hello", missing={"gone"}, delay_s=0.01),
}


@pytest.fixture(params=[*FAKES, *DIALECTS])
async def thinker(request: pytest.FixtureRequest) -> AsyncIterator[Thinker]:
    """Every fake, and the real one in both dialects."""
    if request.param in FAKES:
        yield FAKES[request.param]
        return
    async with thinking(request.param, Engine(engine_script)) as real:
        yield real


async def test_an_answer_is_an_answer(thinker: Thinker) -> None:
    reply = await thinker.ask(question(), CHAT)
    assert isinstance(reply.text, str)
    assert isinstance(reply.finish, Finish)
    assert min(reply.tokens_in, reply.tokens_out) >= 0


async def test_a_model_that_is_not_there_is_said(thinker: Thinker) -> None:
    with pytest.raises(ModelUnavailable, match="gone"):
        await thinker.ask(question("gone"))
    await thinker.ask(question())


async def test_a_cut_call_leaves_nothing_in_the_way(thinker: Thinker) -> None:
    """[P8] The next question is answered as if there had been none."""
    asking = asyncio.create_task(thinker.ask(question("slow")))
    await asyncio.sleep(0.02)
    asking.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await asyncio.wait_for(asking, 1)
    assert isinstance(await thinker.ask(question()), Reply)


async def test_warming_and_resting_may_come_at_any_time(thinker: Thinker) -> None:
    await thinker.rest()
    await thinker.warm(CHAT)
    await thinker.rest()
    assert isinstance(await thinker.ask(question()), Reply)


# --- the wire ------------------------------------------------------------------------------------------------


async def test_ollama_is_asked_as_the_chat_asked_it() -> None:
    """[P8] The options that a model is loaded with and its keep_alive are repeated; its sampling is not."""
    async with thinking("ollama", engine := Engine(engine_script)) as thinker:
        reply = await thinker.ask(question(), CHAT)
    assert reply.text == "Hello wörld 🙂!"
    body = engine.requests[0].json()
    assert engine.requests[0].target == "/api/chat"
    assert body["options"] == {"num_ctx": 4096, "temperature": 0.1, "num_predict": 50}
    assert (body["keep_alive"], body["format"], body["think"]) == ("2h", SCHEMA, False)
    assert engine.requests[0].header("authorization") == "Bearer k"


async def test_openai_is_asked_with_a_schema_and_a_bound() -> None:
    """[X5] The grammar is used where the engine has one."""
    async with thinking("openai", engine := Engine(engine_script)) as thinker:
        reply = await thinker.ask(question(), CHAT)
    assert (reply.text, reply.tokens_in, reply.tokens_out) == ("Hello wörld 🙂!", 3, 5)
    body = engine.requests[0].json()
    assert body["response_format"]["json_schema"]["schema"] == SCHEMA
    assert (body["max_tokens"], body["stream"]) == (50, True)
    assert "keep_alive" not in body
    assert "chat_template_kwargs" not in body


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_the_prefix_is_read_again_with_one_token(dialect: Dialect) -> None:
    """[P8] The chat's own request, word for word, but for the length of its answer."""
    body = {"model": "m", "messages": [{"role": "user", "content": "hi"}], "tools": [{"type": "function"}]}
    path = "/api/chat" if dialect == "ollama" else "/v1/chat/completions"
    async with thinking(dialect, engine := Engine(engine_script)) as thinker:
        await thinker.warm(LastChat(path, body | {"stream": True, "options": {"num_ctx": 4096}}))
    sent = engine.requests[0].json()
    assert {key: sent[key] for key in body} == body
    assert sent["stream"] is False
    assert (sent["options"].get("num_predict") if dialect == "ollama" else sent["max_tokens"]) == 1


async def test_an_engine_elsewhere_is_not_paid_for_warmth() -> None:
    """[P8] A cache on another machine is not ours to care for."""
    thinker = UpstreamThinker(Upstream("http://gpu.invalid:8000", frozenset({"openai"}), "configured"))
    await thinker.warm(LastChat("/v1/chat/completions", {"model": "m", "messages": []}))
    await thinker.aclose()


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_a_cut_call_closes_its_connection_at_once(dialect: Dialect) -> None:
    """[P8] Not the answer's next word, not a timeout: the cut itself ends it, whether or not words came already."""

    async def endless(request: Received, wire: Wire) -> None:
        await wire.head("text/event-stream")
        frames = ollama_lines() if dialect == "ollama" else openai_events()
        await wire.chunk(frames[0])
        await wire.gone()

    gate = Gate(ThinkingPolicy())
    async with thinking(dialect, engine := Engine(endless)) as thinker:

        async def work() -> None:
            async with gate.turn(engine.url):
                await thinker.ask(question(seconds=60))

        working = asyncio.create_task(work())
        await eventually(lambda: engine.requests)
        await asyncio.sleep(0.02)
        arrived = time.monotonic()
        gate.chat_began(engine.url)
        await asyncio.wait_for(working, 1)
        await eventually(lambda: engine.hang_ups)
    assert engine.hang_ups[0] - arrived < 1.0


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_a_hundred_thousand_tokens_are_not_read_to_their_end(dialect: Dialect) -> None:
    """[X5] Reading stops at the bound, and the engine is left."""

    async def flood(request: Received, wire: Wire) -> None:
        await wire.head("text/event-stream")
        frame = (ollama_lines if dialect == "ollama" else openai_events)(("word " * 5000,))[0]
        with contextlib.suppress(ConnectionError):
            while not wire.closed.is_set():
                await wire.chunk(frame)
        left.append(time.monotonic())

    left: list[float] = []
    async with thinking(dialect, Engine(flood)) as thinker:
        reply = await thinker.ask(question(size=100_000))
        await eventually(lambda: left)
    assert reply.finish is Finish.CUT
    assert 100_000 <= len(reply.text) < 1_000_000


@pytest.mark.parametrize("dialect", DIALECTS)
async def test_an_answer_that_does_not_come_is_a_failure(dialect: Dialect) -> None:
    """[X5] After ten minutes, or however long the policy says."""
    async with thinking(dialect, engine := Engine(engine_script)) as thinker:
        with pytest.raises(ModelFailed) as failed:
            await thinker.ask(question("slow", seconds=0.3))
        # On a busy machine the time may be over before the engine was asked.
        await eventually(lambda: engine.hang_ups or not engine.requests)
    assert failed.value.flaw == Flaw.TIMEOUT


async def test_an_engine_that_refuses_a_form_is_asked_without() -> None:
    """[X5] Once; from then on the words alone have to do."""

    async def simple(request: Received, wire: Wire) -> None:
        if "response_format" in request.json():
            await wire.document(
                b'{"error":{"message":"response_format is not supported"}}', "400 Bad Request"
            )
        else:
            await ordinary(request, wire)

    async with thinking("openai", engine := Engine(simple)) as thinker:
        for _ in range(2):
            assert (await thinker.ask(question())).text == "Hello wörld 🙂!"
    assert len(engine.requests) == 3


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    ("sent", "flaw"),
    [
        (b"", Flaw.BROKEN_OFF),
        (b"<html>a router's page</html>", Flaw.BROKEN_OFF),
        (b'{"error":"out of memory"}\n', Flaw.BROKEN_OFF),
        (b'data: {"error":{"message":"out of memory"}}\n\n', Flaw.BROKEN_OFF),
        (b"[1]\n", Flaw.BROKEN_OFF),
    ],
)
async def test_an_answer_that_is_none_is_a_failure(dialect: Dialect, sent: bytes, flaw: Flaw) -> None:
    """[X5] [F8] An empty stream, a page, an error in the middle."""

    async def odd(request: Received, wire: Wire) -> None:
        await wire.head("text/event-stream")
        if sent:
            await wire.chunk(sent)
        await wire.end()

    async with thinking(dialect, Engine(odd)) as thinker:
        with pytest.raises(ModelFailed) as failed:
            await thinker.ask(question())
    assert failed.value.flaw == flaw


@pytest.mark.parametrize("status", ["401 Unauthorized", "429 Too Many Requests", "503 Service Unavailable"])
async def test_an_engine_that_refuses_altogether_is_unavailable(status: str) -> None:
    async def refusing(request: Received, wire: Wire) -> None:
        await wire.document(b"no", status)

    async with thinking("openai", Engine(refusing)) as thinker:
        with pytest.raises(EngineUnavailable, match=status[:3]):
            await thinker.ask(question())


async def test_an_engine_that_is_not_there_or_breaks_off_is_unavailable() -> None:
    async def breaking(request: Received, wire: Wire) -> None:
        await wire.head("text/event-stream")
        await wire.chunk(openai_events()[0])
        wire.abort()

    async with thinking("openai", engine := Engine(breaking)) as thinker:
        with pytest.raises(EngineUnavailable):
            await thinker.ask(question())
    nobody = UpstreamThinker(Upstream(engine.url, frozenset({"openai"}), "configured"))
    with pytest.raises(EngineUnavailable):
        await nobody.ask(question())
    await nobody.aclose()


def gathered(dialect: Dialect, *lines: dict[str, Any]) -> Reply:
    found = Gathered(dialect, 10_000)
    data = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    for index in range(len(data)):
        assert found.feed(data[index : index + 1])
    return found.reply()


def test_reasoning_and_tool_calls_are_kept_apart() -> None:
    """[X5] However the dialect names them, byte by byte."""
    call = [{"function": {"name": "search", "arguments": {}}}]
    reply = gathered(
        "ollama",
        {"message": {"content": "", "thinking": "hm"}},
        {"message": {"content": "yes"}},
        {"message": {"content": ""}, "done": True, "done_reason": "length", "eval_count": 3},
    )
    assert reply == Reply("yes", Finish.LENGTH, "hm", 0, 3)
    reply = gathered(
        "ollama", {"message": {"content": "", "tool_calls": call}}, {"done": True, "done_reason": "stop"}
    )
    assert reply.finish is Finish.TOOL
    reply = gathered(
        "openai",
        {"choices": [{"delta": {"reasoning_content": "hm"}}]},
        {"choices": [{"delta": {"tool_calls": call}}]},
        {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]},
    )
    assert (reply.finish, reply.reasoning) == (Finish.TOOL, "hm")
    # An engine that ignores `stream` answers as a whole.
    reply = gathered("openai", {"choices": [{"message": {"content": "yes"}, "finish_reason": "stop"}]})
    assert reply.text == "yes"
