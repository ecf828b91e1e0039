"""What lies on the disk: encrypted, its key elsewhere, and a wrong key changes nothing."""

from __future__ import annotations

import errno
import hashlib
import hmac
import json
import shutil
import stat
from base64 import b64encode
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

import keyring
import keyring.backend
import keyring.errors
import pytest
from argon2.exceptions import HashingError
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from innerlife.adapters.sqlite import connection as db
from innerlife.adapters.sqlite import keys
from innerlife.adapters.sqlite.rewrapping import rewrap
from innerlife.conversations.model import Said
from innerlife.errors import (
    BadInput,
    CoreCorrupted,
    CoreTooNew,
    KeyFailed,
    KeyMissing,
    StorageFailed,
    WrongKey,
)
from innerlife.kernel.ids import new_id
from tests.support.bytes import planted_in, raw_in, snapshot
from tests.support.client import ChatClient, assistant, user
from tests.support.clock import FixedClock
from tests.support.stack import open_stack, opened_stack

PLANTED = ["quartzine", "velociform"]


class DictionaryKeyring(keyring.backend.KeyringBackend):
    """A system keyring in memory."""

    priority = 1

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password


class LockedKeyring(DictionaryKeyring):
    """A keyring that refuses."""

    priority = 1

    def get_password(self, service: str, username: str) -> str | None:
        raise keyring.errors.KeyringLocked("locked")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise keyring.errors.KeyringLocked("locked")


@pytest.fixture
def system_keyring() -> Iterator[DictionaryKeyring]:
    before = keyring.get_keyring()
    fake = DictionaryKeyring()
    keyring.set_keyring(fake)
    yield fake
    keyring.set_keyring(before)


def test_no_planted_word_stands_in_the_clear(tmp_path: Path) -> None:
    """[C4] Neither in a database nor its log while it is open, nor in an attachment; decrypted, they are all there."""
    folder = tmp_path / "core"
    with opened_stack(folder) as stack:
        client = ChatClient(stack.recording)
        client.say("My stone is quartzine", "A velociform one?")
        stack.opened.blobs.put(b"a quartzine picture")
        stack.upkeep.catch_up()
        assert (folder / "core.db-wal").stat().st_size > 0
        assert raw_in(tmp_path, [*PLANTED, "SQLite format 3"]) == {}
        found = planted_in(folder, stack.opened.keys, PLANTED)
        assert set().union(*found.values()) == set(PLANTED)
        assert any(name.startswith("blobs") for name in found)
    assert raw_in(tmp_path, [*PLANTED, "SQLite format 3"]) == {}


def test_connections_are_opened_as_they_must_be(tmp_path: Path) -> None:
    """[C9] [G4] An acknowledged commit survives a power cut; causes are checked; what is deleted is overwritten."""
    with opened_stack(tmp_path / "core") as stack:
        for database, synchronous in ((stack.opened.core, 2), (stack.opened.runtime, 1)):
            with db.raw(database.engine, database.path) as raw:
                found = {
                    name: raw.execute(f"PRAGMA {name}").fetchone()[0]
                    for name in ("synchronous", "foreign_keys", "secure_delete", "journal_mode", "temp_store")
                }
            assert found == {
                "synchronous": synchronous,
                "foreign_keys": 1,
                "secure_delete": 1,
                "journal_mode": "wal",
                "temp_store": 2,
            }


def test_the_key_file_lies_outside_the_home_and_is_its_owners(lived: Path) -> None:
    """[C4] Mode 0600, in the config folder; a copy of the home alone opens nothing."""
    record = keys.read_record(lived / "core.keys")
    key = keys.key_file(lived.parent / "core.config", record.core_id)
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert lived not in key.parents
    assert bytes.fromhex(key.read_text()).hex() not in (lived / "core.keys").read_text()
    before = snapshot(lived)
    with pytest.raises(KeyMissing, match="missing"):
        open_stack(lived, config=lived.parent / "another machine")
    assert snapshot(lived) == before


def test_the_home_is_closed_to_others(lived: Path) -> None:
    """[C4] Nobody else on this machine can list or read it."""
    assert stat.S_IMODE(lived.stat().st_mode) == 0o700


@pytest.mark.parametrize("text", ["00" * 32, "not hexadecimal", "", "00" * 31])
def test_a_wrong_key_file_changes_nothing(lived: Path, text: str) -> None:
    """[C4] Said plainly, every byte as before."""
    record = keys.read_record(lived / "core.keys")
    key = keys.key_file(lived.parent / "core.config", record.core_id)
    right = key.read_text()
    key.write_text(text)
    before = snapshot(lived)
    with pytest.raises((WrongKey, KeyMissing)):
        open_stack(lived)
    assert snapshot(lived) == before
    key.write_text(right)
    with opened_stack(lived) as stack:
        assert stack.ledger.count() > 100


