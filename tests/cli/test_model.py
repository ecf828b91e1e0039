"""`model pull` against a hub of our own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.cli.conftest import Home, start
from tests.engine.doubles import REFERENCE, FakeHub, serving


@pytest.fixture
def hub() -> Iterator[FakeHub]:
    double = FakeHub()
    with serving(double):
        yield double


@pytest.mark.parametrize(
    ("token", "sent"), [("hf_mine", "Bearer hf_mine"), ("", None), (" ", None)], ids=["set", "empty", "blank"]
)
def test_an_account_is_named_only_where_the_person_names_one(
    token: str, sent: str | None, home: Home, hub: FakeHub
) -> None:
    """[X1] HF_TOKEN goes to the hub, never to the storage that it points to; without it nothing is sent."""
    with start("model", "pull", REFERENCE, HF_ENDPOINT=hub.url, HF_TOKEN=token) as process:
        _, trouble = process.communicate(timeout=60)
    assert process.returncode == 0, trouble
    asked = [seen for seen in hub.seen if not seen.path.startswith("/storage/")]
    assert asked
    assert {seen.headers.get("authorization") for seen in asked} == {sent}
    assert {seen.headers.get("authorization") for seen in hub.downloads()} == {None}
