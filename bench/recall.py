"""How much of what answers a question is found, without any language model (promises R1, R2, R6).

    python -m bench.recall DATA         DATA: a LoCoMo file, or the folder that holds locomo-dev.json

Recall of evidence per turn: the mean share of a question's evidence turns among the first 5, 10 and 20 turns, and how
often any and all of them are among the first 10. Per session: how often one of the first five distinct sessions holds
evidence. Questions of categories 1 to 4 that name evidence; each conversation is searched by itself, captions left out.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import fmean
from typing import Any

from sqlcipher3 import dbapi2 as sqlcipher

from bench.harness import report, table
from innerlife.adapters.clock import SystemClock
from innerlife.adapters.models.embedders import e5, minilm
from innerlife.adapters.sqlite.opening import OpenCore, open_core
from innerlife.adapters.sqlite.vectors import SqliteVectors
from innerlife.kernel.moments import Moment
from innerlife.kernel.passage import Passage
from innerlife.ledger.envelope import Actor, Draft, Event, Trust
from innerlife.ledger.ledger import Ledger
from innerlife.ledger.projector import Projector
from innerlife.ledger.registry import Kind, Registry, Retention
from innerlife.ports import Embedder
from innerlife.recall.backfill import Backfill
from innerlife.recall.fusion import reciprocal_rank
from innerlife.recall.policy import RecallPolicy
from innerlife.recall.search import Recall
from innerlife.recall.view import PassagesView

FILE = "locomo-dev.json"
DEPTHS = (5, 10, 20)
TURN = "bench.turn"
Ranking = Sequence[int]


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of a dialogue between two third persons."""

    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and the places (indices of turns) of its evidence."""

    text: str
    evidence: frozenset[int]


@dataclass(frozen=True)
class Dialogue:
    """One conversation: turns with their session and moment, and its questions."""

    name: str
    turns: tuple[Turn, ...]
    sessions: tuple[int, ...]
    moments: tuple[datetime, ...]
    questions: tuple[Asked, ...]


def dialogues(path: Path) -> list[Dialogue]:
    """Read a LoCoMo file."""
    return [_dialogue(one) for one in json.loads(path.read_text("utf-8"))]


def _dialogue(one: dict[str, Any]) -> Dialogue:
    talk = one["conversation"]
    numbers = sorted(int(key.split("_")[1]) for key in talk if re.fullmatch(r"session_\d+", key))
    turns: list[Turn] = []
    sessions: list[int] = []
    moments: list[datetime] = []
    places: dict[str, int] = {}
    for number in numbers:
        begun = _moment(talk[f"session_{number}_date_time"])
        for index, turn in enumerate(talk[f"session_{number}"]):
            places[turn["dia_id"]] = len(turns)
            turns.append(Turn(turn["speaker"], turn["text"]))
            sessions.append(number)
            moments.append(begun + timedelta(seconds=30 * index))
    questions = []
    for asked in one["qa"]:
        named = {
            name.replace("D:", "D")
            for e in asked.get("evidence", [])
            for name in re.findall(r"D:?\d+:\d+", e)
        }
        evidence = frozenset(places[name] for name in named if name in places)
        if asked["category"] in {1, 2, 3, 4} and evidence:
            questions.append(Asked(asked["question"], evidence))
    return Dialogue(one["sample_id"], tuple(turns), tuple(sessions), tuple(moments), tuple(questions))


def _moment(text: str) -> datetime:
    return datetime.strptime(text.replace(",", "").strip().upper(), "%I:%M %p ON %d %B %Y").replace(
        tzinfo=UTC
    )


def passage(event: Event) -> Passage:
    """A turn as something to be found: all that a new kind needs to be searchable."""
    return Passage(
        event.seq, event.id, event.kind, event.stream, event.body.speaker, event.body.text, event.happened.at
    )


@dataclass(frozen=True)
class Searchable:
    """A dialogue in a Core of its own. `places` maps a seq to the index of its turn."""

    dialogue: Dialogue
    opened: OpenCore
    places: dict[int, int]
    now: datetime

    def recall(self, embedder: Embedder | None, policy: RecallPolicy) -> Recall:
        """A search over it, with every vector in place."""
        vectors = SqliteVectors(self.opened.core)
        if embedder:
            backfill = Backfill(self.opened.runtime, vectors, embedder, {TURN})
            while backfill.step():
                pass
        recall = Recall(self.opened.runtime, vectors, embedder, policy)
        recall.freshen()
        return recall


@contextmanager
def searchable(dialogue: Dialogue, folder: Path) -> Iterator[Searchable]:
    """Record a dialogue in a fresh encrypted Core and index it."""
    clock = SystemClock()
    opened = open_core(folder / dialogue.name, folder / "config", "file", None, clock.now)
    ledger = Ledger(opened.core, Registry([Kind(TURN, Turn, Retention.ARCHIVE)]), clock)
    events = ledger.append_all(
        [
            Draft(turn, Actor.OTHER, Trust.THIRD_PARTY, Moment(at), stream=f"{dialogue.name}/{session}")
            for turn, at, session in zip(dialogue.turns, dialogue.moments, dialogue.sessions, strict=True)
        ]
    )
    projector = Projector(ledger, opened.runtime, [PassagesView({TURN: passage})])
    projector.prepare()
    projector.catch_up()
    places = {event.seq: index for index, event in enumerate(events)}
    try:
        yield Searchable(dialogue, opened, places, dialogue.moments[-1])
    finally:
        opened.close()


def plain(dialogue: Dialogue) -> Callable[[str], Ranking]:
    """The plain alternative: SQLite's own BM25 over single turns, porter stems, any word of the question."""
    rows = sqlcipher.connect(":memory:")
    rows.execute("CREATE VIRTUAL TABLE single USING fts5 (text, tokenize='porter unicode61')")
    turns = [(index, turn.text) for index, turn in enumerate(dialogue.turns)]
    rows.executemany("INSERT INTO single (rowid, text) VALUES (?, ?)", turns)

    def search(question: str) -> Ranking:
        words = dict.fromkeys(re.findall(r"\w+", question.lower()))
        query = "SELECT rowid FROM single WHERE single MATCH ? ORDER BY rank LIMIT 100"
        return [i for (i,) in rows.execute(query, (" OR ".join(f'"{word}"' for word in words),))]

    return search


