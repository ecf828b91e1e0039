"""The language models on this disk, and a few that are worth fetching.

A model is one GGUF file: the bundled one, one fetched by `pull`, or one that a person put into the `models`
folder of the data folder by hand. A fetched file `NAME.gguf` has its origin beside it in `NAME.json`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Literal

from innerlife.adapters.models.bundled import BUNDLED_ALIAS, bundled_weights
from innerlife.errors import BadInput, ModelUnavailable

SETTING: Final = "models.embedded"
"""The key in `innerlife.toml` that names the embedded engine's model."""

_HUB_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_PART_OF_MANY: Final = re.compile(r"-\d{5}-of-\d{5}$")


@dataclass(frozen=True, slots=True)
class HubModel:
    """A model on the Hugging Face hub. Bytes to fetch, about; GiB of memory to run it, with 8,192 tokens."""

    name: str
    repo: str
    file: str
    licence: str
    size_bytes: int
    memory_gib: float
    note: str


CURATED: Final = (
    HubModel(
        name="qwen2.5-0.5b",
        repo="Qwen/Qwen2.5-0.5B-Instruct-GGUF",
        file="qwen2.5-0.5b-instruct-q4_k_m.gguf",
        licence="Apache-2.0",
        size_bytes=491_000_000,
        memory_gib=1.5,
        note="for old or very small machines",
    ),
    HubModel(
        name="smollm2-1.7b",
        repo="HuggingFaceTB/SmolLM2-1.7B-Instruct-GGUF",
        file="smollm2-1.7b-instruct-q4_k_m.gguf",
        licence="Apache-2.0",
        size_bytes=1_060_000_000,
        memory_gib=3.5,
        note="English; pleasant small talk",
    ),
    HubModel(
        name="qwen2.5-1.5b",
        repo="Qwen/Qwen2.5-1.5B-Instruct-GGUF",
        file="qwen2.5-1.5b-instruct-q4_k_m.gguf",
        licence="Apache-2.0",
        size_bytes=1_117_320_736,
        memory_gib=2.5,
        note="many languages; a good first choice",
    ),
    HubModel(
        name="qwen2.5-3b",
        repo="Qwen/Qwen2.5-3B-Instruct-GGUF",
        file="qwen2.5-3b-instruct-q4_k_m.gguf",
        licence="Qwen Research (not for commercial use)",
        size_bytes=2_105_000_000,
        memory_gib=4.0,
        note="many languages; clearly better, slower without a GPU",
    ),
    HubModel(
        name="qwen3-4b",
        repo="Qwen/Qwen3-4B-GGUF",
        file="Qwen3-4B-Q4_K_M.gguf",
        licence="Apache-2.0",
        size_bytes=2_497_280_256,
        memory_gib=5.5,
        note="many languages; the best here, thinks before it answers",
    ),
)
"""Short names for `innerlife model pull`, smallest first: four-bit files from their makers' own pages."""


@dataclass(frozen=True, slots=True)
class HubFile:
    """Where a model lies on the hub, and the short name it gets here."""

    name: str
    repo: str
    file: str


