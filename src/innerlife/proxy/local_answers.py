"""What we answer ourselves because the engine cannot: Ollama's lists on other engines, and embeddings.

The embedded engine and servers that speak only OpenAI's format have no `/api/*`; a chat model gives no embeddings,
so those come from the embedder in this process.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import httpx2
from anyio import CapacityLimiter, to_thread
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from innerlife.adapters.models.upstream import Upstream
from innerlife.errors import BadInput, EngineUnavailable, InnerlifeError, ModelUnavailable, NotFound
from innerlife.membrane.access import check_key, split_model
from innerlife.membrane.turn import Standing
from innerlife.ports import Embedder
from innerlife.proxy.apart import Apart
from innerlife.proxy.doors import AccessSource, UpstreamSource
from innerlife.proxy.headers import Headers, own_key, standing_headers, to_upstream
from innerlife.proxy.incoming import HungUp, TooLarge, while_listening, whole_body
from innerlife.proxy.outbound import Outbound, trouble
from innerlife.proxy.passthrough import forward, target_of
from innerlife.proxy.policy import ProxyPolicy
from innerlife.proxy.reply import json_answer, plain_error, status_of
from innerlife.proxy.wire import anthropic, embeddings
from innerlife.proxy.wire import ollama_catalogue as catalogue
from innerlife.proxy.wire.call import Untouched
from innerlife.proxy.wire.jsontext import Document, NotJson, TooDeep, decode, read_object
from innerlife.proxy.wire.translate_ollama_openai import Clocks
from innerlife.proxy.wire.writing import Additions, written

NAMED: Final = frozenset({"/api/show", anthropic.COUNT, *embeddings.PATHS})
"""Paths of small requests that name a model and are not chats."""

LISTS: Final = frozenset({"/api/tags", "/api/ps", "/api/version"})


@dataclass(frozen=True, slots=True)
class LocalAnswers:
    """Answers on the paths of `NAMED` and `LISTS`; forwards to an engine that can answer itself."""

    source: UpstreamSource
    access: AccessSource
    outbound: Outbound
    embedder: Embedder | None
    embedding: CapacityLimiter
    apart: Apart
    policy: ProxyPolicy
    clocks: Clocks
    token: str | None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        headers: Headers = scope["headers"]
        path: str = scope["path"]
        try:
            body = await whole_body(receive, headers, self.policy.body_bytes)
        except HungUp:
            return
        except TooLarge:
            sentence = f"The request is larger than {self.policy.body_bytes // 2**20} MB."
            await plain_error(path, 413, sentence)(scope, receive, send)
            return

        async def work() -> None:
            try:
                answer = await self._answer(scope, body, send)
            except httpx2.RequestError:
                answer = plain_error(path, 502, "The language model's server does not answer.")
            except InnerlifeError as error:
                answer = plain_error(path, status_of(error), str(error))
            if answer is not None:
                await answer(scope, receive, send)

        await while_listening(receive, work)

    async def _answer(self, scope: Scope, body: bytes, send: Send) -> Response | None:
        path: str = scope["path"]
        book = self.access.book()
        check_key(book, own_key(scope["headers"]))
        upstream = await self.source.current()
        document = await self.apart.run(len(body), partial(_readable, body)) if path in NAMED else None
        model = ""
        if document is not None and isinstance(asked := _asked_model(document), str):
            model, suffixes = split_model(asked, book.profiles)
            if suffixes:
                named = Untouched(document, asked, stream=False, why="")
                work = partial(written, named, Additions(model=model))
                body = await self.apart.run(len(body), work)
        if not self._is_ours(path, upstream):
            return await self._forward(scope, body, upstream, send)
        if path in embeddings.PATHS:
            return await self._embed(path, document, model)
        if path == "/api/version":
            return json_answer({"version": catalogue.API_LEVEL})
        return self._listed(path, await self._models(upstream), model)

    def _is_ours(self, path: str, upstream: Upstream) -> bool:
        speaks_only_openai = "openai" in upstream.dialects and "ollama" not in upstream.dialects
        if path == embeddings.OPENAI:
            return upstream.kind == "embedded"
        return speaks_only_openai and path.startswith("/api/")

    async def _forward(self, scope: Scope, body: bytes, upstream: Upstream, send: Send) -> Response | None:
        headers = to_upstream(scope["headers"], self.token, upstream.headers, length=len(body))
        try:
            answer = await self.outbound.send(upstream, scope["method"], target_of(scope), headers, body)
        except httpx2.RequestError as error:
            status, sentence = trouble(error, upstream)
            return plain_error(scope["path"], status, sentence)
        await forward(answer, standing_headers(Standing.PASSTHROUGH, ""), send)
        return None

    async def _embed(self, path: str, document: Document | None, model: str) -> Response:
        if document is None:
            raise BadInput("The request is not a JSON object", "Send a model and a text")
        if self.embedder is None:
            raise ModelUnavailable(
                "There is no embedding model here", "`innerlife doctor` says how to get one"
            )
        members = {key: placed.value for key, placed in document.members.items()}
        texts = embeddings.texts_of(path, members)
        if texts:
            embed = self.embedder.embed_passages

            def answer() -> Response:
                return json_answer(embeddings.answer(path, members, model, texts, embed(texts)))

            return await to_thread.run_sync(answer, limiter=self.embedding)
        return json_answer({"model": model, "embeddings": [], "embedding": [], "data": [], "object": "list"})

    async def _models(self, upstream: Upstream) -> tuple[catalogue.Model, ...]:
        headers = [(name.encode(), value.encode()) for name, value in upstream.headers.items()]
        answer = await self.outbound.send(upstream, "GET", b"/v1/models", headers, None)
        try:
            listing = json.loads(await answer.aread())
        except ValueError as error:
            raise EngineUnavailable("The engine's list of models cannot be read", "See its log") from error
        finally:
            await answer.aclose()
        return catalogue.models_of(listing)

    def _listed(self, path: str, models: Sequence[catalogue.Model], asked: str) -> Response:
        now = self.clocks.now()
        value: dict[str, Any]
        match path:
            case "/api/tags":
                value = catalogue.tags(models, now)
            case "/api/ps":
                value = catalogue.running(models, now)
            case _:
                found = next((model for model in models if catalogue.same_model(asked, model.name)), None)
                if found is None:
                    raise NotFound(
                        f"model {asked!r} not found", "`innerlife model list` names those there are"
                    )
                value = catalogue.shown(found, now)
        return json_answer(value)


def _readable(body: bytes) -> Document | None:
    try:
        return read_object(decode(body))
    except (NotJson, TooDeep):
        return None


def _asked_model(document: Document) -> object:
    # Older clients of Ollama call it `name`.
    return document.value("model", document.value("name"))
