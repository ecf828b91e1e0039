"""The prompt cache of a real engine: six turns, counted by the engine itself."""

from __future__ import annotations

import pytest

from bench.cache import companion, converse, engine

pytestmark = [pytest.mark.engine, pytest.mark.slow]


def test_a_turn_re_reads_only_itself_and_its_block() -> None:
    """[P4] Over six turns a llama engine evaluates hardly more than what is new in each."""
    with engine() as endpoint, companion(facts=8) as made:
        turns = converse(made, endpoint, "left in place (ours)", 6, 0)[1:]
    kept = [turn for turn in turns if not turn.dropped]
    assert kept
    assert sum(turn.read for turn in kept) <= 1.25 * sum(turn.new for turn in kept)