def measured(rankings: Sequence[tuple[Dialogue, Asked, Ranking]]) -> dict[str, float]:
    """The figures of one way to search."""
    figures = {
        f"R@{depth}": fmean(_share(asked, ranking[:depth]) for _, asked, ranking in rankings)
        for depth in DEPTHS
    }
    figures["any@10"] = fmean(bool(asked.evidence & set(ranking[:10])) for _, asked, ranking in rankings)
    figures["all@10"] = fmean(asked.evidence <= set(ranking[:10]) for _, asked, ranking in rankings)
    figures["session any@5"] = fmean(_session(*one) for one in rankings)
    return {name: round(value, 4) for name, value in figures.items()}


def _share(asked: Asked, found: Ranking) -> float:
    return len(asked.evidence & set(found)) / len(asked.evidence)


def _session(dialogue: Dialogue, asked: Asked, ranking: Ranking) -> bool:
    first = list(dict.fromkeys(dialogue.sessions[index] for index in ranking))[:5]
    return any(dialogue.sessions[index] in first for index in asked.evidence)


def compared(
    held: Searchable, embedder: Embedder | None, name: str
) -> dict[str, list[tuple[Dialogue, Asked, Ranking]]]:
    """Every way to search one dialogue with one embedding model."""
    policy = RecallPolicy(meaning_seconds=30.0)
    rows: dict[str, list[tuple[Dialogue, Asked, Ranking]]] = {}

    def keep(row: str, asked: Asked, found: Sequence[int]) -> None:
        rows.setdefault(row, []).append((held.dialogue, asked, [held.places[seq] for seq in found]))

    recall = held.recall(embedder, policy)
    shallow = held.recall(embedder, replace(policy, wanted=10))
    for asked in held.dialogue.questions:
        found = recall.search(asked.text, held.now)
        keep(f"lexical arm{name}", asked, found.lexical)
        keep(f"semantic arm{name}", asked, found.semantic)
        fused = reciprocal_rank([found.lexical, found.semantic], policy.reciprocal_k)
        keep(f"reciprocal rank{name}", asked, [seq for seq, _ in fused])
        keep(f"Innerlife{name}", asked, [hit.source for hit in found.hits])
        keep(
            f"Innerlife{name}, 10 wanted",
            asked,
            [hit.source for hit in shallow.search(asked.text, held.now).hits],
        )
    for power in (0.0, 0.5, 1.0):
        other = held.recall(embedder, replace(policy, salience_power=power))
        for asked in held.dialogue.questions:
            keep(
                f"Innerlife{name}, salience {power}",
                asked,
                [h.source for h in other.search(asked.text, held.now).hits],
            )
    return rows


def main() -> None:
    """Measure and print."""
    given = Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("DATA", ""))
    path = given / FILE if given.is_dir() else given
    if not path.is_file():
        sys.stdout.write(f"bench.recall needs DATA=, a LoCoMo file or the folder of {FILE}; skipped\n")
        return
    rows: dict[str, list[tuple[Dialogue, Asked, Ranking]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for dialogue in dialogues(path):
            with searchable(dialogue, Path(folder)) as held:
                search = plain(dialogue)
                found = {"BM25, single turns": [(dialogue, q, search(q.text)) for q in dialogue.questions]}
                found |= compared(held, minilm(), "")
                if "--e5" in sys.argv:
                    found |= compared(held, e5(), " (multilingual)")
                for name, rankings in found.items():
                    rows.setdefault(name, []).extend(rankings)
    values = {name: measured(rankings) for name, rankings in rows.items()}
    count = len(next(iter(rows.values())))
    header = ["", *next(iter(values.values()))]
    cells = [[name, *(f"{value:.3f}" for value in figures.values())] for name, figures in values.items()]
    text = table(f"Recall of evidence, {path.name}, {count} questions", header, cells)
    report("recall", text, {"questions": count, "policy": asdict(RecallPolicy()), "rows": values})


if __name__ == "__main__":
    main()
