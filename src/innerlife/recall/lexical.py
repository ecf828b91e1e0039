"""The lexical arm: the question's rarest terms bound the work, the best rows are then weighed term by term."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from innerlife.ports import Rows
from innerlife.recall import table
from innerlife.recall.policy import RecallPolicy
from innerlife.recall.question import Question, names_in, question
from innerlife.recall.terms import terms

_LENT = 0.5
_NEIGHBOUR_ENTRIES = 4
"""A term that stands in one row stands beside at most so many others."""


@dataclass(frozen=True, slots=True)
class Asking:
    """A question with the weight of each of its terms; `whole` is their sum."""

    question: Question
    rarity: Mapping[str, float]
    frequencies: Mapping[str, int]
    whole: float


def asking(rows: Rows, text: str, policy: RecallPolicy) -> Asking:
    """Read a question against what is indexed: who is meant, and how rare its terms are."""
    # All terms are looked up, and only then the rarest kept: a long message may say what matters anywhere.
    found = table.known(rows, names_in(text), set(terms(text)))
    asked = question(text, found.speakers)
    kept = sorted(asked.terms, key=lambda term: found.frequencies.get(term, 0))[: policy.query_terms]
    rarity = {term: rarity_weight(found.frequencies.get(term, 0), found.total) for term in kept}
    known = {
        term: found.frequencies[term] for term in asked.terms if term in rarity and term in found.frequencies
    }
    return Asking(asked, rarity, known, sum(rarity.values()) or 1.0)


def rarity_weight(frequency: int, total: int) -> float:
    """BM25's inverse document frequency, never negative."""
    return math.log((max(total - frequency, 0) + 0.5) / (frequency + 0.5) + 1.0)


def pool(rows: Rows, asked: Asking, policy: RecallPolicy) -> list[int]:
    """The rows that share most with the question, best first; reads at most `policy.postings` index entries (R7)."""
    left = policy.postings
    ids: list[NDArray[np.int64]] = []
    gains: list[NDArray[np.float64]] = []
    reads = list(_reads(asked, policy))
    while reads and left > 0:
        group = _within(reads, left)
        found = (
            _all_entries(rows, [read.query for read in group])
            if group
            else [_newest_entries(rows, reads[0].query, left)]
        )
        for read, entries in zip(reads, found, strict=False):
            left -= len(entries)
            ids.append(entries)
            gains.append(np.full(len(entries), read.gain))
        reads = reads[len(found) :]
    if not ids:
        return []
    return _best(np.concatenate(ids), np.concatenate(gains), policy.pool)


@dataclass(frozen=True, slots=True)
class _Read:
    """One look into the index: at most `most` entries, each of which is worth `gain`."""

    query: str
    most: int
    gain: float


def _reads(asked: Asking, policy: RecallPolicy) -> Iterator[_Read]:
    """What is looked up, the rarest terms first."""
    for term, frequency in sorted(asked.frequencies.items(), key=lambda pair: pair[1]):
        rarity = asked.rarity[term]
        yield _Read(f'{{own about}} : "{term}"', frequency, rarity)
        if frequency <= policy.lent_frequency:
            yield _Read(f'{{before after}} : "{term}"', frequency * _NEIGHBOUR_ENTRIES, rarity * _LENT)


def _within(reads: Sequence[_Read], left: int) -> Sequence[_Read]:
    """The first ones that together find no more than is left to be read; they are read at once."""
    for place, read in enumerate(reads):
        left -= read.most
        if left < 0:
            return reads[:place]
    return reads


def _all_entries(rows: Rows, queries: Sequence[str]) -> list[NDArray[np.int64]]:
    """Ids of the rows that match each of these, in one statement: between two of them another thread may go first."""
    query = """SELECT (SELECT group_concat(rowid) FROM passages_text WHERE passages_text MATCH asked.value)
        FROM json_each(?) AS asked"""
    return [table.numbers(found) for (found,) in rows.execute(query, (json.dumps(queries),)).fetchall()]


def _newest_entries(rows: Rows, asked: str, most: int) -> NDArray[np.int64]:
    """Ids of the newest rows that match."""
    query = """SELECT group_concat(rowid) FROM (
        SELECT rowid FROM passages_text WHERE passages_text MATCH ? ORDER BY rowid DESC LIMIT ?)"""
    return table.numbers(rows.execute(query, (asked, most)).fetchone()[0])


def _best(ids: NDArray[np.int64], gains: NDArray[np.float64], most: int) -> list[int]:
    unique, place = np.unique(ids, return_inverse=True)
    # Among equals the newest; ids ascend with time.
    scores = np.bincount(place, gains) + np.arange(len(unique)) * (1e-6 / len(unique))
    if len(unique) > most:
        chosen = np.argpartition(scores, len(unique) - most)[-most:]
        unique, scores = unique[chosen], scores[chosen]
    return [int(i) for i in unique[np.argsort(-scores)]]
