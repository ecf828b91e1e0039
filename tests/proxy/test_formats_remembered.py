"""The same talk in every format, through the real membrane: recorded once, each block where it was sent."""

import json
from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from innerlife.conversations.events import COMPANION, TOOL, USER
from innerlife.ledger.envelope import Event
from innerlife.membrane.giving import Given
from innerlife.membrane.remember import Recollection, hydrate
from innerlife.membrane.turns import Turns
from innerlife.workspace.policy import WorkspacePolicy
from innerlife.workspace.shipped import load_shipped
from tests.proxy.fakes import Engine, House, Place, Received, Wire, proxy
from tests.support.stack import Stack, open_stack

pytestmark = pytest.mark.anyio

PNG = "iVBORw0KGgo="
SAID = ["My lighthouse stands on Bornholm.", "Look at this picture.", "Where does my lighthouse stand?"]
CALL = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": '{"q":"x"}'}}


def answer_to(messages: list[dict[str, Any]]) -> dict[str, Any]:
    """What the engine says: a tool's call to the picture, else a text that is never the same twice."""
    if any(isinstance(part, dict) for part in messages[-1]["content"]):
        return {"role": "assistant", "content": "I look.", "tool_calls": [CALL]}
    return {"role": "assistant", "content": f"Answer number {len(messages)} to your words."}


async def chatting(request: Received, wire: Wire) -> None:
    """An engine of the older format, not streamed."""
    message = answer_to(request.json()["messages"])
    finish = "tool_calls" if "tool_calls" in message else "stop"
    value = {"model": "m", "choices": [{"index": 0, "message": message, "finish_reason": finish}]}
    await wire.document(json.dumps(value).encode())


@dataclass
class Chat:
    """A program of one format: keeps the history as that format has it, and resends it whole."""

    place: Place
    history: list[Any] = field(default_factory=list)
    path: str = "/v1/chat/completions"
    words: str = "messages"

    async def say(self, text: str) -> None:
        """A message of the user, and whatever rounds of tools follow."""
        self.history.append({"role": "user", "content": self.content(text)})
        body = {"model": "m", "max_tokens": 9, "stream": False, self.words: self.history}
        while True:
            answer = await self.place.http.post(self.path, json=body)
            assert answer.status_code == 200, answer.text
            self.history += self.heard(answer.json())
            if not (results := self.results(answer.json())):
                return
            self.history += results

    def content(self, text: str) -> Any:
        if "picture" not in text:
            return text
        image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}
        return [image, {"type": "text", "text": text}]

    def heard(self, answer: Any) -> list[Any]:
        return [answer["choices"][0]["message"]]

    def results(self, answer: Any) -> list[Any]:
        calls = answer["choices"][0]["message"].get("tool_calls", ())
        return [{"role": "tool", "tool_call_id": call["id"], "content": "a gull"} for call in calls]


@dataclass
class Anthropic(Chat):
    path: str = "/v1/messages"

    def content(self, text: str) -> Any:
        if "picture" not in text:
            return text
        source = {"type": "base64", "media_type": "image/png", "data": PNG}
        return [{"type": "image", "source": source}, {"type": "text", "text": text}]

    def heard(self, answer: Any) -> list[Any]:
        return [{"role": "assistant", "content": answer["content"]}]

    def results(self, answer: Any) -> list[Any]:
        uses = [block for block in answer["content"] if block["type"] == "tool_use"]
        blocks = [{"type": "tool_result", "tool_use_id": use["id"], "content": "a gull"} for use in uses]
        return [{"role": "user", "content": blocks}] if blocks else []


@dataclass
class Responses(Chat):
    path: str = "/v1/responses"
    words: str = "input"

    def content(self, text: str) -> Any:
        if "picture" not in text:
            return text
        image = {"type": "input_image", "image_url": f"data:image/png;base64,{PNG}"}
        return [image, {"type": "input_text", "text": text}]

    def heard(self, answer: Any) -> list[Any]:
        return list(answer["output"])

    def results(self, answer: Any) -> list[Any]:
        calls = [item for item in answer["output"] if item["type"] == "function_call"]
        kind = "function_call_output"
        return [{"type": kind, "call_id": call["call_id"], "output": "a gull"} for call in calls]


