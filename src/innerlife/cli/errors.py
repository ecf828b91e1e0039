"""How a command ends: exit codes, and the one sentence on standard error."""

from __future__ import annotations

import logging
import re
import traceback
from enum import IntEnum
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

import click

from innerlife import errors


class Exit(IntEnum):
    """Exit codes, the same for every command."""

    OK = 0
    FAILURE = 1
    BAD_INPUT = 2
    NOT_FOUND = 3
    LOCKED = 4
    STORAGE = 5
    NO_MODEL = 6
    REFUSED = 7
    INTERRUPTED = 130


MEANINGS: dict[Exit, str] = {
    Exit.OK: "Done.",
    Exit.FAILURE: "Something failed that fits none of the others; nobody said yes; Innerlife runs there already; "
    "`doctor` found something broken.",
    Exit.BAD_INPUT: "What was typed, sent or set cannot be understood. Nothing changed.",
    Exit.NOT_FOUND: "What was named does not exist.",
    Exit.LOCKED: "The Core stays locked: its key is missing, or the key or passphrase is wrong. Nothing changed.",
    Exit.STORAGE: "The Core or another file could not be read or written: damaged, too new, read-only, busy or full.",
    Exit.NO_MODEL: "No language model answers, or the one named is not here.",
    Exit.REFUSED: "Who asks may not do this.",
    Exit.INTERRUPTED: "Interrupted with Ctrl-C before it was done.",
}
"""What each code says, for `docs/cli.md`."""

_CODES: dict[type[errors.InnerlifeError], Exit] = {
    errors.BadInput: Exit.BAD_INPUT,
    errors.NotFound: Exit.NOT_FOUND,
    errors.Refused: Exit.REFUSED,
    errors.StorageFailed: Exit.STORAGE,
    errors.KeyFailed: Exit.LOCKED,
    errors.EngineUnavailable: Exit.NO_MODEL,
    errors.ModelUnavailable: Exit.NO_MODEL,
}

LOG_NAME = "innerlife.log"
LOG_BYTES = 1_048_576
"""The log turns over at this size; one older file is kept."""


class NotDone(Exception):
    """A command did not do what it is there for, and nothing is wrong. `said` is what a person should know of it."""

    code = Exit.FAILURE

    def __init__(self, said: str) -> None:
        super().__init__(said)
        self.said = said


class Interrupted(NotDone):
    """A command was told to stop before it was done."""

    code = Exit.INTERRUPTED


def exit_code(error: errors.InnerlifeError) -> Exit:
    """The code that an error of ours ends a command with."""
    return next((_CODES[kind] for kind in type(error).__mro__ if kind in _CODES), Exit.FAILURE)


def sentence(error: errors.InnerlifeError) -> str:
    """The error as a person reads it: one sentence, then the way out."""
    message = _sentence(error.message)
    return f"{message} {_sentence(error.hint)}" if error.hint else message


def misread(error: click.ClickException) -> str:
    """What could not be understood of a command line, and where to read how it is meant."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    path = context.command_path if context else "innerlife"
    said = _missing(error, path) if isinstance(error, click.MissingParameter) else error.format_message()
    if extra := _EXTRA.match(said):
        said = f"{extra[1]!r} is more than `{path}` takes; words that belong together need quotes around them"
    return f"{_sentence(said)} `{path} --help` shows how it is used."


def _missing(error: click.MissingParameter, path: str) -> str:
    """What a command needs and was not given; of a fixed choice, what there is to choose from."""
    parameter = error.param
    if parameter is None:
        return " ".join(error.format_message().split())
    shown = parameter.metavar or (parameter.name or "").upper()
    if isinstance(parameter, click.Option):
        shown = f"{parameter.opts[-1]} {shown}"
    choices = parameter.type.choices if isinstance(parameter.type, click.Choice) else ()
    there = f": one of {', '.join(map(str, choices))}" if choices else ""
    return f"`{path}` needs {_OPTIONAL.sub('', shown).strip() or shown}{there}"


_EXTRA = re.compile(r"Got unexpected extra arguments? \((.*)\)", re.DOTALL)
"""How click says that there were too many words."""

_OPTIONAL = re.compile(r"\[[^\]]*\]")
"""What may be left out, in the words for an argument: `[SIGNAL] WORDS`."""


def _sentence(text: str) -> str:
    """`text` with a capital in front (unless a path or a command begins it) and a full stop behind."""
    text = text.strip().rstrip(".")
    first = text.split(maxsplit=1)[0] if text else ""
    plain = first.isalpha() and first.islower()
    return (text[0].upper() + text[1:] if plain else text) + ("" if text.endswith("?") else ".")


def log_unexpected(error: BaseException, logs: Path) -> Path | None:
    """Write down where an unexpected error arose: its type and the places in the code, never a text of anyone.

    Returns the log, or None where it cannot be written.
    """
    path = logs / LOG_NAME
    try:
        logs.mkdir(parents=True, exist_ok=True, mode=0o700)
        handler = log_handler(logs)
    except OSError:
        return None
    handler.emit(
        logging.LogRecord("innerlife", logging.ERROR, "", 0, f"unexpected {places(error)}", None, None)
    )
    handler.close()
    return path


def places(error: BaseException) -> str:
    """The type of an exception and the places in the code that it came through."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [f"  {frame.filename}:{frame.lineno} in {frame.name}" for frame in frames]
    return "\n".join([f"{type(error).__module__}.{type(error).__qualname__}", *lines])


def log_handler(logs: Path) -> RotatingFileHandler:
    """A handler that appends to the log. Raises OSError where it cannot be written."""
    handler = RotatingFileHandler(logs / LOG_NAME, maxBytes=LOG_BYTES, backupCount=1, encoding="utf-8")
    handler.setFormatter(_PlacesOnly("%(asctime)s %(levelname)s %(name)s %(message)s"))
    return handler


class _PlacesOnly(logging.Formatter):
    """Writes of an exception its type and the places in the code: its message may quote a person."""

    def formatException(self, ei: Any) -> str:  # noqa: N802 - the name of the library
        """The traceback without messages and source lines."""
        return places(ei[1])
