"""Hand-written stand-ins for what recall needs from outside, and a small indexed world to search in."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from innerlife.adapters.sqlite.runtime import SqliteRuntime
from innerlife.errors import ModelUnavailable
from innerlife.kernel.moments import Moment
from innerlife.kernel.passage import Passage
from innerlife.ledger.envelope import Actor, Event, Trust
from innerlife.ports import StoredVector, Vector
from innerlife.recall.vectors import packed
from innerlife.recall.view import PassagesView

KEY = bytes(range(32))
START = datetime(2024, 5, 6, 9, tzinfo=UTC)


class HashingEmbedder:
    """Words hashed into a vector: texts that share words are near. `meanings` makes two words mean the same."""

    def __init__(
        self, model: str = "hashing/1", dimension: int = 128, meanings: dict[str, str] | None = None
    ) -> None:
        self.model = model
        self.dimension = dimension
        self.meanings = meanings or {}
        self.calls = 0

    def embed_query(self, text: str) -> Vector:
        self.calls += 1
        return self._one(text)

    def embed_passages(self, texts: Sequence[str]) -> Vector:
        return (
            np.stack([self._one(text) for text in texts])
            if texts
            else np.empty((0, self.dimension), np.float32)
        )

    def _one(self, text: str) -> Vector:
        vector = np.full(self.dimension, 1e-3, np.float32)
        for word in text.lower().split():
            meant = self.meanings.get(word.strip(".,?!"), word.strip(".,?!"))
            seeded = np.random.default_rng(zlib.crc32(meant.encode()))
            vector += seeded.standard_normal(self.dimension).astype(np.float32)
        return np.asarray(vector / np.linalg.norm(vector), np.float32)


class BrokenEmbedder(HashingEmbedder):
    """Fails for texts that hold a certain word."""

    def embed_query(self, text: str) -> Vector:
        raise ModelUnavailable("The embedding model is broken")

    def embed_passages(self, texts: Sequence[str]) -> Vector:
        if any("poison" in text for text in texts):
            raise ModelUnavailable("The text cannot be embedded")
        return super().embed_passages(texts)


@dataclass
class MemoryVectors:
    """A vector store in memory. `events` are the seqs that exist, with their kinds."""

    events: dict[int, str] = field(default_factory=dict)
    held: dict[str, dict[int, StoredVector]] = field(default_factory=dict)
    raised: int = 0

    def put(self, model: str, dimension: int, vectors: Sequence[StoredVector]) -> int:
        alive = [one for one in vectors if set(one.sources) <= self.events.keys()]
        self.held.setdefault(model, {}).update({one.subject: one for one in alive})
        return len(alive)

    def fetch(self, model: str, subjects: Collection[int]) -> dict[int, tuple[bytes, float]]:
        held = self.held.get(model, {})
        return {s: (held[s].data, held[s].scale) for s in subjects if s in held}

    def scan(self, model: str, after: int = 0, batch: int = 4096) -> Iterator[list[tuple[int, bytes]]]:
        held = self.held.get(model, {})
        found = [(s, held[s].data) for s in sorted(held) if s > after and held[s].data]
        for start in range(0, len(found), batch):
            yield found[start : start + batch]

    def backlog(self, model: str, kinds: Collection[str]) -> int:
        return len(self.missing(model, kinds, len(self.events)))

    def missing(self, model: str, kinds: Collection[str], limit: int, after: int = 0) -> list[int]:
        held = self.held.get(model, {})
        return sorted(
            (s for s, kind in self.events.items() if kind in kinds and s not in held and s > after),
            reverse=True,
        )[:limit]

    def models(self) -> list[str]:
        return sorted(model for model, held in self.held.items() if held)

    def drop(self, model: str, most: int) -> int:
        held = self.held.get(model, {})
        gone = sorted(held)[:most]
        for subject in gone:
            del held[subject]
        return len(gone)

    def epoch(self) -> int:
        return self.raised

    def forget(self, seqs: Collection[int]) -> None:
        """Delete events with every vector that rests on them, as the Core does."""
        for seq in seqs:
            self.events.pop(seq, None)
        for held in self.held.values():
            for subject in [s for s, one in held.items() if set(one.sources) & set(seqs)]:
                del held[subject]
        self.raised += 1


@dataclass
class MemoryFacts:
    """Named facts in memory."""

    held: dict[str, str] = field(default_factory=dict)

    def fact(self, name: str) -> str | None:
        return self.held.get(name)

    def set_fact(self, name: str, value: str) -> None:
        self.held[name] = value


@dataclass(frozen=True)
class Note:
    """The body of a made-up kind of event."""

    speaker: str
    text: str


def note(event: Event) -> Passage | None:
    """The extractor of that kind; an empty note holds nothing to be found."""
    if not event.body.text:
        return None
    return Passage(
        event.seq, event.id, event.kind, event.stream, event.body.speaker, event.body.text, event.happened.at
    )


class World:
    """A runtime with the view of passages, and the vectors beside it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / "runtime.db"
        self.runtime = SqliteRuntime(self.path, KEY)
        self.vectors = MemoryVectors()
        self.view = PassagesView({"note": note})
        self._seq = 0
        with self.runtime.writing() as rows:
            self.view.create(rows)

    def event(self, text: str, speaker: str = "Ann", stream: str = "s", at: datetime | None = None) -> Event:
        """The next event, not yet folded; a minute after the one before it unless `at` is given."""
        self._seq += 3
        at = at or START + timedelta(minutes=self._seq)
        self.vectors.events[self._seq] = "note"
        return Event(
            self._seq,
            f"id{self._seq}",
            "note",
            1,
            at,
            Moment(at),
            Actor.OTHER,
            Trust.IMPORT,
            Note(speaker, text),
            stream,
        )

    def fold(self, *events: Event) -> list[int]:
        with self.runtime.writing() as rows:
            self.view.fold(rows, events)
        return [event.seq for event in events]

    def say(
        self, *texts: str, speaker: str = "Ann", stream: str = "s", at: datetime | None = None
    ) -> list[int]:
        return self.fold(*[self.event(text, speaker, stream, at) for text in texts])

    def embed(self, embedder: HashingEmbedder, seqs: Sequence[int], texts: Sequence[str]) -> None:
        pairs = packed(embedder.embed_passages(texts))
        vectors = [StoredVector(s, (s,), data, scale) for s, (data, scale) in zip(seqs, pairs, strict=True)]
        self.vectors.put(embedder.model, embedder.dimension, vectors)

    def forget(self, seqs: Collection[int]) -> None:
        self.vectors.forget(seqs)
        with self.runtime.writing() as rows:
            self.view.purge(rows, seqs)

    def close(self) -> None:
        self.runtime.close()
