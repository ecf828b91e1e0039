"""What somebody says of how they are, in their own words: one file for each language, found by being here."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from innerlife.affect.cues import Statement
from innerlife.affect.folding import fold
from innerlife.affect.handed import without_handed
from innerlife.affect.tongue import Tongue


@cache
def tongues() -> tuple[Tongue, ...]:
    """Every language that has a file here, by the name of the file."""
    names = sorted(module.name for module in iter_modules(__path__))
    return tuple(import_module(f"{__name__}.{name}").TONGUE for name in names)


def statements_in(text: str) -> tuple[Statement, ...]:
    """What the author of `text` states about how they are now, in order, in whichever language it is said.

    Give somebody's own words; what is quoted in them, or handed over in them, is left out here as well.
    """
    folded = fold(of_oneself(text))
    found = [statement for tongue in tongues() for statement in tongue.statements(folded)]
    return tuple(sorted(found, key=lambda one: one.span))


def of_oneself(text: str) -> str:
    """`text` with spaces in place of what is to be written or translated for somebody."""
    return without_handed(text, fold(text), [tongue.handed for tongue in tongues()])


def ironic(text: str) -> bool:
    """Whether the words of `text` are marked as ironic, by a sign or by a turn of speech of some language."""
    folded = fold(text)
    return any(tongue.ironical(folded) for tongue in tongues())
