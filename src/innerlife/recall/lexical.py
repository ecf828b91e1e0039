"""The lexical arm: the question's rarest terms bound the work, the best rows are then weighed term by term."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from innerlife.ports import Rows
from innerlife.recall import table
from innerlife.recall.policy import RecallPolicy
from innerlife.recall.question import Question, names_in, question

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
    asked = question(text, table.speakers(rows, names_in(text)))
    frequencies = table.frequencies(rows, asked.terms)
    kept = sorted(asked.terms, key=lambda term: frequencies.get(term, 0))[: policy.query_terms]
    total = table.total(rows)
    rarity = {term: rarity_weight(frequencies.get(term, 0), total) for term in kept}
    known = {term: n for term, n in frequencies.items() if term in rarity}
    return Asking(asked, rarity, known, sum(rarity.values()) or 1.0)


def rarity_weight(frequency: int, total: int) -> float:
    """BM25's inverse document frequency, never negative."""
    return math.log((max(total - frequency, 0) + 0.5) / (frequency + 0.5) + 1.0)


def pool(rows: Rows, asked: Asking, policy: RecallPolicy) -> list[int]:
    """The rows that share most with the question, best first; reads at most `policy.postings` index entries (R7)."""
    left = policy.postings
    ids: list[NDArray[np.int64]] = []
    gains: list[NDArray[np.float64]] = []
    for term, frequency in sorted(asked.frequencies.items(), key=lambda pair: pair[1]):
        reads = [("own about", frequency, 1.0)]
        if frequency <= policy.lent_frequency:
            reads.append(("before after", frequency * _NEIGHBOUR_ENTRIES, _LENT))
        for columns, most, part in reads:
            found = _entries(rows, columns, term, min(most, left))
            left -= len(found)
            ids.append(found)
            gains.append(np.full(len(found), asked.rarity[term] * part))
        if left <= 0:
            break
    if not ids:
        return []
    return _best(np.concatenate(ids), np.concatenate(gains), policy.pool)


def _entries(rows: Rows, columns: str, term: str, most: int) -> NDArray[np.int64]:
    """Ids of the newest rows with this term."""
    query = """SELECT group_concat(rowid) FROM (
        SELECT rowid FROM passages_text WHERE passages_text MATCH ? ORDER BY rowid DESC LIMIT ?)"""
    found = rows.execute(query, (f'{{{columns}}} : "{term}"', most)).fetchone()[0] if most > 0 else None
    return table.numbers(found)


def _best(ids: NDArray[np.int64], gains: NDArray[np.float64], most: int) -> list[int]:
    unique, place = np.unique(ids, return_inverse=True)
    # Among equals the newest; ids ascend with time.
    scores = np.bincount(place, gains) + np.arange(len(unique)) * (1e-6 / len(unique))
    if len(unique) > most:
        chosen = np.argpartition(scores, len(unique) - most)[-most:]
        unique, scores = unique[chosen], scores[chosen]
    return [int(i) for i in unique[np.argsort(-scores)]]
