"""Sixty-four clients that hang up in the middle of their answers, through the real membrane and a real ledger."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection
from datetime import date, datetime
from pathlib import Path

import pytest

from innerlife.conversations.events import COMPANION, USER
from innerlife.membrane.giving import Given
from innerlife.membrane.remember import Recollection
from innerlife.membrane.turns import Turns
from innerlife.proxy.policy import DEFAULT_POLICY
from innerlife.workspace.policy import WorkspacePolicy
from innerlife.workspace.shipped import load_shipped
from tests.proxy.fakes import Engine, House, Place, Received, Wire, eventually, ollama_lines, proxy
from tests.support.stack import Stack, open_stack

pytestmark = pytest.mark.anyio

CLIENTS = 64
WORDS = 12


def piece(client: int, word: int) -> str:
    return f"c{client}w{word} "


async def slowly(request: Received, wire: Wire) -> None:
    """An answer in which each client has words of its own."""
    client = int(request.json()["messages"][-1]["content"].rsplit(" ", 1)[-1])
    await wire.head("application/x-ndjson")
    for line in ollama_lines(tuple(piece(client, word) for word in range(WORDS))):
        await wire.chunk(line)
        await asyncio.sleep(0.005)
    await wire.end()


async def talk(place: Place, client: int) -> str:
    """What a client has seen when it hangs up, after one frame or two or all of them."""
    seen = ""
    said = [{"role": "user", "content": f"This is client {client}"}]
    request = place.http.stream("POST", "/api/chat", json={"model": "m", "messages": said})
    async with request as answer:
        left = client % (WORDS + 2) + 1
        async for line in answer.aiter_lines():
            seen += json.loads(line).get("message", {}).get("content", "")
            left -= 1
            if not left:
                break
    return seen


def nothing(words: str, now: datetime, except_texts: Collection[str] = ()) -> Recollection:
    return Recollection(())


async def test_each_answer_is_recorded_once_when_many_hang_up(tmp_path: Path) -> None:
    """[P2] [C9] One message and one answer for each client, under its own message, with all that the client saw."""
    stack: Stack = open_stack(tmp_path / "core")
    given = Given(load_shipped(), lambda: ("Anima", date(2026, 3, 1)), WorkspacePolicy())
    turns = Turns(stack.ledger, stack.recording, nothing, given, stack.clock, stack.opened.handle)
    try:
        async with proxy(Engine(slowly), House(default=turns), policy=DEFAULT_POLICY) as place:  # type: ignore[arg-type]
            seen = await asyncio.gather(*(talk(place, client) for client in range(CLIENTS)))
            await eventually(lambda: place.counters.counts().recorded == CLIENTS, 20)
            assert place.counters.counts().unrecorded == 0
        users = stack.ledger.read(0, 10_000, {USER})
        answers = stack.ledger.read(0, 10_000, {COMPANION})
        assert (len(users), len(answers)) == (CLIENTS, CLIENTS)
        assert len({event.stream for event in answers}) == CLIENTS
        streams = {event.stream: event.body.text for event in users}
        for answer in answers:
            client = int(streams[answer.stream].rsplit(" ", 1)[-1])
            whole = "".join(piece(client, word) for word in range(WORDS))
            assert whole.startswith(answer.body.text)
            assert answer.body.text.startswith(seen[client])
    finally:
        turns.close()
        stack.close()
