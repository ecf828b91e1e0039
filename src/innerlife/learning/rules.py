"""Rules: when one follows from feedback, how it stands, which of two that contradict each other holds. Pure.

Conflicts (anima §13.4) are resolved by explicit preference, then evidence, then recency (promise L4).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from innerlife.learning import bodies as e
from innerlife.learning.aspects import opposed, wording
from innerlife.learning.bodies import Pattern
from innerlife.learning.known import FOUNDING, Known, Marks, Piece, conversations, covers, unspent
from innerlife.learning.likeness import plain
from innerlife.learning.policy import LearningPolicy
from innerlife.learning.requests import liked, wanted
from innerlife.learning.rows import Row
from innerlife.learning.terms import Aspect, State, Trigger

_HANDLE: Final = 6
"""Hex digits of a handle, as goals and observations have them."""


@dataclass(frozen=True, slots=True)
class Uses:
    """What became of a rule where its trigger was met: how often it held and failed, in how many conversations.

    `idle`: how often in a row it was not in the prompt, since it was used last or came to be.
    """

    held: int = 0
    failed: int = 0
    conversations: int = 0
    idle: int = 0

    @property
    def count(self) -> int:
        """How often it was used."""
        return self.held + self.failed

    @property
    def share(self) -> float:
        """The part of its uses that held; 0 where there are none."""
        return self.held / self.count if self.count else 0.0


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule as it stands. `first` and `words` are the events that it stands by and reads by: (seq, id)."""

    pattern: Pattern
    handle: str
    text: str
    first: tuple[int, str]
    words: tuple[int, str]
    at: datetime
    zone: str
    by_user: bool
    state: State
    confidence: float
    evidence: tuple[Piece, ...]
    contrary: tuple[Piece, ...]
    uses: Uses = field(default_factory=Uses)
    reason: str = ""
    yields_to: str = ""

    @property
    def strength(self) -> tuple[bool, int, int, int]:
        """What it is measured by against another one: the person's own words, evidence, recency.

        No two rules are alike in it: what rests on the same conversations is told apart by when it was said or derived.
        """
        newest = max((piece.seq for piece in self.evidence), default=self.first[0])
        came = self.words if self.by_user else self.first
        return self.by_user, conversations(self.evidence), newest, came[0]


@dataclass(frozen=True, slots=True)
class Preferred:
    """What the person said they want, in their words; the respects it names are read from them."""

    text: str

    @property
    def aspects(self) -> frozenset[Aspect]:
        """The respects that the words name."""
        return frozenset((*wanted(plain(self.text)), *liked(plain(self.text))))


def handle_of(pattern: Pattern) -> str:
    """`#` and six hex digits: of the pattern, so that a rule derived anew keeps its name."""
    return "#" + hashlib.sha256(pattern.name.encode("ascii")).hexdigest()[:_HANDLE]


def rules_of(known: Known, policy: LearningPolicy, preferred: Sequence[Preferred] = ()) -> list[Rule]:
    """Every rule there is or was, oldest first, each with how it stands."""
    alone = [
        _rule(known, pattern, marks, marks.first, policy)
        for pattern, marks in known.marks.items()
        if marks.first is not None
    ]
    alone = [_thinned(rule, alone, policy) for rule in alone]
    return sorted(_settled(alone, preferred), key=lambda rule: rule.first[0])


def in_force_for(rules: Sequence[Rule], kind: Trigger) -> list[Rule]:
    """The rules that hold for a request of this kind, oldest first; of two that contradict each other the stronger."""
    met = [rule for rule in rules if rule.state is State.IN_FORCE and covers(rule.pattern.trigger, kind)]
    return [rule for rule in met if not any(_beats(other, rule) for other in met)]


def derivable(known: Known, policy: LearningPolicy) -> list[tuple[Pattern, tuple[Piece, ...]]]:
    """Patterns that enough conversations have in common and that no rule stands for yet, with their evidence."""
    found: list[tuple[Pattern, tuple[Piece, ...]]] = []
    for aspect in Aspect:
        founding = [
            p
            for p in known.pieces
            if aspect in p.aspects and p.sort in FOUNDING and p.sure >= policy.least_sure
        ]
        pieces = unspent(known, founding, aspect)
        if _stands(known, Pattern(aspect, Trigger.ANY)):
            continue
        covered = {trigger for trigger in Trigger if _stands(known, Pattern(aspect, trigger))}
        for trigger in Trigger:
            of_it = tuple(piece for piece in pieces if piece.trigger is trigger)
            if trigger is Trigger.ANY or trigger in covered or conversations(of_it) < policy.conversations:
                continue
            found.append((Pattern(aspect, trigger), of_it))
            covered.add(trigger)
        rest = tuple(piece for piece in pieces if piece.trigger not in covered)
        if conversations(rest) >= policy.conversations:
            found.append((Pattern(aspect, Trigger.ANY), rest))
    return found


# --- inside -------------------------------------------------------------------------------------------------------


