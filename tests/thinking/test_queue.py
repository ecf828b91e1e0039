"""The queue as a view: what is a job, which one is next, and that a rebuild sees the same."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innerlife.kernel.ids import new_id
from innerlife.ledger.envelope import Actor, Derivation, Draft, Event, Trust
from innerlife.thinking import events, queue
from innerlife.thinking.events import Flaw, ModelFailed, NewRun, Outcome, Status, about
from innerlife.thinking.policy import ThinkingPolicy
from tests.ledger.notes import draft
from tests.thinking.conftest import POLICY, Desk, DeskMaker
from tests.thinking.stages import Plain, Quoting


def ended(at: Desk, subject: Event, stage: str = "quoting", run: str = "", *more: int) -> Event:
    causes = (*about(subject.seq), *(about(seq)[1] for seq in more))
    derivation = Derivation(stage, run)
    body = Outcome(Status.DONE)
    return at.ledger.append(Draft(body, Actor.SYSTEM, Trust.COMPANION, causes=causes, derivation=derivation))


def failed(at: Desk, subject: Event, share: float = 0.0, stage: str = "quoting", run: str = "") -> Event:
    body = ModelFailed(Flaw.NOT_JSON, "no", share)
    causes = about(subject.seq)
    return at.ledger.append(
        Draft(body, Actor.SYSTEM, Trust.COMPANION, causes=causes, derivation=Derivation(stage, run))
    )


def new_run(at: Desk, stage: str = "quoting") -> tuple[Event, str]:
    run = new_id(at.clock.now())
    return at.ledger.append(Draft(NewRun(stage, run), Actor.USER, Trust.USER)), run


def following(at: Desk, stage: str = "quoting", without: Any = ()) -> queue.Job | None:
    found: queue.Job | None = at.asked(queue.next_job, stage, POLICY, without)
    return found


def test_a_job_exists_while_there_is_no_outcome(desk: DeskMaker) -> None:
    """[F8] For each stage that the event opens a subject of, until its outcome."""
    at = desk(Quoting(), Plain())
    first, second = at.note("one"), at.note("two")
    at.note("skip")
    jobs = [(stage, note.seq, 0) for stage in ("plain", "quoting") for note in (first, second)]
    assert at.jobs() == jobs
    ended(at, first)
    assert at.jobs() == [job for job in jobs if job[:2] != ("quoting", first.seq)]


def test_a_new_run_opens_every_subject_again_and_the_newest_wins(desk: DeskMaker) -> None:
    """[F8] Outcomes of an older run, even late ones, settle nothing of the newest."""
    at = desk(Quoting(), Plain())
    first, second = at.note("one"), at.note("two")
    for note in (first, second):
        ended(at, note)
    failed(at, second)
    _, run = new_run(at)
    assert [job for job in at.jobs() if job[0] == "quoting"] == [
        ("quoting", first.seq, 0),
        ("quoting", second.seq, 0),
    ]
    ended(at, first, "quoting", "")
    ended(at, second, "quoting", run)
    job = following(at)
    assert job is not None
    assert (job.subject, job.run) == (first.seq, run)
    assert at.asked(queue.newest_run, "quoting") == run
    assert len([job for job in at.jobs() if job[0] == "quoting"]) == 1


def test_a_forgotten_subject_is_no_job(desk: DeskMaker) -> None:
    """[F8] It goes with its failures; a subject that stays and lost its outcome is a job again."""
    at = desk(Quoting())
    doomed, stays = at.note("one"), at.note("two")
    failed(at, doomed)
    ended(at, stays, "quoting", "", doomed.seq)
    assert at.jobs() == [("quoting", doomed.seq, 1)]
    at.forget(doomed.seq)
    assert at.jobs() == [("quoting", stays.seq, 0)]
    assert at.dump() == at.rebuilt()


def test_whatever_happens_a_rebuild_sees_the_same(desk: DeskMaker) -> None:
    """[C2] Notes, outcomes, failures, runs and forgettings in any order."""
    at = desk(Quoting(), Plain())
    dice = random.Random(7)
    notes: list[Event] = []
    runs = {"quoting": [""], "plain": [""]}
    for _ in range(300):
        stage = dice.choice(["quoting", "plain"])
        match dice.choice(["note", "note", "ended", "failed", "failed", "run", "forget"]):
            case "note":
                notes.append(at.note(f"note {len(notes)}"))
            case "ended" if notes:
                others = [n.seq for n in dice.sample(notes, min(2, len(notes)))]
                ended(at, dice.choice(notes), stage, dice.choice(runs[stage]), *others)
            case "failed" if notes:
                failed(at, dice.choice(notes), dice.random(), stage, dice.choice(runs[stage]))
            case "run" if dice.random() < 0.2:
                runs[stage].append(new_run(at, stage)[1])
            case "forget" if notes and dice.random() < 0.3:
                at.projector.catch_up()
                gone = notes.pop(dice.randrange(len(notes)))
                at.forget(gone.seq)
        if dice.random() < 0.1:
            at.pass_time(60)
            at.projector.catch_up()
    assert at.dump() == at.rebuilt()
    assert {job[0] for job in at.jobs()} == {"quoting", "plain"}


def test_the_next_job(desk: DeskMaker) -> None:
    """[F8] The oldest subject that was never tried; then whoever waited longest since it failed."""
    at = desk(Quoting())
    notes = [at.note(f"note {number}") for number in range(4)]
    failed(at, notes[0])
    at.pass_time(1)
    failed(at, notes[1])
    job = following(at)
    assert job is not None
    assert (job.subject, job.ready <= at.clock.at) == (notes[2].seq, True)
    job = following(at, without={("quoting", notes[2].seq, ""), ("quoting", notes[3].seq, "")})
    assert job is not None
    assert job.subject == notes[0].seq
    assert job.ready == at.clock.at - timedelta(seconds=1) + queue.backoff(POLICY, 1, 0.0)
    for note in notes:
        ended(at, note)
    assert following(at) is None


def test_starved_stages_go_first_then_the_highest_priority(desk: DeskMaker) -> None:
    """[P8] A stage that got no turn for 24 hours passes those above it."""
    low, high = Quoting(), Plain()
    high.priority = 5
    at = desk(low, high)
    note = at.note("one")

    def order() -> list[tuple[str, bool]]:
        ranked = at.asked(queue.ranked, at.stages, at.clock.at, POLICY)
        return [(stage.name, starved) for stage, starved in ranked]

    assert order() == [("plain", False), ("quoting", False)]
    at.pass_time(POLICY.starved_s - 1)
    failed(at, note, stage="plain")
    at.pass_time(1)
    assert order() == [("quoting", True), ("plain", False)]
    failed(at, note)
    assert order() == [("plain", False), ("quoting", False)]


@given(st.integers(1, 200), st.floats(0, 1, exclude_max=True))
def test_the_wait_grows_to_its_bound(attempts: int, share: float) -> None:
    """[F8] Doubling, never above the bound, shortened at random by a quarter at most."""
    policy = ThinkingPolicy()
    wait = queue.backoff(policy, attempts, share).total_seconds()
    grown = min(policy.backoff_first_s * 2.0 ** min(attempts - 1, 64), policy.backoff_most_s)
    assert grown * 0.75 <= wait <= grown


@pytest.mark.parametrize("marked", [False, True], ids=["never tried", "all failed"])
def test_ten_thousand_jobs_cost_no_more_than_a_hundred(desk: DeskMaker, *, marked: bool) -> None:
    """[F8] The next job is found by a few steps in an index, counted in SQLite's own instructions."""
    at = desk(Quoting())

    def instructions(jobs: int) -> int:
        dice = random.Random(3)
        while len(waiting := at.jobs()) < jobs:
            drafts = [draft(f"note {number}") for number in range(min(2000, jobs - len(waiting)))]
            for event in at.ledger.append_all(drafts):
                for _ in range(dice.randrange(1, 9) if marked else 0):
                    failed(at, event, dice.random())
        with at.runtime.reading() as rows:
            steps = 0

            def count() -> int:
                nonlocal steps
                steps += 1
                return 0

            rows.set_progress_handler(count, 1)  # type: ignore[attr-defined]
            ranked = queue.ranked(rows, at.stages, at.clock.at, POLICY)
            assert queue.next_job(rows, ranked[0][0].name, POLICY) is not None
            rows.set_progress_handler(None, 0)  # type: ignore[attr-defined]
        return steps

    few = instructions(100)
    # Failures are folded one by one, which is what would take long here.
    many = instructions(2000 if marked else 10_000)
    assert many < few * 1.5 + 100


def test_what_waits_and_what_failed_is_told(desk: DeskMaker) -> None:
    """[F8] For `status`: how many, since when, and the newest reasons."""
    at = desk(Quoting())
    first = at.note("one")
    at.pass_time(60)
    at.note("two")
    failed(at, first)
    (waiting,) = at.asked(queue.waiting)
    assert (waiting.jobs, waiting.failed, waiting.since) == (2, 1, first.recorded_at)
    (failure,) = at.failures()
    assert (failure.stage, failure.subject, failure.error, failure.settled) == (
        "quoting",
        first.seq,
        "no",
        False,
    )
    ended(at, first)
    assert at.failures() == []


def test_a_new_stage_finds_jobs_in_what_was_lived_before(desk: DeskMaker) -> None:
    at = desk(Quoting())
    at.note("one")
    assert len(at.jobs()) == 1
    other = desk(Quoting(), Plain())
    assert other.view.version != at.view.version
    assert not other.projector.prepare()


def test_kinds_that_only_concern_this_machine_stay_here() -> None:
    """[C3] Outcomes and runs travel with the Core, failures, costs and verdicts do not."""
    kept = {kind.name for kind in events.KINDS if kind.retention.value == "archive"}
    assert kept == {events.OUTCOME, events.RUN}
