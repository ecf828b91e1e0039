"""Which engine answers: found once, looked for again when it is gone (port `proxy.doors.UpstreamSource`)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

import httpx2

from innerlife.adapters.models.bundled import BUNDLED_ALIAS
from innerlife.adapters.models.catalogue import LocalModel, local_model
from innerlife.adapters.models.embedded import EmbeddedServer
from innerlife.adapters.models.embedded_rules import DEFAULT_POLICY
from innerlife.adapters.models.thinker import EmbeddedThinker
from innerlife.adapters.models.upstream import (
    LOCAL_PROBE_S,
    OLLAMA_URL,
    NoUpstream,
    Upstream,
    decide,
    find_upstream,
    probe_dialects,
    tidy_url,
)
from innerlife.errors import EngineUnavailable
from innerlife.settings import Configured

FRESH_SECONDS: Final = 15.0
"""How long Ollama's presence is believed: one that was closed is noticed before a person has wondered twice."""

ENGINE_LOG: Final = "engine.log"
THINKING_LOG: Final = "thinking.log"

TOY: Final = (
    "It is a toy of 135 million parameters: it answers, but mostly nonsense. `innerlife model pull qwen2.5-1.5b` "
    "gets a real one."
)


TOY_TOKENS: Final = 200
"""Left alone, the bundled model often repeats itself until its context is full, which takes minutes."""

NO_ENGINE: Final = (
    "`innerlife model pull qwen2.5-1.5b` fetches a model; or start Ollama, or name an engine with --upstream."
)


@dataclass(frozen=True, slots=True)
class Choice:
    """The engine that would be used now: `kind` as in `Upstream`, or `none`; `model` where it is the embedded one."""

    kind: str
    url: str = ""
    model: str = ""
    answers: bool = True
    toy: bool = False

    def __str__(self) -> str:
        match self.kind:
            case "configured":
                return self.url if self.answers else f"{self.url}, which does not answer yet"
            case "ollama":
                return f"Ollama at {self.url}"
            case "embedded":
                return f"the embedded engine with {self.model}"
            case _:
                return "none found"