def _stands(known: Known, pattern: Pattern) -> bool:
    marks = known.marks.get(pattern)
    return marks is not None and marks.first is not None and marks.closed is None


def _rule(known: Known, pattern: Pattern, marks: Marks, first: Row, policy: LearningPolicy) -> Rule:
    shown = [piece for piece in known.pieces if piece.shows(pattern) and piece.sure >= policy.least_sure]
    evidence = shown if marks.by_user or marks.closed else unspent(known, shown, pattern.aspect)
    contrary = [p for p in known.pieces if _speaks_against(p, pattern) and p.sure >= policy.least_sure]
    words = marks.worded or first
    state, reason = _closed(marks.closed)
    body = words.body
    text = (
        body.text
        if isinstance(body, e.RuleWorded | e.RuleDerived)
        else wording(pattern.aspect, pattern.trigger)
    )
    return Rule(
        pattern, handle_of(pattern), text, (first.seq, first.id), (words.seq, words.id), first.at, first.zone,
        marks.by_user, state, _sureness(evidence, contrary, policy), tuple(evidence), tuple(contrary),
        _uses(known, pattern, first), reason,
    )  # fmt: skip


def _closed(closure: Row | None) -> tuple[State, str]:
    match closure.body if closure else None:
        case e.RuleRetired(reason=reason):
            return State.RETIRED, reason
        case e.RuleDisputed(reason=reason):
            return State.DISPUTED, reason
        case _:
            return State.IN_FORCE, ""


def _speaks_against(piece: Piece, pattern: Pattern) -> bool:
    """Whether the opposite was wanted or liked, where the rule applies."""
    there = covers(pattern.trigger, piece.trigger)
    return (
        there
        and pattern.aspect not in piece.aspects
        and any(opposed(one, pattern.aspect) for one in piece.aspects)
    )


def _sureness(evidence: Iterable[Piece], contrary: Iterable[Piece], policy: LearningPolicy) -> float:
    """In [0, 1): grows with the conversations for it, falls with those against it."""
    left = max(0.0, conversations(evidence) - policy.contrary_weight * conversations(contrary))
    return left / (left + policy.doubt) if left else 0.0


def _uses(known: Known, pattern: Pattern, first: Row) -> Uses:
    held = failed = idle = 0
    name = pattern.name
    streams: set[str] = set()
    for row in known.trials:
        body = row.body
        if row.seq < first.seq or not isinstance(body, e.RulesTried):
            continue
        if name in body.passed:
            idle += 1
        elif name in body.held or name in body.failed:
            idle = 0
            held += name in body.held
            failed += name in body.failed
            streams.add(row.stream)
    return Uses(held, failed, len(streams), idle)


def _thinned(rule: Rule, rules: Sequence[Rule], policy: LearningPolicy) -> Rule:
    """A rule whose evidence is not enough any more, or is outweighed, does not hold."""
    if rule.state is not State.IN_FORCE or rule.by_user:
        return rule
    count = conversations(rule.evidence)
    outweighed = policy.contrary_weight * conversations(rule.contrary) >= count
    # Where what speaks against it is a rule of its own, the two are weighed against each other.
    if count < policy.conversations or (outweighed and not any(_rivals(rule, one) for one in rules)):
        return replace(rule, state=State.TOO_THIN)
    return rule


def _settled(rules: Sequence[Rule], preferred: Sequence[Preferred]) -> list[Rule]:
    """The rules, each of which yields to the person's own word or to a stronger one that holds wherever it applies."""
    wished = {aspect for one in preferred for aspect in one.aspects}
    # What the person asked for is with one of two: evidence does not decide then.
    ranked = sorted(rules, key=lambda rule: (rule.pattern.aspect in wished, *rule.strength), reverse=True)
    found: list[Rule] = []
    for rule in ranked:
        found.append(_against(rule, found, preferred))
    return found


def _against(rule: Rule, stronger: Sequence[Rule], preferred: Sequence[Preferred]) -> Rule:
    """A rule as it stands among the stronger ones, of which it is known how they stand."""
    if rule.state is not State.IN_FORCE:
        return rule
    aspect = rule.pattern.aspect
    for one in preferred:
        if aspect not in one.aspects and any(opposed(a, aspect) for a in one.aspects):
            return replace(rule, state=State.YIELDS, yields_to=one.text)
    for other in stronger:
        if _rivals(rule, other) and covers(other.pattern.trigger, rule.pattern.trigger):
            return replace(rule, state=State.YIELDS, yields_to=other.text)
    return rule


def _rivals(rule: Rule, other: Rule) -> bool:
    """Whether another rule that holds says the opposite of it for some request."""
    one, two = rule.pattern, other.pattern
    meet = covers(one.trigger, two.trigger) or covers(two.trigger, one.trigger)
    return other.state is State.IN_FORCE and meet and opposed(one.aspect, two.aspect)


def _beats(other: Rule, rule: Rule) -> bool:
    return opposed(other.pattern.aspect, rule.pattern.aspect) and other.strength > rule.strength
