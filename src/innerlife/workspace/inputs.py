"""What the layers are rendered from: plain values that the caller takes from recall, Core and request."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from innerlife.workspace.shipped import ShippedTexts

USER = "user"
COMPANION = "companion"


@dataclass(frozen=True, slots=True)
class Remembered:
    """One recalled text.

    `speaker` is "user", "companion" or a third party's name; `kind` is worded specially where it is
    "document" or "page" and read as something said otherwise; `at` is when it happened (naive is taken as
    UTC), `zone` an IANA name or an offset such as "+02:00"; a higher `score` wins; `pasted` marks words
    inside a user's message that are not the user's own.
    """

    seq: int
    event_id: str
    text: str
    speaker: str
    kind: str
    at: datetime
    zone: str | None
    score: float
    conversation: str | None
    pasted: bool


@dataclass(frozen=True, slots=True)
class Origin:
    """The companion's name and the day its Core was made; frozen with the first exchange."""

    name: str
    born: date


@dataclass(frozen=True, slots=True)
class TurnInputs:
    """All that one prompt is assembled from.

    `nonce` (6 to 32 of a–z, 0–9) belongs to this block alone and must be unpredictable to whoever wrote the
    remembered texts. `window` is the model's context in tokens, None when unknown. `withheld` counts
    candidates that exist beyond `remembered`. `taken` is what the client's own request fills of the window, in tokens.
    """

    shipped: ShippedTexts
    origin: Origin
    remembered: tuple[Remembered, ...]
    now: datetime
    nonce: str
    zone: str | None = None
    window: int | None = None
    withheld: int = 0
    taken: int = 0
