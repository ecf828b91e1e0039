"""Role probes: a model is tried before it is trusted with a role (promise P11).

Each probe is a small question whose answer can be checked without judgement. One that a constant answer could pass by
chance is asked twice, with the roles exchanged.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from innerlife.errors import ModelFailed
from innerlife.ledger.envelope import Actor, Derivation, Draft, Trust
from innerlife.ports import Rows
from innerlife.thinking.calls import Assigned, LastChat, Meter, ModelRole
from innerlife.thinking.events import ProbeResult
from innerlife.thinking.form import Form, form_of
from innerlife.thinking.language import language_of
from innerlife.thinking.policy import ThinkingPolicy
from innerlife.thinking.quotes import find_quote
from innerlife.thinking.structured import FRAME_VERSION, Prompt, structured

PROBES_VERSION: Final = f"1.{FRAME_VERSION}"
"""Raised with any probe: a verdict holds for the probes it was given by."""

STAGE: Final = "probe"

_Short = Annotated[str, Field(max_length=200)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Items(_Strict):
    """Things counted."""

    items: Annotated[list[Annotated[str, Field(max_length=40)]], Field(max_length=5)]
    count: Annotated[int, Field(ge=0, le=100)]


class Quote(_Strict):
    """A passage of the text, word for word."""

    quote: _Short


class Summary(_Strict):
    """What a text says."""

    summary: Annotated[str, Field(max_length=300)]


class Owner(_Strict):
    """Who of two it is."""

    speaker: Literal["Anna", "Ben"]


@dataclass(frozen=True, slots=True)
class Probe:
    """One question. `wrong` says in a few words what is wrong with an answer; empty when it is right."""

    name: str
    prompt: Prompt
    form: Form[Any]
    wrong: Callable[[Any], str]


_HARBOUR = (
    "We left the harbour at six. The engine of the old ferry coughed twice before it started. My sister had packed "
    "bread and a green thermos. By noon we could see the lighthouse of Sandholm."
)
_RIVER = (
    "Ayer por la tarde mi hermano y yo fuimos al río con los perros. El agua estaba muy fría, pero los perros no "
    "querían salir. Cuando volvimos a casa, mi madre había preparado una sopa para todos."
)


def _items(value: Items) -> str:
    return "" if value.count == 3 == len(value.items) else "it counted wrong"


def _quoted(value: Quote) -> str:
    if find_quote(value.quote, _HARBOUR) is None:
        return "its quote is not in the text"
    return "" if "thermos" in value.quote else "it quoted another sentence"


def _kept(value: Summary) -> str:
    if len(value.summary.split()) < 5:
        return "it said too little"
    return "" if language_of(value.summary) == language_of(_RIVER) else "it changed the language"


def _owner(expected: str) -> Callable[[Owner], str]:
    return lambda value: "" if value.speaker == expected else "it mixed the speakers up"


def _dialogue(first: str, second: str) -> str:
    return (
        f"{first}: I have to be home by five, the vet comes to look at my dog.\n"
        f"{second}: I never had a pet. I would not mind one.\n{first}: Come with me, then."
    )


def _speaker(first: str, second: str) -> Probe:
    return Probe(
        "speaker",
        Prompt("Read the dialogue and say who of the two has a dog.", _dialogue(first, second)),
        form_of(Owner, 40),
        _owner(first),
    )


PROBES: Final[tuple[Probe, ...]] = (
    Probe(
        "schema",
        Prompt(
            "List the fruit named in the text, and count them.",
            "We bought apples, bread, pears, soap and figs.",
        ),
        form_of(Items, 120),
        _items,
    ),
    Probe(
        "quote",
        Prompt("Quote the sentence that says what the sister packed, word for word.", _HARBOUR),
        form_of(Quote, 120),
        _quoted,
    ),
    Probe(
        "language",
        Prompt("Summarise the text in one sentence, in the language of the text.", _RIVER),
        form_of(Summary, 160),
        _kept,
    ),
    _speaker("Anna", "Ben"),
    _speaker("Ben", "Anna"),
)

NEEDED: Final[dict[ModelRole, frozenset[str]]] = {
    ModelRole.CHAT: frozenset(),
    ModelRole.DELEGATE: frozenset(),
    ModelRole.ANALYSIS: frozenset({"schema", "quote", "language", "speaker"}),
    ModelRole.REFLECTION: frozenset({"schema", "quote", "language", "speaker"}),
    ModelRole.SYNTHESIS: frozenset({"schema", "language"}),
    ModelRole.AUDIT: frozenset({"schema", "quote", "speaker"}),
}
"""What a role asks of a model. Who only talks needs no schema; who judges what was said needs every probe."""


async def probed(
    assigned: Assigned, policy: ThinkingPolicy, meter: Meter, chat: LastChat | None = None
) -> dict[str, str]:
    """Ask every probe: name → what was wrong, empty where nothing. Raises EngineUnavailable, ModelUnavailable.

    Where no answer could be had for want of an engine there is no verdict; a useless answer is one.
    """
    details: dict[str, str] = {}
    for probe in PROBES:
        if details.get(probe.name):
            continue
        try:
            answer = await structured(assigned, probe.prompt, probe.form, policy, meter, chat)
            details[probe.name] = probe.wrong(answer.value)
        except ModelFailed as error:
            details[probe.name] = f"no usable answer ({error.flaw})"
    return details


def passes(role: ModelRole, details: Mapping[str, str]) -> bool:
    """Whether what was wrong with the answers leaves a model fit for a role."""
    return all(details.get(name) == "" for name in NEEDED[role])


def verdicts(assigned: Assigned, details: dict[str, str], policy: ThinkingPolicy) -> list[Draft]:
    """One event for each role that the answers decide on."""
    derivation = Derivation(STAGE, "", assigned.model, PROBES_VERSION, policy.digest)
    drafts: list[Draft] = []
    for role, needed in NEEDED.items():
        if not needed:
            continue
        own = {name: wrong for name, wrong in sorted(details.items()) if name in needed}
        body = ProbeResult(assigned.engine, assigned.model, role.value, passes(role, details), own)
        drafts.append(Draft(body, Actor.SYSTEM, Trust.COMPANION, derivation=derivation))
    return drafts


@dataclass(frozen=True, slots=True)
class Verdict:
    """The newest result for an engine, a model and a role."""

    engine: str
    model: str
    role: str
    passed: bool
    details: dict[str, str]


def verdict(rows: Rows, engine: str, model: str, role: ModelRole) -> bool | None:
    """Whether a model is trusted with a role; None where it was not tried yet with the present probes."""
    if not NEEDED[role]:
        return True
    query = """SELECT passed FROM thinking_probe WHERE engine = ? AND model = ? AND role = ? AND version = ?
        ORDER BY seq DESC LIMIT 1"""
    found = rows.execute(query, (engine, model, role.value, PROBES_VERSION)).fetchone()
    return bool(found[0]) if found else None


def trusted(rows: Rows, engine: str, model: str, role: ModelRole) -> bool:
    """Whether a model passed the present probes for a role."""
    return verdict(rows, engine, model, role) is True


def newest_verdicts(rows: Rows) -> list[Verdict]:
    """The newest result for each engine, model and role, given by the present probes."""
    query = """SELECT engine, model, role, passed, details FROM thinking_probe p WHERE version = ? AND seq = (
        SELECT MAX(seq) FROM thinking_probe q WHERE q.engine = p.engine AND q.model = p.model AND q.role = p.role
        AND q.version = p.version) ORDER BY engine, model, role"""
    return [
        Verdict(engine, model, role, bool(passed), json.loads(details))
        for engine, model, role, passed, details in rows.execute(query, (PROBES_VERSION,))
    ]
