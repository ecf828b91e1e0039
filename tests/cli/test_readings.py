"""What the quieter commands say: origin, constitution, status, models; and how it is put on the screen."""

from __future__ import annotations

import asyncio
import os
import pty
import select
import time
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from innerlife.adapters.models.catalogue import LocalModel
from innerlife.adapters.models.upstream import Upstream
from innerlife.cli import output, surroundings
from innerlife.cli.commands import model as model_command
from innerlife.cli.commands import status as status_command
from innerlife.cli.engines import Choice, Engines
from innerlife.cli.toml_edit import with_setting
from innerlife.errors import BadInput, EngineUnavailable, ShippedTextChanged
from innerlife.ledger.upkeep import Upkeep
from innerlife.settings import load
from innerlife.workspace import shipped
from tests.cli.conftest import Home, Invoke, data_of, start
from tests.cli.fakes import FakeEngine, serving


def test_the_name_is_chosen_once(invoke: Invoke, home: Home, engine: FakeEngine) -> None:
    """[S3] By `init --name`, changed until the first exchange is recorded, then frozen; the birth date never moves."""
    made = data_of(invoke("init", "--name", "Mira", "--json"))
    assert made["name"] == "Mira"
    assert made["born"] == datetime.now(UTC).date().isoformat()
    assert "encrypted" in made["readable"]
    assert data_of(invoke("origin", "--name", "Nova", "--json")) | {"text": ""} == {
        "name": "Nova", "born": made["born"], "frozen": False, "text": "",
    }  # fmt: skip
    assert invoke("init").exit_code == 2
    assert invoke("say", "Hello").exit_code == 0
    assert engine.received[-1]["messages"][0]["content"].startswith("You are Nova")
    refused = invoke("origin", "--name", "Vera")
    assert refused.exit_code == 2
    assert "Nova has lived through a first exchange" in refused.stderr
    origin = data_of(invoke("origin", "--json"))
    assert (origin["name"], origin["born"], origin["frozen"]) == ("Nova", made["born"], True)
    prompt = engine.received[-1]["messages"][0]["content"]
    assert all(line in prompt for line in origin["text"].split("\n")), "as the prompt says it"


