"""Answers of models to quick reflection and to the reconsideration of the self, filled in where a test says so."""

from __future__ import annotations

import json
from typing import Any

from innerlife.reflection.quick_form import Looked

EMPTY: dict[str, Any] = {
    "on_mind": "", "hold": [], "promises": [], "aims": [], "ended": [], "person": [], "noticed": [], "mood": [],
}  # fmt: skip


def looked(**parts: Any) -> str:
    """An answer to quick reflection."""
    return json.dumps(Looked.model_validate(EMPTY | parts).model_dump())


def reconsidered(identity: str = "", persona: str = "", direction: str = "", *evidence: int) -> str:
    """An answer to the reconsideration of the self."""
    numbers = list(evidence)
    return json.dumps({
        "identity": {"text": identity, "direction": direction, "evidence": numbers},
        "persona": {"text": persona, "direction": direction, "evidence": numbers},
    })  # fmt: skip
