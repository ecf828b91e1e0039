"""Subjects that rest first, are left to another one, have lapsed, or whose results lost their place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from innerlife.kernel.moments import Moment
from innerlife.ledger.envelope import Draft, Event
from innerlife.thinking import queue
from innerlife.thinking.events import DUE
from innerlife.thinking.stage import LeftTo, RuleStage
from innerlife.thinking.timers import Timer
from tests.ledger.notes import NOTE, draft
from tests.support.models import ScriptedModel
from tests.thinking.conftest import DeskMaker
from tests.thinking.stages import INSIGHT_KIND, Analysing, Given, Quoting, answer, insight

pytestmark = pytest.mark.anyio

MODEL = ScriptedModel("{}")


class Resting(RuleStage[Given]):
    """Says of a note what it says, once it has rested; leaves every note but the newest to that one."""

    name = "resting"
    version = 1
    opens = frozenset({NOTE})
    rests = frozenset({NOTE})
    after_s = 300.0
    lapses_s = 3_600.0
    newest = 0

    def inputs(self, subject: Event, now: datetime) -> Given | LeftTo | None:
        if self.newest > subject.seq:
            return LeftTo(self.newest)
        return Given(subject.seq, subject.body.text)

    def results(self, inputs: Given) -> Sequence[Draft]:
        return (insight(f"rested: {inputs.text}", inputs.subject),)


class Placing(RuleStage[Given]):
    """All notes want the same place; who comes late leaves a trace."""

    name = "placing"
    version = 1
    opens = frozenset({NOTE})

    def inputs(self, subject: Event, now: datetime) -> Given | None:
        return Given(subject.seq, subject.body.text)

    def results(self, inputs: Given) -> Sequence[Draft]:
        return (replace(insight(inputs.text, inputs.subject), key="the place"),)

    def beaten(self, draft: Draft) -> Sequence[Draft]:
        return (replace(draft, body=INSIGHT_KIND.body(f"late: {draft.body.text}"), key=None),)  # type: ignore[attr-defined]


async def test_a_subject_rests_before_it_is_worked_on(desk: DeskMaker) -> None:
    """[F1] Not a moment sooner, and by the number that holds when it is looked at."""
    stage = Resting()
    at = desk(stage)
    at.note("one")
    runner = at.runner(MODEL)
    assert await at.think(runner) > 0
    at.pass_time(299)
    assert await at.think(runner) > 0
    assert at.insights() == []
    at.pass_time(2)
    await at.think(runner)
    assert at.insights() == ["rested: one"]


async def test_a_subject_left_to_another_is_open_again_when_that_goes(desk: DeskMaker) -> None:
    """[F1] [G3] The outcome of the one rests on the other: forgetting that opens the job for what is left."""
    stage = Resting()
    at = desk(stage)
    one, two = at.note("one"), at.note("two")
    stage.newest = two.seq
    at.pass_time(301)
    await at.think(at.runner(MODEL))
    assert at.insights() == ["rested: two"]
    assert at.jobs() == []
    at.forget(two.seq)
    stage.newest = 0
    assert [job[1] for job in at.jobs()] == [one.seq]
    await at.think(at.runner(MODEL))
    assert at.insights() == ["rested: one"]


async def test_what_happened_long_ago_has_lapsed(desk: DeskMaker) -> None:
    """[F1] Taken over today or lived then: old years are left alone, and shown as waiting by nobody."""
    stage = Resting()
    at = desk(stage)
    long_ago = Moment(at.clock.now() - timedelta(days=700))
    at.ledger.append(replace(draft("years ago"), happened=long_ago))
    at.note("now")
    at.pass_time(301)
    await at.think(at.runner(MODEL))
    assert at.insights() == ["rested: now"]
    assert at.asked(queue.waiting, [stage], at.clock.now()) == []
    assert len(at.jobs()) == 1
    at.note("too late")
    at.pass_time(3_601)
    await at.think(at.runner(MODEL))
    assert at.insights() == ["rested: now"]


async def test_a_result_that_comes_late_for_its_place_says_so(desk: DeskMaker) -> None:
    """[S2] Whoever took the place first keeps it, and the attempt leaves a trace, once."""
    at = desk(Placing())
    at.ledger.append(replace(insight("by hand"), key="the place"))
    at.note("by the stage")
    await at.think(at.runner(MODEL))
    assert at.insights() == ["by hand", "late: by the stage"]


async def test_what_asks_no_model_makes_way_for_a_chat(desk: DeskMaker) -> None:
    """[P8] While somebody is answered nothing runs, model or not; right afterwards it goes on."""
    stage = Placing()
    at = desk(stage)
    token = at.gate.chat_began("http://engine")
    at.note("one")
    runner = at.runner(MODEL)
    at.projector.catch_up()
    assert await runner.step() > 0
    assert at.insights() == []
    at.gate.chat_ended(token)
    assert await runner.step() > 0
    at.pass_time(1)
    await at.think(runner)
    assert at.insights() == ["one"]


class Daily(RuleStage[Given]):
    """Does something each time its timer goes off; can be kept from it."""

    name = "daily"
    version = 1
    opens = frozenset({DUE})
    lapses_s = 3_600.0

    def inputs(self, subject: Event, now: datetime) -> Given | None:
        return Given(subject.seq, "daily")

    def results(self, inputs: Given) -> Sequence[Draft]:
        return (insight("daily"),)


async def test_a_timer_waits_for_what_it_brought_about(desk: DeskMaker) -> None:
    """[F8] While its job is open it does not go off again; one that has lapsed holds it back no longer."""
    at = desk(Daily())
    runner = at.runner(MODEL, [Timer("daily", 60.0, stage="daily")])
    token = at.gate.chat_began("http://engine")
    for _ in range(5):
        at.pass_time(61)
        at.projector.catch_up()
        await runner.step()
    assert len(at.read(DUE)) == 1
    at.pass_time(3_601)
    at.projector.catch_up()
    await runner.step()
    assert len(at.read(DUE)) == 2
    at.gate.chat_ended(token)
    at.pass_time(1)
    await at.think(runner)
    assert at.insights() == ["daily"]


async def test_work_for_one_stage_leaves_the_others(desk: DeskMaker) -> None:
    """[F1] What was asked for is worked on alone, with what asks no model; no timer goes off meanwhile."""
    model = ScriptedModel(answer("one"))
    at = desk(Quoting(), Analysing(), Placing())
    at.already_tried(model)
    at.note("one")
    runner = at.runner(model, [Timer("daily", 60.0)])

    def done() -> bool:
        at.projector.catch_up()
        return not any(job[0] in ("analysing", "placing") for job in at.jobs())

    assert await runner.work(done, "analysing")
    assert [job[0] for job in at.jobs()] == ["quoting"]
    assert at.read(DUE) == []
