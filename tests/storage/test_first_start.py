"""The first start: where things lie, in which order settings count, and the origin that is given once."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from innerlife.conversations.events import COMPANION
from innerlife.errors import BadInput, NotFound
from innerlife.selfmodel.origin import Origins
from innerlife.settings import load
from tests.support.client import ChatClient
from tests.support.stack import Stack, opened_stack


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
