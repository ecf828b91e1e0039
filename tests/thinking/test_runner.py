"""The worker: a job is done once, keeps its place when a model fails, and makes way for conversations."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from typing import Any

import pytest

from innerlife.errors import EngineUnavailable, ModelFailed
from innerlife.thinking import events, queue
from innerlife.thinking.calls import Finish, LastChat, Reply
from innerlife.thinking.events import Ended, Flaw, Status
from innerlife.thinking.policy import ThinkingPolicy
from innerlife.thinking.timers import Timer
from innerlife.thinking.wishes import afresh, pause
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

ENGINE = "http://engine"
CHAT = LastChat("/api/chat", {"model": "wise", "messages": [], "options": {"num_ctx": 4096}})


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


async def test_a_chat_cuts_a_call_and_the_job_is_done_later(desk: DeskMaker) -> None:
    """[P8] Waits for idle, is cut when somebody talks, is not marked for it, and runs again after some quiet."""
    at = desk(Quoting())
    note = at.note("My sister lives in Graz")
    thinker = SlowModel(answer("Graz"))
    runner = at.runner(thinker)
    at.projector.catch_up()
    working = asyncio.create_task(runner.step())
    await eventually(lambda: thinker.asked)
    token = at.gate.chat_began(ENGINE)
    await asyncio.wait_for(working, 1)
    assert len(thinker.cut) == 1
    assert at.jobs() == [("quoting", note.seq, 0)]
    thinker.delay_s = 0.0
    await at.think(runner)
    assert len(thinker.asked) == 1, "a call began while somebody was being answered"
    assert runner.live().waits_for == "a pause in the conversation"
    at.gate.chat_ended(token)
    await at.think(runner)
    assert len(thinker.asked) == 1, "a call began before it was quiet"
    at.pass_time(at.policy.quiet_s)
    await at.think(runner)
    assert at.jobs() == []
    assert [s.ended for s in at.read(events.SPENT)] == [Ended.CUT, Ended.ANSWERED]


async def test_a_starved_stage_runs_between_two_turns(desk: DeskMaker) -> None:
    """[P8] After 24 hours without a turn it need not wait for quiet, but still for the end of the answer."""
    at = desk(Quoting())
    at.note("My sister lives in Graz")
    thinker = ScriptedModel(answer("Graz"))
    runner = at.runner(thinker)
    at.pass_time(at.policy.starved_s)
    token = at.gate.chat_began(ENGINE)
    await at.think(runner)
    assert thinker.asked == []
    at.gate.chat_ended(token)
    await at.think(runner)
    assert len(thinker.asked) == 1


async def test_the_chat_s_options_are_repeated_and_its_prefix_is_read_again(desk: DeskMaker) -> None:
    """[P8] The call is given the last chat; when all is done the engine reads the chat's prefix again."""
    at = desk(Quoting())
    at.note("one Graz")
    at.note("two Graz")
    chat = LastChat(CHAT.path, CHAT.body)
    token = at.gate.chat_began(ENGINE)
    at.gate.chat_sent(token, chat)
    at.gate.chat_ended(token)
    at.pass_time(at.policy.quiet_s)
    thinker = ScriptedModel(answer("Graz"))
    runner = at.runner(thinker)
    await at.think(runner)
    assert thinker.chats == [chat, chat]
    assert thinker.warmed == [chat], "once, after the last of them"
    await at.think(runner)
    assert (len(thinker.warmed), thinker.rests) == (1, 1)


async def test_a_chat_s_words_are_not_kept_beyond_a_forgetting(desk: DeskMaker) -> None:
    at = desk(Quoting())
    doomed = at.note("dull")
    at.note("one Graz")
    token = at.gate.chat_began(ENGINE)
    epoch = at.ledger.epoch()
    at.gate.chat_sent(token, LastChat(CHAT.path, CHAT.body, lambda: at.ledger.epoch() == epoch))
    at.gate.chat_ended(token)
    at.pass_time(at.policy.quiet_s)
    at.projector.catch_up()
    at.forget(doomed.seq)
    thinker = ScriptedModel(answer("Graz"))
    await at.think(at.runner(thinker))
    options = LastChat(CHAT.path, {"model": "wise", "options": {"num_ctx": 4096}})
    assert thinker.chats == [options], "its options are no words"
    assert thinker.warmed == []
    assert at.gate.last_chat(ENGINE) == options


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
        def apply(self, value: Any, inputs: Any) -> Any:
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


async def test_an_outward_action_is_never_cut(desk: DeskMaker) -> None:
    """[P8] Its question may be cut, the action itself may not, by a chat or by a shutdown."""
    happened: list[str] = []

    class Acting(Quoting):
        async def act(self, value: Any, inputs: Any) -> Any:
            happened.append("begun")
            await asyncio.sleep(0.1)
            happened.append("ended")
            return value

    at = desk(Acting())
    at.note("My sister lives in Graz")
    runner = at.runner(ScriptedModel(answer("Graz")))
    at.projector.catch_up()
    working = asyncio.create_task(runner.step())
    await eventually(lambda: happened)
    at.gate.chat_began(ENGINE)
    await runner.stop()
    assert happened == ["begun", "ended"]
    await working
    assert len(at.insights()) == 2


