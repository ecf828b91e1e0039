"""What an engine says of a model: asked once for all who want to know, and believed only where it was really said."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from innerlife.adapters.models.upstream import Upstream
from innerlife.membrane.turn import Opened, Plan, Standing
from innerlife.proxy.asides import Asides, Learned, Unanswered
from innerlife.proxy.headers import Headers
from innerlife.proxy.model_cards import ModelCards
from innerlife.proxy.outbound import Outbound
from innerlife.proxy.policy import DEFAULT_POLICY
from innerlife.proxy.windows import Windows
from innerlife.proxy.wire.translate_ollama_openai import Clocks
from tests.proxy.fakes import House, Memory, proxy

pytestmark = pytest.mark.anyio

OLLAMA = Upstream("http://127.0.0.1:9", frozenset({"ollama"}), "ollama")
SERVER = Upstream("http://127.0.0.1:9", frozenset({"openai"}), "configured")
PIRATE = {"system": "You are a pirate.", "parameters": "num_ctx 4096"}


class Clock:
    """Seconds that a test lets pass."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> int:
        return int(self.seconds * 10**9)


class Telling(Asides):
    """Answers from `knows`; what is not in it is not answered at all."""

    def __init__(self, **knows: Any) -> None:
        super().__init__(Outbound(DEFAULT_POLICY), None)
        object.__setattr__(
            self, "knows", {f"/{name.replace('_', '/')}": said for name, said in knows.items()}
        )
        object.__setattr__(self, "asked", [])

    knows: dict[str, Any]
    asked: list[str]

    async def json(
        self, upstream: Upstream, method: str, target: bytes, headers: Headers, value: Any = None
    ) -> Any:
        self.asked.append(target.decode())
        await asyncio.sleep(0)
        if target.decode() not in self.knows:
            raise Unanswered
        return self.knows[target.decode()]


async def test_a_card_that_was_not_answered_is_asked_for_again_soon() -> None:
    """[P3] One failure does not push a model's own system text out for minutes; nor is each request a question."""
    clock, engine = Clock(), Telling()
    cards = ModelCards(engine, clock)
    for _ in range(3):
        assert await cards.system_text(OLLAMA, "pirate", []) == ""
    assert engine.asked == ["/api/show"]
    engine.knows["/api/show"] = PIRATE
    clock.seconds = 3
    assert await cards.system_text(OLLAMA, "pirate", []) == "You are a pirate."
    del engine.knows["/api/show"]
    clock.seconds = 400
    assert await cards.system_text(OLLAMA, "pirate", []) == "You are a pirate."
    assert engine.asked == ["/api/show"] * 3


async def test_a_model_that_is_fetched_later_keeps_its_system_text() -> None:
    """[P3] That a model is not there yet is not believed for minutes."""
    clock = Clock()
    plan = Plan(Standing.OK, stable="STABLE", opened=Opened("c", 1, "u"))
    chat = {"model": "pirate", "messages": [{"role": "user", "content": "hi"}]}
    times = Clocks(lambda: datetime.now(UTC), clock)
    async with proxy(house=House(default=Memory(plan=plan)), clocks=times) as place:
        await place.http.post("/api/chat", json=chat)
        place.engine.knows["/api/show"] = PIRATE
        clock.seconds = 3
        await place.http.post("/api/chat", json=chat)
        systems = [request.json()["messages"][0]["content"] for request in place.engine.requests]
        assert systems == ["STABLE", "STABLE\n\nYou are a pirate."]


async def test_a_card_is_asked_for_once_for_all_who_want_it() -> None:
    """Many chats at once, and the search for the window, share one question."""
    clock, engine = Clock(), Telling(api_show=PIRATE, api_ps={})
    cards = ModelCards(engine, clock)
    windows = Windows(engine, cards, clock)
    many = [cards.system_text(OLLAMA, "pirate", []) for _ in range(20)]
    found, *texts = await asyncio.gather(windows.of(OLLAMA, "pirate", []), *many)
    assert (found, set(texts)) == (4096, {"You are a pirate."})
    assert sorted(engine.asked) == ["/api/ps", "/api/show"]


@pytest.mark.parametrize(
    ("upstream", "later"),
    [
        (OLLAMA, {"/api/ps": {"models": [{"name": "m", "context_length": 8192}]}, "/api/show": {}}),
        (SERVER, {"/v1/models": {}, "/props": {"default_generation_settings": {"n_ctx": 8192}}}),
    ],
)
async def test_a_window_that_was_not_answered_is_asked_for_again_soon(
    upstream: Upstream, later: dict[str, Any]
) -> None:
    """[P12] An engine that was only starting is asked again within seconds, one that says nothing after a minute."""
    clock, engine = Clock(), Telling()
    windows = Windows(engine, ModelCards(engine, clock), clock)
    for _ in range(3):
        assert await windows.of(upstream, "m", []) is None
    asked = len(engine.asked)
    assert asked == 1
    engine.knows.update(later)
    clock.seconds = 3
    # A known failure is not waited for; the answer is there for the next one.
    await windows.of(upstream, "m", [])
    await asyncio.sleep(0.01)
    assert await windows.of(upstream, "m", []) == 8192
    asked = len(engine.asked)
    clock.seconds = 60
    assert await windows.of(upstream, "m", []) == 8192
    assert len(engine.asked) == asked


@pytest.mark.parametrize("ask", [Learned[int].answered, Learned[int].unanswered])
def test_what_is_remembered_of_models_is_bounded(
    ask: Callable[[Learned[int], tuple[str, str], int], None],
) -> None:
    """Names come from clients; however many are sent, only the newest are kept."""
    known: Learned[int] = Learned(Clock(), 1)
    for number in range(2000):
        ask(known, ("url", f"m{number}"), number)
    assert [number for number in range(2000) if ("url", f"m{number}") in known] == list(range(1744, 2000))
