"""The self-model as every surface and every reflection receives it: one use-case a noun."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from innerlife.selfmodel.desk import Desk
from innerlife.selfmodel.events import Portrait
from innerlife.selfmodel.goals import Goal, Goals
from innerlife.selfmodel.growth import Entry, Growth
from innerlife.selfmodel.human import Human, HumanLayer
from innerlife.selfmodel.minding import Held, Minding
from innerlife.selfmodel.observations import Observation, Observations
from innerlife.selfmodel.portraits import Portraits, Section
from innerlife.selfmodel.preferences import Preference, Preferences


@dataclass(frozen=True, slots=True)
class Selves:
    """Everything that is written about the companion and the person, at one moment."""

    persona: Section
    identity: Section
    human: Human
    inner_state: Section | None
    working_memory: tuple[Held, ...]
    goals: tuple[Goal, ...]
    preferences: tuple[Preference, ...]
    observations: tuple[Observation, ...]
    growth: tuple[Entry, ...]


class SelfModel:
    """The self-model of one companion. Safe to use from any thread."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.portraits = Portraits(desk)
        self.minding = Minding(desk)
        self.goals = Goals(desk)
        self.observations = Observations(desk)
        self.human = HumanLayer(desk)
        self.preferences = Preferences(desk)
        self.growth = Growth(desk)

    def as_of(self, until: datetime | None = None) -> Selves:
        """All of it as it stands, or as it stood at `until` (promise C10). Raises StorageFailed."""
        return Selves(
            self.portraits.read(Portrait.PERSONA, until),
            self.portraits.read(Portrait.IDENTITY, until),
            self.human.read(until),
            self.minding.state(until),
            tuple(self.minding.held(until)),
            tuple(self.goals.read(until)),
            tuple(self.preferences.read(until)),
            tuple(self.observations.read(until)),
            tuple(self.growth.read(until)),
        )
