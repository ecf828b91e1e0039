"""An event of this room in the shape in which it is read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final, assert_never

from innerlife.kernel import canonical
from innerlife.kernel.text import storable
from innerlife.learning import bodies as e
from innerlife.learning.bodies import Pattern
from innerlife.learning.events import KINDS
from innerlife.learning.terms import Aspect, Criterion, Sort, Trigger
from innerlife.ledger.envelope import Actor, Event, Role

KINDS_HERE: Final = frozenset(kind.name for kind in KINDS)


class What(StrEnum):
    """What a row tells."""

    FEEDBACK = "feedback"
    TRIAL = "trial"
    DERIVED = "derived"
    WORDED = "worded"
    RETIRED = "retired"
    DISPUTED = "disputed"
    SKILL = "skill"
    SKILL_RETIRED = "skill_retired"


@dataclass(frozen=True, slots=True)
class Row:
    """One event. `body` is what it says; `stream` the conversation that it tells of, where it tells of one."""

    seq: int
    id: str
    what: What
    body: e.LearningEvent
    stream: str
    at: datetime
    zone: str
    by_user: bool
    evidence: tuple[int, ...] = ()


def row_of(event: Event) -> Row:
    """An event of this room as a row. Pure; the same from the ledger as from the view."""
    return Row(
        event.seq, event.id, _what(event.body), event.body, event.stream, event.recorded_at, event.happened.zone,
        event.actor is Actor.USER, event.caused(Role.FROM),
    )  # fmt: skip


def _what(body: e.LearningEvent) -> What:
    match body:
        case e.FeedbackNoticed():
            return What.FEEDBACK
        case e.RulesTried():
            return What.TRIAL
        case e.RuleDerived():
            return What.DERIVED
        case e.RuleWorded():
            return What.WORDED
        case e.RuleRetired():
            return What.RETIRED
        case e.RuleDisputed():
            return What.DISPUTED
        case e.SkillFormed():
            return What.SKILL
        case e.SkillRetired():
            return What.SKILL_RETIRED
        case _:
            assert_never(body)


def words_of(event: Event) -> str:
    """What an event of this room says in words that came from somebody; empty for other kinds (for forgetting)."""
    if event.kind not in KINDS_HERE:
        return ""
    parts = (getattr(event.body, name, "") for name in ("text", "reason"))
    return "\n".join(storable(part) for part in parts if part)


def written(body: e.LearningEvent) -> str:
    """A body as a column holds it."""
    match body:
        case e.FeedbackNoticed():
            plain: object = [body.sort, body.confidence, list(body.aspects), body.trigger]
        case e.RulesTried():
            plain = [list(body.held), list(body.failed), list(body.passed), list(body.met)]
        case e.RuleDerived() | e.RuleWorded():
            plain = [*_plain(body.pattern), storable(body.text)]
        case e.RuleRetired() | e.RuleDisputed() | e.SkillRetired():
            plain = [*_plain(body.pattern), storable(body.reason)]
        case e.SkillFormed():
            skill = [body.name, list(body.steps), list(body.criteria), list(body.builds_on)]
            plain = [*_plain(body.pattern), *skill]
        case _:
            assert_never(body)
    return canonical.dumps(plain)


_BY_PATTERN: Final = {
    What.DERIVED: e.RuleDerived,
    What.WORDED: e.RuleWorded,
    What.RETIRED: e.RuleRetired,
    What.DISPUTED: e.RuleDisputed,
    What.SKILL_RETIRED: e.SkillRetired,
}


def read_body(what: What, text: str) -> e.LearningEvent:
    """The body of a column."""
    plain = canonical.loads(text)
    match what:
        case What.FEEDBACK:
            sort, confidence, aspects, trigger = plain
            return e.FeedbackNoticed(Sort(sort), confidence, tuple(map(Aspect, aspects)), Trigger(trigger))
        case What.TRIAL:
            held, failed, passed, met = plain
            return e.RulesTried(tuple(held), tuple(failed), tuple(passed), tuple(map(Criterion, met)))
        case What.SKILL:
            aspect, trigger, name, steps, criteria, builds_on = plain
            pattern = Pattern(Aspect(aspect), Trigger(trigger))
            return e.SkillFormed(
                pattern, name, tuple(steps), tuple(map(Criterion, criteria)), tuple(builds_on)
            )
        case _:
            aspect, trigger, words = plain
            body: e.LearningEvent = _BY_PATTERN[what](Pattern(Aspect(aspect), Trigger(trigger)), words)
            return body


def _plain(pattern: Pattern) -> list[str]:
    return [pattern.aspect.value, pattern.trigger.value]
