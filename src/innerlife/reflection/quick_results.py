"""From what a model claims of a conversation to what is believed: each item stands in the lines, or is left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

from innerlife.affect.cues import Affect, Cue, CueKind
from innerlife.affect.mood import Mood
from innerlife.affect.signals import Glimpse
from innerlife.errors import BadInput, NotFound
from innerlife.ledger.envelope import Derivation, Draft
from innerlife.reflection.claims import (
    WHOSE,
    Quoted,
    Whose,
    carries,
    closes,
    is_ones_own,
    looks_ahead,
    of_oneself,
    quoted,
    stands,
)
from innerlife.reflection.lines import Line
from innerlife.reflection.policy import ReflectionPolicy
from innerlife.reflection.quick_form import (
    FIELDS,
    INSIGHTS,
    TRAITS,
    Aim,
    Ended,
    Hold,
    Looked,
    Noticed,
    OfThePerson,
    Promised,
    Seemed,
)
from innerlife.reflection.reading import own_reading
from innerlife.selfmodel.desk import rests_on
from innerlife.selfmodel.due import due_day
from innerlife.selfmodel.events import GoalOpened, GoalState, Hand, TraitSort
from innerlife.selfmodel.goals import after, due_of, same_day
from innerlife.selfmodel.handles import named
from innerlife.selfmodel.merge import covers, same_words
from innerlife.selfmodel.observations import SaidBefore
from innerlife.selfmodel.selfmodel import SelfModel, Selves
from innerlife.thinking.language import language_of
from innerlife.thinking.quotes import find_quote

T = TypeVar("T")

STAGE = "quick"
"""Under this name a message is read once by it."""

_MOODS_ARE_READ = frozenset({"", "en", "es"})
"""Languages, and texts too short to tell, in which a mood is told from a trait (`affect.moods`)."""


class Results:
    """Takes an answer item by item. `drafts` are the events, `concluded` and `left` the sentences about them."""

    def __init__(
        self,
        self_model: SelfModel,
        mood: Mood,
        lines: Sequence[Line],
        selves: Selves,
        policy: ReflectionPolicy,
    ) -> None:
        self._mood = mood
        self._policy = policy
        self._share = policy.carried_share
        self._self = self_model
        self._desk = self_model.desk
        self._selves = selves
        self._all = tuple(lines)
        self._said = tuple(line for line in lines if line.user)
        self._answers = tuple(line for line in lines if not line.user)
        self._loose = 0
        self._goals = list(selves.goals)
        """As they stand after each item, so that nothing is closed twice and what is crowded out folds."""
        self._intended: list[str] = []
        self._fields: dict[str, list[tuple[str, int]]] = {}
        self.told: set[int] = set()
        """Events other than the lines whose words stand in `concluded` and `left`."""
        self.drafts: list[Draft] = []
        self.concluded: list[str] = []
        self.left: list[str] = []

    def take(self, looked: Looked) -> None:
        """Everything in the answer."""
        self._mind(looked.on_mind)
        for hold in looked.hold:
            self._tried(self._hold, hold)
        for promise in looked.promises:
            self._tried(self._promise, promise)
        for aim in looked.aims:
            self._tried(self._aim, aim)
        for ended in looked.ended:
            self._tried(self._ended, ended)
        for one in looked.person:
            self._tried(self._person, one)
        for of in self._fields:
            self._tried(self._field, of)
        for noticed in looked.noticed:
            self._tried(self._noticed, noticed)
        for mood in looked.mood:
            self._tried(self._seemed, mood)
        if self._loose:
            things = "thing" if self._loose == 1 else "things"
            were = "was" if self._loose == 1 else "were"
            self.left.append(f"{self._loose} {things} that no line carries {were} not believed.")

    # --- one kind of item each --------------------------------------------------------------------------------------

    def _mind(self, text: str) -> None:
        # It speaks for itself, so all of the conversation may carry it; without that, what the rule said stands.
        if not text.strip():
            return
        whole = " ".join(line.text for line in self._all)
        if not carries(whole, text, self._share):
            self._loose += 1
            return
        evidence = [line.seq for line in self._all]
        self._tried(lambda words: self._set_mind(words, evidence), " ".join(text.split()))

    def _set_mind(self, text: str, evidence: Sequence[int]) -> None:
        self.drafts.append(self._self.minding.inner_state_draft(text, evidence))
        self.concluded.append(f"On my mind: {text}")

    def _hold(self, hold: Hold) -> None:
        found = self._borne(hold.quote, hold.text, self._all)
        if found is None or self._repeats(hold.text, [one.text for one in self._selves.working_memory]):
            return
        due = hold.due if self._names_a_day(hold.due, found) else ""
        self.drafts.append(
            self._self.minding.memory_draft(hold.text, [found.line.seq], due, said=_when(found))
        )
        self.concluded.append(f"To hold in mind: {hold.text}")

    def _promise(self, promise: Promised) -> None:
        hand = Hand.USER if promise.who == "person" else Hand.COMPANION
        side = self._said if hand is Hand.USER else self._answers
        found = self._borne(promise.quote, promise.text, side, looks_ahead)
        self._desk.check_moods(promise.text, [])
        if found is None:
            return
        due = promise.due if self._names_a_day(promise.due, found) else ""
        body = self._self.goals.promise_body(promise.text, hand, due, _when(found))
        mine = [one for one in self._selves.goals if one.open and one.by is hand]
        if self._repeats(promise.text, [one.text for one in mine if same_day(one.due, due_of(body))]):
            return
        self.drafts.append(self._self.goals.opening(body, [found.line.seq]))
        whose = "The person" if hand is Hand.USER else "I"
        self._intended.append(promise.text)
        self.concluded.append(f"{whose} promised: {promise.text}")

    def _aim(self, aim: Aim) -> None:
        found = self._borne(aim.quote, aim.text, self._said, looks_ahead)
        there = [*(one.text for one in self._selves.goals if one.open), *self._intended]
        if found is None or self._repeats(aim.text, there):
            return
        self._desk.check_moods(aim.text, [found.line.seq])
        body = GoalOpened(self._item(aim.text), Hand.USER)
        self.drafts.append(self._self.goals.opening(body, [found.line.seq]))
        self.concluded.append(f"An aim of theirs: {aim.text}")

    def _ended(self, ended: Ended) -> None:
        found = quoted(ended.quote, self._said)
        goal = named([one for one in self._goals if one.open], ended.handle, "goal")
        state = GoalState(ended.how)
        # What closes a goal has to speak of it, or to follow right on words that do.
        if found is None or not carries(found.line.text, goal.text, self._share) or not closes(found, state):
            self._loose += 1
            return
        reason = f"They said: “{found.sentence[:120]}”"
        drafts = self._self.goals.changes(self._goals, goal, state, reason)
        self._goals = after(self._goals, goal, state, self._desk.clock.now())
        self.drafts += [_resting(draft, found.line.seq) for draft in drafts[:1]] + drafts[1:]
        self.told.add(goal.words[0])
        self.concluded.append(f"{ended.how.capitalize()}: {goal.text}")

    def _person(self, one: OfThePerson) -> None:
        whose = WHOSE.get(one.of, of_oneself)
        found = self._borne(one.quote, one.text, self._said, whose)
        if found is None:
            return
        if one.of == TraitSort.TRAIT.value and language_of(found.line.text) not in _MOODS_ARE_READ:
            # A mood that cannot be told from a trait would be made one.
            self._loose += 1
            return
        if one.of not in TRAITS:
            self._fields.setdefault(one.of, []).append((one.text, found.line.seq))
            return
        human, seqs = self._selves.human, [found.line.seq]
        same, near, draft = self._self.human.taken_in(human, TRAITS[one.of], one.text, seqs)
        if near is not None:
            known = near.known.text
            self.told.add(near.known.seq)
            self.left.append(f"“{one.text}” is close to “{known}”: the same twice, or a contradiction?")
            return
        self.drafts.append(draft)
        self.concluded.append(f"{'Confirmed' if same else 'Taken in'}: {one.text}")

    def _field(self, of: str) -> None:
        """All that was said of one field, merged at once: a merge holds the whole field."""
        text = " ".join(said if said[-1:] in ".!?…" else f"{said}." for said, _ in self._fields[of])
        seqs = [seq for _, seq in self._fields[of]]
        merged, drafts = self._self.human.learned(self._selves.human, FIELDS[of], text, seqs)
        if merged.changed:
            self.drafts += drafts
            self.concluded.append(f"Of their {of}: {' '.join(merged.added)}")

    def _noticed(self, noticed: Noticed) -> None:
        # What the companion said of them is no sign of anything: it would come to believe its own compliments.
        found = self._borne(noticed.quote, noticed.text, self._said)
        if found is None:
            return
        outcome = self._self.observations.decided(
            self._selves.observations, INSIGHTS[noticed.kind], noticed.text, [found.line.seq]
        )
        if isinstance(outcome, SaidBefore):
            self.told |= {outcome.older.seq, outcome.older.words[0]}
            self.left.append(
                f"“{noticed.text}” says what {outcome.older.handle} says: “{outcome.older.text}”"
            )
            return
        self.drafts.append(outcome)
        self.concluded.append(f"Noticed: {noticed.text}")

    def _seemed(self, mood: Seemed) -> None:
        """How they seemed, on a quote of their own: one more sign for that message, and never a word of it here."""
        found = quoted(mood.quote, self._said)
        span = find_quote(mood.quote, found.line.text) if found else None
        if found is None or span is None:
            self._loose += 1
            return
        affect = Affect(mood.valence, mood.arousal, mood.dominance)
        sure = self._policy.mood_confidence
        cue = Cue(CueKind.LINGUISTIC, "how it read afterwards", affect, sure, (span.start, span.end))
        drafts = self._mood.reading_drafts(found.line.seq, Glimpse((cue,)), Derivation(STAGE))
        self.drafts += map(own_reading, drafts)

    # --- what they share --------------------------------------------------------------------------------------------

    def _tried(self, take: Callable[[T], None], item: T) -> None:
        """One item that cannot be taken costs no other."""
        try:
            take(item)
        except (BadInput, NotFound) as error:
            if error.message not in self.left:
                self.left.append(error.message)

    def _borne(
        self, quote: str, text: str, lines: Sequence[Line], whose: Whose | None = None
    ) -> Quoted | None:
        """The quote, where it stands and says so what is claimed, of whom it is claimed.

        `whose` is asked of what is claimed of the person, which has to stand in nearly the same words.
        """
        found = quoted(quote, lines)
        share = self._share if whose is None else self._policy.person_share
        borne = found is not None and carries(found.sentence, text, share) and stands(found, text)
        if found is None or not borne or (whose and not (is_ones_own(found, text) and whose(found, text))):
            self._loose += 1
            return None
        return found

    def _repeats(self, text: str, there: Sequence[str]) -> bool:
        return any(same_words(one) == same_words(text) or covers(one, text) for one in there)

    def _names_a_day(self, due: str, found: Quoted) -> bool:
        """Whether the words for the day stand in the line too, and name one that is not over."""
        if not due.strip() or find_quote(due, found.line.text) is None:
            return False
        return due_day(due, *_when(found)) is not None

    def _item(self, text: str) -> str:
        text = " ".join(text.split())
        if (used := self._desk.measure(text)) > self._desk.policy.item_tokens:
            raise BadInput(f"A goal of {used} tokens is too long to be kept")
        return text


def _when(found: Quoted) -> tuple[datetime, str]:
    """When and where a line was said: "tomorrow" is the day after that."""
    return found.line.at, found.line.zone


def _resting(draft: Draft, seq: int) -> Draft:
    """The same, resting on a message too."""
    return replace(draft, causes=tuple(dict.fromkeys((*draft.causes, *rests_on([seq])))))
