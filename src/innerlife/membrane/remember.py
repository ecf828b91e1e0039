"""From a message to what is remembered for it: recall's findings, read back from the ledger."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol

from innerlife.conversations import view as conversation_view
from innerlife.conversations.events import CompanionMessage, UserMessage
from innerlife.conversations.quoting import mostly_quoted
from innerlife.errors import StorageFailed
from innerlife.kernel.text import normalised, storable, without_fence_lines
from innerlife.learning import rows as learning
from innerlife.ledger.envelope import Event
from innerlife.ledger.ledger import Ledger
from innerlife.ports import Runtime
from innerlife.recall import table
from innerlife.recall.search import Recall
from innerlife.recall.terms import terms
from innerlife.recall.use import rarity_of, uses
from innerlife.reflection import events as reflection
from innerlife.selfmodel import rows
from innerlife.selfmodel.origin import Origins
from innerlife.workspace.inputs import COMPANION, USER, Remembered


@dataclass(frozen=True, slots=True)
class Recollection:
    """What came to mind, best first. `degraded` says in a few words what was missing, or is empty.

    `near` are (seq, score) of everything that was found, for those who know what stands behind it.
    """

    items: tuple[Remembered, ...]
    degraded: str = ""
    near: tuple[tuple[int, float], ...] = ()


class Remember(Protocol):
    """Finds what is remembered for a message. Raises StorageFailed."""

    def __call__(self, words: str, now: datetime, except_texts: Collection[str] = ()) -> Recollection:
        """`except_texts` are normalised texts that the model sees anyway."""
        ...


def remember_by(ledger: Ledger, recall: Recall) -> Remember:
    """Remembering by search."""

    def remember(words: str, now: datetime, except_texts: Collection[str] = ()) -> Recollection:
        if not words.strip():
            return Recollection(())
        found = recall.search(words, now)
        ranked = [(hit.source, hit.score) for hit in found.hits]
        return Recollection(tuple(hydrate(ledger, ranked, except_texts)), found.degraded, tuple(ranked))

    return remember


def drawing_on(runtime: Runtime) -> Callable[[Event, Event], bool]:
    """Whether an answer draws on something it was shown (for forgetting: rather once too often).

    What is written about companion and person stands beside every answer, so that long words in common mean nothing
    there: only those count that are rare in all that was said.
    """

    def draws_on(shown: Event, answer: Event) -> bool:
        source = _words(shown)
        target = _words(answer)
        if not (source and target):
            return False
        if shown.kind not in _WRITTEN:
            return uses(answer=target, item=source)
        shared = set(terms(source)) & set(terms(target))
        if not shared:
            return False
        with runtime.reading() as views:
            rarity = rarity_of(table.frequencies(views, shared), table.total(views))
        return uses(answer=target, item=source, rarity=rarity)

    return draws_on


_WRITTEN = rows.KINDS_HERE | learning.KINDS_HERE
"""Kinds of what is written about the companion and the person."""


def _words(event: Event) -> str:
    told = conversation_view.words(event) or rows.words_of(event) or learning.words_of(event)
    return told or reflection.words_of(event)


def reader_of(origins: Origins) -> Callable[[], tuple[str, date]]:
    """Name and birth date, from the ledger while it can be read, else as they were last read.

    A turn must not fail for them: what is wrong with the ledger is told where its message is recorded.
    """
    last = origins.read()

    def read() -> tuple[str, date]:
        nonlocal last
        with suppress(StorageFailed):
            last = origins.read()
        return last.name, date.fromisoformat(last.born)

    return read


def hydrate(
    ledger: Ledger, ranked: Sequence[tuple[int, float]], except_texts: Collection[str]
) -> list[Remembered]:
    """Findings (seq, score) as remembered texts, in their order.

    The words are read from the ledger, so that what was forgotten a moment ago cannot be shown.
    """
    events = {event.seq: event for event in ledger.get([seq for seq, _ in ranked])}
    found: list[Remembered] = []
    for seq, score in ranked:
        item = remembered(events[seq], score) if seq in events else None
        if item is not None and normalised(events[seq].body.text) not in except_texts:
            found.append(item)
    return found


def remembered(event: Event, score: float) -> Remembered | None:
    """An event as something remembered; None for kinds that are never shown."""
    body, pasted = event.body, False
    match body:
        case UserMessage():
            text, pasted = _told(body)
            speaker = USER
        case CompanionMessage():
            text, speaker = without_fence_lines(body.text), COMPANION
        case _:
            return None
    happened = event.happened
    return Remembered(
        event.seq,
        event.id,
        storable(text),
        speaker,
        event.kind,
        happened.at,
        happened.zone,
        score,
        event.stream,
        pasted=pasted,
    )


_NOT_THEIRS = "[words that you showed me, I do not know whose: "


def _told(message: UserMessage) -> tuple[str, bool]:
    """(The text, whether it is not the user's own): of what they told, what they only showed is marked as that.

    Brackets in words that were shown become round ones, so that they cannot end the mark and speak as the user.
    """
    text, spans = message.text, message.quoted
    if not spans or mostly_quoted(text, spans):
        return text, bool(spans)
    told: list[str] = []
    at = 0
    for start, end in spans:
        shown = text[start:end].strip().replace("[", "(").replace("]", ")")
        told += [text[at:start], _NOT_THEIRS, shown, "]", "\n" if text[start:end].endswith("\n") else ""]
        at = end
    return "".join((*told, text[at:])), False
