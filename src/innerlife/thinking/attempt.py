"""One attempt at a job: who thinks, when there is leisure for it, and what is appended afterwards."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, assert_never

import anyio

from innerlife.errors import (
    BadInput,
    CauseGone,
    EngineUnavailable,
    InnerlifeError,
    ModelFailed,
    ModelUnavailable,
)
from innerlife.ledger.envelope import Actor, Draft, Event, Trust
from innerlife.ledger.ledger import Ledger
from innerlife.ports import Clock, Runtime
from innerlife.thinking import probes
from innerlife.thinking.calling import Called, Calling
from innerlife.thinking.calls import Assigned, Meter, ModelRole, Roles
from innerlife.thinking.events import Outcome
from innerlife.thinking.gate import Gate
from innerlife.thinking.policy import ThinkingPolicy
from innerlife.thinking.queue import Job
from innerlife.thinking.resting import Resting
from innerlife.thinking.settle import Bill, Settling
from innerlife.thinking.stage import AnyStage, LeftTo, ModelStage, Outward, RuleStage
from innerlife.thinking.structured import structured

RECOMPUTE_S: Final = 1.0
"""How long a stage waits after a cause of its results was forgotten: the views are being cleared of it."""

_PAUSE: Final = "a pause in the conversation"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Attempt:
    """What became of an attempt: the greatest seq that says so (0: nothing was appended), or what it waits for."""

    appended: int = 0
    wait_s: float = 0.0
    waits_for: str = ""


_ACQUAINTANCE: Final = "getting to know a model"
"""Under this name it rests when the engine is not there."""


class Thinking:
    """Carries jobs out, one at a time."""

    def __init__(
        self,
        ledger: Ledger,
        runtime: Runtime,
        roles: Roles,
        gate: Gate,
        policy: ThinkingPolicy,
        clock: Clock,
        resting: Resting,
        *,
        draw: Callable[[], float],
        seconds: Callable[[], float],
    ) -> None:
        self._ledger = ledger
        self._runtime = runtime
        self._roles = roles
        self._gate = gate
        self._policy = policy
        self._clock = clock
        self._resting = resting
        self._draw = draw
        self._calling = Calling(gate, policy, seconds)
        self._verdicts: dict[tuple[str, str, ModelRole], bool] = {}
        self._owed: list[Draft] = []

    async def attempt(self, stage: AnyStage, job: Job, *, starved: bool) -> Attempt:
        """Try a job once. Raises StorageFailed: then nothing of it was recorded."""
        try:
            return await self._attempt(stage, job, starved=starved)
        except CauseGone:
            # A normal outcome: what is left is thought about again.
            self._resting.pause(stage.name, RECOMPUTE_S, "")
            return Attempt()
        except (EngineUnavailable, ModelUnavailable) as error:
            # Before any call: no job is to blame.
            self._resting.rest(stage.name, error.message)
            return Attempt(waits_for=error.message)

    async def leisure(self) -> None:
        """There is nothing to do: give engines back the way the chat left them."""
        await self._calling.warm()
        await self._pay()

    async def get_to_know(self, role: ModelRole) -> None:
        """Try the model of a role that was never tried, once somebody has chatted: `doctor` can tell of it then.

        Before any chat nothing is loaded for it. Raises StorageFailed.
        """
        if self._gate.quiet_s() == math.inf or self._resting.rests(_ACQUAINTANCE):
            return
        try:
            assigned = await self._roles.assigned(role)
            if (
                self._gate.last_chat(assigned.engine) is not None
                and await self._known_verdict(role, assigned) is None
                and not self._gate.wait_s(assigned.engine, starved=False)
            ):
                await self._try_out(assigned)
        except (EngineUnavailable, ModelUnavailable) as error:
            self._resting.rest(_ACQUAINTANCE, error.message)

    async def rest(self) -> None:
        """It is over."""
        await self._calling.rest()
        await self._pay()

    # --- steps -----------------------------------------------------------------------------------------------

    async def _attempt(self, stage: AnyStage, job: Job, *, starved: bool) -> Attempt:
        found = await asyncio.to_thread(self._ledger.get, [job.subject])
        if not found:
            return Attempt(await asyncio.to_thread(self._ledger.head))
        settling = Settling(stage, job, found[0], policy=self._policy.digest)
        known = await self._by_key(settling.outcome_key)
        if known is not None:
            return Attempt(known.seq)
        match stage:
            case RuleStage():
                return await self._by_rule(stage, settling, starved=starved)
            case ModelStage():
                return await self._by_model(stage, settling, starved=starved)
            case _:
                assert_never(stage)

    async def _by_rule(self, stage: RuleStage[Any], settling: Settling, *, starved: bool) -> Attempt:
        # It needs no engine, and still works on the machine that a chat is answered on.
        if (quiet := self._gate.quiet_s()) < self._policy.breath_s and not starved:
            return Attempt(wait_s=self._policy.breath_s - quiet, waits_for=_PAUSE)

        async def think(inputs: Any) -> Attempt:
            drafts = await asyncio.to_thread(stage.results, inputs)
            return await self._settle(settling, settling.done(drafts), drafts)

        return await self._with_inputs(stage, settling, think)

    async def _by_model(self, stage: ModelStage[Any, Any], settling: Settling, *, starved: bool) -> Attempt:
        assigned = await self._roles.assigned(stage.role)
        trusted = await self._known_verdict(stage.role, assigned)
        if trusted is False and not stage.model_free:
            why = f"{assigned.model} is not trusted with the role {stage.role.value}"
            self._resting.rest(stage.name, why, self._policy.rest_most_s)
            return Attempt(waits_for=why)
        if trusted is not False and (wait := self._gate.wait_s(assigned.engine, starved=starved)):
            return Attempt(wait_s=wait, waits_for=_PAUSE)

        async def think(inputs: Any) -> Attempt:
            if trusted is None:
                # Only now that there is something to do for it; the job is looked at afresh afterwards.
                return await self._try_out(assigned)
            if not trusted:
                drafts = await asyncio.to_thread(stage.without_model, inputs)
                return await self._settle(settling, settling.done(drafts, model_free=True), drafts)
            return await self._ask(stage, replace(settling, model=assigned.model), assigned, inputs)

        return await self._with_inputs(stage, settling, think)

    async def _known_verdict(self, role: ModelRole, assigned: Assigned) -> bool | None:
        """Whether the model is trusted with the role, None where it was not tried yet."""
        key = (assigned.engine, assigned.model, role)
        verdict = self._verdicts.get(key)
        return verdict if verdict is not None else await asyncio.to_thread(self._remembered, *key)

    async def _try_out(self, assigned: Assigned) -> Attempt:
        """Try a model for every role. Raises ModelFailed, EngineUnavailable, ModelUnavailable."""
        meter = Meter()
        chat = await self._calling.last_chat(assigned.engine)
        called = await self._calling.call(assigned, meter, probes.probed(assigned, self._policy, meter, chat))
        if called.error:
            raise called.error
        if called.value is None:
            return Attempt(waits_for=_PAUSE)
        verdicts = probes.verdicts(assigned, called.value, self._policy)
        await self._append([*verdicts, Draft(called.bill.spent(), Actor.SYSTEM, Trust.COMPANION)])
        for one in probes.NEEDED:
            self._verdicts[assigned.engine, assigned.model, one] = probes.passes(one, called.value)
        return Attempt()

    def _remembered(self, engine: str, model: str, role: ModelRole) -> bool | None:
        with self._runtime.reading() as rows:
            return probes.verdict(rows, engine, model, role)

    async def _with_inputs(
        self, stage: AnyStage, settling: Settling, think: Callable[[Any], Awaitable[Attempt]]
    ) -> Attempt:
        """Read what the stage works on, and think about it where there is anything."""
        try:
            inputs = await asyncio.to_thread(stage.inputs, settling.subject, self._clock.now())
            if inputs is None:
                return await self._settle(settling, settling.done(()))
            if isinstance(inputs, LeftTo):
                return await self._append(settling.left_to(inputs.subject))
            return await think(inputs)
        except BadInput as error:
            return await self._settle(settling, settling.impossible(error))
        except InnerlifeError:
            raise
        # A defect in one stage must not stop all the others; it is shown, and the next run of the stage tries again.
        except Exception as error:
            log.exception("stage %s", stage.name)
            return await self._settle(
                settling, settling.impossible(f"This stage has a defect ({type(error).__name__}).")
            )

    async def _ask(
        self, stage: ModelStage[Any, Any], settling: Settling, assigned: Assigned, inputs: Any
    ) -> Attempt:
        """The call, the action, the results."""
        if isinstance(stage, Outward) and await self._by_key(settling.begun_key) is not None:
            why = "It was begun before and may have happened; it is not repeated by itself."
            return await self._settle(settling, settling.impossible(why))
        meter = Meter()
        chat = await self._calling.last_chat(assigned.engine)
        question = structured(assigned, stage.prompt(inputs), stage.form(inputs), self._policy, meter, chat)
        called = await self._calling.call(assigned, meter, question)
        if called.value is None:
            return await self._not_answered(settling, called)
        self._resting.rested(stage.name)
        attempt = Attempt()
        # From the first byte that leaves to the last that is written down, nothing cuts an outward action.
        with anyio.CancelScope(shield=True):
            attempt = await self._finish(stage, settling, inputs, replace(called, value=called.value.value))
        return attempt  # noqa: RET504 - the scope could swallow a cancellation, as far as types can tell

    async def _not_answered(self, settling: Settling, called: Called) -> Attempt:
        """The job keeps its place."""
        if called.error is None:
            # Written down when the chat is over: now the disk is the chat's.
            self._owed.append(settling.draft(called.bill.spent()))
            return Attempt(waits_for=_PAUSE)
        if not isinstance(called.error, ModelFailed):
            self._resting.rest(settling.stage.name, called.error.message)
        return await self._append(settling.failed(called.error, self._draw(), called.bill))

    async def _finish(
        self, stage: ModelStage[Any, Any], settling: Settling, inputs: Any, called: Called
    ) -> Attempt:
        value = called.value
        bill = called.bill if called.bill.meter.requests else None
        if isinstance(stage, Outward):
            await self._append([settling.begun()])
            try:
                value = await stage.act(value, inputs)
            except InnerlifeError as error:
                return await self._settle(settling, settling.impossible(error), bill=bill)
        # It may measure what is near by an embedding model, and this loop answers chats too.
        drafts = await asyncio.to_thread(stage.apply, value, inputs)
        return await self._settle(settling, settling.done(drafts), drafts, bill)

    # --- appending -------------------------------------------------------------------------------------------

    async def _settle(
        self, settling: Settling, outcome: Outcome, drafts: Sequence[Draft] = (), bill: Bill | None = None
    ) -> Attempt:
        registry, beaten = self._ledger.registry, settling.stage.beaten
        ending = settling.settled(outcome, drafts, registry, bill)
        appended = await asyncio.to_thread(self._ledger.append_all, ending)
        pairs = zip(ending, appended, strict=True)
        late = [more for draft, event in pairs if event.body != draft.body for more in beaten(draft)]
        attempt = await self._append(settling.results(late, registry))
        return Attempt(max(attempt.appended, *(event.seq for event in appended)))

    async def _by_key(self, key: str) -> Event | None:
        return await asyncio.to_thread(self._ledger.by_key, key)

    async def _append(self, drafts: Sequence[Draft]) -> Attempt:
        appended = await asyncio.to_thread(self._ledger.append_all, drafts) if drafts else []
        return Attempt(max((event.seq for event in appended), default=0))

    async def _pay(self) -> None:
        """Write down what calls cost that were cut."""
        owed, self._owed = self._owed, []
        for draft in owed:
            # Its subject was forgotten: then nothing is left of it.
            with contextlib.suppress(CauseGone):
                await self._append([draft])
