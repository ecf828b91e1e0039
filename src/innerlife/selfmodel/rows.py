"""An event of this room in the shape in which it is read: one row, whatever it tells."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final, assert_never

from innerlife.kernel.text import storable
from innerlife.ledger.envelope import Actor, Event, Role
from innerlife.selfmodel import bodies as e
from innerlife.selfmodel.events import KINDS

KINDS_HERE: Final = frozenset(kind.name for kind in KINDS)


class Noun(StrEnum):
    """What a row is about."""

    ORIGIN = "origin"
    IDENTITY = "identity"
    PERSONA = "persona"
    GROWTH = "growth"
    HUMAN = "human"
    TRAITS = "traits"
    PREFERENCES = "preferences"
    OBSERVATIONS = "observations"
    INNER_STATE = "inner_state"
    WORKING_MEMORY = "working_memory"
    GOALS = "goals"


@dataclass(frozen=True, slots=True)
class Row:
    """One event as this room reads it.

    `thing` is the seq of what it is about, its own where it begins something. `what` says what happened, `text` in
    which words, `before` what it replaces, `note` why; `extra` is what else the noun needs (a field's name, an
    instant). `evidence` are the seqs of what it rests on beside that.
    """

    seq: int
    id: str
    noun: Noun
    what: str
    thing: int
    text: str
    before: str
    note: str
    extra: str
    at: datetime
    zone: str
    by_user: bool
    evidence: tuple[int, ...] = ()


def row_of(event: Event) -> Row:
    """An event of this room as a row. Pure; the same from the ledger as from the view."""
    noun, what, text, note, extra = _told(event.body)
    before = getattr(event.body, "before", "")
    evidence = event.caused(Role.FROM)
    thing = e.subject_of(event)
    return Row(
        event.seq, event.id, noun, what, thing, storable(text), storable(before), storable(note), storable(extra),
        event.recorded_at, event.happened.zone, event.actor is Actor.USER,
        tuple(seq for seq in evidence if seq != thing),
    )  # fmt: skip


_Told = tuple[Noun, str, str, str, str]
"""(noun, what happened, text, note, extra)."""


def _told(body: e.SelfModelEvent) -> _Told:
    match body:
        case e.OriginGiven() | e.PortraitRewritten() | e.PortraitProposed() | e.GrowthEntered():
            return _told_of_itself(body)
        case e.HumanFieldMerged() | e.TraitAdded() | e.TraitRemoved():
            return _told_of_the_person(body)
        case e.PreferenceSaid() | e.PreferenceRetired():
            return _told_of_wishes(body)
        case e.ObservationRecorded() | e.ObservationRevised() | e.ObservationRetired():
            return _told_of_observations(body)
        case e.InnerStateSet() | e.WorkingMemoryAdded() | e.WorkingMemoryDropped():
            return _told_of_the_mind(body)
        case e.GoalOpened() | e.PromiseMade() | e.GoalChanged():
            return _told_of_goals(body)
        case _:
            assert_never(body)


def _told_of_itself(
    body: e.OriginGiven | e.PortraitRewritten | e.PortraitProposed | e.GrowthEntered,
) -> _Told:
    match body:
        case e.OriginGiven():
            return Noun.ORIGIN, "given", body.name, "", body.born
        case e.PortraitRewritten():
            return Noun(body.portrait.value), "rewritten", body.text, "", body.direction
        case e.PortraitProposed():
            return Noun(body.portrait.value), body.outcome.value, body.text, body.reason, body.direction
        case e.GrowthEntered():
            return Noun.GROWTH, body.sort.value, body.text, "", ""
        case _:
            assert_never(body)


def _told_of_the_person(body: e.HumanFieldMerged | e.TraitAdded | e.TraitRemoved) -> _Told:
    match body:
        case e.HumanFieldMerged():
            return Noun.HUMAN, body.by.value, body.text, "", body.field.value
        case e.TraitAdded():
            return Noun.TRAITS, "added", body.text, "", body.sort.value
        case e.TraitRemoved():
            return Noun.TRAITS, "removed", "", body.note, ""
        case _:
            assert_never(body)


def _told_of_wishes(body: e.PreferenceSaid | e.PreferenceRetired) -> _Told:
    match body:
        case e.PreferenceSaid():
            return Noun.PREFERENCES, "said", body.text, "", ""
        case e.PreferenceRetired():
            return Noun.PREFERENCES, "retired", "", body.note, ""
        case _:
            assert_never(body)


def _told_of_observations(
    body: e.ObservationRecorded | e.ObservationRevised | e.ObservationRetired,
) -> _Told:
    match body:
        case e.ObservationRecorded():
            return Noun.OBSERVATIONS, "recorded", body.text, "", body.sort.value
        case e.ObservationRevised():
            return Noun.OBSERVATIONS, "revised", body.text, body.note, ""
        case e.ObservationRetired():
            return Noun.OBSERVATIONS, "retired", "", body.note, ""
        case _:
            assert_never(body)


def _told_of_the_mind(body: e.InnerStateSet | e.WorkingMemoryAdded | e.WorkingMemoryDropped) -> _Told:
    match body:
        case e.InnerStateSet():
            return Noun.INNER_STATE, "set", body.text, "", ""
        case e.WorkingMemoryAdded():
            return Noun.WORKING_MEMORY, "added", body.text, body.expires, body.due
        case e.WorkingMemoryDropped():
            return Noun.WORKING_MEMORY, "dropped", "", body.reason, ""
        case _:
            assert_never(body)


def _told_of_goals(body: e.GoalOpened | e.PromiseMade | e.GoalChanged) -> _Told:
    match body:
        case e.GoalOpened():
            return Noun.GOALS, "goal", body.text, "", body.by.value
        case e.PromiseMade():
            return Noun.GOALS, "promise", body.text, body.due, body.by.value
        case e.GoalChanged():
            return Noun.GOALS, body.state.value, body.text, body.reason, ""
        case _:
            assert_never(body)


def words_of(event: Event) -> str:
    """Everything an event of this room says; empty for other kinds (for forgetting)."""
    if event.kind not in KINDS_HERE:
        return ""
    said = (getattr(event.body, name, "") for name in _IN_WORDS)
    return "\n".join(storable(part) for part in said if part)


_IN_WORDS: Final = ("text", "before", "note", "reason", "direction", "name")
"""Fields of bodies that hold somebody's words; the others hold a day, or one of a few."""
