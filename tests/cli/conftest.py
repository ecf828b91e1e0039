"""Homes, command lines and engines for the tests of the command line."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pytest
from click.testing import CliRunner, Result

from innerlife.affect.cues import Affect, Cue, CueKind
from innerlife.affect.signals import Glimpse
from innerlife.bootstrap import open_companion
from innerlife.cli.main import cli
from innerlife.conversations.events import USER
from innerlife.ledger.envelope import Derivation
from innerlife.settings import load
from tests.cli.fakes import FakeEngine, serving

Invoke = Callable[..., Result]


@dataclass(frozen=True)
class Home:
    """A home and a config folder of a test's own."""

    home: Path
    config: Path

    @property
    def profile(self) -> Path:
        return self.home / "profiles" / "default"

    @property
    def core(self) -> Path:
        return self.profile / "core.db"

    def core_bytes(self) -> dict[str, bytes]:
        """What makes up the Core: its database and its key record."""
        return {name: (self.profile / name).read_bytes() for name in ("core.db", "core.keys")}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """An empty home. Embeddings are off: what they add is tested where they are."""
    places = Home(tmp_path / "home", tmp_path / "config")
    monkeypatch.setenv("INNERLIFE_HOME", str(places.home))
    monkeypatch.setenv("INNERLIFE_CONFIG", str(places.config))
    monkeypatch.setenv("INNERLIFE_EMBEDDING", "off")
    monkeypatch.setenv("NO_COLOR", "1")
    return places


@pytest.fixture
def invoke(home: Home) -> Invoke:
    """Run a command line in this process."""

    def run(*arguments: str, said: str | IO[bytes] | None = None) -> Result:
        return CliRunner().invoke(cli, list(arguments), input=said)

    return run


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeEngine]:
    """A fake engine, configured as the upstream."""
    with serving(FakeEngine()) as fake:
        monkeypatch.setenv("INNERLIFE_UPSTREAM", fake.url)
        yield fake


def read_in_the_last_message(*cues: Cue) -> str:
    """A signal in the newest message of the home; its id."""
    sign = Cue(CueKind.LINGUISTIC, "strong words", Affect(-0.7, 0.4, -0.2), 0.6, (0, 5))
    companion = open_companion(load())
    (said,) = companion.ledger.newest(1, {USER})
    (signal,) = companion.mood.record(said.seq, Glimpse(cues or (sign,)), Derivation("affect.heads", "1"))
    companion.close()
    return signal.id


def hold_in_mind(text: str) -> str:
    """A thing held in mind in the home, by what was said last; its handle."""
    companion = open_companion(load())
    (said,) = companion.ledger.newest(1, {USER})
    held = companion.self_model.minding.add_working_memory(text, [said.seq])
    companion.close()
    return held.handle


@pytest.fixture(scope="session")
def lived_once(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A home in which two things were said, in two conversations; made once, for copying."""
    folder = tmp_path_factory.mktemp("lived")
    made = Home(folder / "home", folder / "config")
    answers = ["Beekeeping suits her garden.", "Anna lives in Lisbon and loves beekeeping."]
    with pytest.MonkeyPatch.context() as patch, serving(FakeEngine(answers)) as fake:
        patch.setenv("INNERLIFE_HOME", str(made.home))
        patch.setenv("INNERLIFE_CONFIG", str(made.config))
        patch.setenv("INNERLIFE_EMBEDDING", "off")
        patch.setenv("INNERLIFE_UPSTREAM", fake.url)
        for text in (
            "My sister Anna lives in Lisbon and loves beekeeping.",
            "Where does my sister Anna live?",
        ):
            done = CliRunner().invoke(cli, ["say", text])
            assert done.exit_code == 0, done.output
    (made.home / "received.json").write_text(json.dumps(fake.received[-1]), encoding="utf-8")
    return made


@pytest.fixture
def lived(lived_once: Home, home: Home, engine: FakeEngine) -> Home:
    """A copy of that home, with an engine that has heard the last of it."""
    shutil.copytree(lived_once.home, home.home)
    shutil.copytree(lived_once.config, home.config)
    engine.received.append(json.loads((home.home / "received.json").read_text(encoding="utf-8")))
    return home


def data_of(done: Result) -> Any:
    """The JSON document that a command printed."""
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def start(
    *arguments: str, terminal: int | None = None, output: int | None = None, **more: str
) -> subprocess.Popen[str]:
    """A command line in a process of its own, with the test's environment; at a terminal, where one is given."""
    return subprocess.Popen(
        [sys.executable, "-m", "innerlife", *arguments],
        stdin=subprocess.PIPE if terminal is None else terminal,
        stdout=subprocess.PIPE if output is None else output,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=terminal is not None,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUNBUFFERED": "1", **more},
    )