def test_a_passphrase_opens_and_a_wrong_one_changes_nothing(tmp_path: Path) -> None:
    """[C4] Argon2id over a passphrase; nothing of it is written down."""
    folder = tmp_path / "core"
    passphrase = "correct horse \ud800 velociform"
    with closing(open_stack(folder, method="passphrase", passphrase=passphrase)) as stack:
        ChatClient(stack.recording).say("My stone is quartzine", "Good.")
    assert raw_in(tmp_path, PLANTED) == {}
    assert not (tmp_path / "core.config").exists()
    before = snapshot(folder)
    for wrong in ("correct horse", passphrase + " "):
        with pytest.raises(WrongKey):
            open_stack(folder, passphrase=wrong)
    for none in (None, ""):
        with pytest.raises(KeyMissing):
            open_stack(folder, passphrase=none)
    assert snapshot(folder) == before
    with closing(open_stack(folder, passphrase=passphrase)) as stack:
        assert stack.ledger.count() == 2


def test_a_core_is_not_made_without_its_passphrase(tmp_path: Path) -> None:
    with pytest.raises(BadInput):
        open_stack(tmp_path / "core", method="passphrase")
    assert [p for p in (tmp_path / "core").rglob("*") if p.is_file()] == []


def test_the_keyring_keeps_the_key(tmp_path: Path, system_keyring: DictionaryKeyring) -> None:
    """[C4] By choice; nothing of it on the disk; a keyring that lost it is said."""
    folder = tmp_path / "core"
    with closing(open_stack(folder, method="keyring")) as stack:
        ChatClient(stack.recording).say("My stone is quartzine", "Good.")
    assert len(system_keyring.kept) == 1
    assert not (tmp_path / "core.config").exists()
    assert raw_in(tmp_path, list(system_keyring.kept.values())) == {}
    with closing(open_stack(folder)) as stack:
        assert stack.ledger.count() == 2
    before = snapshot(folder)
    (place,) = system_keyring.kept
    for lost, error in ((None, KeyMissing), ("00" * 32, WrongKey), ("no key", KeyMissing)):
        system_keyring.kept.pop(place, None)
        if lost is not None:
            system_keyring.kept[place] = lost
        with pytest.raises(error):
            open_stack(folder)
    assert snapshot(folder) == before


def test_a_keyring_that_cannot_be_used_is_said(tmp_path: Path, system_keyring: DictionaryKeyring) -> None:
    keyring.set_keyring(LockedKeyring())
    with pytest.raises(KeyMissing, match="keyring"):
        open_stack(tmp_path / "core", method="keyring")
    assert not (tmp_path / "core" / "core.keys").exists()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "7",
        "null",
        "nonsense",
        '{"version":1,"core":"x","method":"file"}',
        "\x80",
        "[" * 99_999,
    ],
)
def test_a_damaged_key_record_is_said_and_left(lived: Path, text: str) -> None:
    record = lived / "core.keys"
    record.write_bytes(text.encode("latin-1"))
    before = snapshot(lived)
    with pytest.raises(CoreCorrupted, match=r"core\.keys"):
        open_stack(lived)
    assert snapshot(lived) == before


DAMAGE: dict[str, dict[str, Any]] = {
    "no id": {"core": "../../elsewhere"},
    "an id that is no text": {"core": 7},
    "another method": {"method": "magic"},
    "a method that is no text": {"method": ["file"]},
    "a wrapped key that is too short": {"wrapped": b64encode(bytes(59)).decode()},
    "a wrapped key that is none": {"wrapped": "?"},
    "a short salt": {"salt": b64encode(bytes(3)).decode()},
    "a salt that is none": {"salt": None},
    "no rounds": {"argon2": {"time_cost": 0, "memory_cost": 65536, "parallelism": 4}},
    "far too much memory": {"argon2": {"time_cost": 3, "memory_cost": 1 << 40, "parallelism": 4}},
    "too little memory": {"argon2": {"time_cost": 3, "memory_cost": 8, "parallelism": 4}},
    "half a lane": {"argon2": {"time_cost": 3, "memory_cost": 65536, "parallelism": 0.5}},
    "no cost": {"argon2": {}, "version": "1"},
    "a cost of another kind": {"argon2": {"time_cost": 3, "memory_cost": 65536, "parallelism": 4, "more": 1}},
}


@pytest.mark.parametrize("method", ["file", "passphrase"])
@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_any_damage_to_a_key_record_is_said_and_left(
    tmp_path: Path, damage: dict[str, Any], method: keys.Method
) -> None:
    """[C4] Whatever was changed in it, it is told as damage, and no argument of ours is trusted."""
    record, _ = keys.create(new_id(FixedClock().now()), method, tmp_path / "config", "a passphrase")
    record.save(tmp_path / "core" / "core.keys")
    path = tmp_path / "core" / "core.keys"
    path.write_text(json.dumps(json.loads(path.read_text()) | damage))
    before = snapshot(tmp_path)
    with pytest.raises(CoreCorrupted, match=r"core\.keys"):
        open_stack(tmp_path / "core", config=tmp_path / "config", passphrase="a passphrase")
    assert snapshot(tmp_path) == before


