"""One turn's record against threads that are slow, hang, or end in the very moment in which the answer does."""

from __future__ import annotations

import asyncio
import threading
import time
from concurrent.futures import Future
from typing import Any

import pytest

from innerlife.errors import DiskFull
from innerlife.membrane.turn import Answer, Ending, Hints, Plan, Said, Speaker, Standing, TurnRequest
from innerlife.proxy.counters import Counters
from innerlife.proxy.policy import ProxyPolicy
from innerlife.proxy.recording import RecordKeeper, TurnRecord
from tests.proxy.fakes import House, Memory, eventually

pytestmark = pytest.mark.anyio

REQUEST = TurnRequest((Said(Speaker.USER, "Hello"),), "m", "proxy", Hints())
ANSWER = Answer("Hi.", Ending.COMPLETE)
NARROW = ProxyPolicy(begin_s=0.15, finish_s=0.5, workers=2)


def keeper_of(memory: Memory, policy: ProxyPolicy = NARROW) -> RecordKeeper:
    return RecordKeeper(House(default=memory), Counters(), policy)


def record_of(keeper: RecordKeeper) -> TurnRecord:
    return TurnRecord(keeper, "default", REQUEST)


class EndsHere:
    """A lock; when a thread lets go of it for the `at`th time, the answer ends before the thread goes on."""

    def __init__(self, at: int, end: Any) -> None:
        self._lock = threading.Lock()
        self._left = at
        self._end = end
        self._loop_thread = threading.get_ident()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()
        if threading.get_ident() == self._loop_thread:
            return
        self._left -= 1
        if self._left == 0:
            self._end()


@pytest.mark.parametrize("at", [1, 2])
async def test_an_answer_that_ends_while_its_turn_begins_late_is_recorded(
    at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """[P6] [C9] Between any two steps of the thread that begins, an ending is recorded once and never lost."""
    hold, loop = threading.Event(), asyncio.get_running_loop()
    memory = Memory(hold_begin=hold)
    keeper = keeper_of(memory)
    record = record_of(keeper)
    ended: list[Future[str]] = []

    def end() -> None:
        ended.append(asyncio.run_coroutine_threadsafe(record.finish(ANSWER), loop))
        # Storage is at rest before the thread goes on, or what it waits for is the thread itself.
        time.sleep(0.05)

    monkeypatch.setattr(record, "_state", EndsHere(at, end))
    assert (await record.begin()).standing is Standing.UNRECORDED
    hold.set()
    await eventually(lambda: memory.finished)
    await asyncio.wrap_future(ended[0])
    assert memory.finished == [ANSWER]
    assert keeper.counters.counts().recorded == 1


async def test_a_late_beginning_that_fails_is_counted() -> None:
    """[P6] A turn that was thought to be only slow, and then could not be recorded, is counted with its reason."""
    hold = threading.Event()
    keeper = keeper_of(Memory(hold_begin=hold, begin_error=DiskFull("No space is left")))
    record = record_of(keeper)
    assert (await record.begin()).standing is Standing.UNRECORDED
    hold.set()
    await asyncio.sleep(0.1)
    assert await record.finish(ANSWER)
    assert keeper.counters.counts().unrecorded == 1


async def test_a_late_refusal_to_record_is_counted_with_its_own_words() -> None:
    hold = threading.Event()
    keeper = keeper_of(Memory(plan=Plan(Standing.UNRECORDED, "the disk is full"), hold_begin=hold))
    record = record_of(keeper)
    await record.begin()
    hold.set()
    await asyncio.sleep(0.1)
    assert await record.finish(ANSWER) == "the disk is full"
    assert keeper.counters.counts().last_unrecorded == "the disk is full"


async def test_storage_that_hangs_takes_no_more_threads_than_it_may() -> None:
    """[P6] A hanging turn keeps its slot; with none free a chat goes on at once, unrecorded, and it says why."""
    hold = threading.Event()
    memory = Memory(hold_begin=hold)
    keeper = keeper_of(memory)
    before = threading.active_count()
    plans = await asyncio.gather(*(record_of(keeper).begin() for _ in range(6)))
    assert sorted(plan.standing.value for plan in plans) == ["unrecorded"] * 6
    started = time.monotonic()
    late = await record_of(keeper).begin()
    assert time.monotonic() - started < 0.1
    assert (late.standing, "2 turns that hang" in late.why) == (Standing.UNRECORDED, True)
    assert threading.active_count() - before <= 2
    assert (keeper.counters.counts().degraded, keeper.counters.counts().unrecorded) == (2, 5)
    hold.set()
    await eventually(lambda: len(memory.begun) == 2)
    await asyncio.sleep(0.05)
    assert (await record_of(keeper).begin()).standing is Standing.OK
    # What never had a slot never begins, for nobody would end it.
    assert len(memory.begun) == 3


async def test_endings_that_hang_keep_their_slots_too() -> None:
    hold = threading.Event()
    memory = Memory(hold_finish=hold)
    keeper = keeper_of(memory)
    records = [record_of(keeper) for _ in range(6)]
    for record in records:
        await record.begin()
    before = threading.active_count()
    for wave in (records[:3], records[3:]):
        assert all(await asyncio.gather(*(record.finish(ANSWER) for record in wave)))
    assert threading.active_count() - before <= 2
    hold.set()
    await eventually(lambda: len(memory.finished) == 2)
    await asyncio.sleep(0.05)
    assert len(memory.finished) == 2


async def test_a_client_that_hangs_up_while_it_waits_for_a_slot_is_counted() -> None:
    """[P6] Its message was never recorded, and that is told."""
    hold = threading.Event()
    memory = Memory(hold_begin=hold)
    keeper = keeper_of(memory)
    waiting = [asyncio.create_task(record_of(keeper).begin()) for _ in range(3)]
    await asyncio.sleep(0.05)
    waiting[2].cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    assert "hung up" in keeper.counters.counts().last_unrecorded
    hold.set()
    await eventually(lambda: len(memory.begun) == 2)
