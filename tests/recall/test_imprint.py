from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innerlife.recall.imprint import AFTER, BEFORE, SATURATION, covers, imprint

few = st.lists(st.sampled_from([f"w{n}" for n in range(12)]), max_size=9)


def plain(
    own: Sequence[str], before: Sequence[str], after: Sequence[str], rarity: Mapping[str, float]
) -> float:
    """The same by looking at every word."""
    gained = 0.0
    beside = [*zip(before, BEFORE, strict=False), *zip(after, AFTER, strict=False)]
    for term, weight in rarity.items():
        if often := own.count(term):
            gained += weight * often * (SATURATION + 1) / (often + SATURATION)
        else:
            gained += weight * max((part for near, part in beside if term in near.split()), default=0.0)
    return gained


@given(
    st.lists(st.tuples(few, st.lists(few, max_size=2), st.lists(few, max_size=2)), max_size=5),
    st.dictionaries(st.sampled_from([f"w{n}" for n in range(14)]), st.floats(0.1, 9), max_size=6),
)
def test_an_imprint_weighs_as_the_words_do(
    texts: list[tuple[list[str], list[list[str]], list[list[str]]]], rarity: dict[str, float]
) -> None:
    """[R6] Own words count by how often they stand there, a neighbour's by how near it is, each term once."""
    rows = [
        (own, [" ".join(one) for one in before], [" ".join(one) for one in after])
        for own, before, after in texts
    ]
    found = covers([imprint(*row) for row in rows], rarity, 2.0)
    assert found.tolist() == pytest.approx([plain(*row, rarity) / 2.0 for row in rows])


def test_an_imprint_is_small_and_holds_no_word() -> None:
    """[R7] Four bytes a term, whatever its length; a very frequent one too."""
    made = imprint(["quokka"] * 500 + ["xylophonist"], ["xylophonist quokka"], [])
    assert len(made) == 8
    assert b"quok" not in made
    assert covers([made], {"quokka": 1.0}, 1.0)[0] == pytest.approx(1.3, abs=0.01)


def test_no_candidates_and_no_terms_weigh_nothing() -> None:
    assert covers([], {"a": 1.0}, 1.0).shape == (0,)
    assert covers([imprint(["a"], [], [])], {}, 1.0).tolist() == [0.0]
    assert covers([b"", imprint(["a"], [], [])], {"a": 1.0}, 1.0).tolist() == [0.0, 1.0]
