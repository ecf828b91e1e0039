"""Cues of one message: their kinds, their caps, and nothing where there is nothing."""

from __future__ import annotations

import math
from datetime import timedelta, timezone

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from innerlife.adapters.models.embedders import MiniLm, minilm
from innerlife.affect.cues import Cue, CueKind, Say
from innerlife.affect.habits import Habits
from innerlife.affect.heads import shipped
from innerlife.affect.policy import AffectPolicy
from innerlife.affect.read import glance, prepare, read, stated
from innerlife.affect.said import Said
from innerlife.affect.signals import Glimpse, signal_of
from innerlife.affect.statements import tongues
from tests.affect.said import CALM, MONDAY, POLICY, habits, message

CAPS = {
    CueKind.EXPLICIT: 0.9,
    CueKind.LINGUISTIC: 0.6,
    CueKind.BEHAVIOURAL: 0.5,
    CueKind.CONTEXTUAL: 0.3,
}


@pytest.fixture(scope="module")
def embedder() -> MiniLm:
    found = minilm()
    assert found is not None, "the English embedder comes with the installation"
    return found


def names(cues: tuple[Cue, ...], kind: CueKind | None = None) -> list[str]:
    return [cue.name for cue in cues if kind is None or cue.kind is kind]


def sound(cues: tuple[Cue, ...], text: str) -> bool:
    """Whether every cue is capped by its kind, on the scale, and has its evidence where it says."""
    return all(
        0 < cue.confidence <= CAPS[cue.kind]
        and all(
            value is None or (math.isfinite(value) and -1 <= value <= 1)
            for value in (cue.affect.valence, cue.affect.arousal, cue.affect.dominance)
        )
        and (cue.span is None or 0 <= cue.span[0] < cue.span[1] <= len(text))
        for cue in cues
    )


def test_what_is_said_is_believed_more_than_what_is_shown() -> None:
    """[A1] "I'm frustrated" counts 0.9 with its words as evidence; a short loud message at most 0.5."""
    text = "Honestly, I'm frustrated with this plan."
    (explicit,) = [cue for cue in glance(message(text), CALM) if cue.kind is CueKind.EXPLICIT]
    assert (explicit.confidence, explicit.span) == (0.9, (10, 24))
    loud = glance(message("WHAT NOW???"), CALM)
    assert {"shorter than usual", "more capital letters than usual"} <= set(names(loud))
    assert max(cue.confidence for cue in loud) <= 0.5


def test_shouting_by_habit_is_no_sign_and_by_anybody_else_is_one() -> None:
    """[A6] The same message beside two people's habits."""
    shouter = habits(
        "LOOK AT THIS ONE!!!", "WHAT ABOUT THE GARDEN???", "YES THAT IS IT!!!", "SHOW ME THE NEXT!!!"
    )
    text = "SHOW ME THE OTHER!!!"
    assert names(glance(message(text), shouter), CueKind.BEHAVIOURAL) == []
    loud = names(glance(message(text), CALM), CueKind.BEHAVIOURAL)
    assert {"more capital letters than usual", "more exclamation marks than usual"} <= set(loud)


def test_few_words_by_habit_are_no_sign() -> None:
    """[A6] Terse is how some people write."""
    terse = habits("ok", "next", "the first", "no, that one")
    assert "shorter than usual" not in names(glance(message("ok"), terse))
    assert "shorter than usual" in names(glance(message("ok"), CALM))


def test_what_somebody_does_now_and_then_is_no_sign() -> None:
    """[A6] Who shouts in every fourth message: unusual by the median, and yet a habit."""
    lively = habits(
        "Could you look at the second paragraph for me?",
        "I think the third one reads better than the first.",
        "Right, let us go on with the garden plan then.",
        "OH THAT IS A LOVELY WALL INDEED, SHOW ME!!!",
    )
    assert names(glance(message("OH SHOW ME THAT ONE IN THE SUN TOO!!!"), lively), CueKind.BEHAVIOURAL) == []


def test_nothing_is_unusual_for_somebody_who_is_not_known_yet() -> None:
    """[A6] Below twenty messages there is no behaviour to compare with, however loud."""
    known = habits("Could you look at the second paragraph for me?", times=19)
    assert glance(message("WHAT???? NOOOO!!!!"), known) == ()
    assert glance(message("WHAT???? NOOOO!!!!"), Habits()) == ()


def test_hours_and_sittings_count_against_what_is_usual() -> None:
    """[A1] Hour, weekday and duration are context, worth 0.3 at most; the person's own clock tells."""
    night = message("Could you look at the second paragraph for me?", MONDAY.replace(hour=3))
    (hour,) = [cue for cue in glance(night, CALM) if cue.kind is CueKind.CONTEXTUAL]
    assert hour.name == "at an unusual hour"
    assert hour.confidence <= 0.3
    at_home = Said(night.text, night.at, timezone(timedelta(hours=7)), answered=night.answered)
    assert glance(at_home, CALM) == ()


@pytest.mark.parametrize("text", ["😭😭😭", "😀", "🙃", "/s", "oh great, I'm thrilled, it broke again"])
def test_emoji_and_irony_state_no_feeling(text: str) -> None:
    """[A1] What may mean the contrary is believed little and never as a statement."""
    cues = glance(message(text), Habits())
    assert [one.say for one in stated(message(text)) if one.say is Say.FEELS] == []
    assert all(cue.confidence <= 0.2 for cue in cues)


