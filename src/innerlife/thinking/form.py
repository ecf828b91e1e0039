"""The form of an answer: a bounded JSON schema, and the value that it is read as."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

V = TypeVar("V")
M = TypeVar("M", bound=BaseModel)

_NAMES_SHOWN = 3


class NotTheForm(ValueError):
    """A JSON value does not fit the form. The message names places and rules, never the value itself."""


@dataclass(frozen=True, slots=True)
class Form(Generic[V]):
    """What an answer must look like. `read` raises NotTheForm; `tokens` is the most the answer may take."""

    schema: Mapping[str, Any]
    read: Callable[[Any], V]
    tokens: int


def form_of(model: type[M], tokens: int) -> Form[M]:
    """The form of a Pydantic model. Raises ValueError where a list or a text in it has no upper bound.

    A small model that is allowed to go on does so: without a bound there is no telling a long answer from a lost one.
    """
    schema = model.model_json_schema()
    if loose := sorted(unbounded(schema)):
        raise ValueError(f"{model.__name__} has no bound on {', '.join(loose)}")

    def read(value: Any) -> M:
        try:
            return model.model_validate(value)
        except ValidationError as error:
            raise NotTheForm(_complaints(error)) from error
        except RecursionError:
            raise NotTheForm("it is nested too deeply") from None

    return Form(schema, read, tokens)


def _complaints(error: ValidationError) -> str:
    found = error.errors(include_url=False, include_context=False, include_input=False)
    lines = [f"{'.'.join(str(part) for part in one['loc']) or 'the whole'}: {one['msg']}" for one in found]
    more = f"; and {len(lines) - _NAMES_SHOWN} more" if len(lines) > _NAMES_SHOWN else ""
    return "; ".join(lines[:_NAMES_SHOWN]) + more


def unbounded(schema: Mapping[str, Any], where: str = "answer") -> Iterator[str]:
    """Places in a JSON schema where an answer could go on without end."""
    kind = schema.get("type")
    if kind == "array" and "maxItems" not in schema:
        yield where
    if kind == "string" and not {"maxLength", "enum", "const", "format"} & schema.keys():
        yield where
    # An object of any members whatever is a list in disguise.
    if kind == "object" and "properties" not in schema and "maxProperties" not in schema:
        yield where
    for name, part in _parts(schema):
        yield from unbounded(part, f"{where}.{name}" if name else where)


def _parts(schema: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for group in ("properties", "$defs"):
        for name, part in schema.get(group, {}).items():
            yield name, part
    for name in ("items", "additionalProperties"):
        if isinstance(part := schema.get(name), Mapping):
            yield "", part
    for name in ("anyOf", "oneOf", "allOf", "prefixItems"):
        for part in schema.get(name, ()):
            yield "", part
