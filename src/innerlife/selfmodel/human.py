"""The human layer: who the person is, as they set it and as it was learned, their traits and interests (S5, S7)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from innerlife.errors import BadInput
from innerlife.ledger.envelope import Cause, Draft, Role
from innerlife.selfmodel.desk import Desk, by_companion, by_user, rests_on
from innerlife.selfmodel.events import (
    GrowthEntered,
    GrowthSort,
    Hand,
    HumanField,
    HumanFieldMerged,
    TraitAdded,
    TraitRemoved,
    TraitSort,
    about,
)
from innerlife.selfmodel.gates import GateKind, Known, Near
from innerlife.selfmodel.handles import handle_of, named
from innerlife.selfmodel.merge import Merged, difference, merged, same_words
from innerlife.selfmodel.rows import Noun, Row
from innerlife.selfmodel.sizes import Size, fitting, shortened

NOUNS: Final = (Noun.HUMAN, Noun.TRAITS)
FRAME_TOKENS = 8
"""What the words around one field take in a prompt."""


@dataclass(frozen=True, slots=True)
class Said:
    """A text with the event that it comes from."""

    seq: int
    id: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Field:
    """One field: what the user set outranks what was learned; `difference` is what was learned beside it."""

    field: HumanField
    set: Said | None = None
    learned: Said | None = None

    @property
    def shown(self) -> Said | None:
        """What counts, None where there is nothing."""
        return next((one for one in (self.set, self.learned) if one is not None and one.text), None)

    @property
    def difference(self) -> tuple[str, ...]:
        """What was learned and is not in what the user set."""
        if self.set is None or not self.set.text or self.learned is None:
            return ()
        return difference(self.set.text, self.learned.text)


@dataclass(frozen=True, slots=True)
class Trait:
    """A trait or interest, when it was first seen, and when it was last confirmed (promise S14)."""

    seq: int
    id: str
    handle: str
    sort: TraitSort
    text: str
    at: datetime
    confirmed: datetime


@dataclass(frozen=True, slots=True)
class Human:
    """The whole layer. Every field is there, empty or not."""

    fields: tuple[Field, ...]
    traits: tuple[Trait, ...]
    interests: tuple[Trait, ...]

    @property
    def everything(self) -> tuple[Trait, ...]:
        """Traits and interests."""
        return self.traits + self.interests

    def stale(self, now: datetime, days: float) -> tuple[Trait, ...]:
        """Interests that nothing confirmed for so long."""
        return tuple(one for one in self.interests if now - one.confirmed >= timedelta(days=days))


def human_of(rows: Sequence[Row]) -> Human:
    """The layer as these rows make it."""
    fields = {field: Field(field) for field in HumanField}
    traits: dict[tuple[str, str], Trait] = {}
    places: dict[int, tuple[str, str]] = {}
    for row in rows:
        if row.noun is Noun.HUMAN:
            name = HumanField(row.extra)
            said = Said(row.seq, row.id, row.text, row.at)
            now = fields[name]
            mine = row.what == Hand.USER.value
            fields[name] = Field(name, said if mine else now.set, now.learned if mine else said)
        elif row.what == "added":
            place = (row.extra, same_words(row.text))
            places[row.seq] = place
            first = traits.get(place)
            ident = (first.seq, first.id, first.handle) if first else (row.seq, row.id, handle_of(row.id))
            text, at = (first.text, first.at) if first else (row.text, row.at)
            traits[place] = Trait(*ident, TraitSort(row.extra), text, at, row.at)
        elif row.what == "removed":
            traits.pop(places.get(row.thing, ("", "")), None)
    everything = tuple(traits.values())
    return Human(
        tuple(fields.values()),
        tuple(one for one in everything if one.sort is TraitSort.TRAIT),
        tuple(one for one in everything if one.sort is TraitSort.INTEREST),
    )


@dataclass(frozen=True, slots=True)
class Added:
    """A trait was taken in, or confirmed.

    `near` is one that says nearly the same: the same twice, or a contradiction?
    """

    trait: Trait
    confirmed: bool = False
    near: Near | None = None


class HumanLayer:
    """Use-case: what is known of the person. Every method raises StorageFailed on a broken store."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def read(self, until: datetime | None = None) -> Human:
        """The layer as it stands, or stood at `until`."""
        return human_of(self._desk.rows(*NOUNS, until=until))

    def size(self, human: Human | None = None) -> Size:
        """What the layer takes in a prompt, and the most it may."""
        human = human or self.read()
        texts = [field.shown.text for field in human.fields if field.shown]
        items = [trait.text for trait in human.everything]
        used = sum(self._desk.measure(text) for text in texts + items) + FRAME_TOKENS * len(texts)
        used += FRAME_TOKENS * bool(human.traits) + FRAME_TOKENS * bool(human.interests)
        return Size(used, self._desk.policy.human_tokens)

    def set(self, field: HumanField, text: str) -> Size:
        """The user's hand; an empty text takes back what they had set. Raises BadInput where it does not fit."""
        self.set_all({field: text})
        return self.size()

    def set_all(self, texts: Mapping[HumanField, str]) -> None:
        """Several fields at once: all of them or, where one does not fit, none. Raises BadInput."""
        human = self.read()
        drafts: list[Draft] = []
        # What makes room comes first: together they may fit where one before the other would not.
        for field, given in sorted(texts.items(), key=lambda one: self._growth(human, *one)):
            now = _field(human, field)
            text = self._fitting(human, field, given) if given.strip() else ""
            seen = (Cause(now.shown.seq, Role.SHOWN),) if now.shown else ()
            drafts.append(by_user(HumanFieldMerged(field, text, Hand.USER), seen))
            said = Said(0, "", text, self._desk.clock.now())
            human = replace(
                human,
                fields=tuple(replace(one, set=said) if one.field is field else one for one in human.fields),
            )
        if drafts:
            self._desk.append(*drafts)

    def called(self, human: Human, name: str, evidence_seqs: Collection[int]) -> Draft:
        """The event of a name that the user asked to be called by, appended by the caller: their word holds."""
        before = _field(human, HumanField.NAME).shown
        seen = (Cause(before.seq, Role.SHOWN),) if before else ()
        return by_companion(
            HumanFieldMerged(HumanField.NAME, name, Hand.USER), (*seen, *rests_on(evidence_seqs))
        )

    def learn(
        self,
        field: HumanField,
        text: str,
        evidence_seqs: Collection[int],
        *,
        without: str = "",
        note: str = "",
    ) -> Merged:
        """Merge what was learned into a field, and take out the sentences of `without`, for which a note is asked.

        What the user set stays in front. Raises BadInput where it does not fit, or for a removal without a note.
        """
        with self._desk.alone:
            human = self.read()
            found, drafts = self.learned(human, field, text, evidence_seqs, without=without, note=note)
            if drafts:
                self._desk.append(*drafts)
            return found

    def learned(
        self,
        human: Human,
        field: HumanField,
        text: str,
        evidence_seqs: Collection[int],
        *,
        without: str = "",
        note: str = "",
    ) -> tuple[Merged, list[Draft]]:
        """The merge, and the events that record it, appended by the caller. Raises BadInput."""
        before = _field(human, field).learned
        found = merged(before.text if before else "", text, without)
        if not found.changed:
            return found, []
        if without.strip() and found.dropped:
            note = _noted(note)
        self._desk.check_moods(text, evidence_seqs)
        new = self._fitting(human, field, found.text) if found.text else ""
        causes = (*(about(before.seq) if before else ()), *rests_on(evidence_seqs))
        drafts = [by_companion(HumanFieldMerged(field, new, Hand.COMPANION), causes)]
        if note and found.dropped:
            drafts.append(self._scar(" ".join(found.dropped), note, causes))
        return found, drafts

    def add(self, sort: TraitSort, text: str, evidence_seqs: Collection[int], *, user: bool = False) -> Added:
        """Take in a trait or interest; in the same words it is confirmed. Raises BadInput where it does not fit."""
        with self._desk.alone:
            human = self.read()
            same, near, draft = self.taken_in(human, sort, text, evidence_seqs, user=user)
            event = self._desk.append(draft)[0]
            kept = next(one for one in self.read().everything if one.seq == (same.seq if same else event.seq))
            return Added(kept, same is not None, near)

    def taken_in(
        self,
        human: Human,
        sort: TraitSort,
        text: str,
        evidence_seqs: Collection[int],
        *,
        user: bool = False,
    ) -> tuple[Trait | None, Near | None, Draft]:
        """(The one it confirms, the one it says nearly the same as, the event, appended by the caller).

        Raises BadInput where it does not fit.
        """
        text, _ = fitting(text, self._desk.policy.item_tokens, f"A {sort.value}", self._desk.measure)
        if not user:
            self._desk.check_moods(text, evidence_seqs)
        there = [one for one in human.everything if one.sort is sort]
        same = next((one for one in there if same_words(one.text) == same_words(text)), None)
        near = None
        if same is None:
            known = [Known(one.seq, one.text) for one in there]
            near = self._desk.gate().nearest(GateKind.TRAIT, text, known)
            self._room(human, self._desk.measure(text))
        body = TraitAdded(sort, same.text if same else text)
        return same, near, (by_user if user else by_companion)(body, rests_on(evidence_seqs))

    def remove(self, handle_or_text: str, note: str, *, user: bool = False) -> Trait:
        """Drop a trait or interest, leaving a scar. Raises NotFound, and BadInput for the companion without a note."""
        with self._desk.alone:
            human = self.read()
            wanted = same_words(handle_or_text)
            trait = next((one for one in human.everything if same_words(one.text) == wanted), None)
            trait = trait or named(human.everything, handle_or_text, "trait or interest")
            note = (note.strip() or "The person took it out by hand.") if user else _noted(note)
            # All that said it in these words: with the first alone, a confirmation would bring it back.
            seqs = [
                row.seq
                for row in self._desk.rows(Noun.TRAITS)
                if same_words(row.text) == same_words(trait.text)
            ]
            causes = (*about(trait.seq), *rests_on(seqs))
            make = by_user if user else by_companion
            self._desk.append(
                make(TraitRemoved(note), causes), self._scar(trait.text, note, causes, user=user)
            )
            return trait

    def _scar(self, what: str, note: str, causes: Sequence[Cause], *, user: bool = False) -> Draft:
        entry = shortened(
            f"No longer: {what.rstrip(' .')}. {note}", self._desk.policy.entry_tokens, self._desk.measure
        )
        flowing = tuple(cause for cause in causes if cause.role is Role.FROM)
        return (by_user if user else by_companion)(GrowthEntered(GrowthSort.SCAR, entry), flowing)

    def _fitting(self, human: Human, field: HumanField, text: str) -> str:
        policy = self._desk.policy
        text, size = fitting(text, policy.human_tokens, f"What is known of {field.value}", self._desk.measure)
        shown = _field(human, field).shown
        self._room(human, size.used - (self._desk.measure(shown.text) if shown else -FRAME_TOKENS))
        return text

    def _growth(self, human: Human, field: HumanField, text: str) -> int:
        shown = _field(human, field).shown
        return self._desk.measure(text) - (self._desk.measure(shown.text) if shown else 0)

    def _room(self, human: Human, more: int) -> None:
        size = self.size(human)
        if more > 0 and size.used + more > size.most:
            raise BadInput(
                f"What is known of the person would take {size.used + more} tokens, and {size.most} is the most",
                "Shorten another part first; nothing was changed.",
            )


def _field(human: Human, field: HumanField) -> Field:
    return next(one for one in human.fields if one.field is field)


def _noted(note: str) -> str:
    if not note.strip():
        raise BadInput(
            "Taking something out needs a note",
            "Say in a sentence what changed and why; it stays in the growth log.",
        )
    return note.strip()
