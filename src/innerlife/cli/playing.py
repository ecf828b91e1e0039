"""Which engine answers and which models play a role now, as `status` and `doctor` see it from outside."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from innerlife.adapters.models.thinker_roles import model_for
from innerlife.cli.engines import NO_ENGINE, Choice, Engines
from innerlife.cli.finding import ATTENTION, FAILED, OK, Finding
from innerlife.cli.presence import serving
from innerlife.cli.surroundings import Surroundings
from innerlife.thinking.calls import LastChat, ModelRole
from innerlife.thinking.probes import Verdict


def engine_now(here: Surroundings) -> Choice:
    """The engine of the process that serves this home, else the one that a process begun here would take.

    Raises BadInput, ModelUnavailable.
    """
    for one in serving(here.configured.places.home):
        if (choice := _choice_of(one.choice)) is not None:
            return choice
    return asyncio.run(Engines(here.configured).look())


def engine_finding(choice: Choice) -> Finding:
    """What is to be said of an engine."""
    if choice.kind == "none":
        return Finding("Engine", FAILED, "none found", NO_ENGINE)
    if not choice.answers:
        return Finding("Engine", FAILED, str(choice), "Start it, or change `upstream` in the settings.")
    if choice.toy:
        return Finding(
            "Engine", ATTENTION, f"{choice}, a toy that mostly talks nonsense",
            "`innerlife model pull qwen2.5-1.5b` fetches a real one.",
        )  # fmt: skip
    return Finding("Engine", OK, str(choice))


def models_now(here: Surroundings, choice: Choice, answered: str) -> dict[str, str]:
    """The model of each role, left out where none is known; `answered` is the model of the newest answer."""
    named = {ModelRole(role): model for role, model in here.configured.settings.models.roles.items()}
    embedded = choice.kind == "embedded"
    chat = LastChat("", {"model": answered}) if answered and not embedded else None
    found = {role.value: model_for(role, named, chat, choice.model or None) for role in ModelRole}
    return {role: model for role, model in found.items() if model}


def thinking_finding(verdicts: Iterable[Verdict], playing: dict[str, str]) -> Finding:
    """Whether the models that play a role are trusted with it; others that were tried once are of no concern."""
    judged = [one for one in verdicts if playing.get(one.role) == one.model]
    untrusted: dict[str, list[str]] = {}
    for one in judged:
        if not one.passed:
            untrusted.setdefault(one.model, []).append(one.role)
    if untrusted:
        told = "; ".join(
            f"{model} is not trusted with {', '.join(roles)}" for model, roles in untrusted.items()
        )
        return Finding(
            "Thinking", ATTENTION, f"{told}; what needs no model is done without",
            "`innerlife queue` says why; a better model is tried by itself.",
        )  # fmt: skip
    trusted = sorted({one.model for one in judged})
    return Finding(
        "Thinking", OK, f"{', '.join(trusted)} can be trusted" if trusted else "no model was tried yet"
    )


def _choice_of(data: dict[str, object]) -> Choice | None:
    """What a serving process told of its engine; None where it is of a version that tells it otherwise."""
    try:
        return Choice(**data)  # type: ignore[arg-type]
    except TypeError:
        return None
