"""Cues of praise: approval of the answer in more than thanks."""

from __future__ import annotations

import re
from typing import Final

from innerlife.learning.cue import all_cues

HEAD: Final = 160
"""Characters in which approval stands."""

_SENTENCE: Final = re.compile(r"[^.!?\n]+[.!?]*")
_OUTCRY: Final = re.compile(r"\w+,(?= )")
"""The word that a message begins with and that stands alone: it approves also where a question follows."""


def approved(text: str) -> bool:
    """Whether cues alone find approval in `text`, plain."""
    head = text[:HEAD]
    # "Is it perfect?" asks; it approves of nothing.
    sentences = [one.strip() for one in _SENTENCE.findall(head) if not one.rstrip().endswith("?")]
    if (outcry := _OUTCRY.match(head)) is not None:
        sentences.append(outcry.group())
    praised = any(cues.praises.search(one) for one in sentences for cues in all_cues())
    turned = any(cues.turns_round.search(head) for cues in all_cues())
    if not praised and not turned:
        return False
    return turned or not any(cues.spoils.search(head) or cues.somebody.search(head) for cues in all_cues())
