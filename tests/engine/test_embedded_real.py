"""The real engine with the bundled model: what it speaks, and that nothing of it outlives its parent.

The model is tiny and talks nonsense, so no test looks at its words.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest

import innerlife
from innerlife.adapters.models.bundled import BUNDLED_ALIAS, bundled_weights
from innerlife.adapters.models.embedded import EmbeddedServer
from innerlife.adapters.models.embedded_rules import DEFAULT_POLICY, EmbeddedPolicy
from innerlife.adapters.models.upstream import find_upstream, probe_dialects
from innerlife.errors import EngineUnavailable

pytestmark = pytest.mark.engine

CHAT = {"messages": [{"role": "user", "content": "Say something about xylophones."}], "max_tokens": 8}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedServer]:
    weights = bundled_weights()
    assert weights is not None
    server = EmbeddedServer(weights, BUNDLED_ALIAS, tmp_path_factory.mktemp("home") / "logs" / "engine.log")
    yield server
    server.stop()


@pytest.fixture
def client(server: EmbeddedServer) -> Iterator[httpx2.Client]:
    endpoint = server.wait_started()
    with httpx2.Client(base_url=endpoint.address, headers=endpoint.headers, timeout=120) as client:
        yield client


def until(condition: Callable[[], bool], seconds: float) -> None:
    limit = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < limit, "waited in vain"
        time.sleep(0.02)


def gone(pid: int) -> bool:
    """True when no such process runs; a zombie waiting for a parent that is no more has ended too."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    stat = Path("/proc") / str(pid) / "stat"
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z"


def test_a_chat_is_streamed(client: httpx2.Client) -> None:
    """[P9] A chat is answered word by word, by a model with a name and no path."""
    with client.stream("POST", "/v1/chat/completions", json=CHAT | {"stream": True}) as response:
        assert response.status_code == 200
        lines = [line.removeprefix("data: ") for line in response.iter_lines() if line]

    assert lines[-1] == "[DONE]"
    chunks = [json.loads(line) for line in lines[:-1]]
    assert {chunk["model"] for chunk in chunks} == {BUNDLED_ALIAS}
    assert any(chunk["choices"][0]["delta"].get("content") for chunk in chunks if chunk["choices"])
    reasons = [chunk["choices"][0]["finish_reason"] for chunk in chunks if chunk["choices"]]
    assert reasons[-1] in {"length", "stop"}


def test_an_answer_follows_a_schema(client: httpx2.Client) -> None:
    """[P9] Stages that need JSON can run on the embedded engine."""
    schema = {
        "type": "object",
        "properties": {"mood": {"enum": ["calm"]}},
        "required": ["mood"],
        "additionalProperties": False,
    }
    response = client.post(
        "/v1/chat/completions",
        json=CHAT
        | {
            "max_tokens": 64,
            "response_format": {"type": "json_schema", "json_schema": {"name": "mood", "schema": schema}},
        },
    )

    assert response.status_code == 200
    assert json.loads(response.json()["choices"][0]["message"]["content"]) == {"mood": "calm"}


def test_an_answer_without_a_limit_ends(tmp_path: Path) -> None:
    """[P9] A small model that never stops by itself is stopped; a request that sets its own limit has it."""
    weights = bundled_weights()
    assert weights is not None
    policy = replace(DEFAULT_POLICY, longest_answer=9)
    server = EmbeddedServer(weights, BUNDLED_ALIAS, tmp_path / "engine.log", policy)
    try:
        endpoint = server.wait_started(60)
        messages = [{"role": "user", "content": "Count from one to one thousand, in words."}]
        with httpx2.Client(base_url=endpoint.address, headers=endpoint.headers, timeout=120) as http:
            found = http.post("/v1/chat/completions", json={"messages": messages}).json()
        assert found["usage"]["completion_tokens"] <= 9
    finally:
        server.stop()


def test_the_model_is_known_by_its_alias_only(client: httpx2.Client) -> None:
    """[P9] No file path of this machine shows."""
    listed = client.get("/v1/models").json()["data"]

    assert [model["id"] for model in listed] == [BUNDLED_ALIAS]
    assert [model["aliases"] for model in listed] == [[BUNDLED_ALIAS]]
    assert ".gguf" not in json.dumps(listed)


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer guessed"}])
def test_without_the_key_it_answers_nobody(client: httpx2.Client, headers: dict[str, str]) -> None:
    """[X1] Another program on the machine cannot use it."""
    with httpx2.Client(base_url=client.base_url, headers=headers) as stranger:
        assert stranger.post("/v1/chat/completions", json=CHAT).status_code == 401
        assert stranger.get("/v1/models").status_code == 401


