from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from innerlife.ports import Rows, Vector
from innerlife.recall.lexical import asking, pool
from innerlife.recall.policy import RecallPolicy
from innerlife.recall.search import Recall
from tests.recall.doubles import START, BrokenEmbedder, HashingEmbedder, World

NOW = START + timedelta(days=1)
PATIENT = RecallPolicy(meaning_seconds=20.0)


class SlowEmbedder(HashingEmbedder):
    """Answers a question only when it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.go = threading.Event()

    def embed_query(self, text: str) -> Vector:
        self.go.wait(20)
        return super().embed_query(text)


class CountingRows:
    """Counts how many index entries the search reads."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self.entries = 0

    def execute(self, sql: str, parameters: Sequence[Any] | dict[str, Any] = ()) -> Any:
        if "passages_text MATCH" in sql:
            self.entries += sum(
                len(found.split(",")) for (found,) in self._rows.execute(sql, parameters).fetchall() if found
            )
        return self._rows.execute(sql, parameters)

    def executemany(self, sql: str, parameters: Sequence[Sequence[Any]]) -> Any:
        return self._rows.executemany(sql, parameters)


def found(recall: Recall, text: str, now: datetime = NOW) -> list[int]:
    return [hit.source for hit in recall.search(text, now).hits]


def test_words_and_meaning_each_find_what_the_other_cannot(world: World) -> None:
    """[R1] One memory shares a word with the question, another only its meaning; both come to mind."""
    embedder = HashingEmbedder(meanings={"automobile": "car", "mend": "repair"})
    texts = ["we baked a sourdough loaf", "mend automobile", "rain all day long", "an invoice from Berlin"]
    seqs = world.say(*texts, stream="")
    world.embed(embedder, seqs, texts)
    both = Recall(world.runtime, world.vectors, embedder, PATIENT)
    result = both.search("repair car sourdough", NOW)
    assert {seqs[0], seqs[1]} <= {hit.source for hit in result.hits[:2]}
    assert result.lexical == (seqs[0],)
    assert result.semantic[0] == seqs[1]
    assert result.degraded == ""
    words_alone = Recall(world.runtime, world.vectors, None)
    assert found(words_alone, "repair car sourdough") == [seqs[0]]


def test_each_arm_hands_over_twice_what_is_wanted(world: World) -> None:
    """[R1] 2 × k candidates an arm, k returned."""
    embedder = HashingEmbedder()
    texts = [f"tulip bulb number {n}" for n in range(30)]
    world.embed(embedder, world.say(*texts, stream=""), texts)
    result = Recall(world.runtime, world.vectors, embedder, PATIENT).search("tulip bulb", NOW, wanted=5)
    assert len(result.lexical) == len(result.semantic) == 10
    assert len(result.hits) == 5
    assert {hit.source for hit in result.hits} <= {*result.lexical, *result.semantic}


def test_past_its_deadline_the_turn_is_answered_lexically(world: World) -> None:
    """[R1] The semantic arm has its own deadline; past it words alone answer, and the result says so."""
    (seq,) = world.say("the oboe lesson")
    slow = SlowEmbedder()
    recall = Recall(world.runtime, world.vectors, slow, RecallPolicy(meaning_seconds=0.05))
    started = time.monotonic()
    result = recall.search("oboe", NOW)
    assert time.monotonic() - started < 5
    slow.go.set()
    assert [hit.source for hit in result.hits] == [seq]
    assert "words alone" in result.degraded


def test_a_broken_model_is_told_and_words_still_answer(world: World) -> None:
    """[R1] Failure of the model is never an empty result."""
    (seq,) = world.say("the oboe lesson")
    result = Recall(world.runtime, world.vectors, BrokenEmbedder(), PATIENT).search("oboe", NOW)
    assert [hit.source for hit in result.hits] == [seq]
    assert "The embedding model is broken" in result.degraded


