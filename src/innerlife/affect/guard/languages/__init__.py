"""The guard's languages, one file each. A new file here is a new language; nothing else has to be told of it."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from innerlife.affect.guard.language import Language


@cache
def all_languages() -> tuple[Language, ...]:
    """Every language in this package, by name of its file."""
    return tuple(_language_of(module.name) for module in sorted(iter_modules(__path__), key=lambda m: m.name))


def _language_of(module: str) -> Language:
    language = import_module(f"{__name__}.{module}").LANGUAGE
    if not isinstance(language, Language):
        raise TypeError(f"{module}.LANGUAGE is no Language")
    return language
