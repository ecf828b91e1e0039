"""What a person sees: tables on a terminal, plain lines in a pipe, JSON on demand."""

from __future__ import annotations

import json
import re
import sys
import textwrap
import unicodedata
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from innerlife.kernel.text import storable

WIDTH = 100
"""Columns that running text is wrapped to, where the terminal is not narrower."""

NARROW = 30
"""Columns: where a table leaves less than this for a text that is cut, that goes on a line of its own."""

NARROWEST = 20
"""The same for a text that is folded: a few words a line can still be read."""

_BETWEEN = "  "
"""What parts the columns of a table."""

_WHOLE = 10_000
"""Characters: no cell of a table is longer."""

_HARMLESS = "\n\t"

_COMMAND = re.compile(r"`[^`\n]{1,80}`")
"""What a person types or copies: it is not broken over two lines."""

_GLUE = "\x1f"
"""Stands for a space that no line is broken at; `visible` lets none through, so no text has it."""


def note(text: str) -> None:
    """A line on standard error: what a person should know, apart from the data."""
    if text:
        click.echo(text, err=True)


def say(text: str = "") -> None:
    """A line on standard output."""
    click.echo(text)


def show_json(value: Any) -> None:
    """One JSON document on standard output. Instants become ISO 8601, paths and the like their text."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=not _speaks_unicode(), default=_plain))


def visible(text: str) -> str:
    """`text` without what could steer a terminal: control characters and lone surrogates become U+FFFD.

    Marks that turn the direction of writing stay; they belong to right-to-left languages.
    """
    text = storable(text).replace("\r\n", "\n")
    return "".join("\ufffd" if unicodedata.category(c) == "Cc" and c not in _HARMLESS else c for c in text)


def one_line(text: str, width: int = 70) -> str:
    """The beginning of a text on one line."""
    line = " ".join(visible(text).split())
    return line if len(line) <= width else f"{line[: width - 1].rstrip()}…"


def wrapped(text: str, indent: str = "") -> str:
    """Running text, wrapped and indented; its own line breaks stay, and commands in it stay whole."""
    room = max(20, min(WIDTH, _columns()) - len(indent))
    text = _COMMAND.sub(lambda found: found[0].replace(" ", _GLUE), visible(text))
    lines: list[str] = []
    for line in text.split("\n"):
        lines += textwrap.wrap(line, room, break_long_words=False, break_on_hyphens=False) or [""]
    return "\n".join(f"{indent}{line}".rstrip() for line in lines).replace(_GLUE, " ")


def clipped(text: str, indent: str = "") -> str:
    """The beginning of a text on one line that the terminal does not break."""
    return indent + one_line(text, max(20, min(WIDTH, _columns()) - len(indent)))


def complain(text: str) -> None:
    """A sentence on standard error: wrapped for a person at a terminal, one line for a program that reads it."""
    note(wrapped(text) if sys.stderr.isatty() else visible(text))


def short(ident: str) -> str:
    """The beginning of an id: enough to name one thing, for a person to type."""
    return ident[:12]


def when(at: datetime, zone: str = "") -> str:
    """A moment in the reader's own zone (or the named one), to the minute."""
    try:
        local = at.astimezone(ZoneInfo(zone) if zone else None)
    except (ZoneInfoNotFoundError, ValueError):
        local = at.astimezone()
    return local.strftime("%Y-%m-%d %H:%M")


def size(number: float) -> str:
    """Bytes in words."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if number < 1000:
            return f"{number:.0f} {unit}" if unit == "bytes" else f"{number:.1f} {unit}"
        number /= 1000
    return f"{number:.1f} TB"


def count(number: int, one: str, many: str = "") -> str:
    """`1 message`, `2 messages`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], *, cut_last: bool = False) -> None:
    """A table on a terminal; aligned columns with two spaces between them in a pipe.

    On a terminal every column but the last stands whole on one line, and the last one goes on underneath, broken at
    words; with `cut_last` it is cut to what fits. Where no room is left for it, each row is a small paragraph.
    """
    terminal = sys.stdout.isatty()
    lines = [[one_line(cell, _WHOLE) for cell in line] for line in (headings, *rows)]
    widths = [max(cell_len(line[column]) for line in lines) for column in range(len(headings))]
    taken = sum(widths[:-1]) + len(_BETWEEN) * (len(headings) - 1)
    room = _columns() - taken
    if terminal and room < min(widths[-1], NARROW if cut_last else NARROWEST):
        _stack(lines, cut=cut_last)
        return
    for number, (*others, last) in enumerate(lines):
        front = "".join(
            cell + " " * (width - cell_len(cell)) + _BETWEEN
            for cell, width in zip(others, widths, strict=False)
        )
        folded = _folded(last, room, cut=cut_last) if terminal else [last]
        show = heading if number == 0 else say
        show(f"{front}{folded[0]}".rstrip())
        for more in folded[1:]:
            say(" " * taken + more)


def _folded(text: str, room: int, *, cut: bool) -> list[str]:
    """A text in lines of so many cells, broken at words, or the one line that fits."""
    if cell_len(text) <= room:
        return [text]
    if cut:
        return [set_cell_size(text, room - 1).rstrip() + "…"]
    return [line.plain.rstrip() for line in Text(text).wrap(Console(), room)]


def _stack(lines: Sequence[Sequence[str]], *, cut: bool) -> None:
    """Each row as a small paragraph, its last cell under the others: where the columns do not fit side by side.

    Where nothing is cut, a cell stands behind its heading: out of its column it may be a bare `no`.
    """
    names, *rows = lines
    for first, *others, last in rows:
        named = [
            cell if cut or not name else f"{name}: {cell}"
            for name, cell in zip(names[1:-1], others, strict=True)
            if cell
        ]
        say(wrapped("  ".join([first, *named])))
        for line in _folded(last, max(1, _columns() - 2), cut=cut):
            say(f"  {line}".rstrip())


def facts(pairs: Sequence[tuple[str, str]], gap: int = 15) -> None:
    """Named facts, one a line, the names in a column; long ones go on underneath."""
    for name, value in pairs:
        body = wrapped(value, " " * gap)
        say(f"{name:<{gap}}{body[gap:]}")


def heading(text: str) -> None:
    """A heading, bold on a terminal."""
    if sys.stdout.isatty():
        Console(highlight=False).print(Text(text, style="bold"))
    else:
        say(text)


def mark(word: str, kind: str) -> str:
    """A short word, coloured on a terminal that may be coloured; `kind` is good, attention or bad."""
    if not sys.stdout.isatty() or Console().no_color:
        return word
    return click.style(word, fg={"good": "green", "attention": "yellow", "bad": "red"}[kind])


def _columns() -> int:
    return Console().width if sys.stdout.isatty() else WIDTH


def _speaks_unicode() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else str(value)