def test_neighbours_speakers_and_dates_bring_the_right_turn(world: World) -> None:
    """[R6] The answer beside the question, the speaker named, the day named."""
    asked, answered = world.say("What instrument do you play?", "The oboe, since school.", stream="a")
    assert answered in found(Recall(world.runtime, world.vectors, None), "instrument")[:2]
    world.fold(world.event("I like cheese", "Bert", ""), world.event("I like cheese", "Cora", ""))
    cora = found(Recall(world.runtime, world.vectors, None), "What cheese does Cora like?")
    assert cora[0] > cora[1] > answered > asked
    june = world.say("we bought a kayak", stream="", at=START + timedelta(days=40))
    world.say("we bought a kayak", stream="", at=START + timedelta(days=90))
    assert found(Recall(world.runtime, world.vectors, None), "Which kayak in June 2024?")[0] == june[0]


def test_i_and_you_mean_the_two_parties(world: World) -> None:
    """[R6] In a chat nobody is called by name: "I" is the user, "you" the companion."""
    user = world.event("the kayak is red", "user", "")
    companion = world.event("the kayak is red", "companion", "")
    world.fold(user, companion)
    recall = Recall(world.runtime, world.vectors, None, RecallPolicy(salience_power=0.0))
    assert found(recall, "what did I say of the kayak")[0] == user.seq
    assert found(recall, "your kayak")[0] == companion.seq


def test_of_two_equal_memories_the_fresher_comes_first(world: World) -> None:
    """[R2] The fused score is weighed by salience."""
    old = world.say("we bought a kayak", stream="", at=START - timedelta(days=300))
    new = world.say("we bought a kayak", stream="")
    older_last = world.say("we bought a kayak", stream="", at=START - timedelta(days=600))
    weighed = Recall(world.runtime, world.vectors, None).search("kayak", NOW).hits
    assert weighed[0].source == new[0]
    assert weighed[0].score > weighed[1].score
    flat = Recall(world.runtime, world.vectors, None, RecallPolicy(salience_power=0.0))
    assert found(flat, "kayak") == [older_last[0], new[0], old[0]]


@pytest.mark.parametrize("size", [60, 600])
def test_entries_read_are_bounded_whatever_the_size(world: World, size: int) -> None:
    """[R7] The same budget of index entries at any size, spent on the rarest terms first."""
    world.say(*[f"common tulip {'rare' if n == 5 else 'other'} word {n}" for n in range(size)], stream="")
    policy = RecallPolicy(postings=50)
    with world.runtime.reading() as rows:
        counting = CountingRows(rows)
        asked = asking(rows, "common tulip rare", policy)
        ids = pool(counting, asked, policy)
    assert 0 < counting.entries <= 50
    assert ids[0] == 3 * 6, "the rare term's row is found although the common ones use the budget up"
    assert len(ids) <= policy.pool


@pytest.mark.parametrize("budget", [1, 7, 20, 61, 200, 10_000])
def test_looked_up_together_terms_find_what_they_find_one_by_one(world: World, budget: int) -> None:
    """What of a question is looked up at once is decided by what is left to be read, and by nothing else."""
    texts = [f"tulip {'heron' if n % 3 else 'kayak'} {'oboe' if n % 11 == 0 else 'harp'}" for n in range(60)]
    world.say(*texts, stream="one")
    policy = RecallPolicy(postings=budget, lent_frequency=25)
    with world.runtime.reading() as rows:
        asked = asking(rows, "tulip heron kayak oboe", policy)
        left, worth = budget, Counter[int]()
        for term, frequency in sorted(asked.frequencies.items(), key=lambda pair: pair[1]):
            for columns, part in (("own about", 1.0), ("before after", 0.5)):
                query = f"""SELECT rowid FROM passages_text WHERE passages_text MATCH '{{{columns}}} : "{term}"'
                    ORDER BY rowid DESC LIMIT {max(left, 0)}"""
                found = rows.execute(query).fetchall() if part == 1.0 or frequency <= 25 else []
                left -= len(found)
                for (seq,) in found:
                    worth[seq] += part * asked.rarity[term]  # type: ignore[assignment]
        best = sorted(worth, key=lambda seq: (-round(worth[seq], 9), -seq))
        assert pool(rows, asked, policy) == best


