"""Bodies of the events of the self-model, a closed union.

No body names another event. An event about an earlier one (a goal that was closed, a trait that no longer holds) has
it as its `trigger` cause, and as a `from` cause too, so that it goes with what it speaks of. The user's messages that
an event rests on are further `from` causes. Instants in bodies are ISO 8601 in UTC, empty where there is none.
"""

from __future__ import annotations

from dataclasses import dataclass

from innerlife.ledger.envelope import Cause, Event, Role
from innerlife.selfmodel.terms import (
    GoalState,
    GrowthSort,
    Hand,
    HumanField,
    Insight,
    Outcome,
    Portrait,
    TraitSort,
)

__all__ = [
    "GROWTH",
    "OBSERVATION",
    "ORIGIN",
    "PORTRAIT",
    "PROPOSED",
    "GoalChanged",
    "GoalOpened",
    "GoalState",
    "GrowthEntered",
    "GrowthSort",
    "Hand",
    "HumanField",
    "HumanFieldMerged",
    "InnerStateSet",
    "Insight",
    "ObservationRecorded",
    "ObservationRetired",
    "ObservationRevised",
    "OriginGiven",
    "Outcome",
    "Portrait",
    "PortraitProposed",
    "PortraitRewritten",
    "PreferenceRetired",
    "PreferenceSaid",
    "PromiseMade",
    "SelfModelEvent",
    "TraitAdded",
    "TraitRemoved",
    "TraitSort",
    "WorkingMemoryAdded",
    "WorkingMemoryDropped",
    "about",
    "subject_of",
]


@dataclass(frozen=True, slots=True)
class OriginGiven:
    """The companion's name and birth date (ISO 8601, the day its Core was made)."""

    name: str
    born: str


@dataclass(frozen=True, slots=True)
class PortraitRewritten:
    """Identity or persona reads so from now on. It is its own growth entry.

    `before` is the text that it replaced; `direction` says in a few words where the change leads.
    """

    portrait: Portrait
    text: str
    before: str = ""
    direction: str = ""
    overwhelming: bool = False


@dataclass(frozen=True, slots=True)
class PortraitProposed:
    """A rewrite that did not happen, with both texts, and why. It is its own growth entry."""

    portrait: Portrait
    outcome: Outcome
    text: str
    before: str
    direction: str
    reason: str


@dataclass(frozen=True, slots=True)
class GrowthEntered:
    """One entry of the growth log, which is never edited and never trimmed."""

    sort: GrowthSort
    text: str


@dataclass(frozen=True, slots=True)
class HumanFieldMerged:
    """One field of the human layer after a merge: `by` tells what the user set from what was learned."""

    field: HumanField
    text: str
    by: Hand


@dataclass(frozen=True, slots=True)
class TraitAdded:
    """A trait or an interest; said again in the same words it is confirmed."""

    sort: TraitSort
    text: str


@dataclass(frozen=True, slots=True)
class TraitRemoved:
    """It no longer holds; the note says what changed and why, and stays as a scar."""

    note: str


@dataclass(frozen=True, slots=True)
class PreferenceSaid:
    """What the user said they want, in their own words."""

    text: str


@dataclass(frozen=True, slots=True)
class PreferenceRetired:
    """The user wants it no longer."""

    note: str = ""


@dataclass(frozen=True, slots=True)
class ObservationRecorded:
    """A short dated insight."""

    sort: Insight
    text: str


@dataclass(frozen=True, slots=True)
class ObservationRevised:
    """An observation reads so now; the note says what changed."""

    text: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class ObservationRetired:
    """An observation holds no longer."""

    note: str = ""


@dataclass(frozen=True, slots=True)
class InnerStateSet:
    """What is on the companion's mind now."""

    text: str


@dataclass(frozen=True, slots=True)
class WorkingMemoryAdded:
    """Something to hold for a few days: when it is due, and when it is dropped by itself."""

    text: str
    expires: str
    due: str = ""


@dataclass(frozen=True, slots=True)
class WorkingMemoryDropped:
    """It is done with before its time."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class GoalOpened:
    """A long-term intention."""

    text: str
    by: Hand


@dataclass(frozen=True, slots=True)
class PromiseMade:
    """Something that either side promised in the chat, in the words that promised it."""

    text: str
    by: Hand
    due: str = ""


@dataclass(frozen=True, slots=True)
class GoalChanged:
    """A goal or promise stands so now. `text` is its new wording, empty where it keeps the old one."""

    state: GoalState
    text: str = ""
    reason: str = ""


SelfModelEvent = (
    OriginGiven
    | PortraitRewritten
    | PortraitProposed
    | GrowthEntered
    | HumanFieldMerged
    | TraitAdded
    | TraitRemoved
    | PreferenceSaid
    | PreferenceRetired
    | ObservationRecorded
    | ObservationRevised
    | ObservationRetired
    | InnerStateSet
    | WorkingMemoryAdded
    | WorkingMemoryDropped
    | GoalOpened
    | PromiseMade
    | GoalChanged
)

ORIGIN = "self.origin"
PORTRAIT = "self.portrait"
PROPOSED = "self.proposed"
GROWTH = "self.growth"
OBSERVATION = "self.observation"


def about(seq: int) -> tuple[Cause, Cause]:
    """The causes that make an event one about an earlier event."""
    return Cause(seq, Role.TRIGGER), Cause(seq, Role.FROM)


def subject_of(event: Event) -> int:
    """The seq of the event that an event of this room is about, itself where it is about none."""
    causes = event.caused(Role.TRIGGER)
    return causes[0] if causes else event.seq
