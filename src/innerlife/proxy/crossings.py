"""From the client's dialect to the engine's, where the two differ: a request's translation and that of its answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from innerlife.adapters.models.upstream import Upstream
from innerlife.kernel.ids import new_id
from innerlife.proxy.relay import Crossing
from innerlife.proxy.wire import (
    openai,
    responses_as_chat,
    translate_anthropic_openai,
    translate_responses_openai,
)
from innerlife.proxy.wire.call import FormatName
from innerlife.proxy.wire.jsontext import decode, read_object
from innerlife.proxy.wire.translate_ollama_openai import Clocks, OllamaOverOpenAI, loaded, translated


@dataclass(frozen=True, slots=True)
class Crossed:
    """A request in OpenAI's format, and what turns its answer back."""

    target: bytes
    body: bytes
    crossing: Crossing


def crossed(
    form: FormatName, path: str, body: bytes, model: str, upstream: Upstream, clocks: Clocks
) -> Crossed | bytes:
    """The translation; or the whole answer, where the request only loads a model.

    `model` is the name the client used, without a profile. Raises BadInput for what the engine cannot do at all.
    """
    members = {key: placed.value for key, placed in read_object(decode(body)).members.items()}
    llama = upstream.kind == "embedded"
    now = clocks.now()
    match form:
        case "ollama":
            ready = loaded(path, members, model, clocks)
            if ready is not None:
                return ready
            request = translated(path, members, model.removesuffix(":latest"), llama=llama)
            return Crossed(request.target, request.body, OllamaOverOpenAI(path, model, clocks))
        case "anthropic":
            sent = translate_anthropic_openai.translated(members, model, llama=llama)
            name = "msg_" + new_id(now).lower()
            back: Crossing = translate_anthropic_openai.AnthropicOverOpenAI(name, model)
        case "responses":
            sent = responses_as_chat.translated(members, model, llama=llama)
            name = "resp_" + new_id(now).lower()
            at = int(now.timestamp())
            back = translate_responses_openai.ResponsesOverOpenAI(name, model, members, at)
        case "openai":
            raise AssertionError("an engine that speaks OpenAI's format needs no translation of it")
        case _:
            assert_never(form)
    return Crossed(openai.CHAT.encode(), sent, back)
