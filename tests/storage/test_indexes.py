"""What is asked often is found through the index that was made for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from innerlife.conversations.events import COMPANION, USER
from innerlife.ledger.ledger import Ledger
from tests.support.stack import open_stack

CAUSES = "SEARCH cause USING PRIMARY KEY (event=?)"


def plans(tmp_path: Path, ask: Callable[[Ledger], object]) -> list[str]:
    """How SQLite finds what is asked, a line for each table that is looked at."""
    asked: list[str] = []
    stack = open_stack(tmp_path)
    store: Any = stack.ledger.store

    def listen(connection: Any, *_: Any) -> None:
        connection.set_trace_callback(asked.append)

    try:
        sa.event.listen(store.engine, "checkout", listen)
        ask(stack.ledger)
        sa.event.remove(store.engine, "checkout", listen)
        raw = store.engine.raw_connection()
        raw.driver_connection.set_trace_callback(None)
        rows = [row[3] for query in asked for row in raw.execute(f"EXPLAIN QUERY PLAN {query}").fetchall()]
        raw.close()
    finally:
        stack.close()
    return [row for row in rows if row.startswith(("SEARCH", "SCAN"))]


@pytest.mark.parametrize("kinds", [None, {USER}, {USER, COMPANION}])
@pytest.mark.parametrize("before", [None, 1000])
def test_a_stream_is_read_by_its_own_index(
    tmp_path: Path, kinds: set[str] | None, before: int | None
) -> None:
    """However much else there is of a kind: the planner would read all of it for the last of one stream."""
    found = plans(tmp_path, lambda ledger: ledger.by_stream("a stream", 10, kinds, before))
    assert [plan.split(" (stream")[0] for plan in found if plan != CAUSES][:1] == [
        "SEARCH event USING INDEX event_stream"
    ]
    assert CAUSES in found
    assert not any(plan.startswith("SCAN event") or "event_kind" in plan for plan in found)


@pytest.mark.parametrize(
    ("ask", "by"),
    [
        (lambda ledger: ledger.get([1, 2, 3]), "event USING INTEGER PRIMARY KEY"),
        (lambda ledger: ledger.by_handle("a handle"), "event USING INDEX event_handle"),
        (lambda ledger: ledger.by_key("a key"), "event USING INDEX sqlite_autoindex_event_2"),
        (lambda ledger: ledger.read(5, 10, {USER, COMPANION}), "event USING INDEX event_kind"),
        (lambda ledger: ledger.newest(1, {USER}), "event USING INDEX event_kind"),
        (lambda ledger: ledger.store.effects([1, 2]), "cause USING COVERING INDEX cause_effect"),
    ],
)
def test_what_a_turn_asks_of_the_ledger_is_searched_never_scanned(
    tmp_path: Path, ask: Callable[[Ledger], object], by: str
) -> None:
    found = plans(tmp_path, ask)
    assert found[0].startswith(f"SEARCH {by}")
    assert not any(plan.startswith(("SCAN event", "SCAN cause")) for plan in found)
