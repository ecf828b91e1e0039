"""The workers of a serving process: each open companion thinks in the background, on the engines that answer chats."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from innerlife.adapters.models.thinker_roles import EngineRoles
from innerlife.bootstrap import policy_of
from innerlife.cli.engines import Engines
from innerlife.companion import Companion
from innerlife.settings import Configured
from innerlife.thinking.calls import ModelRole
from innerlife.thinking.gate import Gate
from innerlife.thinking.policy import ThinkingPolicy
from innerlife.thinking.runner import Runner

_log: Final = logging.getLogger(__name__)


def roles_of(configured: Configured, engines: Engines, gate: Gate) -> EngineRoles:
    """Which engine and model plays which role."""
    named = {ModelRole(role): model for role, model in configured.settings.models.roles.items()}
    return EngineRoles(engines.current, engines.first_model, gate.last_chat, named, engines.thinker())


async def think_here(
    configured: Configured, companion: Companion, done: Callable[[], bool], stage: str
) -> str:
    """Let a stage think in this process until `done`, where no other one does.

    Returns what it waits for, empty when done.
    """
    gate = Gate(policy_of(ThinkingPolicy, configured.settings.thinking))
    engines = Engines(configured)
    roles = roles_of(configured, engines, gate)
    runner = companion.worker(roles, gate)
    try:
        mine = await runner.work(done, stage)
    finally:
        await roles.aclose()
        await engines.close()
    live = runner.live()
    waits = next(iter(live.resting.values()), live.waits_for) if mine else "another Innerlife thinks for it"
    return "" if done() else waits or "nothing is ready now"


class Workers:
    """Made inside the event loop that serves; `attach` may be called from any thread."""

    def __init__(self, configured: Configured, engines: Engines, gate: Gate) -> None:
        self._gate = gate
        self._roles = roles_of(configured, engines, gate)
        self._loop = asyncio.get_running_loop()
        self._runners: dict[str, Runner] = {}
        self._running: list[asyncio.Task[None]] = []

    def attach(self, companion: Companion) -> None:
        """Let a companion think from now on; once for each."""
        self._loop.call_soon_threadsafe(self._start, companion)

    def troubles(self) -> dict[str, str]:
        """What is wrong with a profile's thinking, by profile."""
        live = {profile: runner.live() for profile, runner in self._runners.items()}
        return {profile: one.trouble for profile, one in live.items() if one.trouble}

    async def aclose(self) -> None:
        """End every worker: a running call is cut, its job stays."""
        await asyncio.gather(*(runner.stop() for runner in self._runners.values()))
        for outcome in await asyncio.gather(*self._running, return_exceptions=True):
            if isinstance(outcome, Exception):
                _log.warning("background thinking ended with %s", type(outcome).__name__)
        await self._roles.aclose()

    def _start(self, companion: Companion) -> None:
        if companion.profile in self._runners:
            return
        runner = companion.worker(self._roles, self._gate)
        self._runners[companion.profile] = runner
        self._running.append(asyncio.create_task(runner.run(), name=f"thinking {companion.profile}"))
