"""The shipped heads: whole, small, and the same after packing."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from innerlife.adapters.models.embedders import MiniLm
from innerlife.affect import heads
from innerlife.affect.heads import PLACES, affect_of, pack, shipped, tokens, unpack
from innerlife.errors import ModelUnavailable


def test_the_weights_are_small_and_read_the_embedder_that_comes_with_the_program() -> None:
    """[A1] A few dozen kilobytes; vectors of any other model would mean nothing to them."""
    found = shipped()
    assert len((files("innerlife.affect") / "heads.npz").read_bytes()) < 64_000
    assert found.embedder == MiniLm.model
    assert found.layers.mean.shape == (MiniLm.dimension,)
    assert set(found.labels) == set(PLACES)
    assert found.thresholds.shape == (28,)


def test_damaged_weights_are_told_and_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """[A1] One bit elsewhere than when they were shipped."""
    whole = Path(str(files("innerlife.affect")))
    data = bytearray((whole / "heads.npz").read_bytes())
    data[len(data) // 2] ^= 1
    (tmp_path / "heads.npz").write_bytes(data)
    (tmp_path / "heads.toml").write_bytes((whole / "heads.toml").read_bytes())
    monkeypatch.setattr(heads, "files", lambda _: tmp_path)
    with pytest.raises(ModelUnavailable, match="damaged"):
        shipped.__wrapped__()


def test_packing_costs_next_to_nothing() -> None:
    """[A1] Eight bits and back: probabilities stay within a hundredth."""
    found = shipped()
    drawn = np.random.default_rng(3)
    scaled = replace(found, layers=replace(found.layers, inner=found.layers.inner * np.float32(1.01)))
    again = unpack(pack(scaled), found.embedder)
    vectors = drawn.normal(size=(50, 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    texts = ["I am so happy for you", "this is fine", ""] * 16 + ["why", "!"]
    assert np.abs(again.probabilities(vectors, texts) - scaled.probabilities(vectors, texts)).max() < 0.01
    assert again.words == found.words


@given(st.lists(st.floats(-1e6, 1e6, width=32), min_size=384, max_size=384), st.text(max_size=80))
def test_probabilities_are_probabilities_and_places_are_on_the_scale(values: list[float], text: str) -> None:
    """[A1] For vectors that no embedder would give, too."""
    found = shipped()
    probable = found.probabilities(np.array([values], np.float32), [text])
    assert np.isfinite(probable).all()
    assert ((probable >= 0) & (probable <= 1)).all()
    assert (np.abs(affect_of(found.labels, probable)) <= 1).all()


def test_tokens_are_words_marks_and_pairs() -> None:
    """[A1] Folded, so that haste and accents find the same words."""
    assert tokens("Thank YOU!!") == {"thank", "you", "!!", "thank you", "you !!"}
    assert tokens("") == frozenset()
