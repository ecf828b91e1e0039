"""Answers of our own: errors in the client's form, and small JSON documents."""

from __future__ import annotations

import json
from typing import Any, Final

from starlette.responses import Response

from innerlife.errors import BadInput, InnerlifeError, NotFound, ProfileClosed, Refused
from innerlife.membrane.turn import Standing
from innerlife.proxy.headers import Headers, standing_headers
from innerlife.proxy.wire import anthropic, ollama, openai, responses
from innerlife.proxy.wire.call import Format

OLLAMA: Final = ollama.Ollama()
OPENAI: Final = openai.OpenAI()
ANTHROPIC: Final = anthropic.Anthropic()

CHAT_FORMATS: Final[dict[str, Format]] = {
    ollama.CHAT: OLLAMA,
    ollama.GENERATE: OLLAMA,
    openai.CHAT: OPENAI,
    openai.COMPLETIONS: OPENAI,
    responses.RESPONSES: responses.Responses(),
    anthropic.MESSAGES: ANTHROPIC,
}
"""The paths that ask for an answer, and the format they speak."""


def format_of(path: str) -> Format:
    """The format that a path belongs to, for errors of ours."""
    if path == anthropic.MESSAGES or path.startswith(f"{anthropic.MESSAGES}/"):
        return ANTHROPIC
    return OPENAI if path == "/v1" or path.startswith("/v1/") else OLLAMA


def status_of(error: InnerlifeError) -> int:
    """The HTTP status of an error of ours, on every path.

    403 for a known key at the wrong door, 401 for none, 404 for no door, 400 for what cannot be understood; 503 for
    all that may be well again later.
    """
    match error:
        case ProfileClosed():
            return 403
        case Refused():
            return 401
        case NotFound():
            return 404
        case BadInput():
            return 400
        case _:
            return 503


def plain_error(path: str, status: int, sentence: str, headers: Headers | None = None) -> Response:
    """An error in the form of the path's API."""
    return document(format_of(path).error(status, sentence), status, headers)


def json_answer(value: Any, headers: Headers | None = None) -> Response:
    """A JSON document of ours. Nothing in it was remembered."""
    return document(json.dumps(value).encode(), 200, headers or standing_headers(Standing.PASSTHROUGH, ""))


def document(body: bytes, status: int, headers: Headers | None = None) -> Response:
    """JSON bytes with headers of ours beside them."""
    response = Response(body, status, media_type="application/json")
    response.raw_headers.extend(headers or [])
    return response
