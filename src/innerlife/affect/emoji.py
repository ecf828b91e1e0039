"""Emoji and what the common ones are worth. Pure.

Values are judgements of this project on [-1, 1]: valence, arousal. An emoji that is not here counts and says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from innerlife.affect.cues import Affect

EMOJI: Final = re.compile(
    "[\U0001f300-\U0001f5ff\U0001f600-\U0001f64f\U0001f680-\U0001f6ff\U0001f900-\U0001faff\u2600-\u27bf\u2b50\u2764]"
)
"""One emoji; selectors, skin tones and joiners around it do not count."""

_SKIN: Final = re.compile("[\U0001f3fb-\U0001f3ff\ufe0f\u200d]")

_VALUES: Final[dict[str, tuple[float, float]]] = {
    char: values
    for chars, values in (
        ("😀😃😄😁😊☺🙂😇🤗🥰😍😻💖💕❤💛💚💙💜🧡♥", (0.6, 0.3)),
        ("🎉🥳🤩🚀🙌💃🕺🎊", (0.8, 0.7)),
        ("😂🤣😆😹", (0.5, 0.6)),
        ("😌🧘🌅☮", (0.5, -0.4)),
        ("👍👌✅🙏✨", (0.3, 0.0)),
        ("😢😞😔🙁☹😟😕🥺💔😿🥀", (-0.5, -0.2)),
        ("😭😩😫😖😣", (-0.5, 0.3)),
        ("😡🤬😠👿💢🖕", (-0.7, 0.8)),
        ("😤🙄😒", (-0.4, 0.3)),
        ("😱😨😰😧🫣", (-0.5, 0.7)),
        ("😓😥🥵🤯😵", (-0.4, 0.4)),
        ("😴🥱😪", (-0.2, -0.6)),
        ("🤢🤮😷🤒", (-0.5, 0.0)),
        ("😐😑🫠", (-0.2, -0.2)),
    )
    for char in chars
}


def emoji_in(text: str) -> list[str]:
    """Every emoji of a text, in order."""
    return EMOJI.findall(_SKIN.sub("", text))


def meaning(found: Iterable[str]) -> Affect | None:
    """The mean of those whose worth is known; None where there is none."""
    known = [_VALUES[char] for char in found if char in _VALUES]
    if not known:
        return None
    return Affect(*(round(sum(column) / len(known), 3) for column in zip(*known, strict=True)))
