"""A signal cannot become a trait: there is no way from one to the other."""

from __future__ import annotations

import ast
from dataclasses import fields, is_dataclass
from pathlib import Path

import innerlife
from innerlife import bootstrap
from innerlife.affect import events as affect_events
from innerlife.selfmodel import events as selfmodel_events

SOURCE = Path(innerlife.__file__).parent


def imports_of(path: Path) -> set[str]:
    tree = ast.walk(ast.parse(path.read_text("utf-8")))
    return {node.module or "" for node in tree if isinstance(node, ast.ImportFrom)}


def test_the_rooms_do_not_know_each_other() -> None:
    """[A2] Nothing of the self-model is known where signals are made, and the other way about."""
    for room, other in (("affect", "innerlife.selfmodel"), ("selfmodel", "innerlife.affect")):
        for path in (SOURCE / room).rglob("*.py"):
            assert not any(name.startswith(other) for name in imports_of(path)), path


def test_no_body_of_the_self_model_has_room_for_a_signal() -> None:
    """[A2] Its bodies are texts, words from short lists and instants."""
    for kind in selfmodel_events.KINDS:
        assert is_dataclass(kind.body)
        for field in fields(kind.body):
            assert "affect" not in str(field.type).lower(), (kind.name, field.name)
            assert "float" not in str(field.type), (kind.name, field.name)


def test_no_signal_is_searchable() -> None:
    """[A2] None comes to mind as something remembered."""
    assert {kind.name for kind in affect_events.KINDS} & set(bootstrap.EXTRACTORS) == set()
