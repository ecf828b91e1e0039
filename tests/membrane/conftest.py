"""A companion by words alone, in a home of its own and with a clock that stands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from innerlife import bootstrap
from innerlife.companion import Companion
from innerlife.settings import Configured, load
from tests.support.clock import FixedClock


@pytest.fixture
def configured(tmp_path: Path) -> Configured:
    environment = {"INNERLIFE_CONFIG": str(tmp_path / "config"), "INNERLIFE_EMBEDDING": "off"}
    return load(home=tmp_path / "home", environment=environment)


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def companion(configured: Configured, clock: FixedClock) -> Iterator[Companion]:
    opened = bootstrap.open_companion(configured, clock=clock)
    yield opened
    opened.close()
