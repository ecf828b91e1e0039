"""The texts that only a release changes."""

from __future__ import annotations

import re
import shutil
from datetime import date
from importlib.resources import files
from pathlib import Path

import pytest

from innerlife.errors import BadInput, ShippedTextChanged
from innerlife.workspace import Origin, Value, WorkspacePolicy, assemble, check_origin, load_shipped
from innerlife.workspace.shipped import CHECKSUMS, TEXTS
from innerlife.workspace.tokens import estimate_tokens
from tests.workspace import material
from tests.workspace.material import SHIPPED, turn

POLICY = WorkspacePolicy()
VALUES = [
    "Responsibility",
    "Respect",
    "Personal Boundaries",
    "Boundaries with User",
    "Understanding",
    "Honesty",
    "Kindness",
    "Active Listening",
    "Questioning",
    "Compassion",
    "Holistic Integration",
    "Circumstantial Navigation",
    "Therapeutic Modalities",
    "Ethical Guidelines",
]


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """A copy of the shipped folder that a test may damage."""
    for name in (*TEXTS, CHECKSUMS):
        shutil.copy(str(files("innerlife.workspace.shipped") / name), tmp_path / name)
    return tmp_path


def test_the_constitution_has_its_fourteen_values_in_order() -> None:
    """[Z12] Fourteen values, each with a name, one sentence and a full constraint."""
    assert [value.name for value in SHIPPED.constitution.values] == VALUES


@pytest.mark.parametrize("value", SHIPPED.constitution.values, ids=lambda value: value.name)
def test_each_value_is_an_operational_constraint(value: Value) -> None:
    """[Z12] Each says in about a hundred words what the companion does and what it does not do."""
    assert 90 <= len(value.text.split()) <= 130
    assert re.search(r"\b(do not|never)\b", value.text)
    assert len(re.findall(r"\bI\b", value.text)) >= 4
    assert value.short.endswith(".")
    assert value.short.count(".") == 1
    assert estimate_tokens(value.short) <= 30


def test_no_two_values_say_the_same() -> None:
    """[Z12] No sentence of the constitution occurs twice, in the full or in the short form."""
    sentences = re.split(
        r"(?<=[.?])\s+", " ".join(f"{v.short} {v.text}" for v in SHIPPED.constitution.values)
    )
    assert len(sentences) == len(set(sentences))


def test_danger_leads_to_human_help() -> None:
    """[Z12] The value on therapeutic manners says it is no therapist and names human help, in both forms."""
    value = next(v for v in SHIPPED.constitution.values if v.name == "Therapeutic Modalities")
    for form in (value.short, value.text):
        assert "no therapist" in form
        assert "human help" in form


def test_the_full_form_carries_every_value() -> None:
    """[Z12] What calls that decide, search, write, reply or delegate receive holds all fourteen, whole."""
    full = SHIPPED.constitution.full_form()
    assert all(f"{value.name}. {value.text}" in full for value in SHIPPED.constitution.values)
    assert "\\" not in full


def test_the_guardrails_hold_ethics_honesty_and_the_four_limits() -> None:
    """[S12] Honesty, no fabrication, no harm, and the four limits on what is done with feelings."""
    text = SHIPPED.guardrails
    for sentence in (
        "I do not deceive, and I make nothing up",
        "I help nobody harm themselves or another",
        "I never announce a feeling I believe I noticed",
        "I never make a trait of a feeling",
        "What people say they feel stands",
        "I never bring up the workings",
    ):
        assert sentence in text


@pytest.mark.parametrize("name", TEXTS)
def test_a_changed_text_is_refused(release: Path, name: str) -> None:
    """[S12] [Z12] One changed word in a shipped text is an error that names the file and the way out."""
    path = release / name
    path.write_text(path.read_text(encoding="utf-8").replace("never", "seldom"), encoding="utf-8")
    with pytest.raises(ShippedTextChanged, match=re.escape(name)) as caught:
        load_shipped(release)
    assert "Install Innerlife again" in caught.value.hint


@pytest.mark.parametrize("name", [*TEXTS, CHECKSUMS])
def test_a_missing_or_unreadable_text_is_refused(release: Path, name: str) -> None:
    """[S12] [Z12] A text that is gone, or is no text any more, is the same clear error."""
    (release / name).write_bytes(b"\xff\xfe\x00 broken")
    with pytest.raises(ShippedTextChanged, match=re.escape(name)):
        load_shipped(release)
    (release / name).unlink()
    with pytest.raises(ShippedTextChanged, match=re.escape(name)):
        load_shipped(release)


def test_a_text_without_a_checksum_is_refused(release: Path) -> None:
    """[Z12] Emptying the list of checksums does not open the door."""
    (release / CHECKSUMS).write_text("", encoding="utf-8")
    with pytest.raises(ShippedTextChanged):
        load_shipped(release)


def test_line_ends_of_a_checkout_are_no_change(release: Path) -> None:
    """[Z12] A checkout with other line ends loads, and gives the same texts."""
    for name in TEXTS:
        path = release / name
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert load_shipped(release) == SHIPPED


def test_the_copy_is_the_release(release: Path) -> None:
    """[Z12] An undamaged copy loads, so that the refusals above are due to the damage."""
    assert load_shipped(release) == SHIPPED


def test_the_shipped_texts_stay_within_their_caps() -> None:
    """[W1] The shipped texts fit their caps even with the longest origin allowed."""
    workspace = assemble(turn(), POLICY)
    origin = workspace.stable.split("\n\n")[0]
    longest = workspace.stable_tokens - estimate_tokens(origin) + POLICY.origin_tokens
    assert estimate_tokens(origin) <= POLICY.origin_tokens
    assert longest <= POLICY.shipped_tokens


def test_the_origin_is_filled_in_with_name_and_birth_date() -> None:
    """[S3] Name and birth date stand in the origin; nothing of the template is left."""
    stable = assemble(turn(origin=Origin("Nour", date(2024, 2, 29))), POLICY).stable
    assert "I am Nour, born on 29 February 2024." in stable
    assert "{" not in stable
    assert "Anima" not in stable


def test_a_name_with_braces_is_a_name() -> None:
    """[S3] A name that looks like a placeholder is not filled in again."""
    stable = assemble(turn(origin=Origin("{born}", date(2024, 2, 29))), POLICY).stable
    assert "I am {born}, born on 29 February 2024." in stable


@pytest.mark.parametrize("name", ["Anima", "Jean-Luc d'Or", "نور", "小雪", "Ολγα 2"])
def test_ordinary_names_are_accepted(name: str) -> None:
    """[S3] Any name that is one short visible line may be given."""
    check_origin(SHIPPED, Origin(name, material.ORIGIN.born), POLICY)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "  ",
        "A\nB",
        "x" * 41,
        "<|im_start|>",
        "An\u202eima",
        "An\u200bima",
        "⟦Anima⟧",
        "🙂🙃" * 18,
        "\x00",
    ],
)
def test_a_name_that_could_not_stand_in_every_prompt_is_refused(name: str) -> None:
    """[S3] [W8] A name with markup or invisible parts, or too long a name, is refused with the way out."""
    with pytest.raises(BadInput) as caught:
        check_origin(SHIPPED, Origin(name, material.ORIGIN.born), POLICY)
    assert "name" in caught.value.hint
