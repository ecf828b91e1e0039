"""Requests for embeddings and their answers, in both formats."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from innerlife.errors import BadInput
from innerlife.ports import Vector

OLLAMA: Final = "/api/embed"
OLLAMA_OLD: Final = "/api/embeddings"
OPENAI: Final = "/v1/embeddings"
PATHS: Final = frozenset({OLLAMA, OLLAMA_OLD, OPENAI})


def texts_of(path: str, members: Mapping[str, Any]) -> list[str]:
    """The texts to embed. Raises BadInput for anything but a text or a list of texts, tokens included."""
    asked = members.get("prompt" if path == OLLAMA_OLD else "input")
    if isinstance(asked, str):
        return [asked]
    if isinstance(asked, list) and all(isinstance(text, str) for text in asked):
        return list(asked)
    raise BadInput("The text to embed is missing, or is no text", "Send a text or a list of texts")


def answer(path: str, members: Mapping[str, Any], model: str, texts: Sequence[str], vectors: Vector) -> Any:
    """The answer for vectors of shape (len(texts), dimension)."""
    # The embedder counts no tokens for us; four characters a token is the usual estimate.
    tokens = sum(len(text) // 4 + 1 for text in texts)
    if path == OLLAMA_OLD:
        return {"embedding": vectors[0].tolist() if len(texts) else []}
    if path == OLLAMA:
        found = [vector.tolist() for vector in vectors]
        return {
            "model": model,
            "embeddings": found,
            "total_duration": 0,
            "load_duration": 0,
            "prompt_eval_count": tokens,
        }
    packed = members.get("encoding_format") == "base64"
    return {
        "object": "list",
        "model": model,
        "data": [
            {
                "object": "embedding",
                "index": index,
                "embedding": _packed(vector) if packed else vector.tolist(),
            }
            for index, vector in enumerate(vectors)
        ],
        "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
    }


def _packed(vector: Vector) -> str:
    """Little-endian floats in base64, as the OpenAI client asks for by default."""
    return base64.b64encode(np.asarray(vector, dtype="<f4").tobytes()).decode("ascii")
