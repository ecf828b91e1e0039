"""From a passage and its neighbours to the text that is indexed (promise R6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from innerlife.kernel.passage import Passage
from innerlife.recall.terms import stem, stems, words

NEIGHBOUR_GAP = timedelta(hours=6)
"""Messages of one stream further apart than this belong to different occasions."""

REACH = 2
"""How many neighbours on each side lend their words: an answer rarely repeats the words of the question before it."""

OWN_TERMS = 1_500
"""Terms indexed of one text; a pasted book is not searched to its end by word."""

NEIGHBOUR_TERMS = 40
"""Terms lent by one neighbour: a message of ordinary length, the beginning of a long one."""

KEPT_TEXT = 1_200
"""Characters kept for embedding: about the 256 word pieces that the models read."""

BORDER = " | "
"""Stands between the words of two neighbours in one column; the tokenizer drops it."""

_TIME_WORDS = (
    "yesterday today tonight tomorrow last next ago weekend weekends day days week weeks month months year years "
    "recently just since monday tuesday wednesday thursday friday saturday sunday january february march april june "
    "july august september october november december ayer hoy manana semana mes ano anos gestern heute morgen woche "
    "monat jahr hier demain semaine mois"
)
_TIMELY = frozenset(_TIME_WORDS.split())
_TIMELY_WORDS = 400
"""Words of a text in which it is looked for."""


@dataclass(frozen=True, slots=True)
class Row:
    """One passage as it stands in the index.

    `before` and `after` are the seqs of the neighbours whose words the columns hold, nearest first. The
    four texts are exactly what was given to the full-text index; removing the row needs them unchanged.
    """

    source: int
    speaker: str
    stream: str
    at: datetime
    own: str
    about: str
    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()
    before_text: str = ""
    after_text: str = ""
    importance: float = 0.5
    timely: bool = False
    length: int = 0
    text: str = ""

    @property
    def sources(self) -> tuple[int, ...]:
        """Every event whose words stand in this row."""
        return (self.source, *self.before, *self.after)


def row_of(passage: Passage) -> Row:
    """The row of a passage that has no neighbours yet."""
    said = words(passage.text)
    own = stems(said)[:OWN_TERMS]
    return Row(
        source=passage.source,
        speaker=" ".join(words(passage.speaker)),
        stream=passage.stream,
        at=passage.at,
        own=" ".join(own),
        about=" ".join(stem(word) for word in words(f"{passage.speaker} {date_words(passage.at)}")),
        importance=passage.importance,
        timely=any(word in _TIMELY or _is_year(word) for word in said[:_TIMELY_WORDS]),
        length=len(own),
        text=spoken(passage)[:KEPT_TEXT],
    )


def _is_year(word: str) -> bool:
    return len(word) == 4 and word.isdecimal()


def date_words(at: datetime) -> str:
    """`8 May 2023 Monday`, whatever the locale of this machine."""
    return f"{at.day} {MONTHS[at.month - 1]} {at.year} {_DAYS[at.weekday()]}"


def spoken(passage: Passage) -> str:
    """What is embedded: a third person's words with their name, the two parties' words bare."""
    if passage.speaker in {"user", "companion", ""}:
        return passage.text
    return f"{passage.speaker}: {passage.text}"


def neighbours(at: datetime, others: Sequence[tuple[int, datetime, str]]) -> list[tuple[int, str]]:
    """The nearest of one side that still belong to the occasion: (seq, terms lent). `others` come nearest first."""
    found: list[tuple[int, str]] = []
    for seq, moment, own in others[:REACH]:
        if abs(moment - at) > NEIGHBOUR_GAP:
            break
        found.append((seq, " ".join(own.split(" ")[:NEIGHBOUR_TERMS])))
        at = moment
    return found


MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
