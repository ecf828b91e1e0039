"""Models written by hand: scripted, over-claiming, flattering, garbage, echo, slow. One port, one contract suite."""

from __future__ import annotations

import asyncio
import itertools
import json
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from innerlife.errors import EngineUnavailable, ModelUnavailable
from innerlife.thinking.calls import Assigned, Finish, LastChat, ModelRole, Question, Reply

Scripted = Reply | Exception | str


class Model:
    """What all of them share: who was asked what, which models are missing, and whether anyone is at home."""

    def __init__(self, *, missing: Iterable[str] = (), delay_s: float = 0.0) -> None:
        self.missing = set(missing)
        self.delay_s = delay_s
        self.down = False
        self.asked: list[Question] = []
        self.chats: list[LastChat | None] = []
        self.warmed: list[LastChat] = []
        self.rests = 0
        self.cut: list[float] = []

    async def ask(self, question: Question, chat: LastChat | None = None) -> Reply:
        if self.down:
            raise EngineUnavailable("The engine does not answer")
        if question.model in self.missing:
            raise ModelUnavailable(f"There is no model called {question.model}")
        self.asked.append(question)
        self.chats.append(chat)
        try:
            await asyncio.sleep(self.delay_s)
        except asyncio.CancelledError:
            self.cut.append(time.monotonic())
            raise
        return self.answer(question)

    def answer(self, question: Question) -> Reply:
        raise NotImplementedError

    async def warm(self, chat: LastChat) -> None:
        self.warmed.append(chat)

    async def rest(self) -> None:
        self.rests += 1


class ScriptedModel(Model):
    """Says what it was told to say, in order; the last line again and again."""

    def __init__(self, *lines: Scripted, **options: Any) -> None:
        super().__init__(**options)
        self.lines = list(lines)

    def answer(self, question: Question) -> Reply:
        line = self.lines.pop(0) if len(self.lines) > 1 else self.lines[0]
        if isinstance(line, Exception):
            raise line
        return Reply(line, tokens_in=10, tokens_out=5) if isinstance(line, str) else line


class OverClaimingModel(Model):
    """Follows any schema and fills it to the brim with certainties that stand nowhere in the material."""

    claim = "The user has always secretly wanted to conquer Antarctica"

    def answer(self, question: Question) -> Reply:
        return Reply(json.dumps(filled(question.schema or {}, self.claim)), tokens_in=10, tokens_out=50)


class FlatteringModel(OverClaimingModel):
    """The same, with praise."""

    claim = "The user is the most brilliant and kind person who ever lived"


class EchoModel(Model):
    """Gives back what it was given."""

    def answer(self, question: Question) -> Reply:
        return Reply(question.messages[-1].text)


class GarbageModel(Model):
    """Answers in every useless way there is, one after the other."""

    ways: tuple[Reply, ...] = (
        Reply(""),
        Reply("I am sorry, but as a language model I cannot do that."),
        Reply('{"quote": "We left', Finish.LENGTH),
        Reply('{"quote": "We left'),
        Reply("<think>Let me think about this for a while"),
        Reply("", Finish.TOOL),
        Reply("[1, 2, 3]"),
        Reply("word " * 50_000, Finish.CUT),
        Reply('{"zitat": "Wir gingen", "zahl": 3}'),
        Reply("```json\n{}\n```"),
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._next: Iterator[Reply] = itertools.cycle(self.ways)

    def answer(self, question: Question) -> Reply:
        return next(self._next)


class SlowModel(ScriptedModel):
    """Takes its time; notes when it was cut."""

    def __init__(self, *lines: Scripted, delay_s: float = 30.0, **options: Any) -> None:
        super().__init__(*(lines or ("{}",)), delay_s=delay_s, **options)


def filled(schema: Mapping[str, Any], claim: str, root: Mapping[str, Any] | None = None) -> Any:
    """A value that follows a schema and claims as much as it allows."""
    root = schema if root is None else root
    if "$ref" in schema:
        return filled(root["$defs"][schema["$ref"].rpartition("/")[2]], claim, root)
    if options := schema.get("enum"):
        return options[0]
    if parts := schema.get("anyOf"):
        return filled(parts[0], claim, root)
    match schema.get("type"):
        case "object":
            return {name: filled(part, claim, root) for name, part in schema.get("properties", {}).items()}
        case "array":
            return [filled(schema["items"], claim, root)] * schema.get("maxItems", 1)
        case "integer" | "number":
            return schema.get("maximum", 1)
        case "boolean":
            return True
        case _:
            return claim[: schema.get("maxLength", 100)]


class FixedRoles:
    """Every role is played by one model on one engine."""

    def __init__(self, thinker: Model, model: str = "wise", engine: str = "http://engine") -> None:
        self.thinker, self.model, self.engine = thinker, model, engine
        self.error: Exception | None = None

    async def assigned(self, role: ModelRole) -> Assigned:
        if self.error is not None:
            raise self.error
        return Assigned(self.engine, self.model, self.thinker)
