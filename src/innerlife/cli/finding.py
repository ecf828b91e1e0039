"""What one check of `doctor` found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

OK: Final = "ok"
ATTENTION: Final = "attention"
FAILED: Final = "failed"


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found: `verdict` is ok, attention or failed; `way_out` says what to do, or is empty."""

    what: str
    verdict: str
    found: str
    way_out: str = ""
