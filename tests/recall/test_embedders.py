"""One contract for every embedder, the double of the other tests included."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from innerlife.adapters.models import embedders
from innerlife.adapters.models.embedders import choose_embedder
from innerlife.errors import ModelUnavailable
from innerlife.ports import Embedder
from tests.recall.doubles import HashingEmbedder

EMBEDDERS: dict[str, Callable[[], Embedder | None]] = {
    "hashing": HashingEmbedder,
    "minilm": embedders.minilm,
    "e5": embedders.e5,
}


@pytest.fixture(scope="module", params=sorted(EMBEDDERS))
def embedder(request: pytest.FixtureRequest) -> Embedder:
    made = EMBEDDERS[request.param]()
    if made is None:
        pytest.skip(f"{request.param} is not installed")
    assert isinstance(made, HashingEmbedder | embedders.MiniLm | embedders.E5)
    return made


def test_every_vector_is_a_unit_of_the_dimension(embedder: Embedder) -> None:
    """[R5] The contract of the port: model, dimension, unit length, one row a text."""
    texts = ["The cat sleeps.", "", "a " * 2_000, "Привет 東京 🙂"]
    passages = embedder.embed_passages(texts)
    assert passages.shape == (4, embedder.dimension)
    assert passages.dtype == np.float32
    question = embedder.embed_query("Where does the cat sleep?")
    assert question.shape == (embedder.dimension,)
    assert np.allclose(np.linalg.norm([*passages, question], axis=1), 1, atol=1e-3)
    assert "/" in embedder.model


def test_no_texts_no_rows(embedder: Embedder) -> None:
    assert embedder.embed_passages([]).shape == (0, embedder.dimension)


def test_what_means_the_same_is_nearer(embedder: Embedder) -> None:
    passages = embedder.embed_passages(["the cat sleeps on the sofa", "quarterly tax returns are due"])
    near, far = passages @ embedder.embed_query("a cat sleeps on a sofa")
    assert near > far + 0.02


def test_the_company_in_a_batch_changes_nothing(embedder: Embedder) -> None:
    alone = embedder.embed_passages(["the cat sleeps"])[0]
    among = embedder.embed_passages(["x", "the cat sleeps", "a much longer text " * 20])[1]
    assert float(alone @ among) > 0.98


def test_threads_do_not_disturb_one_another(embedder: Embedder) -> None:
    alone = embedder.embed_query("the cat sleeps")
    with ThreadPoolExecutor(4) as threads:
        for found in threads.map(embedder.embed_query, ["the cat sleeps"] * 8):
            assert float(found @ alone) > 0.999


@pytest.mark.parametrize("make", [embedders.minilm, embedders.e5])
def test_of_a_long_question_the_end_is_read(make: object) -> None:
    """[R5] The query vector uses the last 64 tokens: what is asked stands at the end."""
    assert callable(make)
    made = make()
    if made is None:
        pytest.skip("not installed")
    asked = made.embed_query("Where does the cat sleep?")
    after = made.embed_query("the weather report says rain and wind " * 60 + "Where does the cat sleep?")
    before = made.embed_query("Where does the cat sleep? " + "the weather report says rain and wind " * 60)
    assert float(asked @ after) > float(asked @ before)
    tail = made.embed_query("filler words here " * 60)
    assert float(made.embed_query("Where does the cat sleep? " + "filler words here " * 60) @ tail) > 0.999


def test_a_setting_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    """[R5] auto takes the English model, else the multilingual one, else none; a name that is absent is an error."""
    assert choose_embedder("off") is None
    monkeypatch.setattr(embedders, "find_spec", lambda name: None)
    assert choose_embedder("auto") is None
    with pytest.raises(ModelUnavailable, match="minilm"):
        choose_embedder("minilm")
    with pytest.raises(ModelUnavailable, match="e5"):
        choose_embedder("e5")
    monkeypatch.undo()
    if embedders.minilm():
        assert isinstance(choose_embedder("auto"), embedders.MiniLm)
    monkeypatch.setattr(embedders, "minilm", lambda: None)
    monkeypatch.setattr(embedders, "e5", lambda: HashingEmbedder("stand-in/1"))
    chosen = choose_embedder("auto")
    assert chosen is not None
    assert chosen.model == "stand-in/1"


def test_the_runtime_of_the_model_keeps_its_telemetry_to_itself(tmp_path: Path) -> None:
    """[X1] Embedding looks up no name and writes nothing outside the home: in a process of its own, under watch."""
    script = """
import sys, socket
looked = []
sys.addaudithook(lambda event, args: looked.append(args) if event == "socket.getaddrinfo" else None)
from innerlife.adapters.models.embedders import minilm
model = minilm()
if model is None:
    sys.exit(9)
model.embed_query("hello")
import os
assert os.environ["ORT_DISABLE_TELEMETRY"] == "1"
assert not looked, looked
"""
    environment = os.environ | {"HOME": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    environment.pop("ORT_DISABLE_TELEMETRY", None)
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    if done.returncode == 9:
        pytest.skip("the English embedding model is not installed")
    assert done.returncode == 0, done.stderr
    written = [path for path in tmp_path.rglob("*") if "onnxruntime" in str(path).lower()]
    assert written == []
