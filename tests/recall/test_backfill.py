from collections.abc import Sequence

from innerlife.errors import ModelUnavailable
from innerlife.ports import Vector
from innerlife.recall.backfill import BATCH, FIRST_WAIT_S, LONGEST_WAIT_S, Backfill
from tests.recall.doubles import BrokenEmbedder, HashingEmbedder, World


class Ticking:
    """Seconds that pass when they are told to."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


class Moody(HashingEmbedder):
    """Fails for all texts or for those that hold a word, as long as it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.down = False
        self.hates = "poison"
        self.asked = 0

    def embed_passages(self, texts: Sequence[str]) -> Vector:
        self.asked += 1
        if self.down:
            raise ModelUnavailable("The model is away")
        if self.hates and any(self.hates in text for text in texts):
            raise ModelUnavailable("The text cannot be embedded")
        return super().embed_passages(texts)


def settled(backfill: Backfill) -> int:
    total = 0
    while done := backfill.step():
        total += done
    return total


def test_the_backlog_is_worked_off_in_small_batches(world: World) -> None:
    """[R5] What has no vector is missing; its length is known, and it is worked off newest first."""
    seqs = world.say(*[f"text {n}" for n in range(BATCH + 3)])
    embedder = HashingEmbedder()
    backfill = Backfill(world.runtime, world.vectors, embedder, {"note"})
    assert backfill.backlog() == BATCH + 3
    assert backfill.step() == BATCH
    assert sorted(world.vectors.held[embedder.model]) == seqs[3:]
    assert backfill.step() == 3
    assert backfill.step() == 0
    assert backfill.backlog() == 0


def test_another_model_is_a_new_backlog(world: World) -> None:
    """[R5] Vectors carry their model: a change is noticed by itself, and the old ones are not mixed in."""
    world.say("one", "two")
    settled(Backfill(world.runtime, world.vectors, HashingEmbedder("old/1"), {"note"}))
    other = Backfill(world.runtime, world.vectors, HashingEmbedder("new/1", dimension=64), {"note"})
    assert other.backlog() == 2
    assert settled(other) == 2
    lengths = {model: {len(v.data) for v in held.values()} for model, held in world.vectors.held.items()}
    assert lengths == {"old/1": {128}, "new/1": {64}}


def test_one_bad_text_is_counted_and_keeps_no_other_waiting(world: World) -> None:
    """[R5] A failed embedding is visible, not silent, and not in the way."""
    good_before, bad, good_after = world.say("fine", "poison", "fine too")
    backfill = Backfill(world.runtime, world.vectors, BrokenEmbedder(), {"note"})
    settled(backfill)
    assert set(world.vectors.held["hashing/1"]) == {good_before, good_after}
    assert backfill.failed == 1
    assert backfill.backlog() == 1
    assert backfill.trouble == "The text cannot be embedded"
    assert bad not in world.vectors.held["hashing/1"]


def test_a_whole_batch_of_failures_does_not_block_what_is_older(world: World) -> None:
    """[R5] Failures step aside: the backlog behind them goes on."""
    old = world.say("fine")
    world.say(*["poison"] * (2 * BATCH + 1))
    backfill = Backfill(world.runtime, world.vectors, BrokenEmbedder(), {"note"})
    settled(backfill)
    assert set(world.vectors.held["hashing/1"]) == set(old)
    assert backfill.failed == 2 * BATCH + 1


def test_what_holds_nothing_is_settled_and_what_is_unread_waits(world: World) -> None:
    """[R5] An event without a passage is not missing for ever; one that no view has read yet is not given up."""
    (empty,) = world.say("")
    unread = world.event("comes later")
    embedder = HashingEmbedder()
    backfill = Backfill(world.runtime, world.vectors, embedder, {"note"})
    assert settled(backfill) == 1
    assert world.vectors.held[embedder.model][empty].data == b""
    assert backfill.backlog() == 1
    world.fold(unread)
    assert settled(backfill) == 1
    assert backfill.backlog() == 0


def test_a_failed_text_is_tried_again_later_and_later(world: World) -> None:
    """[R5] Backoff: 60 s, then twice as long each time, at most an hour; when it works it is counted no more."""
    (seq,) = world.say("poison")
    clock, moody = Ticking(), Moody()
    backfill = Backfill(world.runtime, world.vectors, moody, {"note"}, clock)
    waits = []
    for _ in range(9):
        settled(backfill)
        asked, started = moody.asked, clock.now
        while moody.asked == asked:
            clock.now += FIRST_WAIT_S / 4
            backfill.step()
        waits.append(clock.now - started)
    assert waits[:3] == [FIRST_WAIT_S, 2 * FIRST_WAIT_S, 4 * FIRST_WAIT_S]
    assert waits[-1] == LONGEST_WAIT_S
    assert backfill.failed == 1
    moody.hates = ""
    clock.now += LONGEST_WAIT_S
    assert settled(backfill) == 1
    assert (backfill.failed, backfill.trouble, backfill.backlog()) == (0, "", 0)
    assert seq in world.vectors.held[moody.model]


def test_a_model_that_is_away_is_left_alone_for_a_while(world: World) -> None:
    """[R5] No text is blamed for a model that fails altogether, and it is not asked again at once."""
    world.say(*[f"text {n}" for n in range(3 * BATCH)])
    clock, moody = Ticking(), Moody()
    moody.down = True
    backfill = Backfill(world.runtime, world.vectors, moody, {"note"}, clock)
    assert [backfill.step() for _ in range(5)] == [0] * 5
    assert moody.asked == 2
    assert (backfill.down, backfill.failed, backfill.trouble) == (True, 0, "The model is away")
    moody.down = False
    clock.now += FIRST_WAIT_S
    assert settled(backfill) == 3 * BATCH
    assert (backfill.down, backfill.trouble) == (False, "")
