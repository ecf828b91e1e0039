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
class Written:
    """One thing that is written about the companion or the person, for the layer that shows it.

    `seqs` and `event_ids` run in parallel and name the events whose words it is; they are empty for a shipped sentence.
    `kind` tells things of one layer apart, `by` is "user" or "companion" where it matters, `due` is the day on which
    something is due, a higher `score` wins where things compete.
    """

    layer: str
    text: str
    seqs: tuple[int, ...] = ()
    event_ids: tuple[str, ...] = ()
    at: datetime | None = None
    zone: str | None = None
    kind: str = ""
    by: str = ""
    due: datetime | None = None
    score: float = 0.0


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
    candidates that exist beyond `remembered`, and `withheld_of` (layer, number) those beyond `written`. `taken` is what
    the client's own request fills of the window, in tokens.
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
    written: tuple[Written, ...] = ()
    withheld_of: tuple[tuple[str, int], ...] = ()

    def written_for(self, layer: str) -> tuple[Written, ...]:
        """What the layer of this name shows, in order."""
        return tuple(one for one in self.written if one.layer == layer and one.text.strip())

    def withheld_for(self, layer: str) -> int:
        """How many more there are for it."""
        return sum(number for name, number in self.withheld_of if name == layer)
