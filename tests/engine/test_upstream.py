"""Which engine is found, and what it speaks."""

from __future__ import annotations

import time
from collections.abc import Mapping

import httpx2
import pytest

from innerlife.adapters.models.embedded_rules import Endpoint
from innerlife.adapters.models.upstream import (
    Dialect,
    NoUpstream,
    Upstream,
    decide,
    find_upstream,
    probe_dialects,
    tidy_url,
)
from innerlife.errors import BadInput, EngineUnavailable
from tests.engine.doubles import FakeEngine, serving

OLLAMA: Mapping[str, tuple[int, object]] = {
    "/api/version": (200, {"version": "0.14.0"}),
    "/v1/models": (200, {"object": "list", "data": []}),
}
OPENAI: Mapping[str, tuple[int, object]] = {"/v1/models": (200, {"object": "list", "data": []})}
NOBODY = "http://127.0.0.1:9"


class FakeEmbedded:
    def __init__(self, failure: EngineUnavailable | None = None) -> None:
        self.asked = 0
        self._failure = failure

    async def ensure_started(self, timeout_s: float | None = None) -> Endpoint:
        self.asked += 1
        if self._failure:
            raise self._failure
        return Endpoint("http://127.0.0.1:1234", "smollm2-135m-instruct", "secret")


@pytest.mark.parametrize(
    ("configured", "ollama_answers", "has_weights", "choice"),
    [
        ("http://gpu:8000", True, True, "configured"),
        ("http://gpu:8000", False, False, "configured"),
        (None, True, True, "ollama"),
        (None, False, True, "embedded"),
        ("", False, True, "embedded"),
        (None, False, False, "none"),
    ],
)
def test_the_order_of_engines(
    configured: str | None, ollama_answers: bool, has_weights: bool, choice: str
) -> None:
    """[P9] The embedded engine serves where nothing else is found, and only there."""
    assert decide(configured, ollama_answers=ollama_answers, has_weights=has_weights) == choice


@pytest.mark.parametrize(
    ("given", "tidy"),
    [
        ("http://127.0.0.1:11434/", "http://127.0.0.1:11434"),
        ("http://gpu:8000/v1", "http://gpu:8000"),
        ("http://gpu:8000/v1/", "http://gpu:8000"),
        ("https://host/openai/v1", "https://host/openai"),
        (" gpu:8000 ", "http://gpu:8000"),
        ("http://[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_addresses_are_taken_as_people_write_them(given: str, tidy: str) -> None:
    assert tidy_url(given, own_port=11435) == tidy


@pytest.mark.parametrize(
    "given",
    [
        "ftp://gpu",
        "http://",
        "http://gpu:port",
        "http://gpu:8000/?a=b",
        "http://[::1",
        "http://localhost:11435/v1",
    ],
)
def test_an_address_that_cannot_be_right_is_refused(given: str) -> None:
    with pytest.raises(BadInput) as refused:
        tidy_url(given, own_port=11435)

    assert refused.value.hint


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("answers", "spoken"),
    [
        (OLLAMA, {"ollama", "openai"}),
        (OPENAI, {"openai"}),
        ({"/v1/models": (401, {"error": {"message": "no key"}})}, {"openai"}),
        ({"/api/version": (200, {"version": 3}), "/v1/models": (200, [])}, set()),
        ({"/api/version": (200, "<html>a router's page</html>")}, set()),
        ({"/api/version": (500, {"version": "0.14.0"})}, set()),
        ({"/api/version": (401, {"detail": "who are you"})}, set()),
        ({}, set()),
    ],
)
async def test_what_an_engine_speaks(answers: Mapping[str, tuple[int, object]], spoken: set[Dialect]) -> None:
    with serving(engine := FakeEngine(dict(answers))):
        async with httpx2.AsyncClient() as client:
            assert await probe_dialects(client, engine.url) == spoken


@pytest.mark.anyio
async def test_an_engine_that_stalls_is_not_waited_for() -> None:
    with serving(engine := FakeEngine(dict(OLLAMA), delay_s=10.0)):
        async with httpx2.AsyncClient() as client:
            began = time.monotonic()
            found = await find_upstream(client, embedded=FakeEmbedded(), ollama_url=engine.url)

    assert time.monotonic() - began < 5.0
    assert isinstance(found, Upstream)
    assert found.kind == "embedded"


@pytest.mark.anyio
async def test_ollama_is_found_and_nothing_is_started() -> None:
    """[P9] Where there is an engine, the embedded one stays asleep."""
    embedded = FakeEmbedded()
    with serving(engine := FakeEngine(dict(OLLAMA))):
        async with httpx2.AsyncClient() as client:
            found = await find_upstream(
                client, headers={"Authorization": "Bearer k"}, embedded=embedded, ollama_url=engine.url
            )

    assert found == Upstream(engine.url, frozenset({"ollama", "openai"}), "ollama")
    assert embedded.asked == 0
    assert all("authorization" not in headers for _path, headers in engine.seen)


@pytest.mark.anyio
async def test_the_embedded_engine_serves_where_nothing_else_is_found() -> None:
    """[P9] Its key travels with the upstream, and does not show when that is printed."""
    async with httpx2.AsyncClient() as client:
        found = await find_upstream(client, embedded=FakeEmbedded(), ollama_url=NOBODY)

    assert found == Upstream(
        "http://127.0.0.1:1234", frozenset({"openai"}), "embedded", {"Authorization": "Bearer secret"}
    )
    assert "secret" not in repr(found)


@pytest.mark.anyio
async def test_an_embedded_engine_that_does_not_come_up_is_an_error() -> None:
    async with httpx2.AsyncClient() as client:
        with pytest.raises(EngineUnavailable, match="no memory"):
            await find_upstream(
                client, embedded=FakeEmbedded(EngineUnavailable("no memory")), ollama_url=NOBODY
            )


@pytest.mark.anyio
async def test_without_any_engine_it_is_said_how_to_get_one() -> None:
    """[P9] A plain installation starts, and says how to get a model."""
    async with httpx2.AsyncClient() as client:
        found = await find_upstream(client, ollama_url=NOBODY)

    assert isinstance(found, NoUpstream)
    assert "innerlife model pull" in found.hint


@pytest.mark.anyio
async def test_the_configured_engine_is_the_only_one_asked() -> None:
    """[X1] Its key goes to it, and no other address hears of it."""
    with serving(engine := FakeEngine(dict(OPENAI))), serving(ollama := FakeEngine(dict(OLLAMA))):
        async with httpx2.AsyncClient() as client:
            found = await find_upstream(
                client,
                configured=f"{engine.url}/v1",
                headers={"Authorization": "Bearer k"},
                embedded=FakeEmbedded(),
                ollama_url=ollama.url,
            )

    assert found == Upstream(engine.url, frozenset({"openai"}), "configured", {"Authorization": "Bearer k"})
    assert all(headers["authorization"] == "Bearer k" for _path, headers in engine.seen)
    assert ollama.seen == []


@pytest.mark.anyio
async def test_a_configured_engine_that_is_down_stays_the_chosen_one() -> None:
    async with httpx2.AsyncClient() as client:
        found = await find_upstream(client, configured=NOBODY, embedded=FakeEmbedded(), ollama_url=NOBODY)

    assert found == Upstream(NOBODY, frozenset(), "configured")