def test_rows_weighed_are_bounded(world: World) -> None:
    """[R7] At most `pool` rows of one arm and `rescored` of the other are read."""
    embedder = HashingEmbedder()
    texts = [f"tulip {n}" for n in range(200)]
    world.embed(embedder, world.say(*texts, stream=""), texts)
    policy = RecallPolicy(meaning_seconds=20.0, pool=30, rescored=25, wanted=100)
    result = Recall(world.runtime, world.vectors, embedder, policy).search("tulip", NOW)
    assert 0 < len(result.semantic) <= 25
    assert 0 < len(result.lexical) <= 55


def test_a_question_of_everyday_words_costs_nothing(world: World) -> None:
    world.say("hello there")
    result = Recall(world.runtime, world.vectors, None).search("who are you?", NOW)
    assert result.hits == ()
    assert result.degraded == ""


def test_query_syntax_in_a_message_is_plain_text(world: World) -> None:
    (seq,) = world.say('near the "oboe"')
    recall = Recall(world.runtime, world.vectors, None)
    for text in (
        'oboe" OR NEAR(',
        "oboe*",
        "-oboe",
        "own:oboe",
        "oboe\0",
        "\ud800 oboe",
        "oboe'); DROP TABLE x",
    ):
        assert found(recall, text) == [seq]


def test_what_is_embedded_later_is_taken_in_old_and_new(world: World) -> None:
    """[R5] The backlog is worked newest first: vectors of older texts arrive after those of newer ones."""
    embedder = HashingEmbedder(meanings={"automobile": "car"})
    seqs = world.say("automobile", "bread", "automobile", stream="")
    recall = Recall(world.runtime, world.vectors, embedder, PATIENT)
    assert recall.search("car", NOW).semantic == ()
    world.embed(embedder, seqs[2:], ["automobile"])
    recall.freshen()
    assert recall.search("car", NOW).semantic == (seqs[2],)
    world.embed(embedder, seqs[:2], ["automobile", "bread"])
    recall.freshen()
    assert set(recall.search("car", NOW).semantic) == set(seqs)


def test_the_forgotten_is_found_by_neither_arm_at_once(world: World) -> None:
    """A raised epoch drops the cache of codes; rows and vectors are gone, the neighbours remain."""
    embedder = HashingEmbedder()
    texts = ["the oboe lesson", "quokka sighted", "lunch at noon"]
    seqs = world.say(*texts)
    world.embed(embedder, seqs, texts)
    recall = Recall(world.runtime, world.vectors, embedder, PATIENT)
    assert seqs[1] in found(recall, "quokka sighted")
    world.forget([seqs[1]])
    result = recall.search("quokka sighted", NOW)
    assert seqs[1] not in {*result.lexical, *result.semantic}
    assert result.lexical == ()


def test_vectors_without_a_row_are_left_out(world: World, tmp_path: Path) -> None:
    """A view that lags behind the Core, or was just replaced, never breaks a search."""
    embedder = HashingEmbedder()
    event = world.event("not folded yet")
    world.embed(embedder, [event.seq], ["not folded yet"])
    assert found(Recall(world.runtime, world.vectors, embedder, PATIENT), "folded") == []
    assert tmp_path.exists()


def test_what_has_nothing_to_do_with_the_question_does_not_come_to_mind(world: World) -> None:
    """[R3] Only the relevant is activated: no memory is better than the least bad one."""
    embedder = HashingEmbedder()
    texts = ["my sister moves to Porto in June", "the dentist is in Rua Verde", "we baked bread all day"]
    world.embed(embedder, world.say(*texts, stream=""), texts)
    recall = Recall(world.runtime, world.vectors, embedder, PATIENT)
    assert found(recall, "where does my sister move") == found(recall, "sister Porto")
    assert len(found(recall, "sister Porto")) == 1
    assert found(recall, "quantum chromodynamics") == []


def test_what_is_far_behind_the_best_is_left_out(world: World) -> None:
    """[W3] A text that shares one everyday word beside one that answers the question only fills the prompt."""
    texts = ["the blue kayak lies in the boathouse by the lake", "a blue sky"]
    seqs = world.say(*texts, stream="")
    recall = Recall(world.runtime, world.vectors, None)
    assert found(recall, "which boathouse by the lake has the blue kayak") == [seqs[0]]
