"""A conversation on the command line, through the same turns and engines as the proxy."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import httpx2

from innerlife.adapters.models.upstream import Upstream
from innerlife.cli.engines import Engines, first_model
from innerlife.companion import Companion
from innerlife.conversations.events import USER
from innerlife.errors import EngineUnavailable, InnerlifeError
from innerlife.kernel.ids import new_id
from innerlife.membrane.turn import Answer, Hints, Opened, Plan, Said, Speaker, Standing, TurnRequest
from innerlife.proxy.guard import ONCE_MORE, Guard, guard_for
from innerlife.proxy.reply import OLLAMA, OPENAI
from innerlife.proxy.wire import ollama, openai
from innerlife.proxy.wire.call import Awaited, Format
from innerlife.proxy.wire.frame import Frame, Tally
from innerlife.proxy.wire.writing import GAP
from innerlife.workspace.block import beside, in_front
from innerlife.workspace.tokens import estimate_tokens

CHECKPOINT_SECONDS = 3.0
"""How often an answer that is being written is kept (design §8)."""

UNKNOWN_WINDOW = 16_384
"""Tokens of context that an engine is taken to have which says nothing of it; half of it is for the history."""

TIMEOUT = httpx2.Timeout(600.0, connect=5.0)
"""A large model on a slow machine reads a long prompt for minutes before its first word."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """One exchange as it went: the plan, the answer, and why the record of the answer is missing, if it is."""

    plan: Plan
    answer: Answer
    unrecorded: str = ""


@dataclass
class Talk:
    """One conversation. `history` is what a chat program would resend; `chat` names it to the record."""

    companion: Companion
    engines: Engines
    surface: str
    model: str = ""
    chat: str = ""
    history: list[Said] = field(default_factory=list)
    fiction: bool = False

    async def exchange(self, text: str, show: Callable[[str], None]) -> Spoken:
        """Say something and show the answer as it comes.

        What came before an interruption or a failure is kept. Raises EngineUnavailable, ModelUnavailable;
        CancelledError passes through.
        """
        said = Said(Speaker.USER, text)
        upstream = await self.engines.current()
        async with httpx2.AsyncClient(timeout=TIMEOUT, trust_env=False) as client:
            model = self.model or await first_model(client, upstream, upstream.headers)
            request = TurnRequest(
                (*self.history, said),
                model,
                self.surface,
                Hints(task="", chat=self.chat),
                self.engines.window(upstream),
                self.fiction,
            )
            plan = await asyncio.to_thread(self.companion.turns.begin, request)
            answer, unrecorded = await self._answered(client, upstream, request, plan, show)
        self.history += [said, Said(Speaker.ASSISTANT, answer.text)]
        if answer.error:
            raise EngineUnavailable(f"The engine broke off: {answer.error}", "What was said so far is kept")
        return Spoken(plan, answer, unrecorded)

    async def _answered(
        self,
        client: httpx2.AsyncClient,
        upstream: Upstream,
        request: TurnRequest,
        plan: Plan,
        show: Callable[[str], None],
    ) -> tuple[Answer, str]:
        tally = Tally(model=request.model)
        said = request.messages[-1]
        keeper = _Keeper(self.companion, plan.opened)
        broken = False
        form, path = _way(upstream)
        guard = None
        if plan.standing is not Standing.PASSTHROUGH:
            guard = guard_for(Awaited(form, request, plan.opened, structured=False))

        def seen(frames: Iterable[Frame]) -> None:
            for frame in frames:
                tally.add(frame)
                if frame.content:
                    show(frame.content)
                    keeper.keep(tally)

        try:
            body = _body(request, plan)
            async for frame in _stream(client, upstream, path, form, body):
                seen([frame] if guard is None else guard(frame))
            if guard is not None:
                await _guarded_end(client, upstream, path, body, guard, seen)
        except (httpx2.HTTPError, EngineUnavailable) as error:
            tally.error = tally.error or (
                error.message if isinstance(error, EngineUnavailable) else _reason(error)
            )
            seen([] if guard is None else guard.rest())
            broken = bool(tally.text)
        except asyncio.CancelledError:
            # Ctrl-C: the answer ends here, and what was seen of it is recorded before the loop goes down.
            self.history += [said, Said(Speaker.ASSISTANT, tally.text)]
            keeper.finish(tally.answer(broken=True))
            raise
        answer = tally.answer(broken=broken)
        return answer, keeper.finish(answer)


@dataclass
class _Keeper:
    """Keeps an answer while it is written, and its end."""

    companion: Companion
    opened: Opened | None
    _kept: int = 0
    _at: float = field(default_factory=lambda: asyncio.get_running_loop().time())

    def keep(self, tally: Tally) -> None:
        """A checkpoint, when it is time for one."""
        now = asyncio.get_running_loop().time()
        if self.opened is None or now - self._at < CHECKPOINT_SECONDS:
            return
        text = tally.text
        # The whole is recorded at the end; a checkpoint that failed is only a smaller safety until then.
        with contextlib.suppress(InnerlifeError):
            self.companion.turns.checkpoint(self.opened, text, self._kept)
            self._kept = len(text)
        self._at = now

    def finish(self, answer: Answer) -> str:
        """Record the answer; durable on return. Returns why not, or nothing."""
        if self.opened is None:
            return ""
        try:
            self.companion.turns.finish(self.opened, answer)
        except InnerlifeError as error:
            return error.message
        return ""


def new_chat(surface: str, now: datetime) -> str:
    """A name for a conversation that begins now, so that it is never taken for an older one that began alike."""
    return f"{surface}:{new_id(now)}"


def carry_on(
    companion: Companion, engines: Engines, conversation: str, surface: str, model: str = ""
) -> Talk:
    """A recorded conversation, to be carried on. Raises StorageFailed."""
    history: list[Said] = []
    fiction = False
    for exchange in companion.conversations.exchanges(conversation):
        fiction = fiction or exchange.said.fiction
        history.append(Said(Speaker.USER, exchange.said.text))
        if exchange.answer is not None and exchange.answer.text:
            history.append(Said(Speaker.ASSISTANT, exchange.answer.text))
    newest = companion.ledger.by_stream(conversation, 1, {USER})
    chat = newest[0].body.chat if newest else ""
    return Talk(companion, engines, surface, model, chat, history, fiction)


def _body(request: TurnRequest, plan: Plan) -> dict[str, Any]:
    """What is sent to the engine: the stable text, as much of the history as fits, each block beside its message."""
    kept = dict(plan.kept)
    told = [replace(one, text=beside(kept.get(i, ""), one.text)) for i, one in enumerate(request.messages)]
    *history, said = told
    messages = [{"role": "system", "content": in_front(plan.stable, "")}] if plan.stable else []
    messages += [
        {"role": one.speaker.value, "content": one.text}
        for one in recent(history, (request.window or UNKNOWN_WINDOW) // 2)
    ]
    messages.append({"role": "user", "content": beside(plan.block, said.text)})
    return {"model": request.model, "messages": messages, "stream": True}


def recent(history: Sequence[Said], tokens: int) -> Sequence[Said]:
    """The end of a history that takes no more than so many tokens, by estimate; it begins with the user's words."""
    start = len(history)
    while start and (tokens := tokens - estimate_tokens(history[start - 1].text)) >= 0:
        start -= 1
    while start < len(history) and history[start].speaker is not Speaker.USER:
        start += 1
    return history[start:]


