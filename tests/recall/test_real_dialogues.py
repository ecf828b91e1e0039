"""The bench's claim, held on one real dialogue (needs INNERLIFE_TEST_DATA)."""

from pathlib import Path

import pytest

from bench.recall import FILE, compared, dialogues, measured, searchable
from innerlife.adapters.models.embedders import minilm


@pytest.mark.slow
def test_the_fusion_is_worth_having(real_data: Path, tmp_path: Path) -> None:
    """[R1] On a real dialogue the fusion finds more evidence than either arm and than reciprocal rank."""
    embedder = minilm()
    if embedder is None or not (real_data / FILE).is_file():
        pytest.skip("needs the English embedding model and the dialogues")
    shortest = min(dialogues(real_data / FILE), key=lambda one: len(one.turns))
    with searchable(shortest, tmp_path) as held:
        rows = {name: measured(found) for name, found in compared(held, embedder, "").items()}
    ours = rows["Innerlife"]["R@10"]
    assert ours >= 0.74
    for plainer in ("lexical arm", "semantic arm", "reciprocal rank"):
        assert ours > rows[plainer]["R@10"]
