"""Settings: their order, their errors, and that each is documented."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from innerlife import settings
from innerlife.affect.reading_policy import ReadingPolicy
from innerlife.bootstrap import policy_of
from innerlife.bootstrap.policies import policies_of
from innerlife.errors import BadInput
from innerlife.reflection.policy import ReflectionPolicy
from innerlife.settings import Settings, checked_profile, load
from innerlife.workspace.policy import WorkspacePolicy

ROOT = Path(__file__).resolve().parents[1]


def read(
    tmp_path: Path, text: str = "", flags: dict[tuple[str, ...], Any] | None = None, **env: str
) -> Settings:
    (tmp_path / "innerlife.toml").write_text(text, encoding="utf-8")
    return load(flags, tmp_path / "home", {"INNERLIFE_CONFIG": str(tmp_path), **env}).settings


def test_a_flag_outranks_the_environment_and_that_the_file(tmp_path: Path) -> None:
    """[U7] What a person sets last and nearest counts."""
    text = "[proxy]\nport = 1111\n"
    assert read(tmp_path).proxy.port == 11435
    assert read(tmp_path, text).proxy.port == 1111
    assert read(tmp_path, text, INNERLIFE_PORT="2222").proxy.port == 2222
    assert read(tmp_path, text, {("proxy", "port"): 3333}, INNERLIFE_PORT="2222").proxy.port == 3333


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[proxy]\nport = 'many'\n", "proxy.port"),
        ("[proxy]\nprot = 1\n", "proxy.prot"),
        ("[models]\nembedding = 'best'\n", "models.embedding"),
        ("this is no toml", "innerlife.toml"),
        ("profile = 'Fiction and more'\n", "Fiction and more"),
        ("profile = 'fiction'\n", "reserved"),
    ],
)
def test_a_wrong_setting_is_one_clear_sentence(tmp_path: Path, text: str, named: str) -> None:
    """[U7] A settings file that cannot be followed is said, with the place of the fault."""
    with pytest.raises(BadInput) as caught:
        read(tmp_path, text)
    assert named in str(caught.value)
    assert "\n" not in caught.value.message.split(": ", 1)[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "[proxy]\nport = 'many'",
            "The setting proxy.port must be a whole number from 0 to 65535, not 'many'.",
        ),
        (
            "[proxy]\nport = 99999",
            "The setting proxy.port must be a whole number from 0 to 65535, not 99999.",
        ),
        ("[proxy]\nport = 1.5", "The setting proxy.port must be a whole number from 0 to 65535, not 1.5."),
        (
            "[models]\ncontext = 1",
            "The setting models.context must be a whole number of at least 512, not 1.",
        ),
        ("[proxy]\nstall_seconds = 0", "The setting proxy.stall_seconds must be a number above 0, not 0."),
        ("[recall]\npool = 'x'", "The setting recall.pool must be a number, not 'x'."),
        ("key = 'fil'", "The setting key must be file, keyring or passphrase, not 'fil'."),
        ("name = 5", "The setting name must be a text in quotes, not 5."),
        ("[proxy]\nhost = ['x']", "The setting proxy.host must be a text in quotes, not a list."),
        ("[proxy]\nprot = 1", "There is no setting proxy.prot; perhaps proxy.port is meant."),
        ("upstream = 'x'", "There is no setting upstream; perhaps proxy.upstream is meant."),
        ("[prxy]\nport = 1", "There is no setting prxy; perhaps proxy is meant."),
        ("[models.roles]\nsage = 'x'", "There is no sage under models.roles; there are chat, analysis,"),
        ("[models.roles]\nchat = 3", "The setting models.roles.chat must be a text in quotes, not 3."),
        (
            "[models]\nroles = 3",
            "The setting models.roles is a section, not 3. Put its settings under [models.roles]",
        ),
        ("zzz = 1", "There is no setting zzz; there are profile, name, key, proxy.host,"),
        ("proxy = 3", "The setting proxy is a section, not 3. Put its settings under [proxy]"),
        ("recall = true", "The setting recall is a section, not true. Put its settings under [recall]"),
    ],
)
def test_a_wrong_value_is_said_in_words_with_what_was_given(tmp_path: Path, text: str, said: str) -> None:
    """[U7] What is expected, what stands there, and where to correct it; no word of the library that checks it."""
    with pytest.raises(BadInput) as caught:
        read(tmp_path, text)
    assert str(caught.value).startswith(said)
    assert str(tmp_path / "innerlife.toml") in caught.value.hint
    assert "put should be" not in str(caught.value)


def test_a_wrong_value_is_corrected_where_it_was_set(tmp_path: Path) -> None:
    """[U7] In the environment or on the command line, where it came from there."""
    with pytest.raises(BadInput, match="Correct the environment variable INNERLIFE_PORT"):
        read(tmp_path, INNERLIFE_PORT="many")
    with pytest.raises(BadInput, match="on the command line"):
        read(tmp_path, flags={("proxy", "port"): "x"}, INNERLIFE_PORT="1")


def test_a_token_is_never_shown(tmp_path: Path) -> None:
    """Not even where it was written without its quotes."""
    with pytest.raises(BadInput) as caught:
        read(tmp_path, "[proxy]\ntoken = 918273")
    assert "proxy.token must be a text in quotes" in str(caught.value)
    assert "918273" not in str(caught.value)


@pytest.mark.parametrize("name", ["", "UPPER", "../up", "a/b", "-x", "x" * 41, "a b", "ü", "fiction"])
def test_a_profile_name_cannot_leave_its_folder(name: str) -> None:
    """[C8] A profile is a plain name, never a path."""
    with pytest.raises(BadInput):
        checked_profile(name)


def test_every_setting_is_documented() -> None:
    """[U7] docs/settings.md names every setting and every environment variable."""
    text = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    assert [name for name in _names(Settings) if f"`{name}`" not in text and f"[{name}]" not in text] == []
    assert [name for name in settings._ENVIRONMENT if f"`{name}`" not in text] == []  # noqa: SLF001


def _names(model: type[BaseModel], prefix: str = "") -> list[str]:
    names: list[str] = []
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            names += _names(kind, f"{prefix}{name}.")
        else:
            names.append(f"{prefix}{name}")
    return names


def test_numbers_of_affect_reach_signals_and_reading() -> None:
    """[A1] One section and one number of each name, for both; an unknown name is refused."""
    numbers = {"linguistic_cap": 0.5, "unusual": 3.0, "half_life_hours": 24, "sitting_hours": 2, "kept": 90.0}
    policy = policies_of(Settings(affect=numbers)).affect
    assert isinstance(policy, ReadingPolicy)
    assert {name: getattr(policy, name) for name in numbers} == numbers
    assert isinstance(policy.kept, int)
    with pytest.raises(BadInput, match=r"affect\.half_live_hours; perhaps half_life_hours is meant"):
        policies_of(Settings(affect={"half_live_hours": 1}))


def test_a_policy_number_is_set_by_name_or_refused() -> None:
    """[W3] The budget of the block can be set; a number that does not exist is refused with those that do."""
    assert policy_of(WorkspacePolicy, {"block_tokens": 900}).block_tokens == 900
    with pytest.raises(BadInput) as caught:
        policy_of(WorkspacePolicy, {"blok_tokens": 900})
    assert "workspace.blok_tokens; perhaps block_tokens is meant" in str(caught.value)
    with pytest.raises(BadInput, match=r"there are .*block_tokens"):
        policy_of(WorkspacePolicy, {"zzzzz": 1})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("quiet_s", -5.0),
        ("quiet_s", float("nan")),
        ("self_every_s", float("inf")),
        ("lines", 0),
        ("carried_share", 0.0),
    ],
)
def test_a_number_that_cannot_be_meant_is_refused(name: str, value: float) -> None:
    """[U7] Negative, endless, no number at all, or a share at which anything would be believed: one sentence."""
    with pytest.raises(BadInput, match=rf"reflection\.{name}"):
        policy_of(ReflectionPolicy, {name: value})
