"""The structured call: a question and a form in, a checked value out (promise X5).

One answer, one repair, then ModelFailed. There is no third way out: above all no empty value.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, TypeVar

from innerlife.errors import ModelFailed
from innerlife.thinking.calls import Assigned, Finish, LastChat, Limits, Message, Meter, Question, Reply
from innerlife.thinking.events import Flaw
from innerlife.thinking.form import Form, NotTheForm
from innerlife.thinking.language import same_language
from innerlife.thinking.lenient import BrokenOff, NoJson, objects
from innerlife.thinking.policy import ThinkingPolicy

V = TypeVar("V")

FRAME_VERSION: Final = 1
"""Of the words that this module adds to a prompt; part of every prompt version."""

_SHOWN: Final = 4000
"""Characters of a failed answer that the repair call shows."""

_ASKS: Final = (
    "\n\nAnswer with one JSON object that follows this JSON schema, and with nothing else: no explanation, no "
    "markdown.\n"
)

_WRONG: Final[dict[Flaw, str]] = {
    Flaw.TRUNCATED: "it was not finished; be brief",
    Flaw.TOO_LONG: "it was far too long; be brief",
    Flaw.EMPTY: "it was empty",
    Flaw.TOOL_CALL: "it was a call of a tool; there are no tools here",
    Flaw.NOT_JSON: "it was not one JSON object",
    Flaw.NOT_THE_FORM: "it did not follow the schema",
    Flaw.LANGUAGE: "it was in another language than the text; keep the language of the text",
}


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a stage asks: instructions and material. Texts in the answer keep the language of `keeps`, if given."""

    system: str
    material: str
    keeps: str = ""


@dataclass(frozen=True, slots=True)
class Structured(Generic[V]):
    """A checked value, and whether it took the repair call to get it."""

    value: V
    repaired: bool = False


@dataclass(frozen=True, slots=True)
class Flawed:
    """What was wrong with an answer; `detail` names places of the form, never words of the answer."""

    flaw: Flaw
    detail: str = ""

    def sentence(self) -> str:
        """For the model and for a person."""
        return _WRONG[self.flaw] + (f" ({self.detail})" if self.detail else "")


async def structured(
    assigned: Assigned,
    prompt: Prompt,
    form: Form[V],
    policy: ThinkingPolicy,
    meter: Meter,
    chat: LastChat | None = None,
) -> Structured[V]:
    """Ask, check, and ask once more where the answer is of no use.

    Raises ModelFailed, EngineUnavailable, ModelUnavailable. Everything the calls cost is added to `meter`.
    """
    question = first_question(assigned.model, prompt, form, policy)
    for repaired in (False, True):
        meter.requests += 1
        reply = await assigned.thinker.ask(question, chat)
        meter.add(reply)
        # A long and broken answer may take half a second to read, and this loop answers chats too.
        read = await asyncio.to_thread(read_reply, reply, form, prompt.keeps)
        if not isinstance(read, Flawed):
            return Structured(read, repaired)
        if repaired:
            raise ModelFailed(
                f"{assigned.model} gave no usable answer: {read.sentence()}",
                "It will be asked again later.",
                read.flaw,
            )
        question = repair_question(question, reply, read)
    raise AssertionError("the repair is the last call")


def first_question(model: str, prompt: Prompt, form: Form[Any], policy: ThinkingPolicy) -> Question:
    """The question; the schema stands in the words too, for engines that ignore it elsewhere."""
    schema = json.dumps(form.schema, ensure_ascii=False, separators=(",", ":"))
    messages = (
        Message("system", prompt.system + _ASKS + schema),
        Message("user", prompt.material),
    )
    return Question(model, messages, Limits(form.tokens, policy.answer_bytes, policy.answer_s), form.schema)


def repair_question(asked: Question, reply: Reply, wrong: Flawed) -> Question:
    """The same question, with the answer that was of no use and what was wrong with it."""
    said = (Message("assistant", reply.text[:_SHOWN]),) if reply.text.strip() else ()
    again = (
        f"That answer cannot be used: {wrong.sentence()}. Give the whole answer again, as one JSON object."
    )
    return replace(asked, messages=(*asked.messages, *said, Message("user", again)))


def read_reply(reply: Reply, form: Form[V], keeps: str = "") -> V | Flawed:
    """The value of an answer, or what is wrong with it."""
    match reply.finish:
        case Finish.TOOL:
            return Flawed(Flaw.TOOL_CALL)
        case Finish.CUT:
            return Flawed(Flaw.TOO_LONG)
        case Finish.LENGTH:
            return Flawed(Flaw.TRUNCATED)
        case Finish.STOP:
            pass
    if not reply.text.strip():
        return Flawed(Flaw.EMPTY)
    wrong = Flawed(Flaw.NOT_JSON)
    try:
        for value in objects(reply.text):
            try:
                read = form.read(value)
            except NotTheForm as error:
                # The likeliest object came first: its complaint is the one to tell.
                wrong = wrong if wrong.flaw is Flaw.NOT_THE_FORM else Flawed(Flaw.NOT_THE_FORM, str(error))
                continue
            if keeps and not same_language(" ".join(_texts(value)), keeps):
                return Flawed(Flaw.LANGUAGE)
            return read
    except BrokenOff:
        return Flawed(Flaw.TRUNCATED)
    except NoJson:
        return Flawed(Flaw.NOT_JSON)
    return wrong


def _texts(value: Any) -> Iterator[str]:
    """Every text among the values, keys left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)
