"""One table tells what an error of ours is in HTTP, whichever road the request takes."""

from __future__ import annotations

import pytest

from innerlife.adapters.models.upstream import Upstream
from innerlife.errors import (
    BadInput,
    DiskFull,
    EngineUnavailable,
    InnerlifeError,
    KeyMissing,
    ModelUnavailable,
    NotFound,
    ProfileClosed,
    Refused,
    StorageFailed,
)
from innerlife.membrane.access import AccessBook
from tests.proxy.fakes import Keys, proxy

pytestmark = pytest.mark.anyio

HELLO = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
STATUSES: list[tuple[type[InnerlifeError], int]] = [
    (BadInput, 400),
    (Refused, 401),
    (ProfileClosed, 403),
    (NotFound, 404),
    (StorageFailed, 503),
    (DiskFull, 503),
    (KeyMissing, 503),
    (EngineUnavailable, 503),
    (ModelUnavailable, 503),
]
ROADS = ["/api/chat", "/v1/chat/completions", "/v1/messages", "/api/show", "/v1/embeddings", "/anything"]


class Trouble(Keys):
    """Keys that cannot be told, for whatever reason a test gives."""

    def __init__(self, error: InnerlifeError) -> None:
        super().__init__()
        self._error = error

    def book(self) -> AccessBook:
        raise self._error


@pytest.mark.parametrize(("kind", "status"), STATUSES)
async def test_an_error_has_one_status_on_every_road(kind: type[InnerlifeError], status: int) -> None:
    async with proxy(keys=Trouble(kind("Something is wrong", "Mend it"))) as place:
        seen = {road: (await place.http.post(road, json=HELLO)).status_code for road in ROADS}
        assert seen == dict.fromkeys(ROADS, status)


@pytest.mark.parametrize(("kind", "status"), STATUSES)
async def test_an_engine_that_cannot_be_had_has_it_too(kind: type[InnerlifeError], status: int) -> None:
    class Gone:
        async def current(self) -> Upstream:
            raise kind("Something is wrong", "Mend it")

    async with proxy() as place:
        place.source.current = Gone().current  # type: ignore[method-assign]
        seen = {road: (await place.http.post(road, json=HELLO)).status_code for road in ROADS}
        assert seen == dict.fromkeys(ROADS, status)
