"""Bad input and bad luck, through the command line: one sentence, the way out, the code, and nothing changed."""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import keyring
import keyring.errors
import pytest
from keyring.backend import KeyringBackend

from innerlife.adapters.sqlite import keys as core_keys
from innerlife.adapters.sqlite.connection import open_engine, writing
from innerlife.adapters.sqlite.keys import key_file, keys_of, read_record, unwrap
from innerlife.adapters.sqlite.stores import RuntimeViews
from innerlife.bootstrap import open_companion
from innerlife.cli.commands import status as status_command
from innerlife.cli.errors import Exit
from innerlife.ledger.envelope import Actor, Draft, Trust
from innerlife.ledger.forget import Forgetting
from innerlife.ledger.store import Intent
from innerlife.selfmodel.events import OriginGiven
from innerlife.settings import load
from tests.cli.conftest import Home, Invoke, data_of, start
from tests.cli.fakes import FakeEngine
from tests.support.bytes import snapshot

READING = (
    ("status",), ("conversations",), ("recall", "x"), ("preview", "x"), ("why",), ("origin",), ("key",), ("rebuild",),
    ("forget", "01ABC", "--yes"),
)  # fmt: skip


def plain(done: Any, code: int) -> str:
    """The error of a command, seen to be one calm paragraph."""
    assert done.exit_code == code, done.output
    text = str(done.stderr)
    assert "Traceback" not in text
    assert text.strip().endswith((".", "`"))
    assert text.count("\n") <= 2, text
    return text


@pytest.mark.parametrize("arguments", READING, ids=" ".join)
def test_reading_makes_no_core(arguments: tuple[str, ...], invoke: Invoke, home: Home) -> None:
    assert "`innerlife init`" in plain(invoke(*arguments), Exit.NOT_FOUND)
    assert not home.home.exists()


