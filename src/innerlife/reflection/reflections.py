"""Looking at reflections, and asking for one (promise F9)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from innerlife.conversations.events import COMPANION, USER
from innerlife.kernel.moments import from_micros
from innerlife.ledger.envelope import Actor, Draft, Event, Trust
from innerlife.reflection.calling import call
from innerlife.reflection.events import CALLED, REFLECTED, Called, Sort, Why
from innerlife.reflection.sources import Sources
from innerlife.thinking.events import OWN

_MOST_CHANGES: Final = 64
"""Events that one reflection appends, at most: its lists are bounded, so this is far more than there can be."""


@dataclass(frozen=True, slots=True)
class Reflection:
    """One reflection: when, by which model, what it read, concluded, left and changed."""

    seq: int
    id: str
    sort: Sort
    conversation: str
    at: datetime
    zone: str
    model: str
    model_free: bool
    read: tuple[Event, ...]
    concluded: tuple[str, ...]
    left: tuple[str, ...]
    changed: tuple[Event, ...]


class Reflections:
    """Use-case: read reflections, newest first, and call for one. Every method raises StorageFailed."""

    def __init__(self, sources: Sources) -> None:
        self._ledger = sources.ledger
        self._runtime = sources.runtime
        self._lines = sources.lines
        self._policy = sources.reflection
        self._clock = sources.clock

    def newest(self, limit: int = 20, sort: Sort | None = None) -> list[Reflection]:
        """The newest reflections, of one sort or of all."""
        query = """SELECT seq, id, sort, stream, at, zone, concluded, left_, model, model_free FROM reflection_done
            WHERE ? IN ('', sort) ORDER BY seq DESC LIMIT ?"""
        with self._runtime.reading() as rows:
            found = rows.execute(query, (sort.value if sort else "", limit)).fetchall()
        return [
            Reflection(
                seq, ident, Sort(kind), stream, from_micros(at), zone, model, bool(free), self._read(seq),
                tuple(json.loads(concluded)), tuple(json.loads(left)), self._changed(seq),
            )
            for seq, ident, kind, stream, at, zone, concluded, left, model, free in found
        ]  # fmt: skip

    def call(self, sort: Sort) -> list[int]:
        """Call for a reflection now; the subjects that wait for it, none where there is nothing to look at."""
        if sort is not Sort.QUICK:
            draft = Draft(Called(sort, Why.ASKED), Actor.USER, Trust.USER)
            return [self._ledger.append(draft).seq]
        since = self._clock.now() - timedelta(seconds=self._policy.lapses_s)
        drafts = [call(Why.ASKED, seq, stream) for stream, seq in self._lines.waiting(since)]
        return [event.seq for event in self._ledger.append_all(drafts)] if drafts else []

    def settled(self, sort: Sort, subjects: Sequence[int]) -> bool:
        """Whether what was called for has come to its end, one way or another; as far as the views know."""
        query = "SELECT 1 FROM thinking_open WHERE stage = ? AND subject = ?"
        with self._runtime.reading() as rows:
            # A stage bears the name of its sort.
            return all(rows.execute(query, (sort.value, seq)).fetchone() is None for seq in subjects)

    def _read(self, seq: int) -> tuple[Event, ...]:
        found = self._ledger.get([seq])
        causes = [cause.seq for cause in found[0].causes] if found else []
        return tuple(event for event in self._ledger.get(causes) if event.kind in (USER, COMPANION))

    def _changed(self, seq: int) -> tuple[Event, ...]:
        """What was appended right behind it by the same stage: results, the outcome, what came late for its place."""
        stage = next((one.derivation.stage for one in self._ledger.get([seq]) if one.derivation), "")
        changed: list[Event] = []
        for event in self._ledger.read(seq, _MOST_CHANGES):
            mine = event.derivation is not None and event.derivation.stage == stage
            if not mine or event.kind in (REFLECTED, CALLED):
                break
            if event.kind not in OWN:
                changed.append(event)
        return tuple(changed)
