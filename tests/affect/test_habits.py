"""Features and habits: what is counted, and when something is unusual for this person."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from innerlife.affect.behaviour import behaviour
from innerlife.affect.features import Features, features_of
from innerlife.affect.habits import Habits, Measure, band_of, learned
from innerlife.affect.said import Earlier, Said, Voice
from tests.affect.said import CALM, MONDAY, POLICY, habits, message


def seen(text: str) -> Features:
    return features_of(message(text), POLICY)


def test_a_message_is_counted_as_a_person_would() -> None:
    """[A1] Marks, capitals, drawn-out letters, words twice, emoji."""
    found = seen("NOOOO!!! why why is it LIKE THIS??? 😭👍🏽…")
    assert (found.exclamations, found.marks, found.emoji, found.ellipses) == (3, 3, 2, 1)
    assert (found.drawn_out, found.repeated, found.words) == (1, 1, 7)
    assert found.capitals is not None
    assert 0.5 < found.capitals < 0.8
    assert seen("I am OK").capitals is None


def test_pace_sitting_and_hour_are_the_persons_own() -> None:
    """[A1] Seconds since the answer, minutes since the sitting began, and the clock on their wall."""
    earlier = tuple(Earlier("something else", MONDAY - timedelta(minutes=m)) for m in (300, 70, 40, 10))
    said = Said(
        "and now this",
        MONDAY,
        MONDAY.tzinfo or pytest.fail("no zone"),
        earlier,
        MONDAY - timedelta(seconds=12),
    )
    found = features_of(said, POLICY)
    assert (found.pace_s, found.sitting_minutes, found.hour, found.weekday) == (12, 70, 10, 0)
    late = Said("and now this", MONDAY, said.zone, (), MONDAY - timedelta(hours=5))
    assert features_of(late, POLICY).pace_s is None


def test_a_voice_is_told_by_its_pace_and_its_pauses() -> None:
    """[A1] Against how this person speaks; a typed message has neither."""

    def spoken(seconds: float, *pauses: float) -> Said:
        said = message("Could you look at the second paragraph for me?")
        return replace(said, voice=Voice(seconds, pauses))

    found = features_of(spoken(5.0, 0.5, 0.5), POLICY)
    assert found.speech_rate == pytest.approx(9 / 4)
    assert found.pause_share == pytest.approx(0.2)
    assert (seen("typed").speech_rate, seen("typed").pause_share) == (None, None)
    assert features_of(spoken(0.0), POLICY).speech_rate is None
    known = CALM
    for _ in range(24):
        known = learned(known, found, POLICY)
    hurried = [cue.name for cue in behaviour(features_of(spoken(2.0), POLICY), known, POLICY)]
    halting = [cue.name for cue in behaviour(features_of(spoken(12.0, 4.0, 4.0), POLICY), known, POLICY)]
    assert hurried == ["spoken faster than usual"]
    assert halting == ["more pauses than usual"]


def test_changes_of_topic_are_seen_from_what_was_said_before() -> None:
    """[A1] A switch has no word in common with what came before; too little text says nothing."""

    def switches(*texts: str) -> float | None:
        earlier = tuple(Earlier(text, MONDAY) for text in texts[:-1])
        return features_of(
            Said(texts[-1], MONDAY, MONDAY.tzinfo or pytest.fail("no zone"), earlier), POLICY
        ).switches

    assert (
        switches("plant roses along the garden wall", "which roses like shade", "roses need pruning") == 0.0
    )
    assert switches("plant roses along the wall", "my tax return is late", "cheap flights to Lisbon") == 1.0
    assert switches("ok", "yes", "no") is None


def test_habits_are_not_known_before_there_is_enough() -> None:
    """[A6] It says so, rather than guess."""
    assert not Habits().known(POLICY)
    assert Habits().usual(Measure.LENGTH, "week morning", POLICY) is None
    assert not habits("one two three", times=19).known(POLICY)
    assert habits("one two three", times=20).known(POLICY)


def test_an_hour_of_the_week_has_habits_of_its_own_where_there_is_enough() -> None:
    """[A6] Curt at work and long at night are both usual, each in its place; elsewhere all of it counts."""
    found = habits("yes", "no", times=15)
    for number in range(30):
        at = MONDAY.replace(hour=22) + timedelta(days=7 * (number // 5) + number % 5)
        found = learned(found, features_of(message("word " * 60, at), POLICY), POLICY)
    day = found.usual(Measure.LENGTH, "week morning", POLICY)
    night = found.usual(Measure.LENGTH, "week evening", POLICY)
    assert day is not None
    assert night is not None
    assert (math.expm1(day.middle), math.expm1(night.middle)) == pytest.approx((1, 60))
    other = found.usual(Measure.LENGTH, "weekend night", POLICY)
    assert other is not None
    assert other.values == tuple(sorted(other.values))
    assert len(other.values) == 60


@given(st.lists(st.text(max_size=40), max_size=15))
def test_one_odd_day_moves_a_median_little(odd: list[str]) -> None:
    """[A6] Fifteen messages of any kind among thirty-two: the usual length stays among the usual lengths."""
    found = CALM
    for text in odd:
        found = learned(found, seen(text), POLICY)
    usual = found.usual(Measure.LENGTH, "week morning", POLICY)
    assert usual is not None
    assert 5 <= math.expm1(usual.middle) <= 11


@settings(max_examples=20)
@given(st.integers(1, 400), st.integers(0, 10**5))
def test_habits_stay_small(messages: int, step: int) -> None:
    """[A6] Whatever was written, so much is kept and no more; a message goes into one band."""
    found = Habits()
    feature = seen("one two three")
    for number in range(messages):
        at = MONDAY + timedelta(minutes=number * step)
        feature = features_of(message("one two three", at), POLICY)
        found = learned(found, feature, POLICY)
    assert found.seen == messages
    assert len(found.newest) == len(found.hours) == min(messages, POLICY.kept)
    assert len(found.bands) <= 8
    assert all(len(rows) <= POLICY.kept_in_band for rows in found.bands.values())
    assert found.bands[band_of(feature)][-1] == found.newest[-1]


@given(st.text(max_size=500))
def test_any_text_has_features(text: str) -> None:
    """[A1] Numbers, never anything else, for empty texts and other scripts too."""
    found = seen(text)
    assert found.words >= 0
    assert found.capitals is None or 0 <= found.capitals <= 1
    assert all(value is None or math.isfinite(value) for value in learned(Habits(), found, POLICY).newest[0])


def test_a_name_in_capitals_is_no_shouting() -> None:
    """[A6] "What is TCP?" is quiet; whoever writes all of it in capitals is not."""

    def loud(text: str) -> float:
        return features_of(message(text), POLICY).capitals or 0.0

    assert loud("What is TCP and how does UDP differ from it?") < 0.1
    assert loud("WHY IS THIS SO SLOW") == 1.0


@pytest.mark.parametrize(
    "text",
    [
        "Serial: ABCD-EFGH-IJKL-MNOP",
        "Order 3F2A9C8E-77BD-4C1D-9F3A-ABCDEFABCDEF did not arrive",
        "Does HDMI or DVI or a DP-HDMI cable work here?",
        "COVID RSV FLU shots",
    ],
)
def test_a_number_or_a_row_of_names_is_no_shouting(text: str) -> None:
    """[A6] [A8] What has to be in capitals tells nothing, and makes no window of strong feeling."""
    assert (seen(text).capitals or 0.0) < 0.3


def test_what_is_no_word_is_neither_drawn_out_nor_said_twice() -> None:
    """[A6] Addresses, handles and figures are as they are."""
    found = seen("www.example.com, #aaa1bb and 3x3x3 for me")
    assert (found.drawn_out, found.repeated) == (0, 0)
    assert seen("sooo sooo good").drawn_out == 2
