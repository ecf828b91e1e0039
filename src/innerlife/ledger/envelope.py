"""The envelope of an event (design §3): what every kind has in common."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar, Protocol

from innerlife.kernel.moments import Moment


class Body(Protocol):
    """What a kind says beyond the envelope: a frozen dataclass of plain JSON-able values, declared by its room."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


class Actor(StrEnum):
    """Who acted."""

    USER = "user"
    COMPANION = "companion"
    SYSTEM = "system"
    OTHER = "other"


class Trust(StrEnum):
    """How far the words may be believed, by where they came from."""

    USER = "user"
    COMPANION = "companion"
    ASSISTANT_TEXT = "assistant_text"
    THIRD_PARTY = "third_party"
    WEB = "web"
    IMPORT = "import"


class Role(StrEnum):
    """How a cause contributed: its text or meaning flowed in, it was in the prompt, or it only occasioned."""

    FROM = "from"
    SHOWN = "shown"
    TRIGGER = "trigger"


@dataclass(frozen=True, slots=True)
class Cause:
    """An earlier event (by seq) that this one rests on."""

    seq: int
    role: Role


@dataclass(frozen=True, slots=True)
class Derivation:
    """Where a derived event came from. Evidence has none."""

    stage: str
    run: str = ""
    model: str = ""
    prompt_version: str = ""
    policy: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """An event that is not yet in the ledger.

    `key` makes the append idempotent; `stream` groups what is read together (a conversation's id); `handle`
    is a keyed hash under which the event can be found again without a view. `blobs` are the names the body cites.
    """

    body: Body
    actor: Actor
    trust: Trust
    happened: Moment | None = None
    causes: tuple[Cause, ...] = ()
    key: str | None = None
    stream: str = ""
    handle: str | None = None
    derivation: Derivation | None = None
    blobs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """An event as it stands in the ledger. Order is `seq`, never a clock."""

    seq: int
    id: str
    kind: str
    version: int
    recorded_at: datetime
    happened: Moment
    actor: Actor
    trust: Trust
    body: Any
    stream: str = ""
    key: str | None = None
    handle: str | None = None
    derivation: Derivation | None = None
    causes: tuple[Cause, ...] = field(default=())

    def caused(self, role: Role) -> tuple[int, ...]:
        """Seqs of the causes that have this role."""
        return tuple(c.seq for c in self.causes if c.role is role)
