"""The texts that only a release changes: origin template, guardrails, constitution.

`checksums.toml` holds their SHA-256 (line ends normalised); a text that differs is refused when it is loaded.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

from innerlife.errors import ShippedTextChanged

ORIGIN, GUARDRAILS, CONSTITUTION, BRIEF = "origin.md", "guardrails.md", "constitution.toml", "brief.md"
TEXTS = (ORIGIN, GUARDRAILS, CONSTITUTION, BRIEF)
CHECKSUMS = "checksums.toml"
_OPENING = "Fourteen values bind me."
_PLACEHOLDER = re.compile(r"\{(name|born)\}")


@dataclass(frozen=True, slots=True)
class Value:
    """One value: its name, one sentence for the prompt, and the full constraint."""

    name: str
    short: str
    text: str


@dataclass(frozen=True, slots=True)
class Constitution:
    """The fixed floor of fourteen values."""

    version: int
    values: tuple[Value, ...]

    def short_form(self) -> str:
        """One paragraph for a conversation, about 260 tokens."""
        return " ".join((_OPENING, *(value.short for value in self.values)))

    def full_form(self) -> str:
        """A paragraph a value, about 2,300 tokens.

        For every call that decides, searches, writes, replies or delegates.
        """
        return "\n\n".join((_OPENING, *(f"{value.name}. {value.text}" for value in self.values)))


@dataclass(frozen=True, slots=True)
class Brief:
    """The same in a paragraph each, for a model with a small window (promise P12)."""

    origin: str
    guardrails: str
    constitution: str


@dataclass(frozen=True, slots=True)
class ShippedTexts:
    """The shipped texts as loaded.

    `digests` (file name, SHA-256 in hex) say later which ones were in force.
    """

    origin: str
    guardrails: str
    constitution: Constitution
    brief: Brief
    digests: tuple[tuple[str, str], ...]

    def origin_for(self, name: str, born: str, *, brief: bool = False) -> str:
        """The origin template filled in, in one pass, so that a name with braces stays a name."""
        filled = {"name": name, "born": born}
        return _PLACEHOLDER.sub(lambda match: filled[match[1]], self.brief.origin if brief else self.origin)


def load_shipped(folder: Traversable | None = None) -> ShippedTexts:
    """The texts of this release (or those in `folder`).

    Raises ShippedTextChanged when one is missing, cannot be read or differs from its checksum.
    """
    folder = files(__name__) if folder is None else folder
    expected = tomllib.loads(_read(folder, CHECKSUMS))
    texts: dict[str, str] = {}
    for name in TEXTS:
        texts[name] = _read(folder, name)
        if checksum(texts[name]) != expected.get(name):
            raise _changed(name)
    return ShippedTexts(
        origin=texts[ORIGIN].strip(),
        guardrails=texts[GUARDRAILS].strip(),
        constitution=_constitution(texts[CONSTITUTION]),
        brief=Brief(*texts[BRIEF].strip().split("\n\n")),
        digests=tuple((name, checksum(text)) for name, text in texts.items()),
    )


def checksum(text: str) -> str:
    """SHA-256 in hex of `text` as read, so with line feeds only: a checkout with other line ends is no change."""
    return hashlib.sha256(text.encode()).hexdigest()


def _constitution(text: str) -> Constitution:
    parsed = tomllib.loads(text)
    values = tuple(Value(value["name"], value["short"], value["text"]) for value in parsed["value"])
    return Constitution(parsed["version"], values)


def _read(folder: Traversable, name: str) -> str:
    try:
        return folder.joinpath(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise _changed(name) from error


def _changed(name: str) -> ShippedTextChanged:
    return ShippedTextChanged(
        f"The shipped text {name} is missing or differs from this release",
        "Install Innerlife again to restore it.",
    )
