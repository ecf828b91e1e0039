"""Reading the views of conversations."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from innerlife.adapters.sqlite.runtime import SqliteRuntime
from innerlife.conversations.reading import Conversations
from innerlife.ports import Rows
from tests.support.client import ChatClient
from tests.support.stack import Stack, opened_stack


@pytest.fixture
def talked(tmp_path: Path) -> Iterator[Stack]:
    """Three conversations, the second of them spoken in last."""
    with opened_stack(tmp_path / "core") as stack:
        clients = [ChatClient(stack.recording) for _ in range(3)]
        for number, client in enumerate([*clients, clients[1]]):
            client.say(f"Opening {number}", f"Answer {number}")
        stack.upkeep.catch_up()
        yield stack


class Counted:
    """Rows that count what is asked of them."""

    def __init__(self, rows: Rows, asked: list[str]) -> None:
        self._rows = rows
        self._asked = asked

    def execute(self, statement: str, parameters: Any = ()) -> Any:
        self._asked.append(statement)
        return self._rows.execute(statement, parameters)

    def executemany(self, statement: str, parameters: Any) -> Any:
        return self._rows.executemany(statement, parameters)


class CountingRuntime(SqliteRuntime):
    """A runtime whose readings are counted."""

    asked: list[str]

    @contextmanager
    def reading(self) -> Iterator[Rows]:
        with super().reading() as rows:
            yield Counted(rows, self.asked)


def test_conversations_are_read_and_counted_in_one_question(talked: Stack) -> None:
    """However many there are, the database is asked once."""
    runtime = CountingRuntime(talked.opened.runtime.path, talked.key)
    runtime.asked = []
    conversations = Conversations(runtime)
    assert conversations.count() == 3
    assert len(runtime.asked) == 1
    found = conversations.newest()
    assert len(runtime.asked) == 2
    assert [(one.opening, one.messages) for one in found] == [
        ("Opening 1", 4),
        ("Opening 2", 2),
        ("Opening 0", 2),
    ]
    assert [one.opening for one in conversations.newest(1)] == ["Opening 1"]
    runtime.close()


def test_columns_are_read_by_name(talked: Stack) -> None:
    """A column that a later view adds changes nothing in what is read."""
    before = [talked.conversations.messages(one.id) for one in talked.conversations.newest()]
    with talked.opened.runtime.writing() as rows:
        rows.execute("ALTER TABLE conversations_message ADD COLUMN mood TEXT")
    assert [talked.conversations.messages(one.id) for one in talked.conversations.newest()] == before
