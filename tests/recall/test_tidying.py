"""The index is kept in few pieces; what is found stays the same, and what was purged stays gone."""

from __future__ import annotations

from pathlib import Path

import pytest

from innerlife.adapters.sqlite.pages import contains
from innerlife.adapters.sqlite.runtime import SqliteRuntime
from innerlife.recall import tidying
from innerlife.recall.tidying import Tidying
from tests.recall.doubles import KEY, World


@pytest.fixture(autouse=True)
def _little(monkeypatch: pytest.MonkeyPatch) -> None:
    """A world of a few hundred notes counts as large."""
    monkeypatch.setattr(tidying, "_SMALL", 8)
    monkeypatch.setattr(tidying, "_NEW", 100)
    monkeypatch.setattr(tidying, "PAGES", 4)


def pieces(world: World) -> int:
    with world.runtime.reading() as rows:
        return int(rows.execute("SELECT count(DISTINCT segid) FROM passages_text_idx").fetchone()[0])


def found(world: World, word: str) -> list[int]:
    with world.runtime.reading() as rows:
        query = "SELECT rowid FROM passages_text WHERE passages_text MATCH ? ORDER BY rowid"
        return [seq for (seq,) in rows.execute(query, (word,))]


def fill(world: World, times: int = 3) -> None:
    for part in range(times):
        world.say(*[f"word{part}x{n} heron{n % 7} tulip" for n in range(400)], stream=f"s{part}")


def tidied(world: World) -> int:
    work = Tidying(world.runtime)
    steps = 0
    while work.step():
        steps += 1
        assert steps < 1_000
    return steps


def test_what_came_in_several_pieces_is_joined_in_small_steps(world: World) -> None:
    fill(world)
    before = {word: found(world, word) for word in ("tulip", "heron3", "word1x17")}
    assert pieces(world) > 1
    assert tidied(world) > 1
    assert pieces(world) == 1
    assert {word: found(world, word) for word in before} == before
    with world.runtime.writing() as rows:
        rows.execute("INSERT INTO passages_text (passages_text, rank) VALUES ('integrity-check', 1)")


def test_a_tidy_index_is_left_alone(world: World) -> None:
    fill(world)
    tidied(world)
    assert Tidying(world.runtime).step() == 0
    world.say("a few more words", "and some others")
    assert Tidying(world.runtime).step() == 0


def test_it_is_not_looked_at_again_before_much_is_new(world: World) -> None:
    work = Tidying(world.runtime)
    world.say("hello")
    assert work.step() == 0
    with world.runtime.writing() as rows:
        rows.execute("UPDATE passages_total SET count = count + 99")
        rows.execute("DELETE FROM passages_text_idx")
    assert work.step() == 0, "nothing was asked of the index"


def test_what_was_purged_between_two_steps_is_in_no_page(world: World) -> None:
    (secret,) = world.say("The xylophonist fed a quokka.")
    fill(world)
    work = Tidying(world.runtime)
    assert work.step()
    world.forget([secret])
    while work.step():
        pass
    assert found(world, "quokka") == []
    world.runtime.scrub()
    assert contains(world.path, KEY, [b"quokka", b"xylophonist"]) == set()


def test_a_runtime_without_views_yet_has_nothing_to_tidy(tmp_path: Path) -> None:
    runtime = SqliteRuntime(tmp_path / "runtime.db", KEY)
    assert Tidying(runtime).step() == 0
    runtime.close()
