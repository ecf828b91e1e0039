"""What kind of request a message is, and what is wanted of the answer: read by the cues of every language."""

from __future__ import annotations

from collections.abc import Sequence

from innerlife.learning.cue import all_cues, named
from innerlife.learning.likeness import told
from innerlife.learning.terms import Aspect, Trigger

_LOOKED_BACK = 3
"""Messages among which the newest that tells its kind speaks for those that go on from it ("and in Spain?")."""


def kind_of(said: Sequence[str]) -> Trigger:
    """The kind of the last of these messages, or of the one it goes on from; ANY where none tells."""
    for text in reversed(said[-_LOOKED_BACK:]):
        plain = told(text)
        for kind in Trigger:
            if any((pattern := cues.kinds.get(kind)) and pattern.search(plain) for cues in all_cues()):
                return kind
    return Trigger.ANY


def wanted(text: str) -> tuple[Aspect, ...]:
    """In which respects a complaint says the answer should have been otherwise. `text` is plain."""
    return named((cues.wants for cues in all_cues()), text)


def liked(text: str) -> tuple[Aspect, ...]:
    """In which respects approval says that it was right. `text` is plain."""
    return named((cues.liked for cues in all_cues()), text)
