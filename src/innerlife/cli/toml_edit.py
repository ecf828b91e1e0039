"""Changing one setting in a person's `innerlife.toml`: everything else in it stays as they wrote it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import tomli_w

from innerlife.adapters.files import held, write_private
from innerlife.errors import BadInput, HomeBusy

LOCK_SECONDS = 10.0
"""How long a change waits for another one, which takes milliseconds."""


def write_setting(path: Path, key: str, value: str) -> None:
    """Set `section.name` to a text, durably. Raises BadInput for a file that is no TOML, StorageFailed."""
    busy = HomeBusy("Another command is changing the settings", "Try again when it is done")
    with held(path.with_suffix(".lock"), LOCK_SECONDS, busy):
        write_private(path, with_setting(_text_of(path), key, value, str(path)).encode())


def _text_of(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} cannot be read", "Correct it or remove it") from error


def with_setting(text: str, key: str, value: str, where: str = "the settings") -> str:
    """The file's text with that setting in it; comments stay where they are. Raises BadInput."""
    section, _, name = key.partition(".")
    wanted = _parsed(text, where)
    kept = wanted.setdefault(section, {})
    if not isinstance(kept, dict):
        raise BadInput(f"In {where}, {section} is no section", "Correct it or remove it")
    kept[name] = value
    edited = _edited(text, section, name, tomli_w.dumps({name: value}).strip())
    try:
        if tomllib.loads(edited) == wanted:
            return edited
    except tomllib.TOMLDecodeError:
        pass
    # Written in a way that lines cannot be told apart (inline tables, say): its meaning is kept, its comments go.
    return tomli_w.dumps(wanted)


def _parsed(text: str, where: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{where} is not written as TOML: {error}", "Correct it or remove it") from error


def _edited(text: str, section: str, name: str, line: str) -> str:
    lines = text.splitlines()
    head = next(
        (i for i, one in enumerate(lines) if re.fullmatch(rf"\s*\[\s*{section}\s*\]\s*(#.*)?", one)), None
    )
    if head is None:
        gap = [""] if lines and lines[-1].strip() else []
        return "\n".join([*lines, *gap, f"[{section}]", line]) + "\n"
    end = next((i for i in range(head + 1, len(lines)) if lines[i].lstrip().startswith("[")), len(lines))
    for i in range(head + 1, end):
        if re.match(rf"\s*{name}\s*=", lines[i]):
            lines[i] = line
            break
    else:
        lines.insert(head + 1, line)
    return "\n".join(lines) + "\n"
