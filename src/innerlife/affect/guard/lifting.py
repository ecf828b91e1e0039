"""What the user's newest words let pass: a question lifts a class of claims, a statement the taking up of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Final

from innerlife.affect.guard.language import Claim, Language, all_languages, plain
from innerlife.affect.guard.rules import Passes, Verdict

LOOKED_AT: Final = 4_000
"""Characters at either end of a message that are looked at: a question stands at its beginning or its end."""

_NEAR: Final = 6
"""Words between "I" and the feeling in a statement about oneself: "I've been feeling really rather tired"."""

_WORD: Final = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")


def passing(words: Callable[[], str]) -> Passes:
    """Which claims pass. `words` gives the user's own newest words; it is called only when a claim is met."""
    found: list[_Lifted] = []

    def passes(verdict: Verdict) -> bool:
        if not found:
            found.append(_lifted(words()))
        lifted = found[0]
        if verdict.claim is Claim.LABELS and any(_family(word) in lifted.felt for word in verdict.words):
            return True
        return verdict.claim in lifted.claims

    return passes


def nothing_passes(verdict: Verdict) -> bool:
    """For an answer to which no words of a user belong."""
    del verdict
    return False


class _Lifted:
    """The claims that are asked for, and the feelings that users say they have."""

    __slots__ = ("claims", "felt")

    def __init__(self, claims: frozenset[Claim], felt: frozenset[str]) -> None:
        self.claims = claims
        self.felt = felt


def _lifted(words: str) -> _Lifted:
    if len(words) > 2 * LOOKED_AT:
        words = f"{words[:LOOKED_AT]}\n{words[-LOOKED_AT:]}"
    text = plain(words)
    claims: set[Claim] = set()
    felt: set[str] = set()
    for language in all_languages():
        if language.asks_feeling.search(text):
            claims |= {Claim.DETECTS, Claim.LABELS}
        if language.asks_machinery.search(text):
            claims.add(Claim.MACHINERY)
        felt |= _felt(text, language)
    return _Lifted(frozenset(claims), frozenset(felt))


def _felt(text: str, language: Language) -> set[str]:
    """The families of feelings that a user says to have, each by its first word."""
    found: set[str] = set()
    for match in language.own.finditer(text):
        after = re.split(r"[.?!\n]", text[match.end() : match.end() + 100], maxsplit=1)[0]
        near = _WORD.findall(after)[:_NEAR]
        for at, word in enumerate(near):
            if word in _families() and not language.unlike.search(" ".join(near[:at])):
                found.add(_family(word))
    return found


@cache
def _families() -> dict[str, str]:
    """Each word of a feeling with the first word of its family."""
    return {
        word: family[0] for language in all_languages() for family in language.families for word in family
    }


def _family(word: str) -> str:
    return _families().get(word, word)
