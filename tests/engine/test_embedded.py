"""The supervision of the embedded engine, with a child that follows a plan instead of loading a model."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from innerlife.adapters.models.embedded import EmbeddedServer
from innerlife.adapters.models.embedded_child import cap_log
from innerlife.adapters.models.embedded_rules import Death, EmbeddedPolicy, giving_up, restart_delay
from innerlife.errors import EngineUnavailable, ModelUnavailable
from tests.engine.doubles import FakeChild

HASTY = EmbeddedPolicy(first_delay_s=0.01, longest_delay_s=0.05, quick_deaths=3, start_timeout_s=30.0)


class Stage:
    """A folder for one test, and the servers it started there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "logs" / "engine.log"
        self.weights = folder / "model.gguf"
        self.weights.write_bytes(b"GGUF")
        self.servers: list[EmbeddedServer] = []

    def serve(self, *plan: str, policy: EmbeddedPolicy = HASTY) -> tuple[EmbeddedServer, FakeChild]:
        child = FakeChild(self.folder, *plan)
        server = EmbeddedServer(self.weights, "tiny", self.log, policy, child.command)
        self.servers.append(server)
        return server, child


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    stage = Stage(tmp_path)
    yield stage
    for server in stage.servers:
        server.stop()


def until(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    limit = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < limit, "waited in vain"
        time.sleep(0.01)


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_waiting_grows_to_a_cap() -> None:
    policy = EmbeddedPolicy(first_delay_s=0.5, delay_factor=2.0, longest_delay_s=3.0)

    assert [restart_delay(policy, deaths) for deaths in range(6)] == [0.0, 0.5, 1.0, 2.0, 3.0, 3.0]


@pytest.mark.parametrize(
    ("death", "words"),
    [
        (Death(3, "RuntimeError: no such model", 0.0), "could not load tiny (RuntimeError: no such model)"),
        (Death(-9, "", 0.1), "the system ended the embedded engine 5 times in a row"),
        (Death(-11, "", 0.1), "stopped 5 times in a row with signal 11"),
        (Death(1, "", 0.1), "stopped 5 times in a row with exit code 1"),
    ],
)
def test_giving_up_says_what_happened_and_the_way_out(death: Death, words: str) -> None:
    error = giving_up(death, 5, "tiny", Path("/logs/engine.log"))

    assert words in error.message
    assert "innerlife model use" in error.hint
    assert "/logs/engine.log" in error.hint


def test_nothing_starts_before_it_is_asked_for(stage: Stage) -> None:
    server, child = stage.serve("serve")

    assert (server.alive, server.address, server.api_key, server.pid) == (False, None, None, None)
    server.stop()
    assert child.starts() == []


@pytest.mark.anyio
async def test_any_number_of_callers_start_one_child(stage: Stage) -> None:
    """[P9] Requests that arrive together share one engine."""
    server, child = stage.serve("serve")

    with ThreadPoolExecutor(8) as pool:
        threads = [asyncio.wrap_future(pool.submit(server.wait_started)) for _ in range(8)]
        endpoints = await asyncio.gather(*threads, *(server.ensure_started() for _ in range(30)))

    assert len(set(endpoints)) == 1
    assert len(child.starts()) == 1
    assert server.alive
    assert (server.address, server.api_key, server.alias) == (
        endpoints[0].address,
        child.starts()[0]["key"],
        "tiny",
    )
    assert endpoints[0].headers == {"Authorization": f"Bearer {server.api_key}"}
    assert str(server.api_key) not in repr(endpoints[0])


@pytest.mark.anyio
async def test_a_child_that_dies_is_replaced_with_a_new_key(stage: Stage) -> None:
    """[P9] The engine comes back by itself."""
    server, child = stage.serve("serve")
    first = await server.ensure_started()

    os.kill(child.starts()[0]["pid"], signal.SIGKILL)
    until(lambda: server.restarts == 1)
    second = await server.ensure_started()

    assert second.address != first.address
    assert second.api_key != first.api_key
    assert len(first.api_key) >= 40
    assert server.restarts == 1


def test_a_child_that_keeps_dying_is_given_up_and_tried_again_when_asked(stage: Stage) -> None:
    server, child = stage.serve("die 7", "die 7", "die 7", "serve")

    with pytest.raises(EngineUnavailable, match="stopped 3 times in a row with exit code 7"):
        server.wait_started()
    assert len(child.starts()) == 3
    assert not server.alive
    until(lambda: not any(thread.name == "embedded-engine" for thread in threading.enumerate()))

    assert server.wait_started().alias == "tiny"
    assert len(child.starts()) == 4


def test_serving_for_a_moment_does_not_count_as_living(stage: Stage) -> None:
    server, child = stage.serve("serve a moment")
    server.start()

    until(lambda: len(child.starts()) == 3)
    until(lambda: not any(thread.name == "embedded-engine" for thread in threading.enumerate()))

    assert len(child.starts()) == 3
    assert server.restarts == 2


def test_a_model_that_cannot_be_loaded_is_not_tried_again_and_again(stage: Stage) -> None:
    server, child = stage.serve('say {"error": "RuntimeError: bad file"}')

    with pytest.raises(EngineUnavailable, match=r"could not load tiny \(RuntimeError: bad file\)") as failure:
        server.wait_started()

    assert str(stage.log) in failure.value.hint
    assert len(child.starts()) == 1


def test_a_child_that_babbles_counts_as_dead(stage: Stage) -> None:
    server, child = stage.serve("say not json", "say [1]", "serve")

    assert server.wait_started().alias == "tiny"
    assert len(child.starts()) == 3


@pytest.mark.anyio
async def test_waiting_has_an_end_and_disturbs_nobody_else(stage: Stage) -> None:
    server, child = stage.serve("hang")

    with pytest.raises(EngineUnavailable, match=r"not ready after 0\.1 seconds") as failure:
        await server.ensure_started(0.1)
    with pytest.raises(EngineUnavailable, match=r"not ready after 0\.1 seconds"):
        server.wait_started(0.1)

    assert str(stage.log) in failure.value.hint
    until(lambda: len(child.starts()) == 1)
    assert not gone(child.starts()[0]["pid"])


def test_a_child_that_never_answers_is_ended_and_replaced(stage: Stage) -> None:
    policy = EmbeddedPolicy(first_delay_s=0.01, start_timeout_s=1.0)
    server, child = stage.serve("hang", "serve", policy=policy)

    assert server.wait_started(30).alias == "tiny"
    assert gone(child.starts()[0]["pid"])
    assert server.restarts == 1


@pytest.mark.parametrize("plan", ["serve", "hang"])
def test_stopping_ends_the_child_and_leaves_it_startable(stage: Stage, plan: str) -> None:
    server, child = stage.serve(plan, "serve")
    waiting = server.start()
    until(lambda: len(child.starts()) == 1)
    if plan == "serve":
        waiting.result(30)

    server.stop()

    assert gone(child.starts()[0]["pid"])
    assert (server.alive, server.pid) == (False, None)
    if plan == "hang":
        assert "was stopped" in str(waiting.exception(5))
    assert server.wait_started().alias == "tiny"
    assert server.restarts == 0


@pytest.mark.anyio
async def test_stopping_while_it_waits_to_restart_is_quick(stage: Stage) -> None:
    slow = EmbeddedPolicy(first_delay_s=60.0, longest_delay_s=60.0)
    server, child = stage.serve("die 1", policy=slow)
    server.start()
    until(lambda: len(child.starts()) == 1 and server.pid is None)

    began = time.monotonic()
    await server.aclose()

    assert time.monotonic() - began < 5.0
    assert len(child.starts()) == 1


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="reads /proc")
def test_the_key_shows_in_neither_arguments_nor_environment(stage: Stage) -> None:
    """[X1] Other programs on the machine cannot read the key and use the engine."""
    server, _child = stage.serve("serve")
    key = server.wait_started().api_key.encode()

    process = Path("/proc") / str(server.pid)
    assert key not in (process / "cmdline").read_bytes()
    assert key not in (process / "environ").read_bytes()


def test_missing_weights_are_said_before_anything_starts(stage: Stage) -> None:
    server, child = stage.serve("serve")
    stage.weights.unlink()

    with pytest.raises(ModelUnavailable, match="weights of tiny are not at") as failure:
        server.wait_started()

    assert "innerlife model pull" in failure.value.hint
    assert child.starts() == []


def test_a_program_that_cannot_be_started_is_an_error_at_once(stage: Stage) -> None:
    server = EmbeddedServer(stage.weights, "tiny", stage.log, HASTY, (str(stage.folder / "absent"),))
    stage.servers.append(server)

    with pytest.raises(EngineUnavailable, match="it did not start"):
        server.wait_started()


def test_a_log_is_moved_aside_only_when_it_outgrew_its_cap(tmp_path: Path) -> None:
    log = tmp_path / "engine.log"
    assert not cap_log(str(log), 10)

    log.write_text("0123456789")
    assert not cap_log(str(log), 10)

    log.write_text("0123456789 and more")
    assert cap_log(str(log), 10)
    assert [path.name for path in tmp_path.iterdir()] == ["engine.log.1"]
