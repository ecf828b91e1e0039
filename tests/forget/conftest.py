"""A life to forget from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.forget.life import Life, lived_in
from tests.support.stack import opened_stack
from tests.support.victim import victims

__all__ = ["life", "victims"]


@pytest.fixture
def life(tmp_path: Path) -> Iterator[Life]:
    """Two conversations with planted words, open."""
    with opened_stack(tmp_path / "core") as stack:
        yield lived_in(stack)
