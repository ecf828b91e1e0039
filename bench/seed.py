"""A home filled with made-up conversations: Zipfian words, dated over two years, synthetic vectors.

Above ten thousand messages the vectors are seeded perturbations of random directions; benches say so.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from innerlife.bootstrap import open_companion
from innerlife.companion import Companion
from innerlife.conversations.events import CompanionMessage, UserMessage
from innerlife.kernel.moments import Moment
from innerlife.ledger.envelope import Actor, Cause, Draft, Role, Trust
from innerlife.ports import StoredVector, VectorStore
from innerlife.settings import Configured, load

VOCABULARY = 50_000
"""Different words: about what a person uses in a few years of chatting."""

EXPONENT = 1.07
"""Zipf's exponent of English conversation."""

TURNS = 20
"""Messages in one conversation."""

BATCH = 10_000


def configured(home: Path) -> Configured:
    """Settings for a home with its configuration inside it."""
    return load(
        home=home, environment={"INNERLIFE_CONFIG": str(home / "config"), "INNERLIFE_EMBEDDING": "off"}
    )


def words(rng: np.random.Generator) -> Iterator[str]:
    """Texts of 5 to 40 words drawn by Zipf's law."""
    weights = 1.0 / np.arange(1, VOCABULARY + 1) ** EXPONENT
    cumulated = np.cumsum(weights / weights.sum())
    names = [_word(index) for index in range(VOCABULARY)]
    while True:
        lengths = rng.integers(5, 40, 1_000)
        drawn = np.searchsorted(cumulated, rng.random(int(lengths.sum())))
        start = 0
        for length in lengths:
            yield " ".join(names[index] for index in drawn[start : start + length])
            start += length


def _word(index: int) -> str:
    syllables = [
        "ka",
        "lo",
        "mi",
        "ne",
        "su",
        "ra",
        "ti",
        "vo",
        "pe",
        "da",
        "fu",
        "gi",
        "ho",
        "ju",
        "be",
        "zi",
    ]
    text = ""
    index += 16
    while index:
        index, digit = divmod(index, 16)
        text += syllables[digit]
    return text


def seed(home: Path, messages: int, *, seed_number: int = 7) -> Companion:
    """Fill the default profile of `home` with that many messages and bring its views up to date."""
    companion = open_companion(configured(home))
    rng = np.random.default_rng(seed_number)
    texts = words(rng)
    at = datetime(2024, 1, 1, tzinfo=UTC)
    done = 0
    while done < messages:
        done += _append(
            companion, texts, at + timedelta(minutes=10 * done), min(BATCH, messages - done), done
        )
    companion.upkeep.catch_up()
    return companion


def _append(companion: Companion, texts: Iterator[str], at: datetime, count: int, done: int) -> int:
    users = [
        Draft(
            UserMessage(next(texts), surface="bench"),
            Actor.USER,
            Trust.USER,
            Moment(at + timedelta(minutes=20 * index)),
            stream=f"c{(done + 2 * index) // TURNS:025d}",
        )
        for index in range((count + 1) // 2)
    ]
    said = companion.ledger.append_all(users)
    answers = [
        Draft(
            CompanionMessage(next(texts), model="bench"),
            Actor.COMPANION,
            Trust.ASSISTANT_TEXT,
            Moment(event.happened.at + timedelta(minutes=1)),
            causes=(Cause(event.seq, Role.FROM),),
            stream=event.stream,
        )
        for event in said[: count // 2]
    ]
    companion.ledger.append_all(answers)
    return count


def seed_vectors(vectors: VectorStore, model: str, dimension: int, kinds: list[str]) -> int:
    """Give every message a synthetic vector of the model. Returns how many."""
    rng = np.random.default_rng(11)
    centres = rng.standard_normal((256, dimension)).astype(np.float32)
    missing = sorted(vectors.missing(model, kinds, vectors.backlog(model, kinds)))
    for start in range(0, len(missing), 4_096):
        part = missing[start : start + 4_096]
        raw = centres[rng.integers(0, 256, len(part))] + rng.standard_normal((len(part), dimension))
        unit = raw / np.linalg.norm(raw, axis=1, keepdims=True)
        scales = np.abs(unit).max(axis=1) / 127
        data = np.rint(unit / scales[:, None]).astype(np.int8)
        vectors.put(
            model,
            dimension,
            [StoredVector(s, (s,), data[i].tobytes(), float(scales[i])) for i, s in enumerate(part)],
        )
    return len(missing)
