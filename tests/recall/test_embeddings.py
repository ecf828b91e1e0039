from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

from innerlife.adapters.clock import SystemClock
from innerlife.adapters.sqlite.opening import open_core
from innerlife.adapters.sqlite.vectors import SqliteVectors
from innerlife.ports import StoredVector
from innerlife.recall.backfill import BATCH
from innerlife.recall.embeddings import FACT, Embeddings, Shelf
from innerlife.recall.policy import RecallPolicy
from innerlife.recall.search import Recall
from tests.recall.doubles import START, BrokenEmbedder, HashingEmbedder, MemoryFacts, World
from tests.recall.test_tongue import ENGLISH, GERMAN

NOW = START + timedelta(days=1)
SMALL = HashingEmbedder("small/1")
MANY = HashingEmbedder("many/1", dimension=64)
SHELF = Shelf(SMALL, MANY)


def kept(world: World, facts: MemoryFacts, shelf: Shelf = SHELF) -> Embeddings:
    return Embeddings(world.runtime, world.vectors, facts, shelf, {"note"})


def settle(embeddings: Embeddings) -> None:
    while embeddings.step():
        pass


def test_who_speaks_english_is_read_by_the_english_model(world: World) -> None:
    """[R5] auto: the small model while English is spoken."""
    world.say(*[ENGLISH] * 12)
    embeddings = kept(world, MemoryFacts())
    settle(embeddings)
    assert (embeddings.serving, embeddings.coming, embeddings.backlog()) == (SMALL, None, 0)
    assert world.vectors.models() == ["small/1"]


def test_another_language_changes_the_model_and_the_old_one_serves_meanwhile(world: World) -> None:
    """[R5] A change re-embeds in the background; the old vectors answer until all are new, and go only then."""
    first = world.say(*[f"{ENGLISH} {n}" for n in range(30)])
    facts = MemoryFacts()
    embeddings = kept(world, facts)
    recall = Recall(world.runtime, world.vectors, embeddings.serving, RecallPolicy(meaning_seconds=20.0))
    embeddings.on_change(recall.use)
    settle(embeddings)
    world.say(*[f"{GERMAN} {n}" for n in range(20)])
    embeddings.step()
    assert (embeddings.serving, embeddings.coming) == (SMALL, MANY)
    assert len(world.vectors.held["many/1"]) == BATCH
    assert embeddings.backlog() == 50 - BATCH
    assert set(recall.search("town sister", NOW).semantic) <= set(first)
    assert len(world.vectors.held["small/1"]) == 30
    settle(embeddings)
    assert (embeddings.serving, embeddings.coming, embeddings.backlog()) == (MANY, None, 0)
    assert world.vectors.models() == ["many/1"]
    assert len(recall.search("Schwester Stadt", NOW).semantic) == 40
    assert json.loads(facts.held[FACT]) == {"serving": "many/1", "wanted": "many/1"}


def test_an_interrupted_change_goes_on_where_it_was(world: World) -> None:
    """[R5] After a restart the old model serves and the new one goes on; nothing is read twice."""
    world.say(*[f"{ENGLISH} {n}" for n in range(20)])
    facts = MemoryFacts()
    settle(kept(world, facts))
    world.say(*[f"{GERMAN} {n}" for n in range(20)])
    kept(world, facts).step()
    read_before = set(world.vectors.held["many/1"])
    again = kept(world, facts)
    assert (again.serving, again.coming) == (SMALL, MANY)
    assert again.backlog() == 40 - len(read_before)
    settle(again)
    assert again.serving is MANY


def test_a_setting_changes_the_model_by_the_same_way(world: World) -> None:
    """[R5] A model that is named in the settings replaces another one in the background too."""
    world.say(*[ENGLISH] * 9)
    facts = MemoryFacts()
    settle(kept(world, facts))
    named = kept(world, facts, Shelf(MANY, MANY, (SMALL,)))
    assert (named.serving, named.coming) == (SMALL, MANY)
    settle(named)
    assert (named.serving, world.vectors.models()) == (MANY, ["many/1"])


