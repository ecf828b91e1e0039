"""The worker: a job is done once, keeps its place when a model fails, and makes way for conversations."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from innerlife.errors import EngineUnavailable, ModelFailed
from innerlife.thinking import events, queue
from innerlife.thinking.calls import Finish, Reply
from innerlife.thinking.events import Ended, Flaw, Status
from innerlife.thinking.wishes import afresh
from tests.proxy.fakes import eventually
from tests.support.models import (
    EchoModel,
    FixedRoles,
    GarbageModel,
    OverClaimingModel,
    ScriptedModel,
    SlowModel,
)
from tests.thinking.conftest import DeskMaker
from tests.thinking.stages import Analysing, Plain, Quoting, answer

pytestmark = pytest.mark.anyio


async def test_a_job_ends_with_its_results_its_outcome_and_its_cost(desk: DeskMaker) -> None:
    at = desk(Quoting())
    note = at.note("My sister lives in Graz")
    thinker = ScriptedModel(answer("sister lives in Graz", "A sister in Graz"))
    await at.think(at.runner(thinker))
    assert at.insights() == ["A sister in Graz", "quoted: sister lives in Graz"]
    outcome = at.ledger.newest(1, {events.OUTCOME})[0]
    assert outcome.body.status is Status.DONE
    assert events.subject_of(outcome) == note.seq
    derived = outcome.derivation
    assert derived is not None
    assert (derived.stage, derived.model, derived.policy) == ("quoting", "wise", at.policy.digest)
    assert [(s.requests, s.tokens_in, s.ended) for s in at.read(events.SPENT)] == [(1, 10, Ended.ANSWERED)]
    assert at.jobs() == []
    await at.think(at.runner(thinker))
    assert len(thinker.asked) == 1


async def test_results_say_where_they_come_from(desk: DeskMaker) -> None:
    at = desk(Quoting())
    note = at.note("My sister lives in Graz")
    await at.think(at.runner(ScriptedModel(answer("Graz"))))
    for event in at.ledger.read(0, 100, {"test.insight"}):
        assert [cause.seq for cause in event.causes] == [note.seq]
        assert event.derivation is not None
        assert event.derivation.stage == "quoting"


async def test_nothing_to_say_is_an_outcome_and_impossible_is_one_too(desk: DeskMaker) -> None:
    at = desk(Quoting())
    for text in ("dull", "impossible", "skip", "no quote of this"):
        at.note(text)
    await at.think(at.runner(OverClaimingModel()))
    assert [o.status for o in at.read(events.OUTCOME)] == [Status.NOTHING, Status.FAILED, Status.NOTHING]
    assert at.insights() == []
    assert [f.error for f in at.failures() if f.settled] == ["This note cannot be worked on."]


async def test_a_failed_call_keeps_its_place_and_is_tried_again(desk: DeskMaker) -> None:
    """[F8] Never an empty result: the failure is recorded, shown, waited for longer each time, and then it works."""
    at = desk(Quoting())
    note = at.note("My sister lives in Graz")
    thinker = ScriptedModel("nonsense")
    runner = at.runner(thinker)
    wait = await at.think(runner)
    assert at.jobs() == [("quoting", note.seq, 1)]
    assert at.read(events.OUTCOME) == []
    assert [f.flaw for f in at.read(events.FAILED)] == [Flaw.NOT_JSON]
    assert wait > 0
    assert "wise gave no usable answer" in at.failures()[0].error
    assert not at.failures()[0].settled
    assert [(w.stage, w.jobs, w.failed) for w in at.asked(queue.waiting)] == [("quoting", 1, 1)]
    asked = len(thinker.asked)
    at.pass_time(at.policy.backoff_first_s * 0.8)
    await at.think(runner)
    assert len(thinker.asked) == asked, "tried before its time"
    at.pass_time(at.policy.backoff_first_s * 0.3)
    await at.think(runner)
    assert at.jobs() == [("quoting", note.seq, 2)]
    thinker.lines = [answer("lives in Graz")]
    at.pass_time(at.policy.backoff_first_s * 2)
    await at.think(runner)
    assert at.jobs() == []
    assert at.read(events.OUTCOME)[0].attempts == 2


async def test_useless_answers_of_every_sort_are_failures(desk: DeskMaker) -> None:
    """[F8] [X5] Whatever a model says that cannot be used, nothing is concluded from it."""
    at = desk(Quoting())
    for number in range(len(GarbageModel.ways)):
        at.note(f"We left the harbour {number} times")
    await at.think(at.runner(GarbageModel()), 30)
    assert at.insights() == []
    assert at.read(events.OUTCOME) == []
    assert len(at.jobs()) == len(at.read(events.FAILED)) == len(GarbageModel.ways)


async def test_an_engine_that_is_not_there_is_nobody_s_fault(desk: DeskMaker) -> None:
    """[F8] Jobs wait without a mark; the stage rests longer each time, and says why."""
    at = desk(Quoting())
    at.note("My sister lives in Graz")
    roles = FixedRoles(ScriptedModel(answer("Graz")))
    roles.error = EngineUnavailable("No language model answers")
    runner = at.runner(roles)
    await at.think(runner)
    assert runner.live().resting == {"quoting": "No language model answers"}
    assert at.read(events.FAILED) == []
    at.pass_time(at.policy.rest_s + 1)
    await at.think(runner)
    roles.error = None
    at.pass_time(at.policy.rest_s + 1)
    await at.think(runner)
    assert at.insights() == [], "the second rest is longer"
    at.pass_time(at.policy.rest_s)
    await at.think(runner)
    assert len(at.insights()) == 2
    assert runner.live().resting == {}


async def test_a_model_removed_while_a_job_waits(desk: DeskMaker) -> None:
    """[F8] It is said, the job stays, and it is done when the model is back."""
    at = desk(Quoting())
    for text in ("one Graz", "two Graz"):
        at.note(text)
    thinker = ScriptedModel(answer("Graz"), missing={"wise"})
    runner = at.runner(thinker)
    await at.think(runner)
    assert [f.flaw for f in at.read(events.FAILED)] == [Flaw.GONE]
    assert runner.live().resting == {"quoting": "There is no model called wise"}
    thinker.missing.clear()
    at.pass_time(at.policy.backoff_first_s + 1)
    await at.think(runner)
    assert at.jobs() == []


async def test_a_cause_forgotten_meanwhile_is_thought_about_again(desk: DeskMaker) -> None:
    """[F8] The results of a forgotten subject are not written; nothing is recorded of it, and others go on."""
    at = desk(Quoting())
    doomed = at.note("My sister lives in Graz")
    thinker = SlowModel(answer("Graz"), delay_s=0.05)
    runner = at.runner(thinker)
    at.projector.catch_up()
    working = asyncio.create_task(runner.step())
    await eventually(lambda: thinker.asked)
    at.forget(doomed.seq)
    await working
    assert at.insights() == []
    assert at.jobs() == []
    at.note("A brother in Graz")
    at.pass_time(5)
    await at.think(runner)
    assert len(at.insights()) == 2


async def test_evidence_forgotten_later_opens_the_job_again(desk: DeskMaker) -> None:
    """The outcome rests on what the results rest on: what is left is thought about anew, what stayed is no double."""

    class Joining(Plain):
        def results(self, inputs: Any) -> Any:
            from tests.thinking.stages import insight  # noqa: PLC0415 - the helper of one rule

            others = [e.seq for e in at.ledger.read(0, 100, {"test.note"}) if e.seq != inputs.subject]
            return [
                insight("alone", inputs.subject),
                *(insight("together", inputs.subject, o) for o in others),
            ]

    at = desk(Joining())
    first = at.note("skip this as a subject")
    second = at.note("the subject")
    runner = at.runner(EchoModel())
    await at.think(runner)
    assert at.insights() == ["alone", "together"]
    at.forget(first.seq)
    assert at.insights() == ["alone"]
    assert at.jobs() == [("plain", second.seq, 0)]
    assert at.dump() == at.rebuilt()
    await at.think(runner)
    assert at.insights() == ["alone"]
    assert at.jobs() == []


async def test_a_model_is_tried_before_it_is_trusted(desk: DeskMaker) -> None:
    """[P11] One that fails leaves the role to the model-free path, or the job waits; it is tried once."""

    class Ruled(Analysing):
        name = "ruled"
        model_free = True

    at = desk(Analysing(), Ruled())
    at.note("My sister lives in Graz")
    thinker = EchoModel()
    runner = at.runner(thinker)
    await at.think(runner)
    assert at.insights() == ["by rule: My sister lives in Graz"]
    assert at.read(events.OUTCOME)[0].model_free
    assert runner.live().resting == {"analysing": "wise is not trusted with the role analysis"}
    probes = at.read(events.PROBE)
    assert {probe.role for probe in probes} == {"analysis", "reflection", "synthesis", "audit"}
    assert not any(probe.passed for probe in probes)
    asked = len(thinker.asked)
    at.note("Another note")
    await at.think(at.runner(thinker))
    assert len(thinker.asked) == asked, "a new worker knows the verdict"
    assert len(at.insights()) == 2


async def test_a_defect_in_one_stage_stops_no_other(desk: DeskMaker) -> None:
    at = desk(Plain(), Quoting())
    at.note("defect in Graz")
    await at.think(at.runner(ScriptedModel(answer("Graz"))))
    assert at.jobs() == []
    assert [f.error for f in at.failures()] == ["This stage has a defect (KeyError)."]
    assert len(at.insights()) == 2


async def test_a_stage_derives_afresh_when_asked_to(desk: DeskMaker) -> None:
    """[F8] What was settled as failed gets another chance; what was derived before stays."""
    at = desk(Plain())
    at.note("defect in Graz")
    runner = at.runner(EchoModel())
    await at.think(runner)
    assert at.insights() == []
    at.note("one Graz")
    await at.think(runner)
    run = afresh(at.ledger, "plain", at.clock.at)
    assert [attempts for _, _, attempts in at.jobs()] == [0, 0]
    await at.think(runner)
    derived = [event.derivation for event in at.ledger.read(0, 100, {"test.insight"})]
    assert [derivation.run for derivation in derived if derivation] == ["", run]


async def test_the_views_may_lag_and_nothing_is_done_twice(desk: DeskMaker) -> None:
    """[F8] Between an append and the views' knowing of it a job looks open: it is not begun again."""
    at = desk(Quoting())
    at.note("one Graz")
    bad = at.note("My sister")
    thinker = ScriptedModel(answer("Graz"), "nonsense")
    runner = at.runner(thinker)
    at.projector.catch_up()
    for _ in range(5):
        await runner.step()
    assert len(thinker.asked) == 3  # one answer; one failure with its repair call
    for _ in range(2):
        await at.runner(ScriptedModel(Reply("x"))).step()
    assert len(at.read(events.OUTCOME)) == 1
    assert at.jobs() == [("quoting", bad.seq, len(at.read(events.FAILED)))]


async def test_a_refusal_and_a_timeout_are_failures_of_their_own(desk: DeskMaker) -> None:
    """[X5] An answer after ten minutes is none; there is no second ten minutes for a repair."""
    at = desk(Quoting())
    at.note("one Graz")
    thinker = ScriptedModel(ModelFailed("wise had not answered after 600 seconds", "", Flaw.TIMEOUT))
    await at.think(at.runner(thinker))
    assert len(thinker.asked) == 1
    assert [f.flaw for f in at.read(events.FAILED)] == [Flaw.TIMEOUT]
    assert thinker.asked[0].limits.seconds == 600.0


async def test_a_truncated_answer_is_repaired_once(desk: DeskMaker) -> None:
    """[X5] A second call says what was wrong; its answer counts."""
    at = desk(Quoting())
    at.note("one Graz")
    thinker = ScriptedModel(Reply('{"quote": "one', Finish.LENGTH), answer("one Graz"))
    await at.think(at.runner(thinker))
    assert len(at.insights()) == 2
    assert "not finished" in thinker.asked[1].messages[-1].text
    assert at.read(events.SPENT)[0].requests == 2
