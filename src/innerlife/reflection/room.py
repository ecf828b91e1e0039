"""The stages and timers of this room, made once."""

from __future__ import annotations

from dataclasses import dataclass

from innerlife.affect.mood import Mood
from innerlife.ledger.ledger import Ledger
from innerlife.ports import Clock, Runtime
from innerlife.reflection import identity, intentions
from innerlife.reflection.exchange import AfterExchange
from innerlife.reflection.identity import ReconsiderSelf
from innerlife.reflection.intentions import ReviewIntentions
from innerlife.reflection.lines import Lines
from innerlife.reflection.policy import ReflectionPolicy
from innerlife.reflection.quick import QuickReflection
from innerlife.reflection.reflections import Reflections
from innerlife.selfmodel.selfmodel import SelfModel
from innerlife.thinking.stage import AnyStage
from innerlife.thinking.timers import Timer
from innerlife.workspace.shipped import ShippedTexts


@dataclass(frozen=True, slots=True)
class Room:
    """What `bootstrap` registers."""

    stages: tuple[AnyStage, ...]
    timers: tuple[Timer, ...]
    reflections: Reflections


def room_of(
    ledger: Ledger,
    runtime: Runtime,
    self_model: SelfModel,
    mood: Mood,
    policy: ReflectionPolicy,
    texts: ShippedTexts,
    clock: Clock,
) -> Room:
    """Everything that reflects."""
    lines = Lines(ledger, runtime)
    short, full = texts.constitution.short_form(), texts.constitution.full_form()
    return Room(
        stages=(
            AfterExchange(lines, runtime, self_model, policy),
            QuickReflection(lines, self_model, mood, policy, short),
            ReconsiderSelf(lines, self_model, policy, full),
            ReviewIntentions(lines, self_model, policy),
        ),
        timers=(
            Timer(identity.TIMER, policy.self_every_s, policy.calm_s),
            Timer(intentions.TIMER, policy.review_every_s, policy.calm_s),
        ),
        reflections=Reflections(ledger, runtime, lines, policy, clock),
    )