@pytest.mark.parametrize("command", [("say", "x"), ("status",), ("serve", "--port", "0")], ids=" ".join)
def test_a_slip_in_the_profile_makes_none(
    command: tuple[str, ...], invoke: Invoke, lived: Home, engine: FakeEngine
) -> None:
    """[C8] A profile is made on purpose only."""
    assert "no profile 'wrok'" in plain(invoke("--profile", "wrok", *command), Exit.NOT_FOUND)
    assert not (lived.home / "profiles" / "wrok").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        (("say", "  "), 2, "nothing to say"),
        (("say", "--new", "--conversation", "c1", "x"), 2, "either new or carried on"),
        (("say", "--conversation", "czzz", "x"), 3, "no conversation"),
        (("recall", " "), 2, "nothing to look for"),
        (("recall",), 2, "--help"),
        (("recall", "x", "-n", "0"), 2, "--help"),
        (("nonsense",), 2, "No such command"),
        (("why", "zzz"), 3, "no message"),
        (("why", "0"), 2, "begins"),
        (("forget",), 2, "what to forget"),
        (("forget", "zzz", "--yes"), 3, "no message and no conversation"),
        (("forget", "c", "--yes"), 2, "several conversations"),
        (("conversations", "zzz"), 3, "no conversation"),
        (("constitution", "greed"), 3, "no value"),
        (("constitution", "r"), 2, "several values"),
        (("origin", "--name", "x" * 60), 2, "40 characters"),
        (("profile", "add", "Bad Name"), 2, "cannot name a profile"),
        (("profile", "add", "fiction"), 2, "reserved"),
        (("profile", "add", "default"), 2, "already a profile"),
        (("profile", "key", "add", "x", "--profile", "nobody"), 3, "no profile"),
        (("--profile", "nobody", "profile", "key", "add", "x"), 3, "no profile"),
        (("profile", "key", "revoke", "x"), 3, "no key"),
        (("model", "use", "nothing"), 6, "not on this disk"),
        (("model", "pull", "nothing"), 2, "names no model"),
        (("serve", "--host", "0.0.0.0", "--port", "0"), 2, "Add `--token TEXT`"),
        (("serve", "--port", "70000"), 2, "--help"),
        (("say", "--upstream", "ftp://x", "hello"), 2, "no address of an engine"),
        (("--profile", "fiction", "status"), 2, "reserved"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_bad_input_is_told_in_a_sentence(
    arguments: tuple[str, ...], code: int, word: str, invoke: Invoke, lived: Home
) -> None:
    before = data_of(invoke("status", "--json"))["memory"]["events"]
    assert word in plain(invoke(*arguments), code)
    assert data_of(invoke("status", "--json"))["memory"]["events"] == before


@pytest.mark.parametrize(
    ("arguments", "opens"),
    [
        (("profile", "key", "add", "work"), ["work"]),
        (("profile", "key", "add", "default"), ["default"]),
        (("--profile", "work", "profile", "key", "add", "phone"), ["work"]),
        (("--profile", "default", "profile", "key", "add", "phone"), ["default"]),
        (("--profile", "default", "profile", "key", "add", "work"), ["default"]),
        (("profile", "key", "add", "work", "--profile", "default"), ["default"]),
        (("profile", "key", "add", "both", "--profile", "default", "--profile", "work"), ["default", "work"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_a_key_opens_the_profile_that_is_meant(
    arguments: tuple[str, ...], opens: list[str], invoke: Invoke, lived: Home
) -> None:
    """[C8] A profile's own name means that profile; what is named with --profile counts first."""
    assert invoke("profile", "add", "work").exit_code == 0
    assert data_of(invoke(*arguments, "--json"))["profiles"] == opens


def test_a_key_for_one_of_several_profiles_is_never_guessed(
    invoke: Invoke, lived: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """[C8] Refused with the way out, which works as it is written; with one profile nothing need be said."""
    assert data_of(invoke("profile", "key", "add", "desk", "--json"))["profiles"] == ["default"]
    assert invoke("profile", "add", "work").exit_code == 0
    told = plain(invoke("profile", "key", "add", "phone"), Exit.BAD_INPUT)
    assert "`innerlife profile key add phone --profile PROFILE`, where PROFILE is default or work" in told
    assert [one["name"] for one in data_of(invoke("profile", "key", "list", "--json"))] == ["desk"]
    monkeypatch.setenv("INNERLIFE_PROFILE", "work")
    assert data_of(invoke("profile", "key", "add", "phone", "--json"))["profiles"] == ["work"]


def test_the_readme_opens_the_profiles_that_it_says(invoke: Invoke, lived: Home) -> None:
    """[C8] Its commands for a second companion, typed as they stand there."""
    text = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    (passage,) = [part for part in text.split("\n\n") if "innerlife profile add work" in part]
    for line in re.findall(r"`innerlife (profile [^`]+)`", passage):
        assert invoke(*line.split()).exit_code == 0
    opens = {one["name"]: one["profiles"] for one in data_of(invoke("profile", "key", "list", "--json"))}
    assert opens == {"work": ["work"], "default": ["default"]}


def test_settings_that_cannot_be_read_are_named(invoke: Invoke, home: Home) -> None:
    home.config.mkdir()
    file = home.config / "innerlife.toml"
    file.write_text("[proxy\n", encoding="utf-8")
    assert str(file) in plain(invoke("status"), 2)
    file.write_text('[proxy]\nport = "many"\n', encoding="utf-8")
    assert "proxy.port" in plain(invoke("status"), 2)


def test_a_wrong_passphrase_changes_nothing(
    invoke: Invoke, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """[C4] Exit 4, a clear error, and the Core's bytes are the same."""
    monkeypatch.setenv("INNERLIFE_PASSPHRASE", "right")
    assert invoke("init", "--key", "passphrase").exit_code == 0
    before = home.core_bytes()
    monkeypatch.setenv("INNERLIFE_PASSPHRASE", "wrong")
    for arguments in (
        ("status",),
        ("say", "hello"),
        ("origin", "--name", "Mira"),
        ("key", "file"),
        ("rebuild",),
    ):
        told = plain(invoke(*arguments), Exit.LOCKED)
        assert "passphrase does not open" in told
        assert "no way back into this memory without it" in told
    monkeypatch.delenv("INNERLIFE_PASSPHRASE")
    assert "INNERLIFE_PASSPHRASE" in plain(invoke("status"), Exit.LOCKED)
    assert home.core_bytes() == before
    assert not list(home.config.glob("keys/*"))
    monkeypatch.setenv("INNERLIFE_PASSPHRASE", "right")
    assert invoke("status").exit_code == 0


def test_a_missing_key_file_is_told(invoke: Invoke, lived: Home) -> None:
    """[C4] Without its key the Core stays closed, and says which file is missing."""
    (file,) = (lived.config / "keys").iterdir()
    content = file.read_bytes()
    file.unlink()
    before = lived.core_bytes()
    assert str(file) in plain(invoke("recall", "Lisbon"), Exit.LOCKED)
    assert "missing" in invoke("doctor").stdout
    assert lived.core_bytes() == before
    file.write_bytes(content)
    assert invoke("recall", "Lisbon").exit_code == 0


def test_a_damaged_core_is_said_plainly_and_left(invoke: Invoke, lived: Home) -> None:
    """Never repaired silently: the bytes stay as they are."""
    damaged = bytearray(lived.core.read_bytes())
    damaged[:4096] = os.urandom(4096)
    lived.core.write_bytes(damaged)
    for beside in lived.profile.glob("core.db-*"):
        beside.unlink()
    for arguments in (("status",), ("recall", "Lisbon"), ("say", "hello")):
        told = plain(invoke(*arguments), Exit.STORAGE)
        assert "damaged and was left as it is" in told
        assert "backup" in told
    done = invoke("doctor")
    assert done.exit_code == Exit.FAILURE
    assert "failed     Core" in done.stdout
    assert lived.core.read_bytes() == bytes(damaged)


def test_a_damaged_key_record_is_said_plainly(invoke: Invoke, lived: Home) -> None:
    (lived.profile / "core.keys").write_text("{", encoding="utf-8")
    assert "core.keys is damaged" in plain(invoke("status"), Exit.STORAGE)
    assert (lived.profile / "core.keys").read_text(encoding="utf-8") == "{"


def test_a_newer_core_is_not_touched(invoke: Invoke, lived: Home) -> None:
    _set_format(lived, 999)
    assert "Update Innerlife" in plain(invoke("status"), Exit.STORAGE)
    assert "Update Innerlife" in invoke("doctor").stdout


def _set_format(lived: Home, version: int) -> None:
    record = read_record(lived.profile / "core.keys")
    key = keys_of(unwrap(record, lived.config)).database
    engine = open_engine(lived.core, key, durable=True)
    with writing(engine, lived.core) as connection:
        connection.exec_driver_sql(f"PRAGMA user_version = {version}")
    engine.dispose()


def test_damaged_views_are_made_anew_and_it_is_said(invoke: Invoke, lived: Home) -> None:
    views = lived.profile / "runtime.db"
    views.write_bytes(os.urandom(8192))
    for beside in lived.profile.glob("runtime.db-*"):
        beside.unlink()
    done = invoke("recall", "Lisbon", "--json")
    assert done.exit_code == 0
    assert "rebuilt" in done.stderr
    assert '"items"' in done.stdout


def _harmed(path: Path) -> None:
    path.write_bytes(os.urandom(8192))


def _flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-3000] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize("harm", [_harmed, _flipped], ids=["all of it", "one bit"])
def test_doctor_says_that_views_are_damaged_and_leaves_them(
    harm: Callable[[Path], None], invoke: Invoke, lived: Home
) -> None:
    """[U7] It looks and says; what mends them is named, and does."""
    harm(lived.profile / "runtime.db")
    before = snapshot(lived.home)
    done = invoke("doctor")
    assert done.exit_code == Exit.FAILURE
    assert "failed     Views" in done.stdout
    assert "`innerlife rebuild`" in done.stdout
    assert snapshot(lived.home) == before
    assert invoke("rebuild").exit_code == 0
    assert "Views: up to date" in invoke("doctor").stdout


@pytest.mark.parametrize("state", ["as it is", "no views", "forgetting", "an older format", "half a start"])
def test_doctor_changes_nothing(
    state: str, invoke: Invoke, lived: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """[U7] Not a byte: nothing is made, finished, acknowledged or brought up to date."""
    match state:
        case "no views":
            (lived.profile / "runtime.db").unlink()
        case "forgetting":
            with monkeypatch.context() as patch:
                patch.setattr(RuntimeViews, "purge", lambda self, gone: None)
                patch.setattr(Forgetting, "finish", _interrupted)
                (one, _) = data_of(invoke("conversations", "--json"))
                assert invoke("forget", one["id"], "--yes").exit_code == 130
        case "an older format":
            _set_format(lived, 0)
        case "half a start":
            for path in lived.profile.iterdir():
                if path.name != "core.keys":
                    path.unlink()
        case _:
            pass
    before = {path: path.read_bytes() for path in lived.home.rglob("*") if path.is_file()}
    found = {one["what"]: one for one in json.loads(invoke("doctor", "--json").stdout)}
    assert {path: path.read_bytes() for path in lived.home.rglob("*") if path.is_file()} == before
    verdicts = [found[what]["verdict"] for what in ("Core", "Views", "Forgetting") if what in found]
    assert verdicts == {
        "as it is": ["ok", "ok"], "no views": ["ok", "ok"], "forgetting": ["ok", "ok", "attention"],
        "an older format": ["failed"], "half a start": ["failed"],
    }[state]  # fmt: skip


def test_doctor_looks_at_a_core_that_is_in_use(invoke: Invoke, lived: Home) -> None:
    companion = open_companion(load())
    try:
        companion.ledger.append(Draft(OriginGiven("Mira", "2026-03-01"), Actor.USER, Trust.USER))
        (core,) = (one for one in json.loads(invoke("doctor", "--json").stdout) if one["what"] == "Core")
        assert core["found"] == f"sound, {companion.ledger.count()} events"
    finally:
        companion.close()


def _interrupted(_self: Forgetting, _intent: Intent) -> None:
    raise KeyboardInterrupt


def test_deleted_views_are_made_anew(invoke: Invoke, lived: Home) -> None:
    before = [one["message"] for one in data_of(invoke("recall", "Lisbon", "--json"))["items"]]
    for file in lived.profile.glob("runtime.db*"):
        file.unlink()
    assert [one["message"] for one in data_of(invoke("recall", "Lisbon", "--json"))["items"]] == before


@pytest.mark.parametrize(
    ("code", "word"),
    [(errno.EROFS, "cannot write"), (errno.EACCES, "cannot write"), (errno.ENOSPC, "disk is full")],
)
def test_a_home_that_takes_nothing_is_said_plainly(
    code: int, word: str, invoke: Invoke, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Path.mkdir

    def mkdir(self: Path, *arguments: Any, **more: Any) -> None:
        if home.home in (self, *self.parents):
            raise OSError(code, os.strerror(code), str(self))
        real(self, *arguments, **more)

    monkeypatch.setattr(Path, "mkdir", mkdir)
    assert word in plain(invoke("init"), Exit.STORAGE)


def test_an_unexpected_error_says_where_the_log_is_and_logs_no_words(
    invoke: Invoke, lived: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """[G6] A sentence for the person; the log holds the places in the program and not a word of anyone."""

    def explode(*_: Any) -> None:
        raise RuntimeError("my secret about Anna")

    monkeypatch.setattr(status_command, "_engine", explode)
    done = invoke("status")
    log = lived.home / "logs" / "innerlife.log"
    assert str(log) in plain(done, Exit.FAILURE)
    assert "secret" not in done.output
    written = log.read_text(encoding="utf-8")
    assert "RuntimeError" in written
    assert "in explode" in written
    assert "secret" not in written


def test_a_reader_that_has_had_enough_is_no_error(lived: Home) -> None:
    with start("constitution", "--json") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(20) == 0


def test_letters_that_a_terminal_cannot_show_are_no_error(lived: Home, invoke: Invoke) -> None:
    assert invoke("say", "Žluťoučký kůň 馬").exit_code == 0
    for arguments in (("conversations",), ("conversations", "--json"), ("why",)):
        process = start(*arguments, PYTHONIOENCODING="ascii")
        _, trouble = process.communicate(timeout=20)
        assert process.returncode == 0, trouble


class Drawer(KeyringBackend):
    """A keyring of the test's own."""

    priority = 1.0

    def __init__(self, *, closed: bool = False) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.kept: dict[tuple[str, str], str] = {}
        self.closed = closed

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        if self.closed:
            raise keyring.errors.KeyringLocked
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


@pytest.fixture
def drawer(monkeypatch: pytest.MonkeyPatch) -> Drawer:
    made = Drawer()
    monkeypatch.setattr(keyring, "get_keyring", lambda: made)
    monkeypatch.setattr(keyring.core, "get_keyring", lambda: made)
    return made


def test_the_key_goes_from_file_to_passphrase_to_keyring_and_back(
    lived: Home, invoke: Invoke, drawer: Drawer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """[C4] The Core is the same and opens each time; the old key is gone from where it lay."""
    data_key = unwrap(read_record(lived.profile / "core.keys"), lived.config)
    file = key_file(lived.config, read_record(lived.profile / "core.keys").core_id)
    assert invoke("key", "passphrase", said="a long one\n").exit_code == 0
    assert not file.exists()
    assert plain(invoke("recall", "Lisbon"), Exit.LOCKED)
    monkeypatch.setenv("INNERLIFE_PASSPHRASE", "a long one")
    assert data_of(invoke("recall", "Lisbon", "--json"))["items"]
    assert invoke("key", "keyring").exit_code == 0
    monkeypatch.delenv("INNERLIFE_PASSPHRASE")
    assert len(drawer.kept) == 1
    assert data_of(invoke("key", "--json"))["method"] == "keyring"
    assert data_of(invoke("recall", "Lisbon", "--json"))["items"]
    assert data_of(invoke("key", "file", "--json"))["file"] == str(file)
    assert drawer.kept == {}
    assert file.stat().st_mode & 0o777 == 0o600
    assert data_of(invoke("recall", "Lisbon", "--json"))["items"]
    assert unwrap(read_record(lived.profile / "core.keys"), lived.config) == data_key


def test_the_passphrase_can_be_changed(lived: Home, invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    """[C4] The old one opens nothing any more."""
    assert invoke("key", "passphrase", said="first\n").exit_code == 0
    monkeypatch.setenv("INNERLIFE_PASSPHRASE", "first")
    assert invoke("key", "passphrase", said="second\n").exit_code == 0
    assert invoke("status").exit_code == Exit.LOCKED
    monkeypatch.setenv("INNERLIFE_PASSPHRASE", "second")
    assert invoke("status").exit_code == 0


def test_a_passphrase_is_set_with_the_warning_that_it_cannot_be_replaced(
    lived: Home, invoke: Invoke, home: Home
) -> None:
    """[C4] Whoever locks a memory is told, before and after, that nothing else opens it."""
    shown = " ".join(invoke("key", "passphrase", said="first\n").stdout.split())
    assert "A lost passphrase cannot be replaced: nothing opens this memory without it." in shown


def test_an_empty_passphrase_is_refused(lived: Home, invoke: Invoke) -> None:
    for said in ("\n", ""):
        assert "may not be empty" in plain(invoke("key", "passphrase", said=said), 2)
    assert invoke("status").exit_code == 0


def test_a_keyring_that_is_locked_leaves_the_key_where_it_is(
    lived: Home, invoke: Invoke, drawer: Drawer
) -> None:
    drawer.closed = True
    assert "keyring cannot be used" in plain(invoke("key", "keyring"), Exit.LOCKED)
    assert data_of(invoke("key", "--json"))["method"] == "file"
    assert invoke("status").exit_code == 0


@pytest.mark.parametrize("at", ["before", "after"])
def test_a_change_of_key_that_breaks_off_leaves_one_that_opens(
    at: str, lived: Home, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    """[C4] Before the record is written the file opens, afterwards the passphrase does."""
    real = core_keys.KeyRecord.save

    def save(self: core_keys.KeyRecord, path: Path) -> None:
        if at == "after":
            real(self, path)
        raise OSError(errno.EIO, "pulled the plug")

    with monkeypatch.context() as patch:
        patch.setattr(core_keys.KeyRecord, "save", save)
        assert invoke("key", "passphrase", said="new\n").exit_code != 0
    if at == "after":
        monkeypatch.setenv("INNERLIFE_PASSPHRASE", "new")
    assert invoke("status").exit_code == 0


def test_a_key_file_is_never_written_over(lived: Home, invoke: Invoke) -> None:
    (file,) = (lived.config / "keys").iterdir()
    content = file.read_bytes()
    assert invoke("key", "file").exit_code == 0
    assert file.read_bytes() == content


def test_doctor_sees_a_key_file_that_others_can_read(lived: Home, invoke: Invoke) -> None:
    """[U7] With what to do about it."""
    (file,) = (lived.config / "keys").iterdir()
    file.chmod(0o644)
    done = invoke("doctor")
    assert "other users can read" in done.stdout
    assert "chmod 600" in done.stdout
    assert file.stat().st_mode & 0o777 == 0o644, "it looks and says; it changes nothing"
