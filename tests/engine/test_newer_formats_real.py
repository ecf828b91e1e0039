"""Clients of the newer formats on the embedded engine. The model talks nonsense, so no test looks at its words."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anthropic
import httpx2
import openai
import pytest
from openai.types.responses import ResponseCompletedEvent, ResponseIncompleteEvent

from innerlife.adapters.models.bundled import BUNDLED_ALIAS, bundled_weights
from innerlife.adapters.models.embedded import EmbeddedServer
from innerlife.adapters.models.upstream import Upstream, embedded_upstream
from innerlife.membrane.turn import Ending, Opened, Plan, Standing
from innerlife.proxy.app import Behind, create_app
from innerlife.proxy.policy import DEFAULT_POLICY
from tests.proxy.fakes import House, Keys, Memory, served

pytestmark = [pytest.mark.engine, pytest.mark.anyio]

PLAN = Plan(Standing.OK, stable="Be whole.", block="It is Monday.", opened=Opened("c", 1, "u"))
TOKENS = 6
ENDINGS = {
    "max_tokens": Ending.TRUNCATED,
    "incomplete": Ending.TRUNCATED,
    "end_turn": Ending.COMPLETE,
    "completed": Ending.COMPLETE,
}
"""What is recorded for each word by which a client is told of the end."""


@dataclass
class Fixed:
    """The embedded engine and no other."""

    upstream: Upstream

    async def current(self) -> Upstream:
        return self.upstream


@dataclass
class Place:
    url: str
    memory: Memory


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedServer]:
    weights = bundled_weights()
    assert weights is not None
    server = EmbeddedServer(weights, BUNDLED_ALIAS, tmp_path_factory.mktemp("home") / "engine.log")
    yield server
    server.stop()


@pytest.fixture
async def place(server: EmbeddedServer, tmp_path: Path) -> AsyncIterator[Place]:
    memory = Memory(plan=PLAN)
    source = Fixed(embedded_upstream(await server.ensure_started()))
    app = create_app(Behind(House(default=memory), source, Keys()))
    async with served(app, DEFAULT_POLICY) as (port, _):
        yield Place(f"http://127.0.0.1:{port}", memory)


async def test_anthropics_client(place: Place) -> None:
    """[P1] [P9] The engine speaks this format by itself, streamed or not; the record ends as the client was told."""
    asked: Any = {
        "model": BUNDLED_ALIAS,
        "max_tokens": TOKENS,
        "system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
        "messages": [{"role": "user", "content": [{"type": "text", "text": "Count to a thousand."}]}],
    }
    http = httpx2.AsyncClient(trust_env=False, timeout=120)
    async with anthropic.AsyncAnthropic(base_url=place.url, api_key="x", http_client=http) as client:
        whole = await client.messages.create(**asked)
        async with client.messages.stream(**asked) as stream:
            seen = "".join([text async for text in stream.text_stream])
            final = await stream.get_final_message()
        counted = await client.messages.count_tokens(model=BUNDLED_ALIAS, messages=asked["messages"])
    said = ["".join(getattr(block, "text", "") for block in one.content) for one in (whole, final)]
    assert seen == said[1]
    assert 0 < final.usage.output_tokens <= TOKENS
    assert counted.input_tokens > 0
    kept = [(one.text, one.ending) for one in place.memory.finished]
    cut = [ENDINGS[str(one.stop_reason)] for one in (whole, final)]
    assert kept == list(zip(said, cut, strict=True))


async def test_openais_client_of_responses(place: Place) -> None:
    """[P1] [P9] Translated: the stream helper works too, and the record ends as the client was told."""
    asked: Any = {"model": BUNDLED_ALIAS, "max_output_tokens": TOKENS, "instructions": "Be brief."}
    http = httpx2.AsyncClient(trust_env=False, timeout=120)
    async with openai.AsyncOpenAI(base_url=f"{place.url}/v1", api_key="x", http_client=http) as client:
        whole = await client.responses.create(**asked, input="Count to a thousand.")
        items: Any = [{"role": "user", "content": "Count to a thousand."}]
        async with client.responses.stream(**asked, input=items) as stream:
            events = [event async for event in stream]
        with pytest.raises(openai.BadRequestError, match="previous_response_id"):
            await client.responses.create(**asked, input="x", previous_response_id=whole.id)
    last = events[-1]
    assert isinstance(last, ResponseIncompleteEvent | ResponseCompletedEvent)
    final = last.response
    deltas = [event.delta for event in events if event.type == "response.output_text.delta"]
    assert "".join(deltas) == final.output_text
    assert final.usage
    assert 0 < final.usage.output_tokens <= TOKENS
    kept = [(one.text, one.ending) for one in place.memory.finished]
    said = [(one.output_text, ENDINGS[str(one.status)]) for one in (whole, final)]
    assert kept == [*said, ("", Ending.FAILED)]


async def test_a_prompt_that_is_too_long_is_said_to_both(place: Place) -> None:
    """[P1] Each client raises its own error with the engine's sentence."""
    long: Any = [{"role": "user", "content": "word " * 12_000}]
    http = httpx2.AsyncClient(trust_env=False, timeout=120)
    with pytest.raises(anthropic.BadRequestError, match="context"):
        await anthropic.AsyncAnthropic(base_url=place.url, api_key="x", http_client=http).messages.create(
            model=BUNDLED_ALIAS, max_tokens=TOKENS, messages=long
        )
    with pytest.raises(openai.BadRequestError, match="context"):
        await openai.AsyncOpenAI(base_url=f"{place.url}/v1", api_key="x", http_client=http).responses.create(
            model=BUNDLED_ALIAS, input=long, stream=True
        )
    await http.aclose()
    assert [one.ending for one in place.memory.finished] == [Ending.FAILED] * 2
