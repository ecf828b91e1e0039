"""A model's answer, read leniently: reasoning, prose and fences off, small slips mended, nothing made up.

A repair library closes brackets and quotes wherever it likes. So what it returns counts only where not one letter was
lost or added, and a text that breaks off in the middle is never mended: a list cut short reads like a short list.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

import json_repair

DEEPEST: Final = 40
"""Levels of nesting that are read; no form of ours comes near."""

_CANDIDATES: Final = 12
"""Objects tried in one answer, from its end: the last one is the answer, those before it are drafts and examples."""

_PROSE: Final = 16
"""Brackets without an end that are passed over, each at the price of reading on to the end of the answer."""

_MARKS: Final = ("think", "thinking", "thought", "reasoning", "reflection", "scratchpad", "seed:think")
_NAMES: Final = "|".join(re.escape(mark) for mark in _MARKS)
_OPEN: Final = re.compile(
    rf"<({_NAMES})>|\[(THINK)\]|<\|channel\|>(analysis|commentary)\b[^<]*<\|message\|>", re.IGNORECASE
)
_CLOSE: Final = re.compile(rf"</(?:{_NAMES})>|\[/THINK\]", re.IGNORECASE)
_CHANNEL_END: Final = re.compile(r"<\|(?:end|return|call)\|>|<\|start\|>")
_FRAMING: Final = re.compile(r"<\|[a-z_]{1,20}\|>|<(?:start|end)_of_turn>|</?s>|<(?:eos|bos)>", re.IGNORECASE)
_OPENER: Final = re.compile(r'\{(?=\s*(?:["\'}“/]|[A-Za-z_]))')
_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|([\"'\\/bfnrt]))")
_NO_NUMBER: Final = re.compile(r"[:\[,]\s*-?(?:NaN|Infinity|inf)\b")
_MARKS_OF_TEXT: Final = frozenset("\"'")
_WORDS_OF_JSON: Final = {True: "true", False: "false", None: "null"}
_PYTHON: Final = re.compile(r"\b(?:None|True|False)\b")


class NoJson(ValueError):
    """There is no JSON object in a text."""


class BrokenOff(ValueError):
    """A text ends in the middle of a JSON object."""


def without_reasoning(text: str) -> str:
    """`text` without what a model said to itself. Reasoning that never ends leaves nothing behind it."""
    pieces: list[str] = []
    at = 0
    while opened := _OPEN.search(text, at):
        pieces.append(text[at : opened.start()])
        ending = _CHANNEL_END if opened.group(3) else _CLOSE
        closed = ending.search(text, opened.end())
        if closed is None:
            return "".join(pieces)
        at = closed.end()
    rest = "".join(pieces) + text[at:]
    # Some templates open the reasoning in the prompt, so that only its end stands in the answer.
    closings = list(_CLOSE.finditer(rest))
    return rest[closings[-1].end() :] if closings else rest


def objects(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects in an answer, the likeliest first. Raises NoJson, BrokenOff before the first one.

    A text that is JSON as a whole is taken as it is. Otherwise what is read is the last objects of the text, each as
    far as its brackets go.
    """
    whole = _strict(text)
    if whole is not None:
        yield from _unwrapped(whole)
        return
    bare = _FRAMING.sub(" ", without_reasoning(text))
    found = False
    for start, end in _spans(bare)[::-1][:_CANDIDATES]:
        value = _read(bare[start:end])
        if value is not None:
            found = True
            yield value
    if not found:
        raise NoJson("there is no JSON object in the answer")


def _unwrapped(value: Any) -> Iterator[dict[str, Any]]:
    """An object, or the one object in a list; some models wrap what they are asked for."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if not isinstance(value, dict):
        raise NoJson("the answer is JSON, but no object")
    yield value


def _strict(text: str) -> Any:
    """The value of a text that is JSON and nothing else, None otherwise."""
    try:
        value = json.loads(text, parse_constant=_refused)
    except (ValueError, RecursionError):
        return None
    return value if value is None or _depth(value) <= DEEPEST else None


def _refused(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _read(piece: str) -> dict[str, Any] | None:
    """One object, mended where need be and where that loses nothing."""
    value = _strict(piece)
    if value is None and _brackets(piece) <= DEEPEST and not _NO_NUMBER.search(piece):
        try:
            mended = json_repair.loads(piece, skip_json_loads=True)
        except (ValueError, RecursionError):
            return None
        value = mended if _faithful(mended, piece) else None
    return value if isinstance(value, dict) else None


def _spans(text: str) -> list[tuple[int, int]]:
    """Half-open places of the outermost objects. Raises BrokenOff for one that never ends.

    A bracket without an end and without a colon after it is prose, and passed over.
    """
    spans: list[tuple[int, int]] = []
    opened, prose = _OPENER.search(text), 0
    while opened:
        end = _end(text, opened.start())
        following = _OPENER.search(text, end or opened.end())
        if end:
            spans.append((opened.start(), end))
        else:
            prose += 1
            begun = text[opened.start() : following.start() if following else len(text)]
            if ":" in begun or prose > _PROSE:
                raise BrokenOff("the answer ends in the middle")
        opened = following
    return spans


def _end(text: str, start: int) -> int:
    """The place after the bracket that closes the object at `start`, or 0. Quotes are read as JSON has them."""
    depth, at, quoted = 0, start, ""
    size = len(text)
    while at < size:
        char = text[at]
        if quoted:
            if char == "\\":
                at += 1
            elif char == quoted:
                quoted = ""
        elif char == '"' or (char == "'" and _opens_value(text, at)):
            quoted = char
        elif char in "{[":
            depth += 1
        elif char in "}]":
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    return 0


def _opens_value(text: str, at: int) -> bool:
    """Whether a single quote begins a text: it follows a bracket, a comma or a colon."""
    before = at - 1
    while before >= 0 and text[before].isspace():
        before -= 1
    return before >= 0 and text[before] in "{[,:"


def _brackets(text: str) -> int:
    """The deepest nesting that the brackets of a text could mean."""
    depth = deepest = 0
    for char in text:
        depth += (char in "{[") - (char in "}]")
        deepest = max(deepest, depth)
    return deepest


def _depth(value: Any) -> int:
    level, deepest = [value], 0
    while level:
        deepest += 1
        inner: list[Any] = []
        for one in level:
            inner += one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()
        level = inner
    return deepest


def _told(value: Any) -> str:
    """All keys and values of a JSON value, one after the other."""
    if isinstance(value, dict):
        return " ".join(f"{key} {_told(inner)}" for key, inner in value.items())
    if isinstance(value, list):
        return " ".join(_told(inner) for inner in value)
    if value is None or isinstance(value, bool):
        return _WORDS_OF_JSON[value]
    return str(value)


def _decoded(piece: str) -> str:
    """The text of an object with its escapes read and Python's words in JSON's spelling."""
    spelled = _PYTHON.sub(lambda word: "null" if word.group() == "None" else word.group().lower(), piece)
    return _ESCAPE.sub(lambda one: chr(int(one.group(1), 16)) if one.group(1) else " ", spelled)


def _faithful(mended: Any, piece: str) -> bool:
    """Whether mending lost no letter, added none, and left no quotation mark of the piece behind in a text."""
    stray = any(text[-1:] in _MARKS_OF_TEXT and text[-1] != text[0] for text in _texts(mended))
    return not stray and _letters(_told(mended)) == _letters(_decoded(piece))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)


def _letters(text: str) -> Counter[str]:
    return Counter(char for char in text if char.isalpha())
