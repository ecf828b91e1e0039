"""Every command, by walking the registry."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import click
import pytest

from innerlife import errors
from innerlife.cli import commands, registry
from innerlife.cli.errors import MEANINGS, Exit, exit_code, sentence
from innerlife.cli.reference import page
from tests.cli.conftest import Home, Invoke, hold_in_mind, read_in_the_last_message
from tests.cli.fakes import FakeEngine

PATHS = [path for path, _ in registry.walk()]
DATA = {
    ("serve",): None,
    ("chat",): None,
    ("init",): ("--profile", "second", "init"),
    ("say",): ("say", "Hello there, Anima."),
    ("status",): ("status",),
    ("doctor",): ("doctor",),
    ("conversations",): ("conversations",),
    ("recall",): ("recall", "Lisbon"),
    ("preview",): ("preview", "Where is Anna?"),
    ("why",): ("why",),
    ("forget",): ("forget", "{message}", "--preview"),
    ("self",): ("self",),
    ("self", "show"): ("self", "show", "identity"),
    ("self", "edit"): ("self", "edit", "name", "--text", "Jo"),
    ("self", "drop"): ("self", "drop", "{held}"),
    ("persona",): ("persona",),
    ("human",): ("human",),
    ("goals",): ("goals",),
    ("preferences",): ("preferences",),
    ("observations",): ("observations",),
    ("growth",): ("growth",),
    ("rules",): ("rules",),
    ("rules", "edit"): None,
    ("rules", "retire"): None,
    ("rules", "dispute"): None,
    ("skills",): ("skills",),
    ("as-of",): ("as-of", "today"),
    ("reflect",): ("reflect",),
    ("reflections",): ("reflections",),
    ("profile", "edit"): ("profile", "edit", "--set", "work=nurse"),
    ("mood",): ("mood",),
    ("mood", "correct"): ("mood", "correct", "{signal}", "Only in a hurry"),
    ("mood", "drop"): ("mood", "drop", "{signal}"),
    ("origin",): ("origin",),
    ("constitution",): ("constitution",),
    ("rebuild",): ("rebuild",),
    ("activity",): ("activity",),
    ("queue",): ("queue",),
    ("model",): None,
    ("model", "list"): ("model", "list"),
    ("model", "pull"): None,
    ("model", "use"): ("model", "use", "mine"),
    ("profile",): None,
    ("profile", "list"): ("profile", "list"),
    ("profile", "add"): ("profile", "add", "work"),
    ("profile", "key"): None,
    ("profile", "key", "add"): ("profile", "key", "add", "phone"),
    ("profile", "key", "list"): ("profile", "key", "list"),
    ("profile", "key", "revoke"): ("profile", "key", "revoke", "old"),
    ("key",): ("key",),
    ("key", "file"): ("key", "file"),
    ("key", "keyring"): None,
    ("key", "passphrase"): ("key", "passphrase"),
}
"""How each command is called for its data; None for families, servers, and what needs a network or a desktop."""


def test_every_module_of_the_folder_is_a_command() -> None:
    stems = {path.stem for path in Path(commands.__path__[0]).glob("*.py")} - {"__init__"}
    modules = {stem.replace("_", "-") for stem in stems}
    assert modules == set(registry.names())


def test_every_command_stands_in_one_group_of_the_overview(invoke: Invoke) -> None:
    """[U1] A person finds it by what they want; none is left over, and none is named that is gone."""
    grouped = [name for members in registry.GROUPS.values() for name in members]
    assert sorted(grouped) == sorted(registry.names())
    shown = invoke("--help").stdout
    assert f"{registry.REST}:" not in shown
    below = [shown.index(f"\n{title}:") for title in registry.GROUPS]
    assert below == sorted(below)
    for number, members in enumerate(registry.GROUPS.values()):
        part = shown[below[number] : [*below, len(shown)][number + 1]]
        assert all(re.search(rf"^  {name} ", part, re.MULTILINE) for name in members)


NOWHERE = {
    ("conversations",): ("conversations", "nosuch"),
    ("why",): ("why", "nosuch"),
    ("forget",): ("forget", "nosuch", "--yes"),
    ("say",): ("say", "--conversation", "nosuch", "Hello"),
    ("chat",): ("chat", "--conversation", "nosuch"),
    ("self", "drop"): ("self", "drop", "nosuch"),
    ("human",): ("human", "--remove", "nosuch"),
    ("goals",): ("goals", "nosuch"),
    ("preferences",): ("preferences", "--retire", "nosuch"),
    ("observations",): ("observations", "nosuch"),
    ("mood", "correct"): ("mood", "correct", "0nosuch", "It was not so"),
    ("mood", "drop"): ("mood", "drop", "0nosuch"),
    ("rules", "edit"): ("rules", "edit", "nosuch", "Be short."),
    ("rules", "retire"): ("rules", "retire", "nosuch"),
    ("rules", "dispute"): ("rules", "dispute", "nosuch"),
    ("constitution",): ("constitution", "nosuch"),
    ("profile", "key", "revoke"): ("profile", "key", "revoke", "nosuch"),
}
"""How each command is called that takes the handle or the id of a thing, for one that is not there."""

NAMING = re.compile(r"\b(HANDLE|ID|TURN|SIGNAL|RULE|WHAT|VALUE)\b")
"""What the help calls such a handle or id."""


def test_every_command_that_takes_a_handle_is_in_the_table_above() -> None:
    """[U1] A new one must say here how it is called."""
    named = {
        path
        for path, command in registry.walk()
        for parameter in command.params
        if NAMING.search(parameter.metavar or (parameter.name or "").upper())
    }
    assert named <= set(NOWHERE)


@pytest.mark.parametrize("arguments", NOWHERE.values(), ids=" ".join)
@pytest.mark.parametrize("as_json", [False, True], ids=["plain", "json"])
def test_what_is_not_there_is_not_found(
    arguments: tuple[str, ...], as_json: bool, invoke: Invoke, lived: Home, engine: FakeEngine
) -> None:
    """[U1] One sentence and the code for it, whatever the thing is; nothing is shown in its place."""
    if as_json and arguments[0] == "chat":
        pytest.skip("a talk has no data")
    read_in_the_last_message()
    heard = len(engine.received)
    done = invoke(*arguments, *(["--json"] if as_json else []), said="")
    assert done.exit_code == Exit.NOT_FOUND, done.output
    assert "nosuch" in done.stderr.lower()
    assert not done.stdout
    assert len(engine.received) == heard


EMPTY = (
    ("conversations",), ("recall", "bees"), ("activity", "--kind", "message"), ("self", "show", "working_memory"),
    ("self", "show", "inner_state"), ("self", "show", "human"), ("human",), ("goals",), ("preferences",),
    ("observations",), ("mood",), ("rules",), ("skills",), ("growth",), ("reflections",), ("profile", "key", "list"),
)  # fmt: skip


@pytest.mark.parametrize("arguments", EMPTY, ids=" ".join)
def test_an_empty_list_says_so(arguments: tuple[str, ...], invoke: Invoke, home: Home) -> None:
    """[U1] In a sentence; never headings with nothing below."""
    assert invoke("init").exit_code == 0
    done = invoke(*arguments)
    assert done.exit_code == 0, done.output
    said = done.output.strip().splitlines()
    assert said
    assert re.match(r"(Nothing|No|There (is|are) no|You have) .*\.$", said[0]), done.output


def test_every_command_has_a_line_in_the_table_of_data() -> None:
    """A new command must say here how its `--json` is tested [U1]."""
    assert set(DATA) == set(PATHS)


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_every_command_has_help_with_an_example(path: tuple[str, ...], invoke: Invoke, home: Home) -> None:
    """[U1] Help with an example that calls the very command."""
    done = invoke(*path, "--help")
    assert done.exit_code == 0
    assert re.search(r"Examples?:\n", done.stdout)
    shown = done.stdout.split("Example", 1)[1]
    assert " ".join(("innerlife", *path)) in re.sub(r"innerlife (--\w+ \w+ )+", "innerlife ", shown)
    assert not home.home.exists(), "help makes no Core"


@pytest.mark.parametrize("path", [path for path, how in DATA.items() if how], ids=" ".join)
def test_every_command_with_data_prints_it_as_json(
    path: tuple[str, ...], invoke: Invoke, lived: Home
) -> None:
    """[U1] `--json` prints one document, and nothing beside it."""
    (lived.home / "models").mkdir()
    (lived.home / "models" / "mine.gguf").write_bytes(b"GGUF")
    assert invoke("profile", "key", "add", "old").exit_code == 0
    message = json.loads(invoke("recall", "Lisbon", "--json").stdout)["items"][0]["message"]
    things = {"message": message, "signal": read_in_the_last_message(), "held": hold_in_mind("The garden")}
    arguments = [part.format(**things) for part in DATA[path] or ()]
    done = invoke(*arguments, "--json", said="a passphrase\n")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout) not in (None, "")


@pytest.mark.parametrize("path", [path for path, how in DATA.items() if how], ids=" ".join)
def test_every_command_with_data_has_the_option(path: tuple[str, ...]) -> None:
    command: click.Command = dict(registry.walk())[path]
    assert any("--json" in option.opts for option in command.params)


def test_the_reference_is_current() -> None:
    """[U1] `docs/cli.md` is what the program says of itself."""
    written = (Path(__file__).resolve().parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
    assert written == page(), "run: python -m innerlife.cli.reference > docs/cli.md"


def test_every_exit_code_has_its_meaning() -> None:
    assert set(MEANINGS) == set(Exit)


CODES = {
    errors.BadInput: 2, errors.NotFound: 3, errors.Refused: 7, errors.ProfileClosed: 7, errors.CauseGone: 1,
    errors.StorageFailed: 5, errors.DiskFull: 5, errors.ReadOnlyHome: 5, errors.HomeBusy: 5,
    errors.CoreCorrupted: 5, errors.ViewsCorrupted: 5, errors.CoreTooNew: 5, errors.KeyFailed: 4, errors.WrongKey: 4,
    errors.KeyMissing: 4, errors.EngineUnavailable: 6, errors.ModelUnavailable: 6, errors.ModelFailed: 1,
    errors.ShippedTextChanged: 1,
}  # fmt: skip


@pytest.mark.parametrize(("error", "code"), CODES.items())
def test_each_error_has_its_code(error: type[errors.InnerlifeError], code: int) -> None:
    assert exit_code(error("x")) == code


def test_every_error_of_the_tree_is_in_the_test_above() -> None:
    tree = {
        node.name
        for node in ast.parse(Path(errors.__file__).read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef)
    }
    assert tree - {"InnerlifeError"} == {error.__name__ for error in CODES}


@pytest.mark.parametrize(
    ("message", "hint", "read"),
    [
        ("no model was found", "fetch one", "No model was found. Fetch one."),
        ("/home/x is missing", "", "/home/x is missing."),
        ("`a` is closed.", "Open it.", "`a` is closed. Open it."),
        ("qwen2.5 is not here", "", "qwen2.5 is not here."),
    ],
)
def test_an_error_reads_as_sentences(message: str, hint: str, read: str) -> None:
    assert sentence(errors.NotFound(message, hint)) == read