def test_where_the_old_model_is_gone_the_new_one_serves_at_once(world: World) -> None:
    """[R5] Vectors that nothing here can ask are no use: words serve, and meaning as far as it was read."""
    world.say(*[ENGLISH] * 9)
    facts = MemoryFacts()
    settle(kept(world, facts))
    other = kept(world, facts, Shelf(MANY, MANY))
    assert (other.serving, other.coming, other.backlog()) == (MANY, None, 9)
    settle(other)
    assert world.vectors.models() == ["many/1"]


def test_another_process_is_followed(world: World) -> None:
    """[R5] Two processes on one Core serve by the same model."""
    world.say(*[f"{ENGLISH} {n}" for n in range(12)])
    facts = MemoryFacts()
    one, other = kept(world, facts), kept(world, facts)
    settle(one)
    settle(other)
    changes: list[str] = []
    other.on_change(lambda embedder: changes.append(embedder.model))
    world.say(*[f"{GERMAN} {n}" for n in range(12)])
    settle(one)
    settle(other)
    assert other.serving is MANY
    assert changes == ["many/1"]


def test_the_model_is_calibrated_once_and_kept_with_its_vectors(world: World) -> None:
    """[R5] [S8] A calibration is a fact of the Core: measured once a model, there after a restart."""
    facts = MemoryFacts()
    world.say(ENGLISH)
    embeddings = kept(world, facts)
    assert embeddings.calibration() is None
    settle(embeddings)
    found = embeddings.calibration()
    assert found is not None
    assert found.model == "small/1"
    calls = SMALL.calls
    assert kept(world, facts).calibration() == found
    settle(kept(world, facts))
    assert SMALL.calls == calls


def test_what_failed_is_shown_and_does_not_keep_the_change_from_ending(world: World) -> None:
    """[R5] One text that cannot be embedded is counted; the rest of the new model serves."""
    world.say(*[f"{GERMAN} {n}" for n in range(12)], "poison")
    broken = BrokenEmbedder("broken/1")
    embeddings = kept(world, MemoryFacts(), Shelf(SMALL, broken))
    settle(embeddings)
    assert (embeddings.serving, embeddings.failed, embeddings.backlog()) == (broken, 1, 1)
    assert embeddings.trouble == "The text cannot be embedded"


def test_real_vectors_are_listed_and_dropped_by_model(tmp_path: Path) -> None:
    """[R5] In the Core itself: names of models, and one model's vectors deleted slice by slice with their sources."""
    opened = open_core(tmp_path / "default", tmp_path / "config", "file", None, SystemClock().now)
    try:
        with opened.core.engine.begin() as connection:
            for seq in (1, 2, 3):
                connection.exec_driver_sql(
                    """INSERT INTO event (seq, id, kind, version, recorded_at, happened_at, zone, precision, actor,
                    trust, stream, payload) VALUES (?, ?, 'note', 1, 0, 0, 'UTC', 'exact', 'user', 'user', '', '')""",
                    (seq, f"id{seq}"),
                )
        vectors = SqliteVectors(opened.core)
        for model in ("b/1", "a/1"):
            vectors.put(model, 2, [StoredVector(seq, (seq,), b"\1\2", 1.0) for seq in (1, 2, 3)])
        assert vectors.models() == ["a/1", "b/1"]
        assert [vectors.drop("a/1", 2) for _ in range(3)] == [2, 1, 0]
        assert vectors.models() == ["b/1"]
        assert vectors.fetch("b/1", {1, 3, 9}) == {1: (b"\1\2", 1.0), 3: (b"\1\2", 1.0)}
        with opened.core.engine.begin() as connection:
            left = connection.exec_driver_sql("SELECT DISTINCT model FROM vector_source").scalars().all()
        assert left == ["b/1"]
        opened.core.set_fact(FACT, "x")
        assert opened.core.fact(FACT) == "x"
    finally:
        opened.close()
