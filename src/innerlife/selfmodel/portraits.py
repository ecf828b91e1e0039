"""Identity and persona: read at any time, rewritten under governance or by the user's hand (promises S2, S4, C10)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Final, assert_never

from innerlife.errors import HomeBusy
from innerlife.ledger.envelope import Cause, Draft, Role
from innerlife.selfmodel.desk import Desk, by_companion, by_user, place_after, rests_on
from innerlife.selfmodel.due import local_day
from innerlife.selfmodel.events import Outcome, Portrait, PortraitProposed, PortraitRewritten, about
from innerlife.selfmodel.first import first_text
from innerlife.selfmodel.governance import (
    Applied,
    Attempt,
    Evidence,
    Flagged,
    History,
    Noted,
    Proposal,
    Verdict,
    Version,
    judge,
)
from innerlife.selfmodel.policy import SelfModelPolicy
from innerlife.selfmodel.rows import Noun, Row
from innerlife.selfmodel.sizes import Size, fitting, shortened

_TRIES = 16
"""How often a person's edit makes way for another writer before it gives up; two never meet so often."""

CHANGED_MEANWHILE: Final = "It was changed while I was reflecting"
NAMES: Final = {Portrait.IDENTITY: "The identity", Portrait.PERSONA: "The persona"}


@dataclass(frozen=True, slots=True)
class Section:
    """A text of the self as it stood at some time. `seq` is 0 and `at` None for the shipped one."""

    name: str
    text: str
    seq: int = 0
    id: str = ""
    at: datetime | None = None
    zone: str = "UTC"
    by_user: bool = False


@dataclass(frozen=True, slots=True)
class PortraitState:
    """What a reflection sets out from: the section that it is based on, and all that governance asks for."""

    portrait: Portrait
    section: Section
    history: History
    days: tuple[date, ...]


def versions_of(rows: Sequence[Row], portrait: Portrait) -> list[Section]:
    """All that stood, oldest first, the shipped sentence first of all."""
    return [Section(portrait.value, first_text(portrait))] + [
        Section(portrait.value, row.text, row.seq, row.id, row.at, row.zone, row.by_user)
        for row in rows
        if row.noun.value == portrait.value and row.what == "rewritten"
    ]


