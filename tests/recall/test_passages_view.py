from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from innerlife.adapters.sqlite.pages import contains
from innerlife.kernel.passage import Passage
from innerlife.ledger.envelope import Event
from innerlife.recall import table
from innerlife.recall.view import PassagesView
from tests.recall.doubles import KEY, START, World


def matches(world: World, query: str) -> list[int]:
    with world.runtime.reading() as rows:
        found = rows.execute(
            "SELECT rowid FROM passages_text WHERE passages_text MATCH ? ORDER BY rowid", (query,)
        )
        return [i for (i,) in found]


def everything(world: World) -> list[tuple[object, ...]]:
    with world.runtime.reading() as rows:
        found = list(
            rows.execute("SELECT id, own, about, before, after, before_ids, after_ids FROM passages_row")
        )
        found += list(rows.execute("SELECT * FROM passages_brief"))
        found += list(rows.execute("SELECT term, df FROM passages_term ORDER BY term"))
        found += list(rows.execute("SELECT name, count FROM passages_speaker ORDER BY name"))
        found += list(rows.execute("SELECT count FROM passages_total"))
        rows.execute("INSERT INTO passages_text (passages_text, rank) VALUES ('integrity-check', 1)")
    return found


def test_neighbours_speaker_and_date_are_indexed(world: World) -> None:
    """[R6] A turn is found by the words of turns beside it, by who said it and when; sources say whose words."""
    first, second, third, far = world.say("Which trumpet?", "The tuba.", "Lovely sound!", "And lunch?")
    assert matches(world, "trumpet") == [first, second, third]
    assert matches(world, "before:tuba") == [third, far]
    assert matches(world, "after:tuba") == [first]
    assert matches(world, "about:ann AND about:mondai AND about:may") == [first, second, third, far]
    with world.runtime.reading() as rows:
        row = table.by_id(rows, [second])[second]
    assert row.sources == (second, first, third, far)


def test_other_streams_and_other_occasions_are_no_neighbours(world: World) -> None:
    """[R6] Only what was said on the same occasion lends its words."""
    (alone,) = world.say("The tuba.", stream="a")
    world.say("Another talk.", stream="b")
    world.say("Much later.", stream="a", at=START + timedelta(days=2))
    world.say("Without a stream.", "Nor this.", stream="")
    with world.runtime.reading() as rows:
        found = table.by_id(rows, [alone])[alone]
    assert matches(world, "tuba") == [alone]
    assert found.sources == (alone,)


@pytest.mark.parametrize("sizes", [(7,), (1,) * 7, (3, 4), (2, 2, 3)])
def test_slices_do_not_matter(tmp_path: Path, sizes: tuple[int, ...]) -> None:
    """However the projector cuts the ledger, the index is the same."""
    texts = ["one apple", "two pears", "", "three plums", "four figs", "five dates", "six limes"]
    whole, sliced = World(tmp_path / "whole"), World(tmp_path / "sliced")
    whole.say(*texts)
    start = 0
    for size in sizes:
        sliced.say(*texts[start : start + size])
        start += size
    assert everything(sliced) == everything(whole)
    whole.close()
    sliced.close()


@pytest.mark.parametrize("gone", [[0], [2], [1, 3], [0, 1, 2, 3], [4, 5], [0, 1, 2, 3, 4, 5]])
def test_purging_leaves_what_would_have_been_indexed_without_it(tmp_path: Path, gone: list[int]) -> None:
    """After a purge the index, frequencies and speakers equal those of a world in which the words were never said."""
    texts = ["apple tart", "pear cake", "plum pie", "fig roll", "date bar", "lime curd"]
    left, never = World(tmp_path / "left"), World(tmp_path / "never")
    seqs = left.say(*texts)
    left.forget([seqs[index] for index in gone])
    events = [never.event(text) for text in texts]
    never.fold(*[event for index, event in enumerate(events) if index not in gone])
    assert everything(left) == everything(never)
    left.close()
    never.close()


def test_purged_words_are_in_no_decrypted_page(world: World) -> None:
    """No page, free page or journal frame holds a purged word; before the purge all of them are found there."""
    needles = [b"xylophonist", b"quokka", b"Zebedee"]
    world.say("Hello there.", "How are you?")
    (secret,) = world.say("The xylophonist fed a quokka.", speaker="Zebedee")
    world.say("Really?", "Yes.", *[f"filler number {n}" for n in range(300)])
    assert contains(world.path, KEY, needles[:2]) == set(needles[:2])
    assert b"zebedee" in contains(world.path, KEY, [b"zebedee"])
    world.forget([secret])
    world.runtime.scrub()
    assert contains(world.path, KEY, [*needles, b"zebede"]) == set()
    assert matches(world, "quokka OR zebede") == []


def test_deleted_words_leave_the_full_text_before_any_vacuum(world: World) -> None:
    """`secure-delete` at work: the index's own blocks hold no deleted word right after the transaction."""
    (secret,) = world.say("The xylophonist fed a quokka.")
    world.say(*[f"filler number {n}" for n in range(50)])
    world.forget([secret])
    with world.runtime.reading() as rows:
        blocks = b"".join(block for (block,) in rows.execute("SELECT block FROM passages_text_data"))
        terms = [term for (term,) in rows.execute("SELECT term FROM passages_term")]
    assert b"quokka" not in blocks
    assert b"xylophonist" not in blocks
    assert "quokka" not in terms


def test_frequency_of_a_word_in_a_text_counts(world: World) -> None:
    """SQLite's bm25 sees how often a word stands in a row: `detail=full` is what makes it so."""
    once, thrice, *_ = world.say(
        "tea with milk and bread", "tea tea tea and bread", *["nothing of the kind"] * 8, stream=""
    )
    with world.runtime.reading() as rows:
        query = "SELECT rowid, bm25(passages_text) FROM passages_text WHERE passages_text MATCH 'tea' ORDER BY rank"
        scores = dict(rows.execute(query))
    assert list(scores) == [thrice, once]
    assert scores[thrice] < scores[once] < 0


def test_a_new_kind_is_searchable_by_its_extractor_alone(world: World) -> None:
    read: Callable[[Event], Passage | None] = lambda event: Passage(  # noqa: E731 - the extractor is the point
        event.seq, event.id, event.kind, "", "", event.body.text.upper(), event.happened.at
    )
    view = PassagesView({"note": read})
    event = world.event("an unheard-of kind")
    with world.runtime.writing() as rows:
        view.fold(rows, [event])
    assert view.kinds == frozenset({"note"})
    assert matches(world, "kind") == [event.seq]
    with world.runtime.reading() as rows:
        assert list(view.dump(rows)) == []
