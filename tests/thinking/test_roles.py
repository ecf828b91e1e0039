"""Who thinks: the second child of the embedded engine, and the roles on whatever engine answers."""

from __future__ import annotations

import asyncio
import contextlib

import pytest

from innerlife.adapters.models.embedded_rules import Endpoint
from innerlife.adapters.models.thinker import EmbeddedThinker, engine_name
from innerlife.adapters.models.thinker_roles import EngineRoles, model_for
from innerlife.adapters.models.upstream import Upstream
from innerlife.thinking.calls import ModelRole
from tests.proxy.fakes import Engine, eventually
from tests.thinking.wire import CHAT, engine_script, question

pytestmark = pytest.mark.anyio


class FakeServer:
    """Stands in for the second child."""

    def __init__(self, url: str) -> None:
        self.url, self.starts, self.stops = url, 0, 0

    async def ensure_started(self, timeout_s: float | None = None) -> Endpoint:
        self.starts += self.starts == self.stops
        return Endpoint(self.url, "m", f"key{self.starts}")

    def stop(self) -> None:
        self.stops = self.starts


async def test_the_second_child_is_ended_with_a_cut_call_and_when_there_is_nothing_to_do() -> None:
    """[P8] Nothing of it goes on computing, and nothing of it holds memory."""
    async with Engine(engine_script).running() as engine:
        thinker = EmbeddedThinker(server := FakeServer(engine.url))  # type: ignore[arg-type]
        await thinker.ask(question())
        await thinker.ask(question())
        assert (server.starts, server.stops) == (1, 0)
        asking = asyncio.create_task(thinker.ask(question("slow")))
        await eventually(lambda: len(engine.requests) == 3)
        asking.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asking
        assert (server.starts, server.stops) == (1, 1)
        await thinker.ask(question())
        assert engine.requests[-1].header("authorization") == "Bearer key2"
        assert engine.requests[-1].json()["chat_template_kwargs"] == {"enable_thinking": False}
        await thinker.rest()
        assert (server.starts, server.stops) == (2, 2)
        await thinker.aclose()


def test_roles_fall_back_to_the_chat_s_model() -> None:
    """[P8] The model that is loaded is the one that thinks, unless another one was named."""
    named = {ModelRole.SYNTHESIS: "big"}
    assert model_for(ModelRole.SYNTHESIS, named, CHAT, "first") == "big"
    assert model_for(ModelRole.ANALYSIS, named, CHAT, "first") == "m"
    assert model_for(ModelRole.ANALYSIS, {ModelRole.CHAT: "mine"}, CHAT, "first") == "mine"
    assert model_for(ModelRole.ANALYSIS, {}, None, "first") == "first"
    assert model_for(ModelRole.ANALYSIS, {}, None, None) is None


async def test_roles_follow_the_engine_that_answers() -> None:
    """[P8] The gate's name of an engine is the same for both; the embedded one keeps its name over restarts."""
    ollama = Upstream("http://127.0.0.1:9", frozenset({"ollama", "openai"}), "ollama")
    embedded = Upstream("http://127.0.0.1:10", frozenset({"openai"}), "embedded")
    now = [ollama]

    async def current() -> Upstream:
        return now[0]

    async def first(upstream: Upstream) -> str:
        return "first"

    child = EmbeddedThinker(FakeServer("http://127.0.0.1:11"))  # type: ignore[arg-type]
    roles = EngineRoles(current, first, lambda _: None, {}, child)
    one, two = await roles.assigned(ModelRole.ANALYSIS), await roles.assigned(ModelRole.AUDIT)
    assert (one.engine, one.model, one.thinker is two.thinker) == (engine_name(ollama), "first", True)
    now[0] = embedded
    other = await roles.assigned(ModelRole.ANALYSIS)
    assert (other.engine, other.thinker) == ("embedded", child)
    await roles.aclose()
