"""`nomic-embed-text` in an Ollama (port `Embedder`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import httpx2
import numpy as np

from innerlife.errors import ModelUnavailable
from innerlife.ports import Vector

NAME: Final = "nomic-embed-text"
DIMENSION: Final = 768

QUERY_WORDS: Final = 48
"""Words of a question that are read, its last: about 64 word pieces."""

LOOK_S: Final = 0.3
"""Seconds that an Ollama has to say which models it has."""

QUERY_S: Final = 5.0
"""Seconds for a question; an answer has gone on without it long before."""

PASSAGES_S: Final = 120.0
"""Seconds for a few texts: the model may have to be loaded first, and a processor alone takes its time."""


class Nomic:
    """nomic-embed-text v1.5, asked for over HTTP at `url` (without a trailing slash). English. Safe in any thread."""

    model = "nomic-embed-text/1"
    dimension = DIMENSION

    def __init__(self, url: str) -> None:
        self._url = url
        # Settings of the system's proxies are for the internet; an engine at home is not reached through them.
        self._client = httpx2.Client(trust_env=False)

    def is_there(self) -> bool:
        """Whether the Ollama answers at once and has the model."""
        try:
            answer = self._client.get(f"{self._url}/api/tags", timeout=LOOK_S)
            found = answer.raise_for_status().json()["models"]
            return any(str(one["name"]).split(":")[0] == NAME for one in found)
        except (httpx2.HTTPError, ValueError, KeyError, TypeError):
            return False

    def embed_query(self, text: str) -> Vector:
        """Unit vector of the last 48 words. Raises ModelUnavailable."""
        words = " ".join(text.split()[-QUERY_WORDS:])
        return self._embed([f"search_query: {words}"], QUERY_S).reshape(DIMENSION)

    def embed_passages(self, texts: Sequence[str]) -> Vector:
        """Unit vectors; what is longer than the model reads is cut. Raises ModelUnavailable."""
        if not texts:
            return np.empty((0, DIMENSION), np.float32)
        return self._embed([f"search_document: {text}" for text in texts], PASSAGES_S)

    def _embed(self, texts: Sequence[str], seconds: float) -> Vector:
        body = {"model": NAME, "input": list(texts), "truncate": True}
        try:
            answer = self._client.post(f"{self._url}/api/embed", json=body, timeout=seconds)
        except httpx2.HTTPError as error:
            raise ModelUnavailable(
                f"The Ollama at {self._url} did not embed the text ({type(error).__name__})",
                "Start it, or set `models.embedding` to auto.",
            ) from error
        if answer.status_code == httpx2.codes.NOT_FOUND:
            raise ModelUnavailable(
                f"The Ollama at {self._url} has no {NAME}", f"`ollama pull {NAME}` fetches it."
            )
        return _read(answer, len(texts), self._url)


def _read(answer: httpx2.Response, count: int, url: str) -> Vector:
    try:
        said: Any = answer.raise_for_status().json()["embeddings"]
        vectors = np.asarray(said, np.float32)
    except (httpx2.HTTPError, ValueError, KeyError, TypeError) as error:
        raise ModelUnavailable(f"The Ollama at {url} could not embed the text") from error
    if vectors.shape != (count, DIMENSION) or not np.isfinite(vectors).all():
        raise ModelUnavailable(f"The Ollama at {url} answered with vectors of another model")
    lengths = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return np.asarray(vectors / lengths, np.float32)
