"""The tools by which a model keeps the self-model in a chat: names, forms, and how a call is read (promise S9).

Offered only where the user opted in. What a call does stands in `tool_calls`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from innerlife.errors import BadInput
from innerlife.selfmodel.events import HumanField, Insight

_MOST = 5
"""Items of one list in one call: a chat turn teaches no more."""


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class GetSelfModel(_Form):
    """Read the self-model: who you are, your goals with their handles, what you know of the person, observations."""


class GoalStep(_Form):
    """One change of a goal. `open` takes `text`; the others take `handle`."""

    action: Literal["open", "complete", "abandon", "rephrase"]
    text: str = ""
    handle: str = ""
    reason: str = ""


class UpdateSelfModel(_Form):
    """Propose a new summary of who you are (whole, and shorter rather than longer), and open or close goals.

    `direction` says in a few words where the change of the summary leads.
    """

    summary: str = ""
    direction: str = ""
    goals: tuple[GoalStep, ...] = Field((), max_length=_MOST)


class Removal(_Form):
    """Something that no longer holds, and a note that says what changed and why."""

    what: str
    note: str


class UpdateUserModel(_Form):
    """Add or remove lasting traits and interests of the person; adding one that is there confirms it."""

    add_traits: tuple[str, ...] = Field((), max_length=_MOST)
    add_interests: tuple[str, ...] = Field((), max_length=_MOST)
    remove: tuple[Removal, ...] = Field((), max_length=_MOST)


class UpdateHumanMemory(_Form):
    """Write down at once what you learned of the person; it is merged into what is known.

    `without` are sentences to take out, for which `note` says what changed.
    """

    field: HumanField
    text: str = ""
    without: str = ""
    note: str = ""


class AddInsight(_Form):
    """Record a short observation. With `revises` (a handle) and `note`, it takes the place of an older one.

    `different` insists that it says something else than the one that was shown back.
    """

    kind: Insight = Insight.INSIGHT
    text: str
    revises: str = ""
    note: str = ""
    different: bool = False


class Reflect(_Form):
    """Ask for a reflection on this conversation; it happens when the conversation is quiet."""


Call = GetSelfModel | UpdateSelfModel | UpdateUserModel | UpdateHumanMemory | AddInsight | Reflect

_FORMS: Final[dict[str, type[Call]]] = {
    "get_self_model": GetSelfModel,
    "update_self_model": UpdateSelfModel,
    "update_user_model": UpdateUserModel,
    "update_human_memory": UpdateHumanMemory,
    "add_insight": AddInsight,
    "reflect": Reflect,
}
NAMES: Final = tuple(_FORMS)


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool as a model is told of it: `parameters` is a JSON schema."""

    name: str
    description: str
    parameters: dict[str, Any]


def definitions() -> tuple[Tool, ...]:
    """All tools, in their order."""
    return tuple(
        Tool(name, " ".join((form.__doc__ or "").split()), _plain(form.model_json_schema()))
        for name, form in _FORMS.items()
    )


def read_call(name: str, arguments: str | dict[str, Any]) -> Call:
    """A call as a model sent it. Raises BadInput with what is wrong, in words for the model."""
    form = _FORMS.get(name)
    if form is None:
        raise BadInput(f"There is no tool {name!r}", f"There are {', '.join(NAMES)}.")
    try:
        fields = json.loads(arguments or "{}") if isinstance(arguments, str) else arguments
        return form.model_validate(fields)
    except (json.JSONDecodeError, RecursionError) as error:
        raise BadInput(f"The arguments of {name} are not JSON", "Send one JSON object.") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the arguments"
        raise BadInput(f"In {name}, {where} is not right: {first['msg']}", "Nothing was changed.") from error


def _plain(schema: Any) -> Any:
    """A schema without titles, which tell a model nothing that the names do not."""
    if isinstance(schema, dict):
        return {
            key: _plain(value)
            for key, value in schema.items()
            if not (key == "title" and isinstance(value, str))
        }
    return [_plain(one) for one in schema] if isinstance(schema, list) else schema
