"""The tone of what was said, read once more after the exchange."""

from __future__ import annotations

from pathlib import Path

import pytest

from innerlife.affect.cues import CueKind
from innerlife.ledger.envelope import Role
from innerlife.reflection.tone import STAGE
from tests.reflection.conftest import Mind, opened_mind

pytestmark = pytest.mark.anyio

DARK = "Nobody came to the funeral and the house is so quiet that I keep the radio on all night."
"""No word of feeling in it."""


async def test_what_no_word_names_is_read_by_its_tone(tmp_path: Path) -> None:
    """[A1] Capped as words are, with evidence; nothing of a story, and nothing in other languages."""
    with opened_mind(tmp_path, "minilm") as mind:
        chat = mind.chat()
        said = chat.say(DARK)
        story = mind.chat().say(f"The pirate wrote: {DARK}", fiction=True)
        spanish = chat.say("Nadie vino al entierro y la casa está tan callada que dejo la radio puesta.")
        await mind.think()
        readings = {one.message: one for one in mind.companion.mood.course().readings}
        assert said in readings
        assert (readings[said].affect.valence or 0) < 0
        assert readings[said].confidence <= 0.6
        assert readings[said].kind is CueKind.LINGUISTIC
        stages = {
            (cause.seq, event.derivation.stage)
            for event in mind.events("affect.signal")
            for cause in event.causes
            if event.derivation
        }
        assert (said, STAGE) in stages
        assert not {(story, STAGE), (spanish, STAGE)} & stages


async def test_without_the_embedder_the_glance_stands(mind: Mind) -> None:
    """[A1] Where no embedding model is wanted, nothing is read by one, and nothing fails."""
    mind.chat().say(DARK)
    await mind.think()
    assert not mind.companion.thoughts.state().failures


async def test_a_message_is_measured_by_what_was_usual_before_it(tmp_path: Path) -> None:
    """[A6] However late it is read: what is said after it makes nothing usual."""
    with opened_mind(tmp_path, "minilm") as mind:
        chat = mind.chat()
        for number in range(24):
            chat.say(f"please list the next {number} rivers of austria for me")
        loud = chat.say("I HAVE HAD NO ANSWER FROM MY BROTHER FOR WEEKS NOW !!!!!!")
        for number in range(30):
            chat.say(f"LIST THE NEXT {number} RIVERS OF AUSTRIA NOW !!!!!!")
        await mind.think(steps=2_000)
        cues = {
            cue.kind
            for event in mind.events("affect.signal")
            if event.derivation and event.derivation.stage == STAGE and loud in event.caused(Role.FROM)
            for cue in event.body.cues
        }
        assert CueKind.BEHAVIOURAL in cues
