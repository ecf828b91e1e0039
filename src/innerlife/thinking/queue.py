"""The queue, read: which job is next, when the next one will be ready, what waits, what failed."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from innerlife.kernel.moments import from_micros, to_micros
from innerlife.ports import Rows
from innerlife.thinking.policy import ThinkingPolicy
from innerlife.thinking.stage import AnyStage

_LOOKED_AT: Final = 16
"""Failed jobs of one stage and number of attempts that are looked at, oldest failure first: the jitter may reorder
a few of them, and those behind have their turn when these are gone."""

DAY: Final = timedelta(days=1)

_EVER: Final = -(1 << 62)


@dataclass(frozen=True, slots=True)
class Job:
    """A subject that a stage has to work on. `subject` is a seq; `ready` may lie ahead; `attempts` failed before."""

    stage: str
    subject: int
    run: str
    since: datetime
    attempts: int
    ready: datetime

    @property
    def key(self) -> tuple[str, int, str]:
        """What the job is known by."""
        return self.stage, self.subject, self.run


@dataclass(frozen=True, slots=True)
class Cost:
    """What background calls took in some time."""

    seconds: float = 0.0
    requests: int = 0
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Failure:
    """A failure as it is shown: of a job that is tried again, or (`settled`) of one that is not."""

    stage: str
    subject: int
    at: datetime
    error: str
    settled: bool


@dataclass(frozen=True, slots=True)
class Waiting:
    """The jobs of a stage: how many, how many of them have failed before, since when the oldest waits."""

    stage: str
    jobs: int
    failed: int
    since: datetime


def backoff(policy: ThinkingPolicy, attempts: int, share: float) -> timedelta:
    """How long a job waits after so many failed attempts; `share` in [0, 1) was drawn at the last of them."""
    grown = policy.backoff_first_s * policy.backoff_factor ** min(attempts - 1, 64)
    return timedelta(seconds=min(grown, policy.backoff_most_s) * (1 - policy.jitter * share))


def not_lapsed(stage: AnyStage, now: datetime) -> int:
    """From when (microseconds) a job of a stage must have waited to be worked on still."""
    return _EVER if stage.lapses_s == math.inf else to_micros(now - timedelta(seconds=stage.lapses_s))


def position(rows: Rows) -> int:
    """The seq up to which the views know the ledger."""
    found = rows.execute("SELECT position FROM projection").fetchone()
    return int(found[0]) if found else 0


def starved(rows: Rows, stage: str, now: datetime, policy: ThinkingPolicy, from_: int = _EVER) -> bool:
    """Whether a stage has jobs (none older than `from_`) and got no turn for too long (promise P8)."""
    query = "SELECT MIN(since) FROM thinking_open WHERE stage = ? AND since >= ?"
    since = rows.execute(query, (stage, from_)).fetchone()[0]
    if since is None:
        return False
    latest = int(since)
    for table in ("outcome", "failed"):
        query = f"SELECT MAX(at) FROM thinking_{table} WHERE stage = ?"  # noqa: S608 - constant
        latest = max(latest, rows.execute(query, (stage,)).fetchone()[0] or 0)
    return now - from_micros(latest) >= timedelta(seconds=policy.starved_s)


def has_jobs(rows: Rows, stage: str, from_: int = _EVER) -> bool:
    """Whether a stage has a job that has not waited since before `from_`."""
    query = "SELECT 1 FROM thinking_open WHERE stage = ? AND since >= ? LIMIT 1"
    return rows.execute(query, (stage, from_)).fetchone() is not None


def ranked(
    rows: Rows, stages: Sequence[AnyStage], now: datetime, policy: ThinkingPolicy
) -> list[tuple[AnyStage, bool]]:
    """Stages in the order of their turn, each with whether it is starved: those first, then by priority."""
    found = [(stage, starved(rows, stage.name, now, policy, not_lapsed(stage, now))) for stage in stages]
    return sorted(found, key=lambda one: (not one[1], -one[0].priority, one[0].name))


def next_job(
    rows: Rows,
    stage: str,
    policy: ThinkingPolicy,
    without: Collection[tuple[str, int, str]] = (),
    after_s: float = 0.0,
    from_: int = _EVER,
) -> Job | None:
    """The job of a stage that is ready first, or None where none waits; its `ready` may still lie ahead.

    That is the oldest subject that was never tried and need not rest, else one that rests (for `after_s` seconds),
    else the one that failed longest ago. Reads a bounded number of rows however many wait. `without` are jobs known
    to be settled or held; older ones than `from_` are left alone.
    """
    best: Job | None = None
    for attempts in _levels(rows, stage):
        most = _LOOKED_AT + len(without)
        for job in _oldest(rows, stage, attempts, policy, most, after_s, from_):
            if job.key not in without and (best is None or job.ready < best.ready):
                best = job
            if best is not None and best.attempts == 0 and best.ready == best.since:
                return best
    return best


def _levels(rows: Rows, stage: str) -> list[int]:
    """The numbers of failed attempts that jobs of a stage have, each found by one step in the index."""
    levels: list[int] = []
    query = "SELECT MIN(attempts) FROM thinking_open WHERE stage = ? AND attempts > ?"
    while True:
        found = rows.execute(query, (stage, levels[-1] if levels else -1)).fetchone()[0]
        if found is None:
            return levels
        levels.append(int(found))


def _oldest(
    rows: Rows, stage: str, attempts: int, policy: ThinkingPolicy, limit: int, after_s: float, from_: int
) -> list[Job]:
    jobs: list[Job] = []
    for subject, run, since, rests, failed, share in _open(rows, stage, attempts, limit, from_):
        opened = from_micros(since)
        rested = opened + timedelta(seconds=after_s * rests)
        ready = from_micros(failed) + backoff(policy, attempts, share) if attempts else rested
        jobs.append(Job(stage, subject, run, opened, attempts, ready))
    return jobs


_OPEN = "SELECT subject, run, since, rests, failed, share FROM thinking_open WHERE stage = ? AND attempts = ?"


def _open(rows: Rows, stage: str, attempts: int, limit: int, from_: int) -> Iterator[Any]:
    """Rows of one level, each found by a few steps in an index."""
    if attempts:
        query = f"{_OPEN} AND +since >= ? ORDER BY failed, subject LIMIT ?"
        yield from rows.execute(query, (stage, attempts, from_, limit))
        return
    for rests in (0, 1):
        query = f"{_OPEN} AND rests = ? AND since >= ? ORDER BY since, subject LIMIT ?"
        yield from rows.execute(query, (stage, attempts, rests, from_, limit))


def waiting(rows: Rows, stages: Sequence[AnyStage] = (), now: datetime | None = None) -> list[Waiting]:
    """What waits, by stage; what has lapsed by now of these stages is left out."""
    query = """SELECT COUNT(*), COALESCE(SUM(attempts > 0), 0), MIN(since) FROM thinking_open
        WHERE stage = ? AND since >= ?"""
    names = [name for (name,) in rows.execute("SELECT DISTINCT stage FROM thinking_open ORDER BY stage")]
    known = {stage.name: not_lapsed(stage, now) for stage in stages} if now else {}
    found = [(name, rows.execute(query, (name, known.get(name, _EVER))).fetchone()) for name in names]
    return [Waiting(name, jobs, failed, from_micros(since)) for name, (jobs, failed, since) in found if jobs]


def failures(rows: Rows, limit: int = 20) -> list[Failure]:
    """The newest failures of jobs that still wait, and of those that were settled as failed, newest first."""
    tried = rows.execute(
        """SELECT f.stage, f.subject, f.at, f.error, 0 FROM thinking_failed f JOIN thinking_open w
            ON w.stage = f.stage AND w.subject = f.subject AND w.run = f.run AND w.failed = f.at
            ORDER BY f.seq DESC LIMIT ?""",
        (limit,),
    ).fetchall()
    settled = rows.execute(
        """SELECT stage, subject, at, error, 1 FROM thinking_outcome WHERE status = 'failed'
            ORDER BY seq DESC LIMIT ?""",
        (limit,),
    ).fetchall()
    newest = sorted([*tried, *settled], key=lambda row: -row[2])[:limit]
    return [Failure(s, subject, from_micros(at), error, bool(end)) for s, subject, at, error, end in newest]


def cost_of_a_day(rows: Rows, now: datetime) -> Cost:
    """What the calls of the last 24 hours took."""
    query = """SELECT COALESCE(SUM(seconds), 0.0), COALESCE(SUM(requests), 0), COALESCE(SUM(tokens), 0)
        FROM thinking_spent WHERE at > ?"""
    return Cost(*rows.execute(query, (to_micros(now - DAY),)).fetchone())


def over_limit(cost: Cost, policy: ThinkingPolicy) -> str:
    """Which bound of a day is reached, as a sentence; empty where none is."""
    bounds = (
        (cost.seconds, policy.day_seconds, f"{policy.day_seconds / 3600:g} hours of background calls"),
        (cost.tokens, policy.day_tokens, f"{policy.day_tokens:,} tokens"),
        (cost.requests, policy.day_requests, f"{policy.day_requests:,} background requests"),
    )
    return next(
        (f"the bound of {what} in a day is reached" for had, most, what in bounds if 0 < most <= had), ""
    )


def paused(rows: Rows) -> bool:
    """Whether the user stopped background thinking."""
    found = rows.execute("SELECT on_ FROM thinking_pause ORDER BY seq DESC LIMIT 1").fetchone()
    return bool(found and found[0])


def newest_run(rows: Rows, stage: str) -> str:
    """The run whose results views show; empty for the first."""
    query = "SELECT run FROM thinking_run WHERE stage = ? ORDER BY seq DESC LIMIT 1"
    found = rows.execute(query, (stage,)).fetchone()
    return str(found[0]) if found else ""


def last_due(rows: Rows, timer: str) -> datetime | None:
    """When a timer went off last, by the order of events."""
    query = "SELECT at FROM thinking_due WHERE timer = ? ORDER BY seq DESC LIMIT 1"
    found = rows.execute(query, (timer,)).fetchone()
    return None if found is None else from_micros(found[0])
