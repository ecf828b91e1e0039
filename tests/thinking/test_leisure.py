"""The worker's manners: it makes way for conversations, keeps its bounds, stops when told."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from typing import Any

import anyio
import pytest

from innerlife.thinking import events
from innerlife.thinking.calls import LastChat
from innerlife.thinking.events import Ended
from innerlife.thinking.policy import ThinkingPolicy
from innerlife.thinking.probes import newest_verdicts
from innerlife.thinking.timers import Timer
from innerlife.thinking.wishes import pause
from tests.proxy.fakes import eventually
from tests.support.models import (
    EchoModel,
    FixedRoles,
    ScriptedModel,
    SlowModel,
)
from tests.thinking.conftest import DeskMaker
from tests.thinking.stages import Plain, Quoting, answer

pytestmark = pytest.mark.anyio

ENGINE = "http://engine"
CHAT = LastChat("/api/chat", {"model": "wise", "messages": [], "options": {"num_ctx": 4096}})


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
    at.already_tried(thinker)
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
    at.already_tried(thinker)
    await at.think(at.runner(thinker))
    options = LastChat(CHAT.path, {"model": "wise", "options": {"num_ctx": 4096}})
    assert thinker.chats == [options], "its options are no words"
    assert thinker.warmed == []
    assert at.gate.last_chat(ENGINE) == options


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


async def test_an_outward_action_outlasts_the_scope_it_runs_in(desk: DeskMaker) -> None:
    """[P8] A server that shuts down cancels its tasks: the action and its record come to their end first."""

    class Acting(Quoting):
        async def act(self, value: Any, inputs: Any) -> Any:
            shutdown.cancel()
            await asyncio.sleep(0.05)
            return value

    at = desk(Acting())
    at.note("My sister lives in Graz")
    at.projector.catch_up()
    with anyio.CancelScope() as shutdown:
        await at.runner(ScriptedModel(answer("Graz"))).step()
    assert len(at.insights()) == 2
    assert len(at.read(events.OUTCOME)) == 1


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


async def test_a_defect_of_the_worker_is_shown_and_no_end(desk: DeskMaker) -> None:
    at = desk(Quoting())
    at.note("one Graz")
    at.projector.catch_up()
    roles = FixedRoles(ScriptedModel(answer("Graz")))
    roles.error = KeyError("a defect")
    runner = at.runner(roles)
    working = asyncio.create_task(runner.run())
    await eventually(lambda: runner.live().trouble)
    assert runner.live().trouble == "background thinking has a defect (KeyError)"
    assert [attempts for _, _, attempts in at.jobs()] == [0]
    await runner.stop()
    await asyncio.wait_for(working, 2)


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


async def test_a_model_is_got_to_know_once_somebody_has_chatted(desk: DeskMaker) -> None:
    """[P11] At leisure it is tried for what thinking needs, so that `doctor` can tell; never before any chat."""
    at = desk()
    thinker = ScriptedModel(answer("Graz"))
    runner = at.runner(thinker)
    await at.think(runner)
    assert thinker.chats == []
    token = at.gate.chat_began(ENGINE)
    at.gate.chat_sent(token, LastChat(CHAT.path, CHAT.body))
    at.gate.chat_ended(token)
    await at.think(runner)
    assert thinker.chats == [], "not while the conversation may go on"
    at.pass_time(at.policy.quiet_s)
    await at.think(runner)
    assert thinker.chats
    tried = len(thinker.chats)
    at.projector.catch_up()
    await at.think(runner)
    assert len(thinker.chats) == tried
    with at.runtime.reading() as rows:
        assert {verdict.passed for verdict in newest_verdicts(rows)} == {False}