def _way(upstream: Upstream) -> tuple[Format, str]:
    """The dialect that an engine is spoken to in, and the path of its chats."""
    return (OLLAMA, ollama.CHAT) if "ollama" in upstream.dialects else (OPENAI, openai.CHAT)


async def _stream(
    client: httpx2.AsyncClient, upstream: Upstream, path: str, form: Format, body: dict[str, Any]
) -> AsyncIterator[Frame]:
    """The frames of an answer. Raises httpx2.HTTPError, EngineUnavailable."""
    splitter = form.splitter()
    request = client.stream("POST", f"{upstream.url}{path}", json=body, headers=dict(upstream.headers))
    async with request as response:
        if response.is_error:
            error = form.whole(await response.aread()).error
            raise EngineUnavailable(error or f"it answered with status {response.status_code}")
        async for data in response.aiter_bytes():
            for raw in splitter.feed(data):
                yield form.frame(raw)
        if rest := splitter.rest():
            yield form.frame(rest)


async def _guarded_end(
    client: httpx2.AsyncClient,
    upstream: Upstream,
    path: str,
    body: dict[str, Any],
    guard: Guard,
    seen: Callable[[Iterable[Frame]], None],
) -> None:
    """The end of an answer; asked for once more where the guard left nothing of it, as the proxy does."""
    if not guard.bereft:
        seen(guard.rest())
        return
    *before, newest = body["messages"]
    asked = {**body, "messages": [*before, {**newest, "content": f"{newest['content']}{GAP}{ONCE_MORE}"}]}
    # The engine gave an answer; where it gives no second one, the guard has a sentence for that.
    with contextlib.suppress(httpx2.HTTPError, EngineUnavailable):
        async for frame in _stream(client, upstream, path, guard.form, asked):
            seen(guard.again(frame.content))
    seen(guard.over())


def _reason(error: httpx2.HTTPError) -> str:
    match error:
        case httpx2.ConnectError() | httpx2.ConnectTimeout():
            return "it cannot be reached"
        case httpx2.TimeoutException():
            return "it did not answer in time"
        case _:
            return "the connection was lost"


@contextlib.contextmanager
def conversing(engines: Engines) -> Iterator[asyncio.Runner]:
    """A loop for the exchanges of one conversation; Ctrl-C ends the exchange that runs, not the loop."""
    with asyncio.Runner() as runner:
        try:
            yield runner
        finally:
            runner.run(engines.close())
