"""The zone of this machine, from what the system says."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from innerlife.adapters.clock import SystemClock
from innerlife.selfmodel.due import zone_of


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    """The C library reads the zone again afterwards."""
    yield
    time.tzset()


@pytest.mark.parametrize(
    ("said", "zone"),
    [
        ("Europe/Vienna", "Europe/Vienna"),
        (":/usr/share/zoneinfo/Europe/Madrid", "Europe/Madrid"),
        ("XYZ-9", "+0900"),
    ],
)
def test_a_day_is_a_day_where_the_machine_is(said: str, zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """[S1] TZ may hold a name, the path of one, or a rule, of which the offset is known."""
    monkeypatch.setenv("TZ", said)
    time.tzset()
    assert SystemClock().zone() == zone
    assert str(zone_of(zone)) != "UTC"