def test_irony_costs_words_most_of_their_weight() -> None:
    """[A1] The same words with a mark of irony are believed a third as far."""
    (plain,) = glance(message("What a wonderful, lovely day that was"), Habits())
    (marked,) = glance(message("What a wonderful, lovely day that was /s"), Habits())
    assert marked.confidence == pytest.approx(0.3 * plain.confidence, abs=0.02)


def test_loudness_is_no_valence() -> None:
    """[A6] Capitals and marks make pleasant words no more pleasant: they are weighed against habit alone."""
    (quiet,) = glance(message("that was a lovely day."), Habits())
    (loud,) = glance(message("THAT WAS A LOVELY DAY!!!"), Habits())
    assert loud.affect == quiet.affect


def test_what_is_loaded_once_is_loaded_before_it_is_needed() -> None:
    """[A1] No turn waits for languages or weights after `prepare`."""
    tongues.cache_clear()
    shipped.cache_clear()
    prepare()
    glance(message("I'm so happy"), Habits())
    assert (tongues.cache_info().misses, shipped.cache_info().misses) == (1, 1)


def test_a_request_in_polite_words_is_not_joy() -> None:
    """[A1] "Please", "help" and "thanks" are manners."""
    assert glance(message("Hello, could you please help me with the parser? Thanks!"), Habits()) == ()


def test_the_tone_of_english_words_is_read_from_their_vector(embedder: MiniLm) -> None:
    """[A1] Pleasant above unpleasant, stirred above calm, and a plain question is nothing."""

    def tone(text: str) -> Cue | None:
        cues = read(message(text), Habits(), embedder.embed_passages([text])[0])
        return next((cue for cue in cues if cue.name == "the tone of the words"), None)

    joy = tone("They said yes, this is the best day of the whole year!")
    fear = tone("What if the test comes back positive, the waiting is unbearable and scary")
    grief = tone("My grandmother died this morning and the house is so quiet")
    assert joy is not None
    assert fear is not None
    assert grief is not None
    assert (joy.affect.valence or 0) > 0.2
    assert (fear.affect.valence or 0) < 0
    assert (grief.affect.valence or 0) < -0.2
    assert (fear.affect.arousal or 0) > (grief.affect.arousal or 0)
    assert (joy.affect.dominance or 0) > (fear.affect.dominance or 0)
    assert tone("Could you make the second paragraph a little shorter?") is None
    assert tone("The train to Leipzig leaves from platform nine at half past four.") is None


def test_another_language_is_never_put_through_english_heads(embedder: MiniLm) -> None:
    """[A1] The embedder reads English alone: elsewhere what is said and done has to do."""
    for text in (
        "no me gusta nada esta película tan horrible",
        "мне очень грустно сегодня",
        "今日はとても悲しい",
    ):
        vector = embedder.embed_passages([text])[0]
        assert read(message(text), CALM, vector) == glance(message(text), CALM)
        assert "unpleasant words" not in names(glance(message(text), CALM))
    assert names(read(message("estoy agotada"), Habits(), None)) == ["said so: agotada"]


def test_a_vector_that_is_none_says_nothing() -> None:
    """[A1] Not a number, or of another embedder's length."""
    text = "I hate this so much, it is awful"
    for vector in (np.full(384, np.nan, np.float32), np.zeros(768, np.float32)):
        assert names(read(message(text), Habits(), vector), CueKind.LINGUISTIC) == []


def test_a_very_long_message_is_read_at_both_ends_with_spans_in_the_whole() -> None:
    """[A1] Fifty kilobytes, the feeling in the last line."""
    text = "lorem ipsum dolor " * 2800 + "\nI'm exhausted."
    (cue,) = [cue for cue in glance(message(text), CALM) if cue.kind is CueKind.EXPLICIT]
    assert cue.span is not None
    assert text[slice(*cue.span)] == "I'm exhausted"


@settings(max_examples=60)
@given(
    st.one_of(st.text(max_size=400), st.text(alphabet="aA!?😭 .'im\u0301\u200d", max_size=200)),
    st.integers(-800, 10**6),
)
def test_any_message_gives_sound_cues(text: str, minutes: int) -> None:
    """[A1] Caps hold, numbers are numbers, evidence is where it says, for whatever is sent and whenever."""
    said = message(text, MONDAY + timedelta(minutes=minutes))
    vector = np.full(384, 384**-0.5, np.float32)
    assert sound(glance(said, CALM), text)
    assert sound(read(said, CALM, vector), text)
    assert glance(said, CALM, POLICY) == glance(said, CALM)


@pytest.mark.parametrize(
    "text",
    [
        "The war killed many people, which years were the worst?",
        "Who murdered Caesar and why did they hate him?",
        "Explain the horrors of the plague in Florence",
    ],
)
def test_what_is_asked_of_the_world_is_no_reading_of_a_person(text: str) -> None:
    """[A1] [A3] Dark words about a thing are half believed: too little for a signal; of oneself they are one."""
    assert signal_of(Glimpse(glance(message(text), Habits())), AffectPolicy()) is None
    assert signal_of(Glimpse(glance(message("I hate this stupid broken printer"), Habits())), AffectPolicy())


def test_a_bare_no_is_an_answer() -> None:
    """[A1] To "Do you want more of it?" it is no more unpleasant than "yes"."""
    assert glance(message("no"), Habits()) == glance(message("No, thanks."), Habits()) == ()
    assert names(glance(message("I have no hope left, it is awful"), Habits()), CueKind.LINGUISTIC)