async def test_an_interrupted_outward_action_is_not_repeated(desk: DeskMaker) -> None:
    """[P8] [F8] Nobody knows how far it came, so it is settled as failed, and shown."""

    class Acting(Quoting):
        async def act(self, value: Any, inputs: Any) -> Any:
            raise asyncio.CancelledError

    at = desk(Acting())
    at.note("My sister lives in Graz")
    at.projector.catch_up()
    with contextlib.suppress(asyncio.CancelledError):
        await asyncio.create_task(at.runner(ScriptedModel(answer("Graz"))).step())
    assert len(at.jobs()) == 1
    await at.think(at.runner(ScriptedModel(answer("Graz"))))
    assert at.insights() == []
    assert at.jobs() == []
    assert "not repeated" in at.failures()[0].error


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


async def test_two_profiles_think_on_one_engine_one_after_the_other(desk: DeskMaker) -> None:
    """[P8] Background calls do not compete with one another either."""
    at = desk(Quoting())
    at.note("one Graz")
    thinker = ScriptedModel(answer("Graz"))
    runner = at.runner(thinker)
    async with at.gate.turn(ENGINE):
        assert await at.think(runner) == 1.0
        assert thinker.asked == []
    await at.think(runner)
    assert len(thinker.asked) == 1


async def test_views_that_cannot_be_read_are_a_trouble_and_no_end(desk: DeskMaker) -> None:
    at = desk(Quoting())
    at.note("one Graz")
    with at.runtime.writing() as rows:
        rows.execute("DROP TABLE thinking_open")
    runner = at.runner(ScriptedModel(answer("Graz")))
    working = asyncio.create_task(runner.run())
    await eventually(lambda: runner.live().trouble)
    assert not working.done()
    await runner.stop()
    await asyncio.wait_for(working, 2)


async def test_a_day_has_its_bounds(desk: DeskMaker) -> None:
    """Background calls stop at the bound, what asks no model goes on, and the next day goes on."""
    at = desk(Quoting(), Plain(), policy=ThinkingPolicy(day_requests=2))
    for number in range(3):
        at.note(f"{number} Graz")
    thinker = ScriptedModel(answer("Graz"))
    runner = at.runner(thinker)
    await at.think(runner)
    assert len(thinker.asked) == 2
    assert runner.live().waits_for == "the bound of 2 background requests in a day is reached"
    assert [stage for stage, _, _ in at.jobs()] == ["quoting"]
    at.pass_time(86_401)
    await at.think(runner)
    assert at.jobs() == []


async def test_a_pause_holds_for_every_process(desk: DeskMaker) -> None:
    at = desk(Quoting())
    at.note("one Graz")
    thinker = ScriptedModel(answer("Graz"))
    runner = at.runner(thinker)
    pause(at.ledger, on=True)
    await at.think(runner)
    assert (thinker.asked, runner.live().waits_for) == ([], "it is paused")
    runner.pause(on=False)
    await at.think(runner)
    assert at.jobs() == []


async def test_a_timer_goes_off_once_and_makes_a_subject(desk: DeskMaker) -> None:
    class Nightly(Plain):
        name = "nightly"
        opens = frozenset({events.DUE})

        def subjects(self, event: Any) -> Any:
            return (event.seq,) if event.body.timer == "night" else ()

        def inputs(self, subject: Any, now: Any) -> Any:
            from tests.thinking.stages import Given  # noqa: PLC0415 - only this stage makes one by hand

            return Given(subject.seq, "night")

    at = desk(Nightly())
    runner = at.runner(EchoModel(), timers=(Timer("night", 3600.0), Timer("other", 7200.0)))
    await at.think(runner)
    await at.think(runner)
    assert at.insights() == ["by rule: night"]
    assert [due.timer for due in at.read(events.DUE)] == ["night", "other"]
    at.pass_time(3601)
    await at.think(runner)
    assert [due.timer for due in at.read(events.DUE)] == ["night", "other", "night"]


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


async def test_only_the_holder_of_the_lease_works(desk: DeskMaker) -> None:
    @contextlib.contextmanager
    def taken() -> Iterator[bool]:
        yield False

    at = desk(Quoting())
    at.note("one Graz")
    at.projector.catch_up()
    thinker = ScriptedModel(answer("Graz"))
    runner = at.runner(thinker, lease=taken)
    working = asyncio.create_task(runner.run())
    await eventually(lambda: runner.live().waits_for)
    assert runner.live().waits_for == "another Innerlife thinks for this Core"
    await runner.stop()
    await asyncio.wait_for(working, 1)
    assert thinker.asked == []


async def test_it_runs_by_itself_and_stops_when_told(desk: DeskMaker) -> None:
    at = desk(Quoting())
    at.note("one Graz")
    at.projector.catch_up()
    thinker = SlowModel(answer("Graz"))
    runner = at.runner(thinker)
    working = asyncio.create_task(runner.run())
    await eventually(lambda: thinker.asked)
    live = runner.live()
    assert (live.running, live.subject > 0) == ("quoting", True)
    await runner.stop()
    await asyncio.wait_for(working, 1)
    assert thinker.cut
    assert len(at.jobs()) == 1


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
