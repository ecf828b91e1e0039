"""The idle gate: who may call when, and how fast a call makes way."""

from __future__ import annotations

import asyncio
import math
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innerlife.thinking.calls import LastChat, loading_options
from innerlife.thinking.gate import EngineState, Gate, wait_s
from innerlife.thinking.policy import ThinkingPolicy
from innerlife.thinking.timers import Timer, due_in
from tests.support.clock import FixedClock

POLICY = ThinkingPolicy(quiet_s=20.0)


def test_the_rule_of_quiet() -> None:
    """[P8] Never beside a chat; some quiet after it; a starved stage only waits for the end of the turn."""
    idle = EngineState()
    assert wait_s(idle, POLICY, 5.0, starved=False) == 0.0
    talking = idle.began(1).began(2)
    assert wait_s(talking, POLICY, 5.0, starved=True) == math.inf
    half = talking.finished(1, 10.0)
    assert wait_s(half, POLICY, 10.0, starved=True) == math.inf
    quiet = half.finished(2, 12.0)
    assert wait_s(quiet, POLICY, 15.0, starved=False) == 17.0
    assert wait_s(quiet, POLICY, 15.0, starved=True) == 0.0
    assert wait_s(quiet, POLICY, 32.0, starved=False) == 0.0
    assert quiet.finished(2, 99.0) == quiet


@given(st.lists(st.tuples(st.booleans(), st.integers(1, 4)), max_size=30))
def test_no_call_begins_while_any_chat_is_under_way(happenings: list[tuple[bool, int]]) -> None:
    """[P8] In whatever order chats begin and end, doubled ends included."""
    state, under_way = EngineState(), set[int]()
    for now, (begins, number) in enumerate(happenings):
        state = state.began(number) if begins else state.finished(number, float(now))
        under_way = under_way | {number} if begins else under_way - {number}
        assert (wait_s(state, POLICY, float(now), starved=True) == math.inf) == bool(under_way)


@pytest.mark.anyio
async def test_a_chat_cuts_the_turn_on_its_engine_only() -> None:
    """[P8] The block ends from within; what runs on another engine goes on."""
    gate = Gate(POLICY)
    ended: list[str] = []

    async def think(engine: str) -> bool:
        async with gate.turn(engine) as turn:
            await asyncio.sleep(0.2)
            ended.append(engine)
        return turn.cut

    both = asyncio.gather(think("one"), think("two"))
    await asyncio.sleep(0.01)
    gate.chat_began("one")
    assert await gate.cleared("one", 0.1)
    assert not await gate.cleared("two", 0.0)
    assert list(await both) == [True, False]
    assert ended == ["two"]


@pytest.mark.anyio
async def test_a_turn_that_began_a_moment_too_late_ends_at_once() -> None:
    """[P8] Between the look at the gate and the call a chat may come."""
    gate = Gate(POLICY)
    gate.chat_began("one")
    reached = False
    async with gate.turn("one") as turn:
        await asyncio.sleep(5)
        reached = True
    assert turn.cut
    assert not reached


@pytest.mark.anyio
async def test_a_chat_may_be_told_from_any_thread() -> None:
    """[P8] The proxy may serve in another thread than the worker."""
    gate = Gate(POLICY)
    teller = threading.Timer(0.02, lambda: gate.chat_ended(gate.chat_began("one")))
    async with asyncio.timeout(10):
        async with gate.turn("one") as turn:
            teller.start()
            await asyncio.sleep(60)
    teller.join()
    assert turn.cut


def test_quiet_is_counted_from_the_last_chat_anywhere() -> None:
    now = 100.0
    gate = Gate(POLICY, lambda: now)
    assert gate.quiet_s() == math.inf
    token = gate.chat_began("one")
    now = 150.0
    assert gate.quiet_s() == 0.0
    gate.chat_ended(token)
    now = 160.0
    gate.chat_ended(token)
    assert gate.wait_s("one") == 10.0
    assert gate.wait_s("two") == 0.0


def test_only_what_a_model_is_loaded_with_is_repeated() -> None:
    """[P8] The window and the layout in memory; not the chat's way of sampling, and not for another model."""
    options = {"num_ctx": 8192, "num_gpu": 20, "temperature": 1.5, "stop": ["\n"], "num_predict": 9}
    chat = LastChat("/api/chat", {"model": "wise", "options": options, "keep_alive": "2h"})
    assert loading_options(chat, "wise") == {
        "options": {"num_ctx": 8192, "num_gpu": 20},
        "keep_alive": "2h",
    }
    assert loading_options(chat, "other") == {}
    assert loading_options(None, "wise") == {}
    assert loading_options(LastChat("/v1/chat/completions", {"model": "wise"}), "wise") == {}


def test_when_timers_go_off() -> None:
    clock = FixedClock()
    now = clock.at
    timer = Timer("deep", every_s=3600.0, quiet_s=1800.0, latest_s=86_400.0)
    assert due_in(timer, None, now, quiet_s=1800.0) == 0.0
    assert due_in(timer, None, now, quiet_s=100.0) == 1700.0
    hour_ago = now.replace(hour=now.hour - 1)
    assert due_in(timer, hour_ago, now, quiet_s=math.inf) == 0.0
    assert due_in(timer, hour_ago, now, quiet_s=0.0) == 1800.0
    yesterday = now.replace(month=2, day=28)
    assert due_in(timer, yesterday, now, quiet_s=0.0) <= 0.0
    # The clock was set back by an hour: the timer waits its ordinary time, not one more hour.
    assert due_in(timer, now.replace(hour=now.hour + 1), now, quiet_s=math.inf) == 3600.0
    # It was years ahead once: the timer does not wait until they have passed.
    assert due_in(timer, now.replace(year=now.year + 4), now, quiet_s=math.inf) <= 0.0
    assert due_in(timer, now.replace(year=now.year + 4), now, quiet_s=100.0) > 0.0
