from dataclasses import astuple, fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from innerlife.recall.fusion import Evidence, Weights, fused, reciprocal_rank, scene_means

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
    less_score, more_score = fused(np.array([astuple(NOTHING), astuple(more)]), Weights())
    assert more_score > less_score
    assert [field.name for field in fields(Evidence)] == [field.name for field in fields(Weights)]


def test_a_scene_is_as_good_as_its_three_best() -> None:
    scores = np.array([0.9, 0.6, 0.3, 0.1, 0.6, -1.0, 0.9])
    scenes = np.array([1, 1, 1, 1, 0, 0, 2])
    assert scene_means(scores, scenes) == pytest.approx([0.6, 0.6, 0.6, 0.6, 0.2, 0.2, 0.3])
    assert scene_means(scores[:0], scenes[:0]).shape == (0,)


@given(st.lists(st.tuples(st.floats(-2, 2), st.integers(0, 4)), max_size=40))
def test_scenes_are_judged_as_one_by_one(given_scores: list[tuple[float, int]]) -> None:
    """Against the plain way: each scene by itself."""
    scenes = {one: number for number, one in enumerate(dict.fromkeys(scene for _, scene in given_scores))}
    found = scene_means(
        np.array([score for score, _ in given_scores]),
        np.array([scenes[scene] for _, scene in given_scores], np.intp),
    )
    for (_, scene), mean in zip(given_scores, found, strict=True):
        best = sorted((max(score, 0.0) for score, other in given_scores if other == scene), reverse=True)[:3]
        assert abs(mean - sum(best) / 3) < 1e-9
