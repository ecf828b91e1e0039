"""From what was noticed to the events that follow: feedback, trials, rules, skills, and what changed. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from innerlife.kernel import canonical
from innerlife.learning import bodies as e
from innerlife.learning.aspects import wording
from innerlife.learning.changes import Became, Change
from innerlife.learning.known import Known, Piece, conversations, known_from
from innerlife.learning.policy import LearningPolicy
from innerlife.learning.rows import Row, What
from innerlife.learning.rules import Preferred, Rule, derivable, rules_of
from innerlife.learning.skills import forming, lost
from innerlife.learning.terms import Criterion, Sort, State
from innerlife.learning.turns import Detection
from innerlife.ledger.envelope import Actor, Cause, Draft, Role, Trust

_NOT_YET: Final = 1 << 60
"""Seqs from here on stand for events that are about to be appended."""


@dataclass(frozen=True, slots=True)
class Tried:
    """An exchange whose rules are judged: the rules that its kind of request met, which of them were in its prompt.

    `message` is (seq, id) of the user's message; `after` is what was noticed within the turns that followed.
    """

    message: tuple[int, str]
    stream: str
    met: tuple[e.Pattern, ...]
    shown: frozenset[e.Pattern]
    after: tuple[Detection, ...]


@dataclass(frozen=True, slots=True)
class Observed:
    """All that one subject gives: detections with the conversations they were made in, and judged exchanges."""

    at: datetime
    noticed: tuple[tuple[Detection, str], ...] = ()
    tried: tuple[Tried, ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """What is to be appended, in order, and what changed by it."""

    drafts: tuple[Draft, ...]
    changes: tuple[Change, ...]


def judge(
    rows: Sequence[Row], observed: Observed, policy: LearningPolicy, preferred: Sequence[Preferred] = ()
) -> Judged:
    """What follows from what was observed, given everything that is known."""
    feedback = [_feedback(one, stream) for one, stream in observed.noticed]
    trials = [draft for one in observed.tried if (draft := _trial(one)) is not None]
    fresh = [_provisional(place, draft, observed.at) for place, draft in enumerate((*feedback, *trials))]
    after = known_from([*rows, *fresh])
    derived, born = _derive(after, policy)
    rules = rules_of(after, policy, preferred)
    # Trials alone, as most messages give them, move no evidence.
    weighed = _weighed(rules_of(known_from(rows), policy, preferred), rules) if feedback else []
    given_up, gone = _unused(rules, policy)
    skilled, grown = _skills(after, rules, policy)
    drafts = (*feedback, *trials, *derived, *given_up, *skilled)
    return Judged(drafts, (*born, *weighed, *gone, *grown))


def _feedback(one: Detection, stream: str) -> Draft:
    body = e.FeedbackNoticed(one.sort, one.confidence, one.aspects, one.trigger)
    # The same of the same messages is noticed once, also where a stage is run afresh: it would count twice.
    key = canonical.digest([e.FEEDBACK, one.sort.value, list(one.evidence)])[:40]
    return _draft(body, one.evidence, stream=stream, key=key)


def _trial(tried: Tried) -> Draft | None:
    """What became of each rule; None where none was met."""
    against = {aspect for one in tried.after if one.sort is Sort.CORRECTION for aspect in one.aspects}
    shown = [pattern for pattern in tried.met if pattern in tried.shown]
    held = tuple(pattern.name for pattern in shown if pattern.aspect not in against)
    failed = tuple(pattern.name for pattern in shown if pattern.aspect in against)
    passed = tuple(pattern.name for pattern in tried.met if pattern not in tried.shown)
    if not tried.met:
        return None
    sorts = {one.sort for one in tried.after}
    met = (
        *((Criterion.NOT_ASKED_AGAIN,) if Sort.REASK not in sorts else ()),
        *((Criterion.NOT_LEFT,) if Sort.ABANDONMENT not in sorts else ()),
    )
    seq, ident = tried.message
    # An exchange is judged once: a conversation that goes on after it was thought to be over changes nothing.
    key = canonical.digest([e.TRIAL, ident])[:40]
    return _draft(e.RulesTried(held, failed, passed, met), (seq,), stream=tried.stream, key=key)


def _derive(known: Known, policy: LearningPolicy) -> tuple[list[Draft], list[Change]]:
    drafts: list[Draft] = []
    changes: list[Change] = []
    for pattern, pieces in derivable(known, policy):
        evidence = _causes(pieces)
        drafts.append(_draft(e.RuleDerived(pattern, wording(pattern.aspect, pattern.trigger)), evidence))
        changes.append(Change(Became.DERIVED, pattern, conversations(pieces), evidence))
    return drafts, changes


def _weighed(before: Sequence[Rule], after: Sequence[Rule]) -> list[Change]:
    """Rules that one conversation more speaks for or against."""
    earlier = {rule.pattern: rule for rule in before}
    changes: list[Change] = []
    for rule in after:
        was = earlier.get(rule.pattern)
        if was is None or rule.state in {State.RETIRED, State.DISPUTED}:
            continue
        count = conversations(rule.evidence)
        for became, now, then in (
            (Became.STRENGTHENED, rule.evidence, was.evidence),
            (Became.WEAKENED, rule.contrary, was.contrary),
        ):
            if conversations(now) > conversations(then):
                fresh = [piece for piece in now if piece.seq >= _NOT_YET]
                changes.append(Change(became, rule.pattern, count, (rule.first[0], *_causes(fresh))))
    return changes


def _unused(rules: Sequence[Rule], policy: LearningPolicy) -> tuple[list[Draft], list[Change]]:
    """Rules that went unused too often while they could have been used."""
    idle = [
        rule
        for rule in rules
        if rule.state in {State.IN_FORCE, State.TOO_THIN} and rule.uses.idle >= policy.idle_occurrences
        and not rule.by_user
    ]  # fmt: skip
    reason = f"its occasion came {policy.idle_occurrences} times without it"
    drafts = [_draft(e.RuleRetired(rule.pattern, reason), (rule.first[0],)) for rule in idle]
    return drafts, [Change(Became.UNUSED, r.pattern, r.uses.idle, (r.first[0],)) for r in idle]


def _skills(known: Known, rules: Sequence[Rule], policy: LearningPolicy) -> tuple[list[Draft], list[Change]]:
    drafts: list[Draft] = []
    changes: list[Change] = []
    for rule, formed in forming(known, rules, policy):
        evidence = tuple(dict.fromkeys((rule.first[0], rule.words[0])))
        drafts.append(_draft(formed, evidence))
        changes.append(Change(Became.SKILLED, rule.pattern, rule.uses.held, evidence))
    for skill in lost(known, rules, policy):
        reason = "it met too few of its criteria"
        drafts.append(_draft(e.SkillRetired(skill.pattern, reason), (skill.seq,)))
        changes.append(Change(Became.UNSKILLED, skill.pattern, len(skill.scores), (skill.seq,)))
    return drafts, changes


def _causes(pieces: Sequence[Piece]) -> tuple[int, ...]:
    """What a rule rests on: the events of its feedback; of what is not appended yet, the messages behind it."""
    seqs: list[int] = []
    for piece in pieces:
        seqs += piece.messages if piece.seq >= _NOT_YET else (piece.seq,)
    return tuple(dict.fromkeys(seqs))


def _provisional(place: int, draft: Draft, at: datetime) -> Row:
    """A draft as it will be read."""
    what = What.FEEDBACK if isinstance(draft.body, e.FeedbackNoticed) else What.TRIAL
    evidence = tuple(cause.seq for cause in draft.causes)
    body: e.LearningEvent = draft.body  # type: ignore[assignment]
    return Row(_NOT_YET + place, "", what, body, draft.stream, at, "", by_user=False, evidence=evidence)


def _draft(body: e.LearningEvent, evidence: Sequence[int], stream: str = "", key: str | None = None) -> Draft:
    causes = tuple(Cause(seq, Role.FROM) for seq in sorted(set(evidence)))
    return Draft(body, Actor.COMPANION, Trust.COMPANION, causes=causes, stream=stream, key=key)
