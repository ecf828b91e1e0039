"""What rows tell, put together: pieces of feedback, what was decided about each pattern, and the trials. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from innerlife.learning import bodies as e
from innerlife.learning.bodies import Pattern
from innerlife.learning.rows import Row
from innerlife.learning.terms import Aspect, Sort, Trigger

FOUNDING = frozenset({Sort.CORRECTION, Sort.EDIT})
"""Feedback that says how an answer should have been; praise strengthens what is there."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of feedback that names a respect. `seq` is that of its event, `messages` those it rests on."""

    seq: int
    sort: Sort
    sure: float
    aspects: tuple[Aspect, ...]
    trigger: Trigger
    stream: str
    messages: tuple[int, ...]

    def shows(self, pattern: Pattern) -> bool:
        """Whether it is evidence for a pattern."""
        return pattern.aspect in self.aspects and covers(pattern.trigger, self.trigger)


def covers(trigger: Trigger, other: Trigger) -> bool:
    """Whether all that is of the kind `other` is of the kind `trigger` too."""
    return trigger in {Trigger.ANY, other}


@dataclass(slots=True)
class Marks:
    """What was decided about one pattern: the newest event of each sort, None where there is none."""

    derived: Row | None = None
    worded: Row | None = None
    closed: Row | None = None
    skill: Row | None = None

    @property
    def first(self) -> Row | None:
        """The event that the rule stands by: its derivation, or the person's own words."""
        return self.derived or (self.worded if self.by_user else None)

    @property
    def by_user(self) -> bool:
        """Whether it reads as the person wrote it."""
        return self.worded is not None and self.worded.by_user


@dataclass(slots=True)
class Known:
    """Everything that the rules are judged by."""

    pieces: list[Piece] = field(default_factory=list)
    marks: dict[Pattern, Marks] = field(default_factory=dict)
    trials: list[Row] = field(default_factory=list)
    closures: list[tuple[int, e.RuleRetired | e.RuleDisputed]] = field(default_factory=list)
    """(Seq, decision) of every rule that was given up or disputed and not opened again."""


def known_from(rows: Sequence[Row]) -> Known:
    """All of it from rows in order."""
    known = Known()
    for row in rows:
        match row.body:
            case e.FeedbackNoticed() as noticed:
                if noticed.aspects:
                    known.pieces.append(_piece(row, noticed))
            case e.RulesTried():
                known.trials.append(row)
            case body:
                _mark(known, row, body.pattern)
    return known


def _piece(row: Row, noticed: e.FeedbackNoticed) -> Piece:
    return Piece(
        row.seq, noticed.sort, noticed.confidence, noticed.aspects, noticed.trigger, row.stream, row.evidence
    )


def _mark(known: Known, row: Row, pattern: Pattern) -> None:
    marks = known.marks.setdefault(pattern, Marks())
    match row.body:
        case e.RuleDerived():
            marks.derived = row
            marks.closed = None
        case e.RuleWorded():
            # The person's words outrank the companion's, and they open again what was closed.
            if row.by_user or not marks.by_user:
                marks.worded = row
            if row.by_user:
                _reopen(known, marks, pattern)
        case e.RuleRetired() | e.RuleDisputed() as decision:
            marks.closed = row
            marks.skill = None
            known.closures.append((row.seq, decision))
        case e.SkillFormed():
            marks.skill = row
        case e.SkillRetired():
            marks.skill = None
        case _:
            raise AssertionError("feedback and trials are no decisions")


def _reopen(known: Known, marks: Marks, pattern: Pattern) -> None:
    marks.closed = None
    known.closures = [(seq, body) for seq, body in known.closures if body.pattern != pattern]


def unspent(known: Known, pieces: Iterable[Piece], aspect: Aspect) -> list[Piece]:
    """Those that may still found a rule of an aspect: none that a rule rested on which was given up or disputed.

    What was disputed is not derived again from later evidence either; what was retired, from new evidence alone.
    """
    closures = [(seq, body) for seq, body in known.closures if body.pattern.aspect is aspect]
    return [piece for piece in pieces if not any(_spent(piece, seq, body) for seq, body in closures)]


def _spent(piece: Piece, at: int, body: e.RuleRetired | e.RuleDisputed) -> bool:
    if not covers(body.pattern.trigger, piece.trigger):
        return False
    return isinstance(body, e.RuleDisputed) or piece.seq < at


def conversations(pieces: Iterable[Piece]) -> int:
    """In how many different conversations they were noticed."""
    return len({piece.stream for piece in pieces})
