"""Cues of a correction: that the answer missed what was meant, or what it should have been ("shorter, please")."""

from __future__ import annotations

from typing import Final

from innerlife.learning.cue import all_cues
from innerlife.learning.likeness import content, shared
from innerlife.learning.requests import wanted
from innerlife.learning.terms import Aspect
from innerlife.learning.turns import Window

HEAD: Final = 200
"""Characters in which a correction stands: who corrects does so first, and what follows is the request again."""

_LONGEST: Final = 160
"""Characters of a message that only names what it wants; a longer one asks for something new and says how."""

_SAME: Final = 0.6
"""Share of its words from which what follows a "yes, but" is the question that was passed by."""


def missed(window: Window, text: str) -> bool:
    """Whether `text`, plain, says that the answer missed what was meant."""
    head = text[:HEAD]
    if any(cues.missed.search(head) for cues in all_cues()):
        return True
    return _insists(window, text) or _denied(window, head)


def named(window: Window, text: str) -> tuple[Aspect, ...]:
    """What the words say the answer should have been."""
    if missed(window, text):
        return wanted(text[:HEAD])
    return wanted(text[:HEAD]) if len(text) <= _LONGEST and not beside_it(text) else ()


def politely_no(text: str) -> bool:
    """Whether it is a "no" that corrects nothing."""
    return any(cues.declines.match(text) for cues in all_cues())


def others_say(text: str) -> bool:
    """Whether it tells what somebody else said of something: that corrects no answer."""
    return any(cues.somebody.search(text[:HEAD]) for cues in all_cues())


def beside_it(text: str) -> bool:
    """Whether what may look like a wish is somebody else's, about a thing, or for later: none about the answer."""
    return any(cues.aside.search(text[:HEAD]) for cues in all_cues())


def complained(window: Window, text: str) -> bool:
    """Whether cues alone find a correction in `text`, plain."""
    head = text[:HEAD]
    if politely_no(text) or others_say(text) or any(cues.turns_round.search(head) for cues in all_cues()):
        return False
    if missed(window, text):
        return True
    return bool(named(window, text)) and not any(cues.praises.search(head) for cues in all_cues())


def _insists(window: Window, text: str) -> bool:
    """Whether it is a "yes, but…" with the same question: the answer was beside it."""
    return any(cues.yes_but.match(text) for cues in all_cues()) and shared(window.judged.said, text) >= _SAME


def _denied(window: Window, head: str) -> bool:
    """Whether it denies what the answer, and not the person, brought up."""
    brought = content(window.judged.answer) - content(" ".join(turn.said for turn in window.turns))
    found = (one.group(0) for cues in all_cues() for one in cues.denies.finditer(head))
    return "?" not in head and any(content(denied.split()[-1]) & brought for denied in found)
