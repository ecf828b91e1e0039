"""The lexical arm: the question's rarest terms bound the work, the best rows are then weighed term by term."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from innerlife.ports import Rows
from innerlife.recall import table
from innerlife.recall.passages import BORDER
from innerlife.recall.policy import RecallPolicy
from innerlife.recall.question import Question, names_in, question
from innerlife.recall.table import Candidate

SATURATION = 0.3
"""BM25's k1: saying a word twice tells little more than saying it once. Our choice, by the bench; b is 0, since in a
dialogue the long message is rather the one that answers."""

BEFORE = (0.6, 0.3)
AFTER = (0.4, 0.2)
"""What a term counts that stands only in a neighbour, nearest first. Our choice, by the bench."""

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
    """Ids of the newest rows with this term. One text for all of them is ten times faster than a row each."""
    query = """SELECT group_concat(rowid) FROM (
        SELECT rowid FROM passages_text WHERE passages_text MATCH ? ORDER BY rowid DESC LIMIT ?)"""
    found = rows.execute(query, (f'{{{columns}}} : "{term}"', most)).fetchone()[0] if most > 0 else None
    return np.fromstring(found, dtype=np.int64, sep=",") if found else np.empty(0, np.int64)


def _best(ids: NDArray[np.int64], gains: NDArray[np.float64], most: int) -> list[int]:
    unique, place = np.unique(ids, return_inverse=True)
    # Among equals the newest; ids ascend with time.
    scores = np.bincount(place, gains) + np.arange(len(unique)) * (1e-6 / len(unique))
    if len(unique) > most:
        chosen = np.argpartition(scores, len(unique) - most)[-most:]
        unique, scores = unique[chosen], scores[chosen]
    return [int(i) for i in unique[np.argsort(-scores)]]


def cover(row: Candidate, asked: Asking) -> float:
    """The rarity-weighted share of the question's terms that the row or its neighbours hold (BM25, b = 0)."""
    # Looking for a word in the text is many times faster than splitting some hundred texts for each question.
    own = f" {row.own} {row.about} "
    before = [f" {part} " for part in row.before.split(BORDER)] if row.before else []
    after = [f" {part} " for part in row.after.split(BORDER)] if row.after else []
    beside = (*zip(before, BEFORE, strict=False), *zip(after, AFTER, strict=False))
    gained = 0.0
    for term, weight in asked.rarity.items():
        word = f" {term} "
        if word in own:
            often = own.split().count(term)
            gained += weight * often * (SATURATION + 1) / (often + SATURATION)
            continue
        lent = 0.0
        for near, part in beside:
            if part > lent and word in near:
                lent = part
        gained += weight * lent
    return gained / asked.whole
