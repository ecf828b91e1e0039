"""The maintenance protocol: the text that rides along where the tools are on (promise S14)."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def protocol() -> str:
    """How the self-model is to be kept, for the model that keeps it."""
    return (files(__name__) / "protocol.md").read_text(encoding="utf-8").strip()