@pytest.fixture
def stack(tmp_path: Path) -> Iterator[Stack]:
    opened = open_stack(tmp_path / "core")
    yield opened
    opened.close()


@asynccontextmanager
async def remembered(stack: Stack, engine: Engine) -> AsyncIterator[Place]:
    """A proxy before a real ledger in which all that was said comes to mind."""

    def remember(words: str, now: datetime, except_texts: Collection[str] = ()) -> Recollection:
        ranked = [(event.seq, 1.0) for event in stack.ledger.newest(50, {USER})]
        return Recollection(tuple(hydrate(stack.ledger, ranked, except_texts)))

    given = Given(load_shipped(), lambda: ("Anima", date(2026, 3, 1)), WorkspacePolicy())
    turns = Turns(stack.ledger, stack.recording, remember, given, stack.clock, stack.opened.handle)
    try:
        async with proxy(engine, House(default=turns)) as place:  # type: ignore[arg-type]
            yield place
    finally:
        turns.close()


def of_kind(stack: Stack, kind: str) -> list[Event]:
    return stack.ledger.read(0, 500, {kind})


def older() -> Engine:
    engine = Engine(chatting)
    engine.knows.clear()
    return engine


@pytest.mark.parametrize("program", [Chat, Anthropic, Responses])
async def test_a_talk_is_recorded_once_and_its_blocks_stay(program: type[Chat], stack: Stack) -> None:
    """[P4] [P5] Three messages, a picture and a round of tools: three messages of the user, in one conversation.

    Each request begins with the whole of the one before it, so an engine re-reads only what is new.
    """
    async with remembered(stack, older()) as place:
        # Something to remember, from another chat.
        await program(place).say("My sister Ines moves to Porto.")
        talk = program(place)
        for text in SAID:
            await talk.say(text)
        sent = [request.json()["messages"] for request in place.engine.requests[1:]]
    users = of_kind(stack, USER)
    assert [event.body.text for event in users] == ["My sister Ines moves to Porto.", *SAID]
    assert len({event.stream for event in users[1:]}) == 1
    assert [len(event.body.attachments) for event in users] == [0, 0, 1, 0]
    answers = of_kind(stack, COMPANION)
    assert [bool(event.body.tool_calls) for event in answers] == [False, False, True, False, False]
    assert len(of_kind(stack, TOOL)) == 1
    for earlier, later in pairwise(sent):
        assert later[: len(earlier)] == earlier
    words = [one["content"] for one in sent[-1] if one["role"] == "user"]
    for text, content in zip(SAID, words, strict=True):
        found = (
            content if isinstance(content, str) else next(p["text"] for p in content if p["type"] == "text")
        )
        assert found.endswith(text)
        assert "Ines" in found


async def test_a_talk_by_reference_is_one_conversation(stack: Stack) -> None:
    """[P5] Where the engine keeps the history, the record still follows it, and no block is sent twice."""

    async def keeping(request: Received, wire: Wire) -> None:
        number = len(place.engine.requests)
        part = {"type": "output_text", "text": f"Answer number {number} to your words.", "annotations": []}
        item = {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [part]}
        value = {"id": f"resp_{number}", "object": "response", "model": "m", "status": "completed"}
        await wire.document(json.dumps({**value, "output": [item]}).encode())

    async with remembered(stack, Engine(keeping)) as place:
        before: dict[str, Any] = {}
        for text in ("ok", "yes", "ok", "why?"):
            answer = await place.http.post("/v1/responses", json={"model": "m", "input": text, **before})
            before = {"previous_response_id": answer.json()["id"]}
        sent = [request.json()["input"] for request in place.engine.requests]
    users = of_kind(stack, USER)
    assert [event.body.text for event in users] == ["ok", "yes", "ok", "why?"]
    assert len({event.stream for event in users}) == 1
    assert [text.rpartition("\n")[2] for text in sent] == ["ok", "yes", "ok", "why?"]
    assert {text.count("</") for text in sent[1:]} <= {0, 1}