def test_the_name_may_come_from_the_environment(
    invoke: Invoke, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """[S3] `INNERLIFE_NAME`, else Anima."""
    assert data_of(invoke("profile", "add", "one", "--json"))["name"] == "Anima"
    monkeypatch.setenv("INNERLIFE_NAME", "Luz")
    assert data_of(invoke("profile", "add", "two", "--json"))["name"] == "Luz"


def test_the_constitution_has_fourteen_values_and_no_way_to_change_them(invoke: Invoke, home: Home) -> None:
    """[Z12] All fourteen with their full texts; by name or its beginning; in no Core and needing none."""
    shown = data_of(invoke("constitution", "--json"))
    assert len(shown["values"]) == 14
    assert all(len(one["text"]) > 300 for one in shown["values"])
    plain = invoke("constitution").stdout
    assert all(one["name"] in plain for one in shown["values"])
    first = shown["values"][0]
    (alone,) = data_of(invoke("constitution", first["name"].upper()[:6], "--json"))["values"]
    assert alone == first
    assert " ".join(first["text"].split())[:60] in " ".join(
        invoke("constitution", first["name"]).stdout.split()
    )
    assert not home.home.exists()


def test_a_changed_constitution_stops_everything(
    invoke: Invoke, lived: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """[Z12] A text that is not the release's is refused, and `doctor` says what to do."""

    def changed(*_: Any) -> None:
        raise ShippedTextChanged("The shipped text constitution.toml differs", "Install Innerlife again")

    for place in (
        "innerlife.cli.commands.constitution",
        "innerlife.cli.checks",
        "innerlife.bootstrap.opening",
    ):
        monkeypatch.setattr(f"{place}.load_shipped", changed)
    monkeypatch.setattr(shipped, "load_shipped", changed)
    for arguments in (("constitution",), ("say", "hello"), ("status",)):
        done = invoke(*arguments)
        assert done.exit_code == 1
        assert "Install Innerlife again" in done.stderr
    assert "failed     Shipped texts" in invoke("doctor").stdout


def test_status_is_one_screen_of_what_there_is(lived: Home, invoke: Invoke) -> None:
    """[U7] What is remembered, what waits, where it lies, on one screen."""
    memory = data_of(invoke("status", "--json"))["memory"]
    assert (memory["messages"], memory["conversations"], memory["forgetting_unfinished"]) == (4, 2, 0)
    assert memory["core_bytes"] > 0
    shown = invoke("status").stdout
    for word in (
        "Anima",
        "4 messages in 2 conversations, since",
        "Views",
        "Meaning",
        "Engine",
        "Key",
        str(lived.home),
    ):
        assert word in shown
    assert shown.count("\n") <= 12
    assert "Lisbon" not in shown


def test_waiting_for_the_views_is_said_when_it_takes_long(
    lived: Home, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reads wait for the views, and say so after half a second, on standard error."""
    for file in lived.profile.glob("runtime.db*"):
        file.unlink()
    real = Upkeep.catch_up

    def slow(self: Upkeep) -> int:
        time.sleep(0.1)
        return real(self)

    monkeypatch.setattr(Upkeep, "catch_up", slow)
    monkeypatch.setattr(surroundings, "PATIENCE_SECONDS", 0.01)
    done = invoke("conversations", "--json")
    assert "Reading what is new first" in done.stderr
    assert len(data_of(done)) == 2
    assert invoke("conversations", "--json").stderr == ""


def test_nothing_to_recall_is_said_in_a_sentence(invoke: Invoke, home: Home) -> None:
    """Where nothing comes to mind it is said so; as data it is an empty list, with what was missing in the search."""
    assert invoke("init").exit_code == 0
    done = invoke("recall", "submarine volcanoes")
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr.endswith("Nothing comes to mind.\n")
    found = data_of(invoke("recall", "submarine volcanoes", "--json"))
    assert found["items"] == []
    assert "degraded" in found


def test_what_the_engine_answered_alone_is_explained() -> None:
    """[U7] A number in `status` says what it counts."""
    told = status_command._counts({"passthrough": 3, "unknown": {"/api/ps": 2}})  # noqa: SLF001 - its own words
    assert "3 requests answered by the engine and not remembered, such as titles" in told
    assert "/api/ps 2" in told


@pytest.mark.parametrize("arguments", [("init",), ("profile", "add", "work")], ids=" ".join)
def test_a_new_core_says_what_can_be_read_and_that_its_name_is_open(
    arguments: tuple[str, ...], invoke: Invoke, home: Home
) -> None:
    """[C4] [S3] The same words wherever a Core is made, and the command that gives it a name."""
    profile = "work" if "work" in arguments else "default"
    shown = " ".join(invoke(*arguments).stdout.split())
    assert surroundings.readable_here(load(), profile) in shown
    assert f"`{surroundings.called(profile)} origin --name NAME`" in shown
    call = surroundings.called(profile).split()[1:]
    assert invoke(*call, "origin", "--name", "Mira").exit_code == 0


@pytest.mark.parametrize("method", ["keyring", "passphrase"])
def test_what_can_be_read_depends_on_where_the_key_is(
    method: str, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """[C4] Two sentences, true for each way of keeping the key."""
    monkeypatch.setenv("INNERLIFE_KEY", method)
    said = surroundings.readable_here(load(), "default")
    assert said.count(". ") == 1
    assert {"keyring": "logged in as you", "passphrase": "a lost passphrase cannot be replaced"}[
        method
    ] in said


def test_a_passphrase_is_asked_for_at_a_terminal(lived: Home, invoke: Invoke) -> None:
    """[C4] Hidden while it is typed, and never a part of the command line."""
    assert invoke("key", "passphrase", said="open sesame\n").exit_code == 0
    ours, theirs = pty.openpty()
    process = start("origin", terminal=theirs)
    os.close(theirs)
    try:
        assert process.stderr is not None
        asked = ""
        while "Passphrase" not in asked:
            assert select.select([process.stderr.fileno(), ours], [], [], 20)[0]
            asked += _terminal(ours) or os.read(process.stderr.fileno(), 4096).decode()
        time.sleep(0.2)
        os.write(ours, b"open sesame\n")
        shown, trouble = process.communicate(timeout=20)
        assert "Anima, born on" in shown, trouble
        assert "sesame" not in shown + trouble + _terminal(ours)
    finally:
        process.kill()
        os.close(ours)


def _terminal(descriptor: int) -> str:
    if not select.select([descriptor], [], [], 0)[0]:
        return ""
    try:
        return os.read(descriptor, 4096).decode()
    except OSError:
        return ""


def test_a_model_is_chosen_in_the_settings_of_the_person(invoke: Invoke, home: Home) -> None:
    (home.home / "models").mkdir(parents=True)
    for name in ("one", "two"):
        (home.home / "models" / f"{name}.gguf").write_bytes(b"GGUF")
    home.config.mkdir()
    file = home.config / "innerlife.toml"
    file.write_text("# mine\n[models]\ncontext = 4096 # small\n", encoding="utf-8")
    assert invoke("model", "use", "two").exit_code == 0
    text = file.read_text(encoding="utf-8")
    assert "# mine" in text
    assert "# small" in text
    assert load().settings.models.embedded == "two"
    here = {one["name"]: one["in_use"] for one in data_of(invoke("model", "list", "--json"))["here"]}
    assert (here["one"], here["two"]) == (False, True)
    assert "in use" in invoke("model", "list").stdout


def test_a_pulled_model_is_announced(invoke: Invoke, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def fetch(name: str, folder: Path, *, progress: Any, **_: Any) -> LocalModel:
        progress(5, 10)
        return LocalModel(name, folder / f"{name}.gguf", 10, "pulled")

    monkeypatch.setattr(model_command, "fetch", fetch)
    done = invoke("model", "pull", "qwen2.5-1.5b")
    assert "qwen2.5-1.5b is here (10 bytes), and its checksum is right." in done.stdout
    assert "The next `innerlife serve` uses it." in done.stdout


def test_a_broken_off_download_says_that_it_goes_on(
    invoke: Invoke, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fetch(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(model_command, "fetch", fetch)
    done = invoke("model", "pull", "qwen2.5-1.5b")
    assert done.exit_code == 130
    assert "goes on from there" in done.stderr


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '[models]\nembedded = "m"\n'),
        ("# x\nname = 'A'\n", "# x\nname = 'A'\n\n[models]\nembedded = \"m\"\n"),
        ('[models]\nembedded = "old" \n[proxy]\nport = 1\n', '[models]\nembedded = "m"\n[proxy]\nport = 1\n'),
        ("[models] # mine\ncontext = 600\n", '[models] # mine\nembedded = "m"\ncontext = 600\n'),
        ("models = {context = 600}\n", '[models]\ncontext = 600\nembedded = "m"\n'),
        ("models.context = 600\n", '[models]\ncontext = 600\nembedded = "m"\n'),
    ],
)
def test_a_setting_is_changed_and_the_rest_stays(before: str, after: str) -> None:
    assert with_setting(before, "models.embedded", "m") == after
    assert tomllib.loads(after)["models"]["embedded"] == "m"


@pytest.mark.parametrize("text", ["[models\n", "models = 3\n"])
def test_settings_that_are_no_settings_are_left_alone(text: str) -> None:
    with pytest.raises(BadInput):
        with_setting(text, "models.embedded", "m")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ntext\t!", "plain\ntext\t!"),
        ("\x1b[31mred\x07\x9b", "\ufffd[31mred\ufffd\ufffd"),
        ("a\r\nb\rc", "a\nb\ufffdc"),
        ("nul\0 \ud800", "nul\ufffd \ufffd"),
        ("שלום עולם", "שלום עולם"),
    ],
)
def test_nothing_steers_the_terminal(text: str, shown: str) -> None:
    assert output.visible(text) == shown


def test_a_table_in_a_pipe_is_plain_columns(capsys: pytest.CaptureFixture[str]) -> None:
    output.table(("name", "said"), [("a", "馬馬 two\nlines"), ("longer", "x")])
    assert capsys.readouterr().out == "name    said\na       馬馬 two lines\nlonger  x\n"


def test_a_command_in_a_text_is_not_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a person copies stays on one line, at any width."""
    monkeypatch.setattr(output, "_columns", lambda: 60)
    text = "Say which one the key opens, in another terminal: `innerlife profile key add phone --profile work`, now."
    lines = output.wrapped(text).split("\n")
    assert [line for line in lines if "`innerlife profile key add phone --profile work`" in line]
    assert " ".join(lines) == text
    assert max(map(len, lines)) <= 60


def test_a_narrow_table_puts_what_was_said_on_a_line_of_its_own(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No column is squeezed to letters, and none is left out."""
    monkeypatch.setattr(output, "_columns", lambda: 40)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    output.table(("id", "who", "said"), [("01ABCDEF", "Anima", "word " * 20)], cut_last=True)
    first, second = capsys.readouterr().out.splitlines()
    assert first == "01ABCDEF  Anima"
    assert second.startswith("  word word")
    assert len(second) <= 40


def test_a_table_breaks_only_its_last_column_and_at_words(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """[U1] Moments, states and short words stand whole; a long text goes on under itself."""
    monkeypatch.setattr(output, "_columns", lambda: 70)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setattr(output, "heading", output.say)
    rows = [("#3fa9c1", "you promised", "2026-12-02 16:00", "Send the report, and " * 3)]
    output.table(("goal", "whose", "due", "what"), rows)
    head, first, *more = capsys.readouterr().out.splitlines()
    assert head.split() == ["goal", "whose", "due", "what"]
    assert first.startswith("#3fa9c1  you promised  2026-12-02 16:00  Send the report,")
    assert more
    assert all(line.startswith(" " * head.index("what")) and len(line) <= 70 for line in more)
    assert (
        " ".join([first[head.index("what") :], *map(str.strip, more)])
        == ("Send the report, and " * 3).strip()
    )


def test_a_table_without_room_for_its_last_column_names_the_others(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """[U1] What stood in a column is told with its heading, and the long text whole below."""
    monkeypatch.setattr(output, "_columns", lambda: 50)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    output.table(
        ("model", "trusted", "why not"), [("some-long-model-name:q4", "no", "it counted wrong, " * 3)]
    )
    assert capsys.readouterr().out.splitlines() == [
        "some-long-model-name:q4  trusted: no",
        "  it counted wrong, it counted wrong, it counted",
        "  wrong,",
    ]


def test_a_warning_stands_before_a_passphrase_is_chosen(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """[C4] At the prompt, before anything is typed."""

    def asked(*_: Any, **__: Any) -> str:
        assert "nothing opens this memory without it" in capsys.readouterr().err
        return "chosen"

    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("click.prompt", asked)
    assert surroundings.new_passphrase() == "chosen"


def test_colour_only_on_a_terminal_that_wants_it(lived: Home) -> None:
    """`NO_COLOR` is respected, and a pipe gets no escapes."""
    for colour, expected in (("1", False), ("", True)):
        ours, theirs = pty.openpty()
        process = start("doctor", output=theirs, NO_COLOR=colour, TERM="xterm-256color")
        os.close(theirs)
        text = ""
        while select.select([ours], [], [], 20)[0] and (piece := _terminal(ours)):
            text += piece
        process.communicate(timeout=20)
        os.close(ours)
        assert "Shipped texts" in text
        assert ("\x1b[32m" in text) == expected


@pytest.mark.parametrize(
    ("number", "shown"), [(0, "0 bytes"), (999, "999 bytes"), (98_400_000, "98.4 MB"), (2e13, "20.0 TB")]
)
def test_sizes_are_in_words(number: float, shown: str) -> None:
    assert output.size(number) == shown


class TestEngines:
    """Which engine answers [P9]."""

    def test_ollama_is_found_and_one_that_is_gone_is_noticed(self, home: Home) -> None:
        now = [0.0]
        (home.home / "models").mkdir(parents=True)
        with serving(FakeEngine()) as fake:
            engines = Engines(load(), ollama_url=fake.url, clock=lambda: now[0])

            async def twice() -> tuple[Upstream, Choice]:
                found = await engines.current()
                return found, await engines.look()

            found, choice = asyncio.run(twice())
            assert (found.kind, found.url) == ("ollama", fake.url)
            assert str(choice) == f"Ollama at {fake.url}"
        engines.model = None
        engines._embedded = None  # noqa: SLF001 - a machine without any weights
        now[0] = 60.0

        async def again() -> Upstream:
            try:
                return await engines.current()
            finally:
                await engines.close()

        with pytest.raises(EngineUnavailable, match="no language model"):
            asyncio.run(again())

    def test_a_configured_engine_may_come_later(self, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("INNERLIFE_UPSTREAM", "http://127.0.0.1:9")
        engines = Engines(load())

        async def ask() -> None:
            try:
                await engines.current()
            finally:
                await engines.close()

        with pytest.raises(EngineUnavailable, match="does not answer"):
            asyncio.run(ask())
        assert engines.model is None, "a named engine is used alone"
