"""Fitting into a number of tokens."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from innerlife.workspace.budget import MORE_TOKENS, choose, cut_prose
from innerlife.workspace.tokens import estimate_tokens

PROSE = "We moved on Monday. Was it raining? It was! The piano stayed behind, sadly. Nobody minded much."


@given(st.lists(st.integers(1, 400), max_size=40), st.integers(0, 2000))
def test_whole_items_are_chosen_within_the_budget(costs: list[int], budget: int) -> None:
    """[W3] What is chosen fits with room for "… N more", best first, each item once."""
    chosen = choose(len(costs), costs.__getitem__, budget)
    assert sum(costs[index] for index in chosen) <= max(0, budget - MORE_TOKENS)
    assert list(chosen) == sorted(set(chosen))
    if costs and costs[0] <= budget - MORE_TOKENS and budget - MORE_TOKENS >= 16:
        assert chosen[0] == 0


def test_a_long_item_gives_way_to_shorter_ones() -> None:
    """[W3] An item that does not fit is left out whole, and the next ones get their chance."""
    costs = [50, 500, 30]
    assert choose(3, costs.__getitem__, 100) == (0, 2)


def test_no_more_items_are_weighed_than_needed() -> None:
    """[W3] When the room is used, or nothing fits any more, the rest is not looked at."""
    weighed: list[int] = []

    def cost(index: int) -> int:
        weighed.append(index)
        return 80

    choose(1000, cost, 200)
    assert len(weighed) < 10


def test_prose_is_cut_at_a_sentence() -> None:
    """[W3] As many whole sentences as fit, ended by whatever mark ends them."""
    ends = [PROSE[: cut_prose(PROSE, tokens)[0]] for tokens in range(6, 40)]
    assert set(ends) <= {PROSE} | {
        PROSE[: PROSE.index(stop) + len(stop)] for stop in ("day.", "ing?", "was!", "sadly.")
    }
    assert PROSE in ends
    assert "We moved on Monday." in ends


def test_prose_without_spaces_is_cut_at_its_own_marks() -> None:
    """[W3] Chinese sentences end without a space after them."""
    text = "昨天我们搬家了。钢琴留在了原处！没有人介意。"
    end, _ = cut_prose(text, estimate_tokens("昨天我们搬家了。") + 2)
    assert text[:end] == "昨天我们搬家了。"


def test_a_sentence_too_long_is_cut_at_a_word() -> None:
    """[W3] Where not even one sentence fits, no word is cut in half."""
    text = "The piano that we had carried up four flights of stairs stayed behind in the end"
    end, _ = cut_prose(text, 8)
    assert 0 < end < len(text)
    assert text[end] == " "


@given(st.text(max_size=400), st.integers(1, 60))
def test_a_cut_fits_and_is_a_beginning(text: str, tokens: int) -> None:
    """[W3] The part before the cut fits, its size is told truly, and a text that fits is not cut."""
    end, size = cut_prose(text, tokens)
    assert 0 <= end <= len(text)
    assert size == estimate_tokens(text[:end])
    assert size <= tokens
    if estimate_tokens(text) <= tokens and len(text) <= 7 * tokens:
        assert end == len(text)


def test_only_the_beginning_of_a_huge_text_is_read() -> None:
    """[W3] Ten megabytes cost no more than what could fit."""
    seen: list[int] = []

    def cost(text: str) -> int:
        seen.append(len(text))
        return estimate_tokens(text)

    cut_prose("word " * 2_000_000, 240, cost)
    assert sum(seen) < 10_000
