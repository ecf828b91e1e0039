from innerlife.recall.backfill import BATCH, Backfill
from tests.recall.doubles import BrokenEmbedder, HashingEmbedder, World


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
