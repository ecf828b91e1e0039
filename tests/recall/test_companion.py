"""Recall by meaning in a whole companion."""

from __future__ import annotations

import time
from pathlib import Path

from innerlife.bootstrap import open_companion
from innerlife.companion import Companion
from innerlife.conversations.events import UserMessage
from innerlife.ledger.envelope import Actor, Draft, Trust
from innerlife.recall.embeddings import Shelf
from innerlife.settings import Configured, load
from tests.recall.doubles import HashingEmbedder
from tests.recall.test_tongue import ENGLISH, GERMAN

PATIENCE_S = 30.0


def test_a_companion_follows_the_language_of_its_person(tmp_path: Path) -> None:
    """[R5] In the running companion too: the model changes behind the talk, and is still the one after a restart."""
    configured = load(home=tmp_path, environment={"INNERLIFE_CONFIG": str(tmp_path / "config")})
    companion = told(configured, [f"{ENGLISH} {n}" for n in range(12)], "small/1")
    companion.close()
    companion = told(configured, [f"{GERMAN} {n}" for n in range(12)], "many/1")
    assert companion.embeddings is not None
    found = companion.embeddings.calibration()
    assert found is not None
    assert found.model == "many/1"
    companion.close()
    again = open_companion(configured, shelf=shelf())
    assert again.embeddings is not None
    assert again.embeddings.serving.model == "many/1"
    assert again.embeddings.backlog() == 0
    again.close()


def shelf() -> Shelf:
    return Shelf(HashingEmbedder("small/1"), HashingEmbedder("many/1"))


def told(configured: Configured, texts: list[str], expected: str) -> Companion:
    """A companion that has been told these and has read them all by the expected model."""
    companion = open_companion(configured, shelf=shelf())
    companion.ledger.append_all([Draft(UserMessage(text), Actor.USER, Trust.USER) for text in texts])
    companion.upkeep.start()
    embeddings = companion.embeddings
    assert embeddings is not None
    ends = time.monotonic() + PATIENCE_S
    while embeddings.serving.model != expected or embeddings.backlog() or embeddings.calibration() is None:
        assert time.monotonic() < ends, companion.upkeep.trouble
        time.sleep(0.05)
    return companion
