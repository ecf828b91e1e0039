from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.recall.doubles import World


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path / "world")
    yield made
    made.close()
