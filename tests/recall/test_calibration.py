from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from innerlife.adapters.models import embedders
from innerlife.ports import Embedder, Vector
from innerlife.recall import calibration
from innerlife.recall.calibration import Calibration, Cosines, calibrate, judged, measured, pairs, read
from tests.recall.doubles import HashingEmbedder

CLEAR = Cosines((0.9, 0.8, 0.85), (0.6, 0.55, 0.65), (0.1, 0.0, 0.05))


class Blind(HashingEmbedder):
    """Takes all texts for the same."""

    def embed_passages(self, texts: Sequence[str]) -> Vector:
        return np.stack([self._one("nothing")] * len(texts))


class Nowhere(HashingEmbedder):
    """Its numbers are none."""

    def embed_passages(self, texts: Sequence[str]) -> Vector:
        return np.full((len(texts), self.dimension), np.nan, np.float32)


def test_the_shipped_pairs_are_several_languages_of_full_entries() -> None:
    assert set(pairs()) >= {"en", "de", "es", "ru"}
    for entries in pairs().values():
        assert len(entries) >= 6
        assert all(entry.keys() == {"text", "same", "near"} for entry in entries)
        assert len({text for entry in entries for text in entry.values()}) == 3 * len(entries)


def test_thresholds_lie_between_the_groups_they_part() -> None:
    """[S8] What has nothing in common lies below near, what is about the same between, what says the same above."""
    found = judged("m/1", {"en": CLEAR})
    assert max(CLEAR.apart) < found.near < min(CLEAR.near)
    assert max(CLEAR.near) < found.same < min(CLEAR.same)
    assert (found.degenerate, found.languages) == (False, ("en",))
    assert found.mean == pytest.approx(0.05)


def test_a_language_that_the_model_does_not_know_spoils_nothing() -> None:
    """[S8] Only languages in which the model tells the groups apart set its thresholds."""
    blurred = Cosines((0.7, 0.4, 0.9), (0.8, 0.6, 0.75), (0.4, 0.6, 0.5))
    assert judged("m/1", {"en": CLEAR, "de": blurred}) == judged("m/1", {"en": CLEAR})


@pytest.mark.parametrize("embedder", [Blind(), Nowhere()])
def test_a_model_that_tells_nothing_apart_gates_nothing(embedder: Embedder) -> None:
    """[S8] A degenerate calibration says so, and its thresholds let nothing pass for the same."""
    found = calibrate(embedder)
    assert found.degenerate
    assert (found.near, found.same, found.languages) == (1.0, 1.0, ())


def test_it_is_kept_as_text_and_measured_anew_for_other_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """[S8] A calibration belongs to a model and to the pairs that measured it."""
    made = judged("m/1", {"en": CLEAR})
    assert read(made.written()) == made
    assert read(None) is None
    written = made.written()
    monkeypatch.setattr(calibration, "pairs_digest", lambda: "others")
    assert read(written) is None


@pytest.mark.slow
def test_real_models_are_told_apart_by_their_own_thresholds() -> None:
    """[S8] MiniLM reads English alone; e5, where all cosines are high, reads more. One number would fit neither."""
    small, many = embedders.minilm(), embedders.e5()
    if small is None or many is None:
        pytest.skip("not both models are installed")
    english, multilingual = (
        judged(one.model, {name: measured(one.embed_passages, pairs()[name]) for name in ("de", "en")})
        for one in (small, many)
    )
    assert english.languages == ("en",)
    assert multilingual.languages == ("de", "en")
    assert english.near < english.same < multilingual.near < multilingual.same < 1
    assert multilingual.mean > english.same
    assert says_the_same(small, english, "I moved to Rome last year.", "Last year I moved to Rome.")
    assert not says_the_same(small, english, "I moved to Rome last year.", "My bicycle has a flat tyre.")
    assert not says_the_same(many, multilingual, "Wir wohnen in Rom.", "Mein Rad hat einen Platten.")
    assert not says_the_same(
        many, replace(multilingual, same=1.0), "Wir wohnen in Rom.", "In Rom wohnen wir."
    )


def says_the_same(embedder: Embedder, known: Calibration, one: str, other: str) -> bool:
    vectors = embedder.embed_passages([one, other])
    return float(vectors[0] @ vectors[1]) >= known.same