@dataclass(frozen=True, slots=True)
class Origin:
    """What is known of a fetched file; it was checked against `sha256` (hexadecimal, from the hub)."""

    repo: str
    file: str
    revision: str
    sha256: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model on this disk; `name` is its public alias. `in_use`: the embedded engine would run it."""

    name: str
    path: Path
    size_bytes: int
    kind: Literal["bundled", "pulled", "own file"]
    origin: Origin | None = None
    in_use: bool = False


def hub_file(reference: str) -> HubFile:
    """Understand what to fetch: a short name of `CURATED`, or `owner/repo/file.gguf`. Raises BadInput."""
    wanted = reference.strip()
    for model in CURATED:
        if wanted.lower() == model.name:
            return HubFile(model.name, model.repo, model.file)
    owner, _, rest = wanted.partition("/")
    repo, _, file = rest.partition("/")
    steps = file.split("/")
    if not all(_HUB_NAME.fullmatch(part) for part in (owner, repo, *steps)):
        known = ", ".join(model.name for model in CURATED)
        raise BadInput(
            f"“{reference}” names no model that can be fetched",
            f"Use one of {known}, or owner/repo/file.gguf as on huggingface.co",
        )
    if not file.lower().endswith(".gguf"):
        raise BadInput(f"{steps[-1]} is not a GGUF file", "The embedded engine runs files that end in .gguf")
    stem = steps[-1][: -len(".gguf")]
    if _PART_OF_MANY.search(stem):
        raise BadInput(
            f"{steps[-1]} is one part of a model that was split into several files",
            "Choose a smaller quantisation that comes in one file",
        )
    return HubFile(stem.lower(), f"{owner}/{repo}", file)


def origin_path(models_dir: Path, name: str) -> Path:
    """Where the origin of a fetched model is written."""
    return models_dir / f"{name}.json"


def read_origin(models_dir: Path, name: str) -> Origin | None:
    """The origin of a fetched model, or None where there is none that can be read."""
    try:
        return Origin(**json.loads(origin_path(models_dir, name).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):  # absent or edited by hand: the model itself is still good
        return None


def origin_text(origin: Origin) -> str:
    """The content of that file."""
    return json.dumps(asdict(origin), indent=2) + "\n"


def found_models(models_dir: Path, bundled: Path | None) -> list[LocalModel]:
    """What lies on this disk: newest file first, the bundled model last. A missing folder holds no models."""
    models: list[LocalModel] = []
    paths = [path for path in models_dir.glob("*.gguf") if path.is_file()]
    for path in sorted(paths, key=lambda path: (-path.stat().st_mtime, path.name)):
        origin = read_origin(models_dir, path.stem)
        kind: Literal["pulled", "own file"] = "pulled" if origin else "own file"
        models.append(LocalModel(path.stem, path, path.stat().st_size, kind, origin))
    if bundled is not None and all(model.name != BUNDLED_ALIAS for model in models):
        models.append(LocalModel(BUNDLED_ALIAS, bundled, bundled.stat().st_size, "bundled"))
    return models


def choose(models: Sequence[LocalModel], chosen: str | None) -> LocalModel | None:
    """The model to run: the chosen one, else the first of `found_models`, which is the last one fetched.

    None when there is no model at all. Raises ModelUnavailable when the chosen one is not here.
    """
    if not chosen:
        return models[0] if models else None
    for model in models:
        if model.name == chosen:
            return model
    here = ", ".join(model.name for model in models) or "none yet"
    raise ModelUnavailable(
        f"the model {chosen} is not on this disk",
        f"Here: {here}; `innerlife model pull {chosen}` may fetch it",
    )


def list_models(models_dir: Path, chosen: str | None = None) -> tuple[LocalModel, ...]:
    """Every model on this disk, the one in use marked; `chosen` is the value of `SETTING`, if it is set."""
    models = found_models(models_dir, bundled_weights())
    try:
        running = choose(models, chosen)
    except ModelUnavailable:  # a list is asked for to find out what is here instead
        running = None
    return tuple(
        LocalModel(m.name, m.path, m.size_bytes, m.kind, m.origin, in_use=running is m) for m in models
    )


def local_model(models_dir: Path, chosen: str | None = None) -> LocalModel | None:
    """The model the embedded engine is to run, or None. Raises ModelUnavailable as `choose` does."""
    return choose(found_models(models_dir, bundled_weights()), chosen)


def use(name: str, models_dir: Path) -> tuple[str, str]:
    """Check that a model is here; returns the setting (key, value) that makes it the embedded engine's.

    Raises ModelUnavailable.
    """
    model = choose(found_models(models_dir, bundled_weights()), name)
    return SETTING, model.name if model else name
