"""What a reflection appends: the event that says it happened, first of all, and what everything rests on."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from innerlife.ledger.envelope import Actor, Cause, Draft, Role, Trust
from innerlife.recall.terms import terms
from innerlife.reflection.events import Reflected
from innerlife.selfmodel.desk import rests_on


def reflected(
    done: Reflected, read: Collection[int], conversation: str = "", seen: Collection[int] = ()
) -> Draft:
    """It rests on everything it read or tells: with one of these it goes, and what is left is thought over again.

    What it has only `seen` goes with it only where its words are in what was concluded.
    """
    shown = tuple(Cause(seq, Role.SHOWN) for seq in sorted(set(seen) - set(read)))
    causes = (*rests_on(read), *shown)
    return Draft(done, Actor.COMPANION, Trust.COMPANION, causes=causes, stream=conversation)


def with_shown(drafts: Sequence[Draft], shown: Mapping[int, str]) -> list[Draft]:
    """The drafts of a model's answer, each with what stood in the prompt (by seq) and shares a word with it as `shown`.

    So a forgetting asks of each whether the answer drew on it.
    """
    known = {seq: frozenset(terms(text)) for seq, text in shown.items()}
    return [_with(draft, known) for draft in drafts]


def _with(draft: Draft, known: Mapping[int, frozenset[str]]) -> Draft:
    said = frozenset(terms("\n".join(_words(draft.body))))
    there = {cause.seq for cause in draft.causes if cause.role is Role.FROM}
    more = tuple(
        Cause(seq, Role.SHOWN) for seq, words in sorted(known.items()) if seq not in there and words & said
    )
    return replace(draft, causes=(*draft.causes, *more))


def _words(body: Any) -> Iterator[str]:
    for one in fields(body):
        value = getattr(body, one.name)
        if isinstance(value, str):
            yield value
        elif isinstance(value, tuple):
            yield from (part for part in value if isinstance(part, str))
