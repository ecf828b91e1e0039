"""The numbers of recall."""

from __future__ import annotations

from dataclasses import dataclass

from innerlife.kernel.counts import whole_counts


@dataclass(frozen=True, slots=True)
class RecallPolicy:
    """Numbers of one search.

    - `wanted`: texts returned. Our choice: more than a block of 1,500 tokens holds.
    - `per_arm`: candidates each arm hands to the fusion, as a multiple of `wanted`. Source: anima, 2 × k.
    - `reciprocal_k`: constant of reciprocal rank fusion. Source: anima, 60.
    - `half_life_days`: after so many days the recency of a memory has halved. Source: anima, 30.
    - `factor_low`, `factor_high`: bounds of each factor of salience. Source: brain-and-heart, 0.5 and 1.5.
    - `salience_power`: exponent of the product of those factors; 0 switches salience off. Our choice, by the bench:
      the strongest that costs less than half a point of recall where every question is about the past.
    - `query_terms`: rarest terms of a question that are looked up. Our choice: a long message stays cheap.
    - `postings`: most index entries read for one question. Our choice, by the bench: about 3 ms.
    - `lent_frequency`: terms that stand in more rows are not looked up beside them. Our choice: what is that common
      tells nothing of a neighbour.
    - `pool`: rows of the lexical arm that are weighed term by term. Our choice, by the bench: about 5 ms.
    - `codes`: most one-bit codes kept and scanned; beyond it the newest are kept. Our choice: 11 ms, 48 MB.
    - `held`: vectors up to which they are kept in memory too; beyond it they are read. Our choice: 50 MB.
    - `rescored`: nearest codes whose vectors are read. Our choice, by the bench.
    - `tongue_texts`: texts, the newest and as many spread over all, by which the languages spoken are judged; and
      `tongue_fewest`: below it nothing is judged. Our choice: a hundredth of a second.
    - `foreign_from`, `foreign_until`: share of texts not in English from which a model of many languages is taken, and
      down to which it is kept. Our choice: one message in five that is not found weighs more than a slower model.
    - `least_odds`: log-odds by words, meaning and time below which a text has nothing to do with the question. Our
      choice, by trying: questions about nothing that was said reach 1, one shared rare word or a near meaning 2.
    - `least_share`: share of the best one's odds below which a text only fills the prompt. Our choice, by the bench: it
      halves what is shown and keeps 98 of 100 right ones.
    - `meaning_seconds`: how long an answer waits for the semantic arm. Our choice: a fifth of what a turn waits.
    """

    wanted: int = 20
    per_arm: int = 2
    reciprocal_k: int = 60
    half_life_days: float = 30.0
    factor_low: float = 0.5
    factor_high: float = 1.5
    salience_power: float = 0.25
    query_terms: int = 24
    postings: int = 8_000
    lent_frequency: int = 500
    pool: int = 160
    codes: int = 1_000_000
    held: int = 131_072
    rescored: int = 200
    tongue_texts: int = 200
    tongue_fewest: int = 10
    foreign_from: float = 0.2
    foreign_until: float = 0.05
    least_odds: float = 1.0
    least_share: float = 0.01
    meaning_seconds: float = 0.1

    def __post_init__(self) -> None:
        whole_counts(self)