class Engines:
    """The configured engine, else Ollama on this machine, else the embedded one. Of one event loop at a time."""

    def __init__(
        self,
        configured: Configured,
        own_port: int | None = None,
        ollama_url: str = OLLAMA_URL,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Raises BadInput (a bad address), ModelUnavailable (the chosen model is not here)."""
        settings, places = configured.settings, configured.places
        self._configured = tidy_url(settings.proxy.upstream, own_port) if settings.proxy.upstream else None
        self._own_port = own_port
        self._context = settings.models.context
        self._ollama_url = ollama_url
        self._clock = clock
        # What was configured is used alone, so a missing model is no reason to refuse it.
        self.model: LocalModel | None = None
        if self._configured is None:
            self.model = local_model(places.models, settings.models.embedded)
        self._embedded: EmbeddedServer | None = None
        self._logs, self._policy = places.logs, DEFAULT_POLICY
        if self.model is not None:
            toy = self.model.name == BUNDLED_ALIAS
            longest = TOY_TOKENS if toy else DEFAULT_POLICY.longest_answer
            self._policy = replace(DEFAULT_POLICY, n_ctx=settings.models.context, longest_answer=longest)
            self._embedded = EmbeddedServer(
                self.model.path, self.model.name, places.logs / ENGINE_LOG, self._policy
            )
        self._found: Upstream | None = None
        self._at = 0.0
        self._client: httpx2.AsyncClient | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def look(self) -> Choice:
        """What would be used now, without starting it."""
        # A client of its own, for this may be asked in another loop than the one that serves.
        async with httpx2.AsyncClient(trust_env=False) as client:
            if self._configured is not None:
                dialects = await probe_dialects(client, self._configured)
                return Choice("configured", self._configured, answers=bool(dialects))
            local = await probe_dialects(client, self._ollama_url, timeout_s=LOCAL_PROBE_S)
        kind = decide(None, ollama_answers="ollama" in local, has_weights=self.model is not None)
        return self._choice(kind, self._ollama_url)

    def used(self) -> Choice | None:
        """What answered last, None before anything did."""
        return self._choice(self._found.kind, self._found.url) if self._found is not None else None

    def _choice(self, kind: str, url: str) -> Choice:
        """A choice in the form in which it is shown: of the embedded engine its model counts, of others the address."""
        if kind == "embedded" and self.model is not None:
            return Choice(kind, model=self.model.name, toy=self.model.name == BUNDLED_ALIAS)
        return Choice(kind, "" if kind == "none" else url)

    def begin(self) -> None:
        """Start the embedded engine in the background, so that the first answer need not wait for all of it."""
        if self._embedded is not None:
            self._embedded.start()

    async def current(self) -> Upstream:
        """The engine for a request. Raises EngineUnavailable, ModelUnavailable."""
        known = self._found
        if known is not None and await self._still_good(known):
            return known
        found = await find_upstream(
            self._http(),
            configured=self._configured,
            embedded=self._embedded,
            ollama_url=self._ollama_url,
            own_port=self._own_port,
        )
        if isinstance(found, NoUpstream):
            raise EngineUnavailable(found.message, found.hint)
        if not found.dialects:
            raise EngineUnavailable(
                f"The engine at {found.url} does not answer",
                "Start it, or name another with `--upstream URL`",
            )
        self._found, self._at = found, self._clock()
        return found

    async def first_model(self, upstream: Upstream) -> str:
        """The model that the engine names first. Raises EngineUnavailable where it names none."""
        return await first_model(self._http(), upstream, upstream.headers)

    def thinker(self) -> EmbeddedThinker | None:
        """Background calls on the embedded engine: a child of its own, on the same weights, started when needed."""
        if self.model is None:
            return None
        return EmbeddedThinker(
            EmbeddedServer(self.model.path, self.model.name, self._logs / THINKING_LOG, self._policy)
        )

    def window(self, upstream: Upstream) -> int | None:
        """The context of its model in tokens, where it is known."""
        return self._context if upstream.kind == "embedded" else None

    async def close(self) -> None:
        """Let go of the connections and end the embedded engine."""
        if self._client is not None and self._loop is asyncio.get_running_loop():
            await self._client.aclose()
        self._client = None
        if self._embedded is not None:
            await self._embedded.aclose()

    async def _still_good(self, known: Upstream) -> bool:
        """Whether what was found may be used once more."""
        match known.kind:
            case "configured":
                # Its errors are told to the client as they are: a person who named an engine wants no other.
                return True
            case "embedded":
                # Address and key are those of the child that runs now.
                return False
            case "ollama":
                if self._clock() - self._at < FRESH_SECONDS:
                    return True
                self._at = self._clock()
                return "ollama" in await probe_dialects(self._http(), known.url, timeout_s=LOCAL_PROBE_S)

    def _http(self) -> httpx2.AsyncClient:
        """A client of the running loop."""
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            self._client, self._loop = httpx2.AsyncClient(trust_env=False), loop
        return self._client


async def first_model(client: httpx2.AsyncClient, upstream: Upstream, headers: Mapping[str, str]) -> str:
    """The model that an engine names first. Raises EngineUnavailable where it names none."""
    path, key, name = (
        ("/api/tags", "models", "name") if "ollama" in upstream.dialects else ("/v1/models", "data", "id")
    )
    try:
        answer = await client.get(f"{upstream.url}{path}", headers=dict(headers))
        listed = answer.json().get(key) if answer.is_success else None
    except (httpx2.HTTPError, ValueError, AttributeError) as error:
        raise EngineUnavailable(
            f"The engine at {upstream.url} does not list its models", "Name one with --model"
        ) from error
    names = [str(one[name]) for one in listed or [] if isinstance(one, dict) and one.get(name)]
    if not names:
        raise EngineUnavailable(
            f"The engine at {upstream.url} has no model yet",
            "Fetch one there (`ollama pull llama3.2`), or name one with --model",
        )
    return names[0]
