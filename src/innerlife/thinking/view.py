"""The queue as a view: a job exists while a stage and a subject have no outcome in the stage's newest run.

What is stored follows from events alone. Whether a job may be tried now depends on the time and on policy, and is
computed when it is read (`queue`).
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Iterable, Sequence
from typing import Any, assert_never

from innerlife.kernel.moments import to_micros
from innerlife.kernel.text import storable
from innerlife.ledger.envelope import Event
from innerlife.ports import Rows
from innerlife.thinking.events import (
    OWN,
    Begun,
    Due,
    ModelFailed,
    NewRun,
    Outcome,
    Pause,
    ProbeResult,
    Spent,
    ThinkingEvent,
    subject_of,
)
from innerlife.thinking.stage import AnyStage

VERSION = 2

_TABLES = (
    """CREATE TABLE thinking_subject (
        stage TEXT NOT NULL, subject INTEGER NOT NULL, opener INTEGER NOT NULL, at INTEGER NOT NULL,
        rests INTEGER NOT NULL, PRIMARY KEY (stage, subject, opener)) WITHOUT ROWID""",
    "CREATE INDEX thinking_subject_subject ON thinking_subject (subject)",
    "CREATE INDEX thinking_subject_opener ON thinking_subject (opener)",
    """CREATE TABLE thinking_outcome (
        seq INTEGER PRIMARY KEY, stage TEXT NOT NULL, subject INTEGER NOT NULL, run TEXT NOT NULL, status TEXT NOT NULL,
        at INTEGER NOT NULL, error TEXT NOT NULL)""",
    "CREATE INDEX thinking_outcome_job ON thinking_outcome (stage, subject, run)",
    "CREATE INDEX thinking_outcome_at ON thinking_outcome (stage, at)",
    "CREATE INDEX thinking_outcome_status ON thinking_outcome (status, seq)",
    """CREATE TABLE thinking_failed (
        seq INTEGER PRIMARY KEY, stage TEXT NOT NULL, subject INTEGER NOT NULL, run TEXT NOT NULL, at INTEGER NOT NULL,
        share REAL NOT NULL, flaw TEXT NOT NULL, error TEXT NOT NULL, model TEXT NOT NULL)""",
    "CREATE INDEX thinking_failed_job ON thinking_failed (stage, subject, run, seq)",
    "CREATE INDEX thinking_failed_at ON thinking_failed (stage, at)",
    "CREATE TABLE thinking_run (seq INTEGER PRIMARY KEY, stage TEXT NOT NULL, run TEXT NOT NULL)",
    "CREATE INDEX thinking_run_stage ON thinking_run (stage, seq)",
    """CREATE TABLE thinking_open (
        stage TEXT NOT NULL, subject INTEGER NOT NULL, run TEXT NOT NULL, since INTEGER NOT NULL,
        rests INTEGER NOT NULL, attempts INTEGER NOT NULL, failed INTEGER NOT NULL, share REAL NOT NULL,
        PRIMARY KEY (stage, subject)) WITHOUT ROWID""",
    "CREATE INDEX thinking_open_ready ON thinking_open (stage, attempts, failed, subject)",
    "CREATE INDEX thinking_open_fresh ON thinking_open (stage, attempts, rests, since, subject)",
    "CREATE INDEX thinking_open_since ON thinking_open (stage, since)",
    """CREATE TABLE thinking_spent (
        seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, seconds REAL NOT NULL, requests INTEGER NOT NULL,
        tokens INTEGER NOT NULL, ended TEXT NOT NULL)""",
    "CREATE INDEX thinking_spent_at ON thinking_spent (at, seconds, requests, tokens)",
    """CREATE TABLE thinking_probe (
        seq INTEGER PRIMARY KEY, engine TEXT NOT NULL, model TEXT NOT NULL, role TEXT NOT NULL, version TEXT NOT NULL,
        passed INTEGER NOT NULL, at INTEGER NOT NULL, details TEXT NOT NULL)""",
    "CREATE INDEX thinking_probe_role ON thinking_probe (engine, model, role, version, seq)",
    "CREATE TABLE thinking_due (seq INTEGER PRIMARY KEY, timer TEXT NOT NULL, at INTEGER NOT NULL)",
    "CREATE INDEX thinking_due_timer ON thinking_due (timer, seq)",
    "CREATE TABLE thinking_pause (seq INTEGER PRIMARY KEY, on_ INTEGER NOT NULL)",
)

NEWEST_RUN = (
    "COALESCE((SELECT run FROM thinking_run r WHERE r.stage = s.stage ORDER BY r.seq DESC LIMIT 1), '')"
)

MOST_ATTEMPTS = 16
"""Failed attempts that are told apart: beyond them the wait has long reached its bound."""

_FAILURES = "FROM thinking_failed f WHERE f.stage = w.stage AND f.subject = w.subject AND f.run = w.run"
_LAST = f"{_FAILURES} ORDER BY f.seq DESC LIMIT 1"


def _opening(which: str) -> str:
    """The statement that makes the jobs of subjects that have no outcome in the newest run of their stage."""
    return f"""INSERT INTO thinking_open (stage, subject, run, since, rests, attempts, failed, share)
        SELECT w.stage, w.subject, w.run, w.since, w.rests, MIN((SELECT COUNT(*) {_FAILURES}), {MOST_ATTEMPTS}),
            COALESCE((SELECT f.at {_LAST}), 0), COALESCE((SELECT f.share {_LAST}), 0.0)
        FROM (SELECT s.stage, s.subject, {NEWEST_RUN} AS run, MIN(s.rests) AS rests,
                IIF(MIN(s.rests), MAX(s.at), MIN(s.at)) AS since
            FROM thinking_subject s WHERE {which} GROUP BY s.subject) w
        WHERE NOT EXISTS (SELECT 1 FROM thinking_outcome o
            WHERE o.stage = w.stage AND o.subject = w.subject AND o.run = w.run)"""  # noqa: S608 - constants


_OPEN_ONE = _opening("s.stage = ? AND s.subject = ?")
_OPEN_ALL = _opening("s.stage = ?")

_DUMPED = (
    "subject", "outcome", "failed", "run", "open", "spent", "probe", "due", "pause",
)  # fmt: skip

Pair = tuple[str, int]


class QueueView:
    """Jobs that wait, how they ended, and what machinery needs to know of the past: runs, probes, costs, timers."""

    name = "thinking"

    def __init__(self, stages: Sequence[AnyStage]) -> None:
        self._stages = tuple(stages)
        known = sorted(
            f"{s.name}:{s.version}:{','.join(sorted(s.opens))}:{','.join(sorted(s.rests))}" for s in stages
        )
        # A new stage has jobs in what was lived before it: then the views are made anew.
        self.version = VERSION << 32 | zlib.crc32("\n".join(known).encode())
        self.kinds = OWN.union(*(stage.opens for stage in stages))

    def create(self, rows: Rows) -> None:
        """Make the empty tables."""
        for statement in _TABLES:
            rows.execute(statement)

    def fold(self, rows: Rows, events: Iterable[Event]) -> None:
        """Apply a slice of events."""
        touched: set[Pair] = set()
        anew: set[str] = set()
        for event in events:
            touched |= self._opened(rows, event)
            if event.kind in OWN:
                _fold(rows, event, touched, anew)
        _settle(rows, touched, anew)

    def purge(self, rows: Rows, seqs: Collection[int]) -> None:
        """Remove the rows of these events. A subject that stays, and lost its outcome, is a job again."""
        every = [(seq,) for seq in seqs]
        touched: set[Pair] = set()
        anew: set[str] = set()
        for one in every:
            for table in (
                "subject WHERE subject",
                "subject WHERE opener",
                "outcome WHERE seq",
                "failed WHERE seq",
            ):
                touched |= set(rows.execute(f"SELECT stage, subject FROM thinking_{table} = ?", one))  # noqa: S608
            anew |= {stage for (stage,) in rows.execute("SELECT stage FROM thinking_run WHERE seq = ?", one)}
        for table in ("subject WHERE subject", "subject WHERE opener", *(f"{t} WHERE seq" for t in _BY_SEQ)):
            rows.executemany(f"DELETE FROM thinking_{table} = ?", every)  # noqa: S608 - constants
        _settle(rows, touched, anew)

    def dump(self, rows: Rows) -> Iterable[tuple[Any, ...]]:
        """Every row of every table, in order."""
        for table in _DUMPED:
            found = rows.execute(f"SELECT * FROM thinking_{table}")  # noqa: S608 - constant
            yield from sorted((table, *row) for row in found)

    def _opened(self, rows: Rows, event: Event) -> set[Pair]:
        """Note the subjects that an event makes."""
        # What was taken over from long ago waits since then: it may have lapsed already.
        at = to_micros(min(event.recorded_at, event.happened.at))
        made = {
            (stage.name, subject, event.kind in stage.rests)
            for stage in self._stages
            if event.kind in stage.opens
            for subject in stage.subjects(event)
        }
        rows.executemany(
            "INSERT OR IGNORE INTO thinking_subject VALUES (?, ?, ?, ?, ?)",
            [(stage, subject, event.seq, at, int(rests)) for stage, subject, rests in sorted(made)],
        )
        return {(stage, subject) for stage, subject, _ in made}


_BY_SEQ = ("outcome", "failed", "run", "spent", "probe", "due", "pause")


def _fold(rows: Rows, event: Event, touched: set[Pair], anew: set[str]) -> None:
    body: ThinkingEvent = event.body
    at = to_micros(event.recorded_at)
    derived = event.derivation
    stage, run, model = (derived.stage, derived.run, derived.model) if derived else ("", "", "")
    job = (stage, subject_of(event), run)
    match body:
        case Outcome():
            row = (event.seq, *job, body.status.value, at, storable(body.error))
            rows.execute("INSERT INTO thinking_outcome VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            touched.add(job[:2])
        case ModelFailed():
            why = (body.share, body.flaw.value, storable(body.error), storable(model))
            rows.execute(
                "INSERT INTO thinking_failed VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (event.seq, *job, at, *why)
            )
            touched.add(job[:2])
        case NewRun():
            rows.execute("INSERT INTO thinking_run VALUES (?, ?, ?)", (event.seq, body.stage, body.run))
            anew.add(body.stage)
        case Spent():
            tokens = body.tokens_in + body.tokens_out
            cost = (event.seq, at, body.seconds, body.requests, tokens, body.ended.value)
            rows.execute("INSERT INTO thinking_spent VALUES (?, ?, ?, ?, ?, ?)", cost)
        case ProbeResult():
            version = derived.prompt_version if derived else ""
            who = (storable(body.engine), storable(body.model), body.role, version)
            verdict = (int(body.passed), at, json.dumps(body.details, sort_keys=True))
            rows.execute(
                "INSERT INTO thinking_probe VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (event.seq, *who, *verdict)
            )
        case Due():
            rows.execute("INSERT INTO thinking_due VALUES (?, ?, ?)", (event.seq, body.timer, at))
        case Pause():
            rows.execute("INSERT INTO thinking_pause VALUES (?, ?)", (event.seq, int(body.on)))
        case Begun():
            pass  # Read from the ledger by its key: what it prevents must not wait for a view.
        case _:
            assert_never(body)


def _settle(rows: Rows, touched: Iterable[Pair], anew: Iterable[str]) -> None:
    """Open or close the jobs of these pairs, and all jobs of the stages that begin anew."""
    again = set(anew)
    for stage in sorted(again):
        rows.execute("DELETE FROM thinking_open WHERE stage = ?", (stage,))
        rows.execute(_OPEN_ALL, (stage,))
    for pair in sorted(pair for pair in touched if pair[0] not in again):
        rows.execute("DELETE FROM thinking_open WHERE stage = ? AND subject = ?", pair)
        rows.execute(_OPEN_ONE, pair)
