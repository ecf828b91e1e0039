"""The guard over a text that is there as a whole."""

from __future__ import annotations

from innerlife.affect.guard.rules import Passes, Verdict
from innerlife.affect.guard.runs import applied
from innerlife.affect.guard.text import GuardedText


def guarded(text: str, passes: Passes) -> tuple[str, list[Verdict]]:
    """A whole text as it may reach the user, and what was dropped."""
    guard = GuardedText(passes)
    kept: list[str] = []
    at = 0
    for length, fate in guard.feed(text) + guard.end():
        kept.append(applied(text[at : at + length], fate))
        at += length
    return "".join(kept), guard.dropped
