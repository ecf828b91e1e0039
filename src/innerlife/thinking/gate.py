"""The idle gate: background calls run while nobody talks to the same engine, and are cut when somebody does (P8).

The rule is a pure function of a state; `Gate` holds the state, the scopes to cancel and whom to wake.

    chat_began ─► the running call is cut ─► … ─► chat_ended ─► quiet for a while ─► the next call may begin
"""

from __future__ import annotations

import asyncio
import itertools
import math
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Final

import anyio

from innerlife.thinking.calls import LastChat
from innerlife.thinking.policy import ThinkingPolicy

BUSY_S: Final = 1.0
"""How long to wait before looking again whether another background call on the engine has ended."""


@dataclass(frozen=True, slots=True)
class EngineState:
    """What is known of one engine: chats under way (their tokens), and when the last one ended, in seconds."""

    chats: frozenset[int] = frozenset()
    ended: float = -math.inf

    def began(self, token: int) -> EngineState:
        """A chat request came."""
        return replace(self, chats=self.chats | {token})

    def finished(self, token: int, now: float) -> EngineState:
        """A chat request is over. One that is over already changes nothing."""
        return EngineState(self.chats - {token}, now) if token in self.chats else self


def wait_s(state: EngineState, policy: ThinkingPolicy, now: float, *, starved: bool) -> float:
    """Seconds until a background call may begin: 0 for now, infinite while somebody is being answered.

    A starved stage need not wait for quiet, only for the end of the turn.
    """
    if state.chats:
        return math.inf
    if starved:
        return 0.0
    return max(0.0, state.ended + policy.quiet_s - now)


@dataclass(frozen=True, slots=True)
class Token:
    """A chat request under way, as `chat_began` gave it."""

    engine: str
    number: int


@dataclass(eq=False, slots=True)
class Turn:
    """A background call under way. `cut` is true where a chat request, a pause or a shutdown ended it."""

    engine: str
    scope: anyio.CancelScope
    loop: asyncio.AbstractEventLoop
    cut: bool = False

    def cancel(self) -> None:
        """End it, from any thread."""
        self.cut = True
        self.loop.call_soon_threadsafe(self.scope.cancel)


@dataclass(slots=True)
class _Engine:
    state: EngineState = field(default_factory=EngineState)
    turns: list[Turn] = field(default_factory=list)
    chat: LastChat | None = None


class Gate:
    """Told of every chat request by the proxy, asked by the runner. Safe from any thread."""

    def __init__(self, policy: ThinkingPolicy, seconds: Callable[[], float] = time.monotonic) -> None:
        self._policy = policy
        self._seconds = seconds
        self._lock = threading.Lock()
        self._engines: dict[str, _Engine] = {}
        self._numbers = itertools.count(1)
        self._listeners: list[Callable[[], None]] = []
        self._last_chat = -math.inf

    # --- the proxy's side ------------------------------------------------------------------------------------

    def chat_began(self, engine: str) -> Token:
        """A chat request arrived for an engine: what runs there in the background is cut. Returns at once."""
        with self._lock:
            known = self._engines.setdefault(engine, _Engine())
            token = Token(engine, next(self._numbers))
            known.state = known.state.began(token.number)
            running = list(known.turns)
            self._last_chat = self._seconds()
        for turn in running:
            turn.cancel()
        return token

    def chat_sent(self, token: Token, chat: LastChat) -> None:
        """The request as it went to the engine: its options and prefix serve background calls."""
        with self._lock:
            self._engines[token.engine].chat = chat

    def chat_ended(self, token: Token) -> None:
        """The answer is complete, broken off or given up. Safe to call twice."""
        with self._lock:
            known = self._engines[token.engine]
            known.state = known.state.finished(token.number, self._seconds())
            self._last_chat = self._seconds()
        self._changed()

    async def cleared(self, engine: str, within_s: float) -> bool:
        """Wait, not longer than `within_s`, until nothing runs there in the background. Whether that came true."""
        end = time.monotonic() + within_s
        while self._running(engine):
            if time.monotonic() >= end:
                return False
            await asyncio.sleep(0.001)
        return True

    # --- the runner's side -----------------------------------------------------------------------------------

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call `listener` (quick, from any thread) whenever a chat or a background call ended."""
        self._listeners.append(listener)

    def wait_s(self, engine: str, *, starved: bool = False) -> float:
        """Seconds until a call may begin on this engine; infinite while a chat is under way."""
        with self._lock:
            known = self._engines.get(engine)
            state = known.state if known else EngineState()
            wait = wait_s(state, self._policy, self._seconds(), starved=starved)
            # Several profiles may think on one engine: one after the other.
            return max(wait, BUSY_S) if known and known.turns else wait

    def last_chat(self, engine: str) -> LastChat | None:
        """The engine's last chat request."""
        with self._lock:
            known = self._engines.get(engine)
            return known.chat if known else None

    def forget_chats(self) -> None:
        """Let go of every chat's words; its options stay."""
        with self._lock:
            for known in self._engines.values():
                known.chat = known.chat and known.chat.without_words()

    def quiet_s(self) -> float:
        """Seconds since any chat began or ended; infinite where there was none, 0 while one is under way."""
        with self._lock:
            if any(known.state.chats for known in self._engines.values()):
                return 0.0
            return max(0.0, self._seconds() - self._last_chat)

    @asynccontextmanager
    async def turn(self, engine: str) -> AsyncIterator[Turn]:
        """Run a background call inside. A chat request ends the block from within; then `cut` is true after it.

        Where a chat is under way already, the block ends at its first await.
        """
        with anyio.CancelScope() as scope:
            turn = Turn(engine, scope, asyncio.get_running_loop())
            with self._lock:
                known = self._engines.setdefault(engine, _Engine())
                known.turns.append(turn)
                busy = bool(known.state.chats)
            if busy:
                turn.cancel()
            try:
                yield turn
            finally:
                with self._lock:
                    known.turns.remove(turn)
                self._changed()

    def cut_all(self) -> None:
        """End every background call: a pause, or a shutdown."""
        with self._lock:
            running = [turn for known in self._engines.values() for turn in known.turns]
        for turn in running:
            turn.cancel()

    def _changed(self) -> None:
        for listener in self._listeners:
            listener()

    def _running(self, engine: str) -> int:
        with self._lock:
            known = self._engines.get(engine)
            return len(known.turns) if known else 0
