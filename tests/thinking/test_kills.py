"""A worker is killed (SIGKILL) around every operation that changes what is on disk; then another one goes on."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
from pathlib import Path

import pytest

from innerlife.thinking import events
from innerlife.thinking.events import Status
from tests.ledger.notes import draft
from tests.support.victim import Victims, instants
from tests.thinking.deed import NOTES, place
from tests.thinking.stages import INSIGHT

MOST = 12
"""Instants at which one deed is killed."""


def copied(base: Path, to: Path) -> Path:
    shutil.copytree(base, to)
    shutil.copytree(base.parent / f"{base.name}.config", to.parent / f"{to.name}.config")
    return to


@pytest.mark.parametrize("outward", [False, True], ids=["inward", "outward"])
def test_a_worker_killed_at_any_instant_loses_nothing_and_does_nothing_twice(
    tmp_path: Path, victims: Victims, *, outward: bool
) -> None:
    """[F8] Each job has one outcome and its results once, whichever instant it was killed at.

    An outward action is begun at most once: interrupted, it is settled as failed and not repeated.
    """
    base = tmp_path / "base"
    with place(base, outward=outward) as one:
        one.ledger.append_all([draft(text) for text in NOTES])
    status, told, total = victims.run("think", copied(base, tmp_path / "whole"), outward=outward)
    assert (status, told) == (0, ["thought"])
    left: set[int] = set()
    for at in instants(total, MOST):
        folder = copied(base, tmp_path / f"at{at}")
        status, _, _ = victims.run("think", folder, at, outward=outward)
        assert os.WIFSIGNALED(status), at
        assert os.WTERMSIG(status) == signal.SIGKILL, at
        with place(folder, outward=outward) as one:
            left.add(one.ledger.count({events.OUTCOME}))
            asyncio.run(one.think())
            outcomes = [event.body for event in one.ledger.read(0, 100, {events.OUTCOME})]
            insights = one.ledger.read(0, 100, {INSIGHT})
            assert len(outcomes) == len(NOTES), at
            done = [outcome for outcome in outcomes if outcome.status is Status.DONE]
            assert len(insights) == 2 * len(done), at
            for note in one.ledger.read(0, 100, {"test.note"}):
                # Two results of one and the same answer, or none.
                mine = [event for event in insights if event.causes[0].seq == note.seq]
                assert len(mine) in {0, 2}, at
            if outward:
                acted = one.acted.read_text().split() if one.acted.exists() else []
                assert len(acted) == len(set(acted)), at
                assert len(outcomes) - len(done) <= 1, at
            else:
                assert len(done) == len(NOTES), at
        shutil.rmtree(folder)
    assert left == {0, 1, 2}


def test_two_workers_of_one_answer_settle_a_job_once(tmp_path: Path) -> None:
    """[F8] A worker that was thought dead and comes back finds the job settled."""
    with place(tmp_path / "core", outward=False) as one:
        one.ledger.append(draft(NOTES[0]))
    with place(tmp_path / "core", outward=False) as slow, place(tmp_path / "core", outward=False) as quick:
        slow.projector.catch_up()
        asyncio.run(quick.think())
        asyncio.run(slow.runner.step())
        assert slow.ledger.count({events.OUTCOME}) == 1
        assert slow.ledger.count({INSIGHT}) == 2
