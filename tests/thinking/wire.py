"""An engine with one model, and the real adapter in front of it."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator

from innerlife.adapters.models.thinker import UpstreamThinker
from innerlife.adapters.models.thinker_wire import Dialect
from innerlife.adapters.models.upstream import Upstream
from innerlife.thinking.calls import LastChat, Limits, Message, Question
from tests.proxy.fakes import Engine, Received, Wire, ordinary

SCHEMA = {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9}}, "required": ["a"]}
CHAT = LastChat(
    "/api/chat",
    {"model": "m", "messages": [{"role": "user", "content": "hi"}], "options": {"num_ctx": 4096, "seed": 4},
     "keep_alive": "2h", "stream": True},
)  # fmt: skip
DIALECTS: list[Dialect] = ["ollama", "openai"]


def question(model: str = "m", seconds: float = 5.0, size: int = 10_000) -> Question:
    messages = (Message("system", "Be brief."), Message("user", "Hello?"))
    return Question(model, messages, Limits(50, size, seconds), SCHEMA)


async def engine_script(request: Received, wire: Wire) -> None:
    """An engine with one model, `m`."""
    if request.body and request.json().get("model") == "gone":
        await wire.document(b'{"error":"model \\"gone\\" not found"}', "404 Not Found")
    elif request.body and request.json().get("model") == "slow":
        await wire.head("text/event-stream")
        await wire.gone()
    else:
        await ordinary(request, wire)


@contextlib.asynccontextmanager
async def thinking(dialect: Dialect, engine: Engine, kind: str = "ollama") -> AsyncIterator[UpstreamThinker]:
    async with engine.running():
        spoken = frozenset[Dialect]({"openai"} if dialect == "openai" else {"ollama", "openai"})
        thinker = UpstreamThinker(Upstream(engine.url, spoken, kind, {"Authorization": "Bearer k"}))  # type: ignore[arg-type]
        try:
            yield thinker
        finally:
            await thinker.aclose()