class Portraits:
    """Use-case: identity and persona. Every method raises StorageFailed on a broken store."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def read(self, portrait: Portrait, until: datetime | None = None) -> Section:
        """What stands, or stood at `until`."""
        return self.versions(portrait, until)[-1]

    def versions(self, portrait: Portrait, until: datetime | None = None) -> list[Section]:
        """All that stood, oldest first."""
        return versions_of(self._desk.rows(Noun(portrait.value), until=until), portrait)

    def size(self, portrait: Portrait, text: str) -> Size:
        """What a text would take, and the most it may."""
        return Size(self._desk.measure(text), self._most(portrait))

    def state(self, portrait: Portrait) -> PortraitState:
        """What a reflection sets out from; to be read before it thinks."""
        rows = self._desk.rows(Noun(portrait.value))
        sections = versions_of(rows, portrait)
        versions = tuple(Version(one.text, one.at) for one in sections)
        tried = [row for row in rows if row.seq > sections[-1].seq and row.what != "rewritten"]
        theirs = self._desk.evidence({seq for row in tried for seq in row.evidence})
        attempts = tuple(
            Attempt(local_day(row.at, row.zone), row.extra, row.text, frozenset(row.evidence) & theirs.keys())
            for row in tried
        )
        days = tuple(self._desk.lived.meaningful(sections[-1].at))
        return PortraitState(portrait, sections[-1], History(versions, attempts), days)

    def propose(
        self,
        portrait: Portrait,
        text: str,
        evidence_seqs: Collection[int],
        direction: str,
        based_on: int | None = None,
    ) -> Verdict:
        """Propose a rewrite; whatever comes of it leaves a growth entry.

        `evidence_seqs` are messages of the user; what is none is left out. `direction` says in a few words where the
        change leads. `based_on` is the seq of the section that the writer had read: where another stands now, the
        proposal is noted. Raises BadInput for an empty or too long text; then nothing changed.
        """
        state = self.state(portrait)
        verdict, drafts = self.decided(state, text, evidence_seqs, direction, based_on)
        appended = self._desk.append(*drafts)
        body = appended[0].body
        if isinstance(verdict, Applied) and body != drafts[0].body:
            verdict = Noted(CHANGED_MEANWHILE)
            direction = shortened(direction, self._desk.policy.direction_tokens, self._desk.measure)
            proposal = Proposal(text.strip(), direction, self._desk.today())
            self._desk.append(_kept(state, proposal, verdict, evidence_seqs))
        return verdict

    def decided(
        self,
        state: PortraitState,
        text: str,
        evidence_seqs: Collection[int],
        direction: str,
        based_on: int | None = None,
    ) -> tuple[Verdict, list[Draft]]:
        """The verdict over a proposal and the events that record it, appended by the caller. Raises BadInput.

        Where another writer takes the same place first, the draft of an applied one is dropped by its key.
        """
        desk, portrait = self._desk, state.portrait
        text, _ = fitting(text, self._most(portrait), NAMES[portrait], desk.measure)
        desk.check_moods(text, evidence_seqs, mine=True)
        direction = shortened(direction, desk.policy.direction_tokens, desk.measure)
        proposal = Proposal(text, direction, desk.today())
        quotes = desk.evidence(evidence_seqs)
        return decide(state, proposal, quotes, evidence_seqs, desk.policy, desk.clock.now(), based_on)

    def noted(
        self,
        state: PortraitState,
        text: str,
        evidence_seqs: Collection[int],
        direction: str,
        verdict: Noted,
    ) -> list[Draft]:
        """The growth entry of an attempt that was not even judged, appended by the caller."""
        direction = shortened(direction, self._desk.policy.direction_tokens, self._desk.measure)
        return [_kept(state, Proposal(text, direction, self._desk.today()), verdict, evidence_seqs)]

    def edit(self, portrait: Portrait, text: str) -> Section:
        """The user's hand: it stands at once, whoever else is writing; what stands after it is returned.

        Raises BadInput for an empty or long text, and HomeBusy where others took its place each time.
        """
        text, _ = fitting(text, self._most(portrait), NAMES[portrait], self._desk.measure)
        for _ in range(_TRIES):
            before = self.read(portrait)
            if before.text == text:
                return before
            # The old words were in front of the user; whether they went into the new ones is for forgetting to ask.
            seen = (Cause(before.seq, Role.SHOWN),) if before.seq else ()
            body = PortraitRewritten(portrait, text, "" if before.seq else before.text)
            (stands,) = self._desk.append(by_user(body, seen, _place(before)))
            # Once written it is done, whoever writes after it: to write it again would take their edit's place.
            if stands.body == body:
                return self.read(portrait)
        raise HomeBusy(f"{NAMES[portrait]} is being written by others", "Try again when they are done")

    def _most(self, portrait: Portrait) -> int:
        policy = self._desk.policy
        return policy.identity_tokens if portrait is Portrait.IDENTITY else policy.persona_tokens


def decide(
    state: PortraitState,
    proposal: Proposal,
    quotes: Mapping[int, str],
    evidence_seqs: Collection[int],
    policy: SelfModelPolicy,
    now: datetime,
    based_on: int | None = None,
) -> tuple[Verdict, list[Draft]]:
    """The verdict over a proposal of fitting size, and the events that record it. Pure.

    `quotes` are the user's own words by seq: they alone are evidence. `evidence_seqs` are all events that words flowed
    from, so that the text goes with any of them. `based_on` is the seq of the section that the writer had read.
    """
    verdict: Verdict
    if based_on is not None and based_on != state.section.seq:
        verdict = Noted(CHANGED_MEANWHILE)
    else:
        evidence = Evidence(tuple(sorted(quotes.items())), state.days)
        verdict = judge(_in_language_of(state, proposal.text), proposal, evidence, policy, now)
    match verdict:
        case Applied():
            section, lifted = state.section, verdict.overwhelming
            body = PortraitRewritten(state.portrait, proposal.text, section.text, proposal.direction, lifted)
            return verdict, [by_companion(body, _causes(section, evidence_seqs), _place(section))]
        case Noted() | Flagged():
            return verdict, [_kept(state, proposal, verdict, evidence_seqs)]
        case _:
            assert_never(verdict)


def _kept(
    state: PortraitState, proposal: Proposal, verdict: Noted | Flagged, evidence_seqs: Collection[int]
) -> Draft:
    outcome = Outcome.NOTED if isinstance(verdict, Noted) else Outcome.FLAGGED
    before = state.section.text
    body = PortraitProposed(
        state.portrait, outcome, proposal.text, before, proposal.direction, verdict.reason
    )
    return by_companion(body, _causes(state.section, evidence_seqs))


def _causes(section: Section, seqs: Collection[int]) -> tuple[Cause, ...]:
    """A rewrite keeps words of what stood before, so it rests on that beside the messages."""
    return (*(about(section.seq) if section.seq else ()), *rests_on(seqs))


def _place(section: Section) -> str:
    return place_after(section.name, section.id)


def _in_language_of(state: PortraitState, text: str) -> History:
    """The history, its shipped beginning in the language of the proposal."""
    versions = list(state.history.versions)
    versions[0] = replace(versions[0], text=first_text(state.portrait, text))
    return replace(state.history, versions=tuple(versions))
