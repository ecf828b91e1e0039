"""A home with something in it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from innerlife.conversations.model import Image
from tests.support.client import ChatClient
from tests.support.stack import opened_stack
from tests.support.victim import victims

__all__ = ["lived", "victims"]


@pytest.fixture(scope="session")
def _lived_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lived") / "core"
    with opened_stack(folder) as stack:
        client = ChatClient(stack.recording)
        client.answer(
            client.ask("A picture of quartzine", Image(b"quartzine" * 500, "image/png")), "A stone."
        )
        for number in range(60):
            client.say(
                f"Number {number} of the quartzine stones " + "x" * 500, f"Stone {number} " + "y" * 500
            )
        stack.upkeep.catch_up()
    return folder


@pytest.fixture
def lived(_lived_once: Path, tmp_path: Path) -> Path:
    """The folder of a Core in which a hundred messages and a picture were recorded; closed, one's own copy."""
    folder = tmp_path / "core"
    shutil.copytree(_lived_once, folder)
    shutil.copytree(_lived_once.with_name("core.config"), tmp_path / "core.config")
    return folder
