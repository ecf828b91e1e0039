"""What the rooms register: kinds of events, views, passages, stages. A new one is a line here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from innerlife.affect import events as affect_events
from innerlife.affect.journal import AffectView
from innerlife.affect.mood import Desk, Mood
from innerlife.affect.policy import AffectPolicy
from innerlife.conversations import events as conversation_events
from innerlife.conversations import view as conversation_view
from innerlife.kernel.passage import Passage
from innerlife.learning import events as learning_events
from innerlife.learning.journal import LearningView
from innerlife.learning.policy import LearningPolicy
from innerlife.ledger.envelope import Event
from innerlife.ledger.ledger import Ledger
from innerlife.ledger.registry import Registry
from innerlife.ledger.views import View
from innerlife.membrane import events as membrane_events
from innerlife.membrane.lived import Lived
from innerlife.membrane.selves import desk_of
from innerlife.ports import Clock, Runtime
from innerlife.recall.view import PassagesView
from innerlife.reflection import events as reflection_events
from innerlife.reflection.glance import Glances, feeling_named
from innerlife.reflection.policy import ReflectionPolicy
from innerlife.reflection.room import room_of
from innerlife.reflection.sources import Sources
from innerlife.reflection.view import ReflectionView
from innerlife.selfmodel import events as selfmodel_events
from innerlife.selfmodel.journal import SelfModelView
from innerlife.selfmodel.observations import passage as observation_passage
from innerlife.selfmodel.policy import SelfModelPolicy
from innerlife.selfmodel.selfmodel import SelfModel
from innerlife.thinking import events as thinking_events
from innerlife.thinking.stage import AnyStage
from innerlife.thinking.view import QueueView
from innerlife.workspace.shipped import load_shipped
from innerlife.workspace.when import local_day


def registry() -> Registry:
    """Every kind of event of every room."""
    return Registry(
        (
            *conversation_events.KINDS,
            *membrane_events.KINDS,
            *reflection_events.KINDS,
            *selfmodel_events.KINDS,
            *affect_events.KINDS,
            *learning_events.KINDS,
            *thinking_events.KINDS,
        )
    )


EXTRACTORS: dict[str, Callable[[Event], Passage | None]] = {
    **dict.fromkeys(conversation_view.SEARCHABLE, conversation_view.passage),
    selfmodel_events.OBSERVATION: observation_passage,
}
"""How each searchable kind is read as a passage. A new kind is searchable by its line here."""


def views(stages: Sequence[AnyStage] = ()) -> list[View]:
    """Every view of every room; the queue is one of these stages."""
    return [
        conversation_view.ConversationsView(),
        SelfModelView(),
        AffectView(),
        LearningView(),
        ReflectionView(),
        PassagesView(EXTRACTORS),
        QueueView(stages),
    ]


def declared_stages(ledger: Ledger, runtime: Runtime, clock: Clock) -> tuple[AnyStage, ...]:
    """Every stage as the views know it, for whoever only looks at a Core: none of them is run."""
    self_model = SelfModel(desk_of(ledger, runtime, clock, SelfModelPolicy(), lambda: None))
    mood = mood_of(ledger, runtime, clock, AffectPolicy())
    glances = Glances(ledger, AffectPolicy())
    sources = Sources(
        ledger, runtime, clock, self_model, mood, glances, lambda: None, None, load_shipped(),
        ReflectionPolicy(), LearningPolicy(), RECORDS,
    )  # fmt: skip
    return room_of(sources).stages


RECORDS: Final = frozenset({membrane_events.CONTEXT})
"""Kinds of events that say what a prompt received."""


def mood_of(ledger: Ledger, runtime: Runtime, clock: Clock, policy: AffectPolicy) -> Mood:
    """The readings of how the person seems, over their own words."""
    lived = Lived(ledger, runtime)
    return Mood(Desk(ledger, runtime, clock, policy, local_day, lived.own_words, feeling_named))
