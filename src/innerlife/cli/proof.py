"""After a forgetting: are its words gone? Searched in every store, and never printed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from unicodedata import east_asian_width

from innerlife.cli.output import count
from innerlife.companion import Companion
from innerlife.kernel.canonical import dumps
from innerlife.ledger.envelope import Event

SHORTEST = 12
"""Columns (a Chinese, Japanese or Korean character takes two, and says as much as two letters): shorter pieces stand in
too many other texts to say anything."""

LONGEST = 40
"""Characters: longer ones may be cut by the border of two database pages that do not follow one another."""

WORDS = ("text", "sent", "reasoning", "tool_calls", "error")
"""Fields of events that hold what somebody said; the others name a surface, a model or a chat."""

_STRETCH = re.compile(r"[^\x00-\x1f\x7f-\x9f\ud800-\udfff]+")
"""Characters of any script that are stored as they are: no controls, and no half of a pair (`kernel.text.storable`)."""

_PAGE = 1000


@dataclass(frozen=True, slots=True)
class Proof:
    """How the search went: pieces looked for, those that also stand in what was kept, stores that still hold one."""

    searched: int
    elsewhere: int
    left: tuple[str, ...]

    def data(self) -> dict[str, object]:
        """For JSON."""
        return {"searched_for": self.searched, "also_said_elsewhere": self.elsewhere, "left_in": self.left}

    def sentence(self) -> str:
        """For a person."""
        if not self.searched:
            return "The words were too few to search the files for."
        if self.left:
            return ""
        if self.elsewhere:
            return (
                f"Checked: of {count(self.searched, 'passage')}, {self.elsewhere} also stand in messages that you "
                "kept; nothing else is left in any file."
            )
        return "Checked: every file was searched for what was said, and nothing of it is left."


def needles_of(events: Iterable[Event]) -> list[str]:
    """Pieces of what these events say that are characteristic enough to be searched for."""
    found: dict[str, None] = {}
    for event in events:
        for text in _texts(event.body):
            for stretch in _STRETCH.findall(text):
                found.update(dict.fromkeys(_pieces(stretch.strip())))
    return list(found)


def prove(companion: Companion, needles: Sequence[str]) -> Proof:
    """Search every store for the pieces. Raises StorageFailed."""
    if not needles:
        return Proof(0, 0, ())
    piece_of = {form: needle for needle in needles for form in forms(needle)}
    found = {
        store: {piece_of[form] for form in held}
        for store, held in companion.forgetting.prove(list(piece_of)).items()
    }
    said = _said_elsewhere(companion, set().union(*found.values()))
    return Proof(len(needles), len(said), tuple(store for store, held in found.items() if held - said))


def forms(needle: str) -> tuple[bytes, bytes]:
    """The bytes a piece may be stored as: in a view and in an attachment as UTF-8, in an event as JSON in ASCII."""
    return needle.encode(), dumps(needle)[1:-1].encode()


def _texts(body: Any) -> Iterable[str]:
    for name in WORDS:
        value = getattr(body, name, None)
        if isinstance(value, str):
            yield value


def _pieces(stretch: str) -> Iterable[str]:
    """The beginning, the middle and the end of a stretch."""
    if sum(2 if east_asian_width(character) in "WF" else 1 for character in stretch[:SHORTEST]) < SHORTEST:
        return
    last = max(0, len(stretch) - LONGEST)
    for start in (0, last // 2, last):
        yield stretch[start : start + LONGEST]


def _said_elsewhere(companion: Companion, suspects: set[str]) -> set[str]:
    """Which of the pieces stand in an event that was kept."""
    found: set[str] = set()
    after = 0
    while found != suspects and (events := companion.ledger.read(after, _PAGE)):
        after = events[-1].seq
        for event in events:
            texts = "\n".join(_texts(event.body))
            found.update(piece for piece in suspects - found if piece in texts)
    return found
