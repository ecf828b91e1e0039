"""JSON kept as the text it came in: values with the place where they stand, and edits that touch nothing else.

A request is changed by writing into its own text. So key order, unknown fields, doubled keys, white space and
the spelling of numbers arrive as they were sent (promise P3), without an encoder that would have to promise it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, Final

_SPACE: Final = re.compile(r"[ \t\n\r]*")
_LONGEST_INT: Final = 4000
"""Digits that Python turns into an int without refusing; longer ones are read as a float, for reading only."""


class NotJson(ValueError):
    """The text is no JSON document."""


class TooDeep(ValueError):
    """The text may be JSON, but is nested too deeply to be read."""


def _whole(digits: str) -> int | float:
    return int(digits) if len(digits) <= _LONGEST_INT else float(digits)


_scan: Final = json.JSONDecoder(parse_int=_whole).raw_decode


@dataclass(frozen=True, slots=True)
class Placed:
    """A value and the half-open range of characters it takes up in the document's text."""

    value: Any
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the characters `start` to `end` (half-open; equal to insert) by `text`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Document:
    """A JSON object: its text and its members. Lists named when read have `Placed` elements as their value."""

    text: str
    members: dict[str, Placed]

    def value(self, key: str, default: Any = None) -> Any:
        """The plain value of a member that is no placed list, or `default`."""
        placed = self.members.get(key)
        return default if placed is None else placed.value


def decode(body: bytes) -> str:
    """The text of a body; bytes that are no UTF-8 survive as lone surrogates and come back with `encode`."""
    return body.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """The bytes of a text from `decode`, edited or not."""
    return text.encode("utf-8", "surrogateescape")


def literal(text: str) -> str:
    """`text` as a JSON string in ASCII; a lone surrogate, which servers refuse, becomes a question mark."""
    return json.dumps(text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8"))


def inner(text: str) -> str:
    """`text` as it stands between the quotes of a JSON string."""
    return literal(text)[1:-1]


def read_object(text: str, placed: Collection[str] = ()) -> Document:
    """The document, with the elements of the lists named in `placed` placed too.

    Raises NotJson where the text is no JSON object, TooDeep where it is nested beyond reading.
    """
    try:
        start = _skip(text, 0)
        members, end = members_at(text, start, placed)
    except RecursionError as error:
        message = "nested too deeply"
        raise TooDeep(message) from error
    except (ValueError, IndexError) as error:
        raise NotJson(str(error)) from error
    if _skip(text, end) != len(text):
        message = f"something follows the document at character {end}"
        raise NotJson(message)
    return Document(text, members)


def members_at(text: str, start: int, placed: Collection[str] = ()) -> tuple[dict[str, Placed], int]:
    """The members of the object that begins at `start`, and where it ends. Of doubled keys the last one counts.

    Raises ValueError or IndexError where there is no object.
    """
    if text[start] != "{":
        message = f"no object at character {start}"
        raise NotJson(message)
    members: dict[str, Placed] = {}
    at = _skip(text, start + 1)
    if text[at] == "}":
        return members, at + 1
    while True:
        if text[at] != '"':
            message = f"no key at character {at}"
            raise NotJson(message)
        key, at = _scan(text, at)
        at = _expect(text, _skip(text, at), ":")
        start_of_value = _skip(text, at)
        value: Any
        if key in placed and text[start_of_value] == "[":
            value, at = elements_at(text, start_of_value)
        else:
            value, at = _scan(text, start_of_value)
        members[key] = Placed(value, start_of_value, at)
        at = _skip(text, at)
        if text[at] == "}":
            return members, at + 1
        at = _skip(text, _expect(text, at, ","))


def elements_at(text: str, start: int) -> tuple[list[Placed], int]:
    """The elements of the list that begins at `start`, and where it ends. Raises like `members_at`."""
    elements: list[Placed] = []
    at = _skip(text, _expect(text, start, "["))
    if text[at] == "]":
        return elements, at + 1
    while True:
        value, end = _scan(text, at)
        elements.append(Placed(value, at, end))
        at = _skip(text, end)
        if text[at] == "]":
            return elements, at + 1
        at = _skip(text, _expect(text, at, ","))


def edited(text: str, edits: Iterable[Edit]) -> str:
    """`text` with the edits made. They may come in any order and must not overlap."""
    pieces: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        pieces += (text[at : edit.start], edit.text)
        at = edit.end
    pieces.append(text[at:])
    return "".join(pieces)


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _expect(text: str, at: int, mark: str) -> int:
    if text[at] != mark:
        message = f"{mark!r} is missing at character {at}"
        raise NotJson(message)
    return at + 1
