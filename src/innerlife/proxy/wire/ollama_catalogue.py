"""What Ollama's clients ask besides answers, told from the model list of an OpenAI-compatible server."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import PurePath
from typing import Any, Final

from innerlife.proxy.wire.translate_ollama_openai import stamp

API_LEVEL: Final = "0.12.0"
"""The version of Ollama whose API is spoken here; clients decide by it what to ask for."""


@dataclass(frozen=True, slots=True)
class Model:
    """A model by its public name; `size` in bytes, `parameters` and `window` in tokens, 0 where unknown."""

    name: str
    size: int = 0
    parameters: int = 0
    window: int = 0


def public_name(identifier: str) -> str:
    """A model's name without the file it lies in: a path is nobody's business."""
    if identifier.endswith(".gguf") or identifier.startswith(("/", "~", "\\")) or identifier[1:3] == ":\\":
        return PurePath(identifier.replace("\\", "/")).name.removesuffix(".gguf")
    return identifier


def same_model(asked: str, name: str) -> bool:
    """Whether a client means this model; Ollama's clients put `:latest` behind a name without a tag."""
    return asked.removesuffix(":latest") == name.removesuffix(":latest")


def models_of(listing: Any) -> tuple[Model, ...]:
    """The models of an answer to /v1/models."""
    data = listing.get("data") if isinstance(listing, dict) else None
    found: list[Model] = []
    for entry in data if isinstance(data, list) else ():
        if not isinstance(entry, dict) or not isinstance(entry.get("id"), str):
            continue
        meta = entry.get("meta")
        meta = meta if isinstance(meta, dict) else {}
        window = _number(meta, "n_ctx") or _number(meta, "n_ctx_train")
        name = public_name(entry["id"])
        found.append(Model(name, _number(meta, "size"), _number(meta, "n_params"), window))
    return tuple(found)


def tags(models: Sequence[Model], now: datetime) -> dict[str, Any]:
    """The answer to /api/tags."""
    return {"models": [{**_entry(model), "modified_at": stamp(now)} for model in models]}


def running(models: Sequence[Model], now: datetime) -> dict[str, Any]:
    """The answer to /api/ps: what is served is loaded."""
    until = stamp(now + timedelta(hours=1))
    return {
        "models": [
            {**_entry(model), "expires_at": until, "size_vram": 0, "context_length": model.window}
            for model in models
        ]
    }


def shown(model: Model, now: datetime) -> dict[str, Any]:
    """The answer to /api/show."""
    info: dict[str, Any] = {"general.architecture": "llama"}
    if model.parameters:
        info["general.parameter_count"] = model.parameters
    if model.window:
        info["llama.context_length"] = model.window
    return {
        "modelfile": "",
        "parameters": "",
        "template": "",
        "details": _details(model),
        "model_info": info,
        "capabilities": ["completion", "tools"],
        "modified_at": stamp(now),
    }


def _entry(model: Model) -> dict[str, Any]:
    digest = hashlib.sha256(model.name.encode("utf-8", "replace")).hexdigest()
    details = _details(model)
    return {"name": model.name, "model": model.name, "size": model.size, "digest": digest, "details": details}


def _details(model: Model) -> dict[str, Any]:
    billions = model.parameters / 1e9
    size = f"{billions:.1f}B" if billions >= 1 else f"{model.parameters / 1e6:.0f}M"
    return {
        "parent_model": "",
        "format": "gguf",
        "family": "llama",
        "families": ["llama"],
        "parameter_size": size if model.parameters else "",
        "quantization_level": "",
    }


def _number(meta: Mapping[str, Any], key: str) -> int:
    value = meta.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