def test_a_key_record_that_cannot_be_read_is_said(lived: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_path: Path) -> bytes:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(StorageFailed, match=r"core\.keys cannot be read"):
        keys.read_record(lived / "core.keys")


def test_a_release_can_raise_the_cost_of_a_guess(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """[C4] A record opens with the cost it was made with; changing the passphrase takes the cost of today."""
    folder, config = tmp_path / "core", tmp_path / "core.config"
    cheap, dear = keys.Cost(1, 64, 1), keys.Cost(2, 128, 2)
    monkeypatch.setattr(keys, "COST", cheap)
    open_stack(folder, method="passphrase", passphrase="one").close()
    assert json.loads((folder / "core.keys").read_text())["argon2"] == asdict(cheap)
    monkeypatch.setattr(keys, "COST", dear)
    open_stack(folder, passphrase="one").close()
    assert keys.read_record(folder / "core.keys").cost == cheap
    rewrap(folder / "core.keys", config, "one", "passphrase", "two")
    assert keys.read_record(folder / "core.keys").cost == dear
    open_stack(folder, passphrase="two").close()


def test_a_machine_without_the_memory_for_a_passphrase_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_much(*_: object, **__: object) -> bytes:
        raise HashingError("Memory allocation error")

    monkeypatch.setattr(keys, "hash_secret_raw", too_much)
    with pytest.raises(KeyFailed, match="64 MiB"):
        open_stack(tmp_path / "core", method="passphrase", passphrase="one")


def test_no_key_has_two_uses(lived: Path) -> None:
    """[C4] Names of attachments are made with one key and their content is sealed with another."""
    with opened_stack(lived) as stack:
        made = asdict(stack.opened.keys)
        assert len(set(made.values())) == len(made)
        data = b"quartzine" * 500
        (name,) = stack.opened.blobs.names()
        assert name == hmac.new(made["blob_names"], data, hashlib.sha256).hexdigest()
        sealed = (lived / "blobs" / name[:2] / name).read_bytes()
        assert AESGCM(made["blobs"]).decrypt(sealed[:12], sealed[12:], name.encode()) == data


def test_a_key_record_of_a_newer_version_is_not_guessed(lived: Path) -> None:
    record = lived / "core.keys"
    record.write_text(record.read_text().replace('"version": 1', '"version": 2'))
    with pytest.raises(CoreTooNew):
        open_stack(lived)


@pytest.mark.parametrize("left", ["core.db", "runtime.db", "blobs", ""])
def test_a_core_without_its_key_record_is_not_made_anew(lived: Path, left: str) -> None:
    """[C4] Whatever is left of it: nothing is made beside what another key sealed."""
    for path in lived.iterdir():
        if path.name == "core.keys" or (left and path.name != left):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    before = snapshot(lived.parent)
    with pytest.raises(CoreCorrupted, match=r"core\.keys"):
        open_stack(lived)
    assert snapshot(lived.parent) == before


def test_profiles_never_see_one_another(tmp_path: Path) -> None:
    """[C8] Different keys, different handles, nothing of one anywhere in the other; keys are not interchangeable."""
    with opened_stack(tmp_path / "ann") as ann, opened_stack(tmp_path / "ben") as ben:
        ChatClient(ann.recording).say("My stone is quartzine", "OK.")
        ChatClient(ben.recording).say("My bird is velociform", "OK.")
        for stack in (ann, ben):
            stack.upkeep.catch_up()
        assert ann.opened.handle("same") != ben.opened.handle("same")
        assert (
            len({*(k for s in (ann, ben) for k in (s.key, s.opened.keys.blobs, s.opened.keys.handles))}) == 6
        )
        assert ann.texts() == ["My stone is quartzine", "OK."]
        assert ben.texts() == ["My bird is velociform", "OK."]
        assert planted_in(tmp_path / "ben", ben.opened.keys, ["quartzine"]) == {}
        assert planted_in(tmp_path / "ann", ann.opened.keys, ["velociform"]) == {}
        # A chat of the one, resent whole to the other, is context there and no memory.
        client = ChatClient(ben.recording)
        client.history = [*_history(ann.texts())]
        client.say("And you?", "Fine.")
        assert planted_in(tmp_path / "ben", ben.opened.keys, ["quartzine"]) == {}
    (tmp_path / "ben" / "core.db").write_bytes((tmp_path / "ann" / "core.db").read_bytes())
    with pytest.raises(CoreCorrupted):
        open_stack(tmp_path / "ben")


def _history(texts: list[str]) -> Iterator[Said]:
    for number, text in enumerate(texts):
        yield assistant(text) if number % 2 else user(text)
