"""Both stores of the ledger, held to one contract."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from innerlife.adapters.sqlite.core import SqliteCore
from innerlife.ledger.store import LedgerStore
from tests.support.memory import MemoryStore

KEY = bytes(range(32))


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[LedgerStore]:
    """The twin in memory, and the real one."""
    if request.param == "memory":
        yield MemoryStore()
        return
    core = SqliteCore(tmp_path / "core.db", KEY)
    yield core
    core.close()
