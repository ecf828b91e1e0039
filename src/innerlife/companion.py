"""The companion: what every surface receives. No logic here, and no forwarding."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from innerlife.affect.mood import Mood
from innerlife.conversations.reading import Conversations
from innerlife.ledger.forget import Forgetting
from innerlife.ledger.ledger import Ledger
from innerlife.ledger.upkeep import Upkeep
from innerlife.membrane.remember import Remember
from innerlife.membrane.turns import Turns
from innerlife.membrane.why import Why
from innerlife.recall.embeddings import Embeddings
from innerlife.reflection.helping import Helping
from innerlife.reflection.reflections import Reflections
from innerlife.selfmodel.origin import Origins
from innerlife.selfmodel.selfmodel import SelfModel
from innerlife.thinking.calls import Roles
from innerlife.thinking.gate import Gate
from innerlife.thinking.runner import Runner
from innerlife.thinking.thoughts import Thoughts
from innerlife.workspace.shipped import ShippedTexts


@dataclass(frozen=True)
class Companion:
    """One profile's companion: its use-cases, made once by `bootstrap`."""

    profile: str
    ledger: Ledger
    turns: Turns
    conversations: Conversations
    remember: Remember
    why: Why
    forgetting: Forgetting
    origins: Origins
    self_model: SelfModel
    reflections: Reflections
    mood: Mood
    helping: Helping
    texts: ShippedTexts
    upkeep: Upkeep
    embeddings: Embeddings | None
    thoughts: Thoughts
    worker: Callable[[Roles, Gate], Runner]
    """The worker that thinks for this Core, over the engines' roles and gate of the process that serves."""
    warm: Callable[[], None]
    """Load what the first turn would wait for, in the background."""
    integrity: Callable[[], list[str]]
    """Complaints of the Core's integrity check; empty when sound."""
    close: Callable[[], None]
    """Finish what is being written and close the databases."""
    notices: list[str] = field(default_factory=list)
    """What a person should know about how it opened."""
