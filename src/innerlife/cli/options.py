"""Options and help that commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

AT_MOST: Final = click.IntRange(1, 1_000_000)
"""How many things are shown at most: more are in no Core, and far more no database counts."""


def json_option(function: F) -> F:
    """`--json`: print the data as one JSON document (passed on as `as_json`)."""
    return click.option("--json", "as_json", is_flag=True, help="Print the data as JSON.")(function)


def examples(*lines: str, closing: str = "") -> str:
    """The examples of a command, for its help's end."""
    text = "\b\nExample:\n" if len(lines) == 1 else "\b\nExamples:\n"
    text += "\n".join(f"  {line}" for line in lines)
    return f"{text}\n\n{closing}" if closing else text
