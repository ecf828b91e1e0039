from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from innerlife.recall.fusion import Evidence, Weights, by_scene, fused, reciprocal_rank

arms = st.lists(st.lists(st.integers(1, 30), unique=True, max_size=12), max_size=3)
NOTHING = Evidence(0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 2.0)


@given(arms, st.integers(1, 100))
def test_reciprocal_rank_is_the_sum_over_the_arms(given_arms: list[list[int]], k: int) -> None:
    """[R1] Σ 1/(k + rank + 1), rank from 0, best first."""
    found = reciprocal_rank(given_arms, k)
    assert {item for item, _ in found} == {item for arm in given_arms for item in arm}
    for item, score in found:
        expected = sum(1 / (k + arm.index(item) + 1) for arm in given_arms if item in arm)
        assert abs(score - expected) < 1e-12
    assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)


def test_what_both_arms_found_goes_before_what_one_found_better() -> None:
    """[R1] The worked example with k = 60: second in both beats first in one."""
    found = reciprocal_rank([[1, 2], [3, 2]], 60)
    assert found[0] == (2, 2 / 62)
    assert found[1:] == [(1, 1 / 61), (3, 1 / 61)]


@given(
    st.sampled_from(
        ["cover", "meaning", "scene_cover", "scene_meaning", "speaker", "date", "timely", "length"]
    )
)
def test_every_piece_of_evidence_counts_in_favour(name: str) -> None:
    """[R1] More of any evidence never ranks a passage lower."""
    more = replace(NOTHING, **{name: getattr(NOTHING, name) + 0.5})
    assert fused(more, Weights()) > fused(NOTHING, Weights())


def test_a_scene_is_as_good_as_its_three_best() -> None:
    scores = {1: 0.9, 2: 0.6, 3: 0.3, 4: 0.1, 5: 0.6, 6: -1.0}
    scenes = {1: "a", 2: "a", 3: "a", 4: "a", 5: "b", 6: "b"}
    found = by_scene(scores, scenes)
    assert abs(found["a"] - 0.6) < 1e-12
    assert abs(found["b"] - 0.2) < 1e-12
