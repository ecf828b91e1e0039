"""nomic-embed-text against a local server that answers as Ollama does."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from innerlife.adapters.models import embedders
from innerlife.adapters.models.embedders import choose_embedder, shelf
from innerlife.adapters.models.ollama_embedder import DIMENSION, Nomic
from innerlife.errors import ModelUnavailable

NOBODY = "http://127.0.0.1:9"


class FakeOllama(ThreadingHTTPServer):
    """Has the models it is told to have; `spoil` changes what it answers."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.models = ["llama3.2:1b", "nomic-embed-text:latest"]
        self.asked: list[dict[str, Any]] = []
        self.status = 200
        self.spoil: str | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: FakeOllama

    def do_GET(self) -> None:
        self._say({"models": [{"name": name} for name in self.server.models]})

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append({"path": self.path, **asked})
        self._say({"embeddings": [[float(len(text)), *[0.5] * (DIMENSION - 1)] for text in asked["input"]]})

    def _say(self, said: object) -> None:
        text = (json.dumps(said) if self.server.spoil is None else self.server.spoil).encode()
        self.send_response(self.server.status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of its parent
        """Tests are quiet."""


@pytest.fixture
def ollama() -> Iterator[FakeOllama]:
    with FakeOllama() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_vectors_are_units_and_question_and_text_are_told_apart(ollama: FakeOllama) -> None:
    """[R5] The contract of the port, and the two prefixes by which the model was trained."""
    nomic = Nomic(ollama.url)
    passages = nomic.embed_passages(["a cat", "a much longer cat"])
    assert passages.shape == (2, nomic.dimension)
    assert passages.dtype == np.float32
    assert np.allclose(np.linalg.norm(passages, axis=1), 1, atol=1e-5)
    question = nomic.embed_query("filler " * 100 + "where does the cat sleep?")
    assert question.shape == (nomic.dimension,)
    first, second = ollama.asked
    assert (first["path"], first["model"]) == ("/api/embed", "nomic-embed-text")
    assert first["input"] == ["search_document: a cat", "search_document: a much longer cat"]
    assert second["input"][0].startswith("search_query: filler")
    assert second["input"][0].endswith("where does the cat sleep?")
    assert len(second["input"][0].split()) == 49
    assert nomic.embed_passages([]).shape == (0, nomic.dimension)


def test_it_is_looked_for_where_it_may_be(ollama: FakeOllama) -> None:
    """[R5] Only an Ollama that has the model counts; a server that talks of other things has none."""
    assert Nomic(ollama.url).is_there()
    assert not Nomic(NOBODY).is_there()
    ollama.models = ["nomic-embed-text-like:latest"]
    assert not Nomic(ollama.url).is_there()
    for spoiled in ("no JSON", "[]", '{"models": [1]}', "{}"):
        ollama.spoil = spoiled
        assert not Nomic(ollama.url).is_there()


@pytest.mark.parametrize(
    ("status", "spoil", "said"),
    [
        (404, "{}", "has no nomic-embed-text"),
        (500, "{}", "could not embed"),
        (200, "<html>", "could not embed"),
        (200, '{"embeddings": [[1, 2]]}', "another model"),
        (200, '{"embeddings": [["a"]]}', "could not embed"),
        (200, json.dumps({"embeddings": [[float("nan")] * DIMENSION]}), "another model"),
    ],
)
def test_whatever_it_answers_is_a_vector_or_a_clear_error(
    ollama: FakeOllama, status: int, spoil: str, said: str
) -> None:
    """[R5] A model that is not there, a broken answer or one of another model is said, never stored."""
    ollama.status, ollama.spoil = status, spoil
    with pytest.raises(ModelUnavailable, match=said):
        Nomic(ollama.url).embed_passages(["a cat"])


def test_an_ollama_that_is_not_there_is_said() -> None:
    """[R5] So a search goes by words, and the backlog waits."""
    with pytest.raises(ModelUnavailable, match="did not embed"):
        Nomic(NOBODY).embed_query("a cat")


def test_auto_takes_it_where_nothing_else_is_installed(
    monkeypatch: pytest.MonkeyPatch, ollama: FakeOllama
) -> None:
    """[R5] auto picks by what is there: the packages first, then an Ollama that has the model, else none."""
    monkeypatch.setattr(embedders, "find_spec", lambda name: None)
    assert isinstance(choose_embedder("auto", ollama.url), Nomic)
    assert isinstance(choose_embedder("nomic", NOBODY), Nomic)
    assert choose_embedder("auto", NOBODY) is None
    ollama.models = []
    assert choose_embedder("auto", ollama.url) is None


def test_auto_has_a_model_for_english_and_one_for_the_rest() -> None:
    """[R5] auto picks by language where both packages are installed; a name picks one, and keeps the other readable."""
    small, many = embedders.minilm(), embedders.e5()
    if small is None or many is None:
        pytest.skip("not both models are installed")
    auto, named = shelf("auto"), shelf("e5")
    assert auto is not None
    assert named is not None
    assert (auto.english.model, auto.many.model) == (small.model, many.model)
    assert (named.english.model, named.many.model) == (many.model, many.model)
    assert named.named(small.model) is not None
    assert named.named("unheard/1") is None
