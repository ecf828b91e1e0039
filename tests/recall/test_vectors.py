import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from innerlife.recall.vectors import Codes, packed, unpacked


def some(count: int, dimension: int, seed: int = 1) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    raw = np.random.default_rng(seed).standard_normal((count, dimension)).astype(np.float32)
    return np.asarray(raw / np.linalg.norm(raw, axis=1, keepdims=True), np.float32)


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 300), st.sampled_from([64, 100, 384]), st.integers(1, 20), st.integers(0, 99))
def test_the_scan_finds_the_codes_that_differ_least(count: int, dimension: int, most: int, seed: int) -> None:
    """Against the plain way: compare every sign of every vector."""
    vectors, query = some(count, dimension, seed), some(1, dimension, seed + 1000)[0]
    codes = Codes(dimension, 10_000)
    half = count // 2
    data = [data for data, _ in packed(vectors)]
    codes.add(list(range(half)), data[:half])
    codes.add(list(range(half, count)), data[half:])
    signs = np.stack([np.frombuffer(one, np.int8) > 0 for one in data])
    differing = (signs != (query > 0)).sum(axis=1)
    found = codes.nearest(query, most)
    assert len(found) >= min(most, count)
    assert sorted(differing[found[:most]].tolist()) == sorted(differing.tolist())[:most]


def test_more_codes_than_allowed_keeps_the_newest() -> None:
    """[R7] What is scanned is bounded by policy: beyond it the newest are kept."""
    codes = Codes(64, 80)
    for start in (0, 40, 80, 120):
        codes.add(list(range(start, start + 40)), [data for data, _ in packed(some(40, 64, start))])
        assert len(codes) <= 80
    kept = set(codes.subjects.tolist())
    assert set(range(160 - len(kept), 160)) == kept
    found = codes.nearest(some(1, 64, 5)[0], 500)
    assert set(found) == kept


def test_a_newest_vector_is_found_after_the_oldest_were_dropped() -> None:
    vectors = some(200, 128)
    codes = Codes(128, 64)
    data = [one for one, _ in packed(vectors)]
    for index in range(0, 200, 10):
        codes.add(list(range(index, index + 10)), data[index : index + 10])
    assert codes.nearest(vectors[195], 1)[0] == 195


def test_bytes_keep_the_direction() -> None:
    vectors = some(20, 384)
    for vector, (data, scale) in zip(vectors, packed(vectors), strict=True):
        assert float(unpacked(data) @ vector) > 0.9995
        assert np.abs(np.frombuffer(data, np.int8) * scale - vector).max() <= scale / 2 + 1e-7


def test_no_codes_no_findings() -> None:
    assert Codes(64, 10).nearest(some(1, 64)[0], 5) == []


@pytest.mark.parametrize("dimension", [64, 384])
def test_a_zero_vector_does_no_harm(dimension: int) -> None:
    data, _ = packed(np.zeros((1, dimension), np.float32))[0]
    assert not unpacked(data).any()
