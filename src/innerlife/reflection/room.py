"""The stages and timers of this room, made once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from innerlife.reflection import identity, intentions
from innerlife.reflection.events import Sort
from innerlife.reflection.exchange import AfterExchange
from innerlife.reflection.helping import Helping
from innerlife.reflection.identity import ReconsiderSelf
from innerlife.reflection.intentions import ReviewIntentions
from innerlife.reflection.noticing import Noticing
from innerlife.reflection.quick import QuickReflection
from innerlife.reflection.reflections import Reflections
from innerlife.reflection.sources import Sources
from innerlife.reflection.tone import ReadTone
from innerlife.reflection.wording import Wording
from innerlife.thinking.stage import AnyStage
from innerlife.thinking.timers import Timer

STAGES: Final[tuple[Callable[[Sources], AnyStage], ...]] = (
    AfterExchange,
    ReadTone,
    Noticing,
    QuickReflection,
    ReviewIntentions,
    ReconsiderSelf,
    Wording,
)
"""Every stage of thinking, a file each, by what makes it. A stage that is named here is run."""


@dataclass(frozen=True, slots=True)
class Room:
    """What `bootstrap` puts to use."""

    stages: tuple[AnyStage, ...]
    timers: tuple[Timer, ...]
    reflections: Reflections
    helping: Helping


def room_of(sources: Sources) -> Room:
    """Everything that reflects."""
    policy = sources.reflection
    return Room(
        stages=tuple(make(sources) for make in STAGES),
        timers=(
            Timer(identity.TIMER, policy.self_every_s, policy.calm_s, stage=Sort.SELF.value),
            Timer(intentions.TIMER, policy.review_every_s, policy.calm_s, stage=Sort.INTENTIONS.value),
        ),
        reflections=Reflections(sources),
        helping=Helping(sources),
    )
