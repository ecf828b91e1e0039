"""How people are addressed: one file for each language, found by being here."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from innerlife.affect.address import Address, Meant


@cache
def addresses() -> tuple[Address, ...]:
    """Every language that has a file here, by the name of the file."""
    names = sorted(module.name for module in iter_modules(__path__))
    return tuple(import_module(f"{__name__}.{name}").ADDRESS for name in names)


def meant_for(text: str) -> Meant | None:
    """The words of a message and whom they are meant for, in whichever language it asks to pass something on.

    None where it holds words for somebody, and it is not clear which or for whom. Give somebody's own words.
    """
    for address in addresses():
        meant = address.meant(text)
        if meant is None or meant.addressee:
            return meant
    return Meant("", text)


def courtesies(folded: str) -> int:
    """How many courtesies there are in folded text: asking, thanking, excusing."""
    return sum(len(address.courtesy.findall(folded)) for address in addresses())


def formality(folded: str) -> dict[str, float | None]:
    """For each language's forms of address, the share of the formal ones in folded text, in [0, 1]."""
    return {address.form: address.formality(folded) for address in addresses()}
