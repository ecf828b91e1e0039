"""The registry of kinds: which events exist, how they are written down, and which of them travel (design §3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any

from pydantic import TypeAdapter, ValidationError

from innerlife.errors import CoreTooNew, StorageFailed
from innerlife.kernel import canonical

Upcast = Callable[[dict[str, Any]], dict[str, Any]]


class Retention(StrEnum):
    """Whether a kind goes into an export (soul, archive) or stays on this machine (volatile). Promise C3."""

    SOUL = "soul"
    ARCHIVE = "archive"
    VOLATILE = "volatile"


@dataclass(frozen=True)
class Kind:
    """One kind of event: its name, the dataclass of its body, and how older versions are read.

    `upcasts[n]` turns a payload of version n into one of version n + 1. `tells` says in one plain sentence what an
    event of the kind means to a person.
    """

    name: str
    body: type[Any]
    retention: Retention
    version: int = 1
    upcasts: Mapping[int, Upcast] = field(default_factory=dict)
    tells: Callable[[Any], str] = field(default=lambda _: "")

    @cached_property
    def _adapter(self) -> TypeAdapter[Any]:
        return TypeAdapter(self.body)

    def encode(self, body: Any) -> str:
        """The body as canonical JSON."""
        return canonical.dumps(self._adapter.dump_python(body))

    def decode(self, version: int, payload: str) -> Any:
        """The body of a payload written under `version`. Raises CoreTooNew, StorageFailed."""
        if version > self.version:
            raise CoreTooNew(
                f"This Core holds {self.name!r} events of version {version}, newer than this Innerlife",
                "Update Innerlife to open it.",
            )
        fields = canonical.loads(payload)
        for step in range(version, self.version):
            fields = self.upcasts[step](fields)
        try:
            return self._adapter.validate_python(fields)
        except ValidationError as error:
            raise StorageFailed(
                f"An event of kind {self.name!r} cannot be read: {error.errors()[0]['msg']}"
            ) from error


class Registry:
    """All kinds, by name and by body type."""

    def __init__(self, kinds: Iterable[Kind]) -> None:
        self._by_name: dict[str, Kind] = {}
        self._by_body: dict[type[Any], Kind] = {}
        for kind in kinds:
            if kind.name in self._by_name or kind.body in self._by_body:
                raise ValueError(f"kind {kind.name!r} is registered twice")
            self._by_name[kind.name] = kind
            self._by_body[kind.body] = kind

    def __iter__(self) -> Any:
        return iter(self._by_name.values())

    def of(self, body: object) -> Kind:
        """The kind of a body."""
        return self._by_body[type(body)]

    def named(self, name: str) -> Kind:
        """The kind called `name`. Raises CoreTooNew: only a newer Innerlife could have written it."""
        try:
            return self._by_name[name]
        except KeyError:
            raise CoreTooNew(
                f"This Core holds events of a kind this Innerlife does not know ({name!r})",
                "Update Innerlife to open it.",
            ) from None
