"""What was learned of how to help, as layers take it: for a turn by what is being said, and again from a record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from innerlife.learning.bodies import RuleDerived, RuleWorded, SkillFormed
from innerlife.learning.known import Marks, known_from
from innerlife.learning.requests import kind_of
from innerlife.learning.rows import KINDS_HERE, Row, row_of
from innerlife.learning.rules import Rule
from innerlife.learning.skills import Skill, wording_of
from innerlife.ledger.envelope import Event
from innerlife.reflection.helping import Helping
from innerlife.workspace.inputs import Written

RULES, SKILLS = "rules", "skills"
LAYERS: Final = frozenset({RULES, SKILLS})


def taught(helping: Helping, said: Sequence[str]) -> tuple[Written, ...]:
    """The rules and skills that hold for what is being said (the newest words last). Raises StorageFailed."""
    rules, skills = helping.holding(kind_of(said))
    return (*(_rule(one) for one in rules), *(_skill(one) for one in skills))


def taught_again(layer: str, events: Sequence[Event]) -> tuple[Written, ...]:
    """What a layer showed, from the events that it named, in the order of then."""
    rows = [row_of(event) for event in events if event.kind in KINDS_HERE]
    marks = known_from(rows).marks.values()
    shown = [item for one in marks if (item := _again(layer, one)) is not None]
    return tuple(sorted(shown, key=lambda item: item.seqs[0]))


def _rule(rule: Rule) -> Written:
    seqs = tuple(dict.fromkeys((rule.first[0], rule.words[0])))
    ids = tuple(dict.fromkeys((rule.first[1], rule.words[1])))
    return Written(RULES, rule.text, seqs, ids, rule.at, rule.zone, score=rule.confidence)


def _skill(skill: Skill) -> Written:
    return Written(SKILLS, skill.text, (skill.seq,), (skill.id,), skill.at, skill.zone)


def _again(layer: str, marks: Marks) -> Written | None:
    if layer == SKILLS:
        return _skill_again(marks.skill)
    first, words = marks.first or marks.worded, marks.worded or marks.first
    if first is None or words is None:
        return None
    return Written(RULES, _text_of(words), *_named((first, words)), first.at, first.zone)


def _skill_again(row: Row | None) -> Written | None:
    body = row.body if row is not None else None
    if row is None or not isinstance(body, SkillFormed):
        return None
    text = wording_of(body.name, body.pattern.trigger, body.steps)
    return Written(SKILLS, text, (row.seq,), (row.id,), row.at, row.zone)


def _text_of(row: Row) -> str:
    body = row.body
    return body.text if isinstance(body, RuleDerived | RuleWorded) else ""


def _named(rows: Sequence[Row]) -> tuple[tuple[int, ...], tuple[str, ...]]:
    return tuple(dict.fromkeys(row.seq for row in rows)), tuple(dict.fromkeys(row.id for row in rows))
