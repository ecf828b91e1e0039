"""What is asked often is found through the index that was made for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from innerlife.conversations.events import COMPANION, USER
from tests.support.stack import open_stack


@pytest.mark.parametrize("kinds", [None, {USER}, {USER, COMPANION}])
@pytest.mark.parametrize("before", [None, 1000])
def test_a_stream_is_read_by_its_own_index(
    tmp_path: Path, kinds: set[str] | None, before: int | None
) -> None:
    """However much else there is of a kind: the planner would read all of it for the last of one stream."""
    plans: list[str] = []

    def explain(connection: Any, _: Any, statement: str, given: Any, *__: Any) -> None:
        if "event.stream = ?" in statement and not statement.startswith("EXPLAIN"):
            rows = connection.connection.cursor().execute(f"EXPLAIN QUERY PLAN {statement}", given)
            plans.extend(row[3] for row in rows)

    stack = open_stack(tmp_path)
    try:
        store: Any = stack.ledger.store
        sa.event.listen(store.engine, "before_cursor_execute", explain)
        stack.ledger.by_stream("a stream", 10, kinds, before)
    finally:
        stack.close()
    assert [plan.split(" (")[0] for plan in plans] == ["SEARCH event USING INDEX event_stream"]