def test_it_listens_on_loopback_and_offers_only_its_api(
    server: EmbeddedServer, client: httpx2.Client
) -> None:
    """[X1] Nobody on the network reaches it."""
    assert urlsplit(str(server.address)).hostname == "127.0.0.1"
    assert client.get("/").status_code == 404
    assert client.get("/slots").status_code == 501


@pytest.mark.anyio
async def test_it_is_found_as_an_upstream(server: EmbeddedServer) -> None:
    """[P9] It speaks the OpenAI dialect only, which the upstream says."""
    async with httpx2.AsyncClient() as client:
        found = await find_upstream(client, embedded=server, ollama_url="http://127.0.0.1:9")
        assert getattr(found, "kind", None) == "embedded"
        assert await probe_dialects(client, str(server.address), server.wait_started().headers) == {"openai"}


def test_no_word_of_a_conversation_is_in_its_log(server: EmbeddedServer, client: httpx2.Client) -> None:
    """[X1] The log stays free of what was said, in good requests and in bad ones."""
    assert client.post("/v1/chat/completions", json=CHAT).status_code == 200
    client.post("/v1/chat/completions", content=b'{"messages": "xylophones", ')
    client.post("/v1/chat/completions", json={"messages": [{"role": "xylophones"}]})
    long = {"messages": [{"role": "user", "content": "xylophones " * 20_000}]}
    assert client.post("/v1/chat/completions", json=long).status_code == 400

    files = list(server.log.parent.iterdir())
    assert [path.name for path in files] == ["engine.log"]
    assert b"xylophones" not in server.log.read_bytes()
    assert server.log.stat().st_mode & 0o077 == 0


def test_killed_it_comes_back(server: EmbeddedServer) -> None:
    """[P9] After a kill -9 the next caller is served."""
    before = server.wait_started()
    restarts, pid = server.restarts, server.pid
    assert pid is not None

    os.kill(pid, signal.SIGKILL)
    until(lambda: server.restarts == restarts + 1, 20)
    after = server.wait_started()

    assert after.api_key != before.api_key
    with httpx2.Client(base_url=after.address, timeout=120) as client:
        assert client.post("/v1/chat/completions", json=CHAT, headers=after.headers).status_code == 200
        assert client.get("/v1/models", headers=before.headers).status_code == 401


def test_a_file_that_is_no_model_is_said_plainly(tmp_path: Path) -> None:
    weights = tmp_path / "broken.gguf"
    weights.write_bytes(b"GGUF, or so it says")
    broken = EmbeddedServer(weights, "broken", tmp_path / "logs" / "engine.log")

    with pytest.raises(EngineUnavailable, match="could not load broken") as failure:
        broken.wait_started()

    assert str(broken.log) in failure.value.hint
    assert b"broken.gguf" in broken.log.read_bytes()


def test_a_log_that_outgrew_its_cap_is_moved_aside(tmp_path: Path) -> None:
    weights = bundled_weights()
    assert weights is not None
    log = tmp_path / "engine.log"
    log.write_bytes(b"x" * 2_000)
    policy = EmbeddedPolicy(log_max_bytes=1_000)
    server = EmbeddedServer(weights, BUNDLED_ALIAS, log, policy)
    try:
        server.wait_started()
        assert log.stat().st_size < 1_000
        assert (tmp_path / "engine.log.1").stat().st_size == 2_000
        # It grows while the engine runs, and what comes after that goes to a new file.
        with log.open("ab") as file:
            file.write(b"y" * 2_000)
        until(lambda: (tmp_path / "engine.log.1").read_bytes().endswith(b"y"), 20)
        until(log.exists, 5)
        assert server.alive
    finally:
        server.stop()


PARENT = """
import sys, time
from pathlib import Path
from innerlife.adapters.models.bundled import BUNDLED_ALIAS, bundled_weights
from innerlife.adapters.models.embedded import EmbeddedServer
server = EmbeddedServer(bundled_weights(), BUNDLED_ALIAS, Path(sys.argv[1]))
if sys.argv[2] == "ready":
    server.wait_started()
else:
    server.start()
    while server.pid is None:
        time.sleep(0.001)
print(server.pid, flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("moment", ["ready", "loading"])
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_it_does_not_outlive_its_parent(tmp_path: Path, moment: str, end: signal.Signals) -> None:
    """[P9] However the parent ends, and however early: within five seconds the child is gone."""
    environment = os.environ | {"PYTHONPATH": str(Path(innerlife.__file__).parents[1])}
    command = [sys.executable, "-c", PARENT, str(tmp_path / "engine.log"), moment]
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert not gone(child)

        parent.send_signal(end)
        parent.wait(10)

        until(lambda: gone(child), 5)
