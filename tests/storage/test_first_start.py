"""The first start: where things lie, in which order settings count, and the origin that is given once."""

from __future__ import annotations

import errno
import os
from datetime import date
from pathlib import Path

import pytest

from innerlife.adapters.access import AccessFile
from innerlife.adapters.profiles import profiles_of
from innerlife.bootstrap import open_companion
from innerlife.conversations.events import COMPANION
from innerlife.errors import BadInput, DiskFull, InnerlifeError, NotFound
from innerlife.selfmodel.origin import Origins
from innerlife.settings import load
from tests.support.client import ChatClient
from tests.support.stack import Stack, open_stack, opened_stack


def origins(stack: Stack) -> Origins:
    return Origins(stack.ledger, lambda: stack.ledger.count({COMPANION}) > 0)


def test_the_origin_is_given_once_and_freezes_with_the_first_exchange(tmp_path: Path) -> None:
    """[S3] The first one stands; the name can change until something was lived together."""
    with opened_stack(tmp_path / "core") as stack:
        with pytest.raises(NotFound):
            origins(stack).read()
        assert origins(stack).give("Ada", date(2026, 3, 1)).name == "Ada"
        assert origins(stack).give("Eve", date(2027, 1, 1)).born == "2026-03-01"
        assert origins(stack).rename("  Zoë ").name == "Zoë"
        assert stack.ledger.count() == 2
        assert origins(stack).rename("Zoë").name == "Zoë"
        assert stack.ledger.count() == 2
        ChatClient(stack.recording).say("Hello", "Hi.")
        with pytest.raises(BadInput, match="Zoë"):
            origins(stack).rename("Ada")
        assert origins(stack).read().name == "Zoë"


WRONG: dict[str, tuple[dict[str, str], type[InnerlifeError]]] = {
    "no passphrase": ({"INNERLIFE_KEY": "passphrase"}, BadInput),
    "a name that cannot be one": ({"INNERLIFE_NAME": "two\nlines"}, BadInput),
    "a number nobody knows": ({"file": "[recall]\nnonsense = 1"}, BadInput),
    "another number nobody knows": ({"file": "[workspace]\nnonsense = 1"}, BadInput),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_an_opening_that_fails_makes_no_profile(tmp_path: Path, wrong: str) -> None:
    """[C8] The proxy counts profiles: one that could not be made must not ask everybody for keys."""
    environment, error = WRONG[wrong]
    (tmp_path / "innerlife.toml").write_text(environment.get("file", ""))
    configured = load(home=tmp_path / "home", environment={"INNERLIFE_CONFIG": str(tmp_path)} | environment)
    with pytest.raises(error):
        open_companion(configured, "work")
    assert [one for one in (tmp_path / "home").rglob("*") if one.is_file() or one.name == "work"] == []
    assert not (tmp_path / "keys").exists()
    assert AccessFile(tmp_path / "home").book().profiles == {"default"}


@pytest.mark.parametrize("step", ["mkdir", "fsync", "rename", "hardlink_to"])
def test_a_disk_that_fails_while_a_core_is_made_is_left_without_it(
    tmp_path: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """[C8] Neither a folder nor a key is left, and the next start makes it."""
    folder = tmp_path / "profiles" / "work"
    if step == "hardlink_to":
        folder.mkdir(parents=True)
        (folder / "notes").write_text("something else")

    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "full")

    with monkeypatch.context() as patch:
        patch.setattr(os if step == "fsync" else Path, step, fail)
        with pytest.raises(DiskFull):
            open_stack(folder, config=tmp_path / "config")
    assert profiles_of(tmp_path) == frozenset()
    assert [one.name for one in tmp_path.rglob("*") if one.is_file()] == ["notes"] * (step == "hardlink_to")
    open_stack(folder, config=tmp_path / "config").close()
    assert profiles_of(tmp_path) == {"work"}


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, "two\nlines", "{name}", "a\0b", "\u202eevil"])
def test_a_name_is_one_visible_line(tmp_path: Path, name: str) -> None:
    with opened_stack(tmp_path / "core") as stack:
        with pytest.raises(BadInput):
            origins(stack).give(name, date(2026, 3, 1))
        assert stack.ledger.count() == 0


def test_flags_come_before_the_environment_before_the_file_before_defaults(tmp_path: Path) -> None:
    environment = {"INNERLIFE_CONFIG": str(tmp_path), "INNERLIFE_HOME": str(tmp_path / "from environment")}
    assert load(environment=environment).settings.proxy.port == 11435
    (tmp_path / "innerlife.toml").write_text('profile = "filed"\n[proxy]\nport = 1\n')
    assert load(environment=environment).settings.proxy.port == 1
    environment["INNERLIFE_PORT"] = "2"
    assert load(environment=environment).settings.proxy.port == 2
    configured = load({("proxy", "port"): 3, ("profile",): None}, tmp_path / "flag", environment)
    assert (configured.settings.proxy.port, configured.settings.profile) == (3, "filed")
    assert configured.places.home == tmp_path / "flag"
    assert load(environment=environment).places.home == tmp_path / "from environment"
    assert "secret" not in repr(load(environment=environment | {"INNERLIFE_PASSPHRASE": "secret"}))


@pytest.mark.parametrize(
    "text",
    ["nonsense", "port = [", "unknown = 1", "[proxy]\nport = 70000", "[proxy]\nprot = 1", "proxy = 3", "\x80",
     'profile = "Upper"', 'profile = "fiction"', 'profile = "../x"', 'key = "none"'],
)  # fmt: skip
def test_settings_that_cannot_be_meant_are_said(tmp_path: Path, text: str) -> None:
    (tmp_path / "innerlife.toml").write_bytes(text.encode("latin-1"))
    with pytest.raises(BadInput):
        load(
            environment={
                "INNERLIFE_CONFIG": str(tmp_path),
                "INNERLIFE_HOME": str(tmp_path),
                "INNERLIFE_PORT": "",
            }
        )
