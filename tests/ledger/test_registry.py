"""Kinds of events: how they are written, read in older versions, and kept."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import innerlife
from innerlife import bootstrap
from innerlife.errors import CoreTooNew, StorageFailed
from innerlife.ledger.ledger import Ledger
from innerlife.ledger.registry import Kind, Registry, Retention
from tests.ledger.notes import KIND, Note
from tests.support.clock import FixedClock
from tests.support.memory import MemoryStore


@dataclass(frozen=True)
class Renamed:
    words: str
    loud: bool


def _renamed(fields: dict[str, Any]) -> dict[str, Any]:
    return {"words": fields["text"]}


def _loudness(fields: dict[str, Any]) -> dict[str, Any]:
    return fields | {"loud": fields["words"].isupper()}


NEWER = Kind("test.note", Renamed, Retention.SOUL, 3, {1: _renamed, 2: _loudness})


def kinds_of_all_rooms() -> list[Kind]:
    """Every kind declared in the `events` module of a room that `bootstrap` puts to use."""
    source = "".join(one.read_text("utf-8") for one in Path(bootstrap.__file__).parent.glob("*.py"))
    rooms = set(re.findall(r"^from innerlife\.(\w+)", source, re.MULTILINE))
    found: list[Kind] = []
    for module in pkgutil.walk_packages(innerlife.__path__, "innerlife."):
        room, _, rest = module.name.removeprefix("innerlife.").partition(".")
        if rest == "events" and room in rooms:
            found += importlib.import_module(module.name).KINDS
    return found


def test_older_versions_are_read_by_steps() -> None:
    written = KIND.encode(Note("HELLO"))
    assert NEWER.decode(1, written) == Renamed("HELLO", loud=True)
    assert NEWER.decode(2, '{"words":"hello"}') == Renamed("hello", loud=False)
    assert NEWER.decode(3, NEWER.encode(Renamed("x", loud=True))) == Renamed("x", loud=True)


def test_a_newer_version_or_an_unknown_kind_is_said_and_not_guessed() -> None:
    with pytest.raises(CoreTooNew, match="version 4"):
        NEWER.decode(4, "{}")
    with pytest.raises(CoreTooNew, match=r"future\.kind"):
        Registry([KIND]).named("future.kind")


def test_a_body_that_does_not_fit_its_kind_is_a_failure() -> None:
    with pytest.raises(StorageFailed, match=r"test\.note"):
        KIND.decode(1, '{"text": 7}')


def test_a_kind_is_registered_once() -> None:
    with pytest.raises(ValueError, match="twice"):
        Registry([KIND, KIND])


SOUL = {
    "self.origin", "self.portrait", "self.proposed", "self.growth", "self.human", "self.trait", "self.trait_removed",
    "self.preference", "self.preference_retired", "self.observation", "self.observation_revised",
    "self.observation_retired", "learning.rule", "learning.rule_worded", "learning.rule_retired",
    "learning.rule_disputed", "learning.skill", "learning.skill_retired",
}  # fmt: skip
VOLATILE = {
    "message.checkpoint", "thinking.begun", "thinking.due", "thinking.failed", "thinking.pause", "thinking.probe",
    "thinking.spent", "reflection.called", "self.inner_state", "self.working_memory", "self.working_memory_dropped",
    "self.goal", "self.promise", "self.goal_changed",
}  # fmt: skip


def test_every_kind_says_how_it_is_kept() -> None:
    """[C3] Soul and volatile kinds are those listed here, on purpose; everything else is archive."""
    for kind in bootstrap.registry():
        expected = Retention.ARCHIVE
        if kind.name in SOUL:
            expected = Retention.SOUL
        if kind.name in VOLATILE:
            expected = Retention.VOLATILE
        assert kind.retention is expected, f"{kind.name}: if this is meant, list it here"
    assert {kind.name for kind in bootstrap.registry()} >= SOUL | VOLATILE


def test_a_ledger_names_its_kinds_by_how_they_are_kept() -> None:
    """[C3] What an export leaves out is asked of the ledger."""
    ledger = Ledger(MemoryStore(), bootstrap.registry(), FixedClock())
    assert ledger.kinds(Retention.VOLATILE) == VOLATILE
    assert ledger.kinds(Retention.SOUL) == SOUL
    assert "message.user" in ledger.kinds(Retention.ARCHIVE)


def test_every_kind_of_every_room_is_registered() -> None:
    """[C3] The registry that a Core is opened with knows them all."""
    assert {kind.name for kind in bootstrap.registry()} == {kind.name for kind in kinds_of_all_rooms()}


def test_names_and_bodies_are_unique_and_frozen() -> None:
    kinds = kinds_of_all_rooms()
    assert len(list(Registry(kinds))) == len(kinds)
    for kind in kinds:
        assert kind.body.__dataclass_params__.frozen, kind.name
        assert sorted(kind.upcasts) == list(range(1, kind.version)), kind.name


def test_the_ledger_offers_no_way_to_change_or_delete() -> None:
    """[C1] Append-only: only a forgetting deletes, and it goes by the store's own method."""
    public = {n for n, _ in inspect.getmembers(Ledger, inspect.isfunction) if not n.startswith("_")}
    assert public == {
        "append", "append_all", "by_handle", "by_id", "by_key", "by_stream", "count", "epoch", "get", "head",
        "kinds", "leaving", "newest", "on_append", "read",
    }  # fmt: skip


def test_every_kind_tells_a_person_what_it_means() -> None:
    """[U1] `innerlife activity` has a sentence for each kind of event, not its name."""
    silent = [
        kind.name for kind in bootstrap.registry() if kind.tells is Kind("x", object, Retention.ARCHIVE).tells
    ]
    assert silent == [], "give these kinds a `tells`"
