"""What reaches the prompt: manner, and nothing of what was read."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innerlife.affect.course import Reading
from innerlife.affect.cues import Affect, CueKind
from innerlife.affect.events import Aim, Level, Point
from innerlife.affect.manner import SENTENCES, Guidance, guidance, state_of
from innerlife.affect.moods import MoodUse, folded, mood_words
from tests.affect.feelings import FEELINGS, TELLTALE
from tests.affect.made import (
    AFFECTS,
    AT_EASE,
    DAY_OF,
    GLAD,
    HARD,
    NOW,
    POLICY,
    SWAMPED,
    TIRED,
    ZONE,
    ago,
    reading,
)

READINGS = st.lists(
    st.builds(
        reading,
        AFFECTS,
        st.floats(0.0, 0.9),
        st.sampled_from(CueKind),
        st.integers(0, 14 * 24).map(ago),
        st.integers(1, 50),
        st.integers(0, 3),
    ),
    max_size=12,
).map(lambda found: sorted(found, key=lambda one: one.at))


def given_for(*readings: Reading, first_today: bool = False, later: float = 0.0) -> tuple[Guidance, ...]:
    now = NOW + timedelta(hours=later)
    return guidance(readings, now, ZONE, POLICY, DAY_OF, first_today=first_today)


def aims(*readings: Reading, first_today: bool = False, later: float = 0.0) -> list[tuple[Aim, Level]]:
    found = given_for(*readings, first_today=first_today, later=later)
    return [(one.point.aim, one.point.level) for one in found]


@pytest.mark.parametrize("text", SENTENCES.values())
def test_no_sentence_names_a_feeling_or_tells_of_noticing(text: str) -> None:
    """[A3] Every sentence that can ever be given, against a lexicon of feelings and of detection, in two languages."""
    words = set(re.findall(r"[a-z]+", folded(text)))
    assert words & FEELINGS == set()
    assert words & TELLTALE == set()
    assert mood_words(text).use is MoodUse.NONE


def test_every_aim_has_its_sentence_at_every_level() -> None:
    """[A3] What can be chosen can be said, each in its own words."""
    assert set(SENTENCES) == {(aim, level) for aim in Aim for level in Level}
    assert len(set(SENTENCES.values())) == len(SENTENCES)


@given(READINGS, st.booleans())
def test_only_those_sentences_and_few(readings: list[Reading], first_today: bool) -> None:
    """[A3] Whatever was read: at most three of the fixed sentences, each with its evidence, none twice."""
    found = guidance(readings, NOW, ZONE, POLICY, DAY_OF, first_today=first_today)
    assert len(found) <= 3
    assert len({one.point for one in found}) == len(found)
    for one in found:
        assert one.text == SENTENCES[one.point.aim, one.point.level]
        assert set(one.evidence) <= {seq for this in readings for seq in this.evidence}
        assert one.evidence


def test_answer_first_gentler_and_shorter_under_strain() -> None:
    """[A3] In full where the person said so."""
    clear = Level.CLEAR
    assert aims(reading(HARD)) == [(Aim.ANSWER_FIRST, clear), (Aim.GENTLER, clear), (Aim.SHORTER, clear)]
    assert aims(reading(SWAMPED))[0] == (Aim.ONE_STEP, clear)
    assert aims(reading(TIRED))[0] == (Aim.GENTLER, clear)


def test_what_weighs_most_is_listened_to_first() -> None:
    """[A3] Whatever else is asked or felt beside it; no step, no shortness, and no lightness."""
    listened = [(Aim.LISTEN, Level.CLEAR), (Aim.GENTLER, Level.CLEAR)]
    grave = reading(Affect(-1.0, 0.1, -0.9), at=ago(1))
    assert aims(grave) == listened
    assert aims(grave, reading(TIRED, at=ago(0.5)), reading(HARD)) == listened
    assert aims(reading(Affect(-0.8, -0.2, -0.8))) == listened
    assert Aim.LISTEN not in {aim for aim, _ in aims(reading(SWAMPED))}


def test_energy_is_met_when_glad() -> None:
    """[A3] Lively where stirred, light where at ease."""
    assert aims(reading(GLAD)) == [(Aim.LIVELY, Level.CLEAR)]
    assert aims(reading(AT_EASE)) == [(Aim.LIGHT, Level.CLEAR)]


def test_a_little_where_it_is_less_sure_and_nothing_where_it_is_not() -> None:
    """[A3] Behaviour alone changes a little; faded, or of no clear side, it changes nothing."""
    behaviour = reading(HARD, 0.5, CueKind.BEHAVIOURAL)
    assert aims(behaviour) == [(Aim.ANSWER_FIRST, Level.SLIGHT), (Aim.GENTLER, Level.SLIGHT)]
    assert aims(behaviour, later=72) == []
    assert aims(reading(Affect(-0.1))) == []
    assert aims(reading(HARD, 0.2, CueKind.LINGUISTIC)) == []
    assert aims() == []
    assert aims(reading(AT_EASE, 0.5, CueKind.LINGUISTIC)) == []


def test_context_alone_never_changes_manner() -> None:
    """[A1] However much of it there is."""
    many = [
        reading(HARD, 0.3, CueKind.CONTEXTUAL, ago(hours), seq) for seq, hours in enumerate(range(20, 0, -1))
    ]
    assert aims(*many, first_today=True) == []
    assert state_of(many, NOW, POLICY) is None


def test_a_signal_fades_until_it_changes_nothing() -> None:
    """[A2] In full, then a little, then not at all; nothing has to be taken back."""
    levels = [aims(reading(HARD), later=hours)[:1] for hours in (0, 24, 48, 120)]
    clear, slight = [(Aim.ANSWER_FIRST, Level.CLEAR)], [(Aim.ANSWER_FIRST, Level.SLIGHT)]
    assert levels == [clear, clear, slight, []]


def test_the_newest_message_leads() -> None:
    """[A3] Glad after a hard start is glad within a few messages, and never both."""
    hard = [reading(HARD, 0.6, CueKind.LINGUISTIC, ago(1), 1)]
    glad = [reading(GLAD, 0.6, CueKind.LINGUISTIC, ago(0.5 - 0.1 * n), 2 + n) for n in range(4)]
    assert aims(*hard, *glad)[0][0] is Aim.LIVELY
    one_odd = [reading(GLAD, 0.6, CueKind.LINGUISTIC, ago(1 - 0.1 * n), n) for n in range(6)]
    assert aims(*one_odd, reading(HARD, 0.4, CueKind.BEHAVIOURAL, ago(0), 9)) in (
        [],
        [(Aim.LIVELY, Level.SLIGHT)],
    )


def test_the_day_after_a_hard_day_begins_with_one_question() -> None:
    """[A3] Once, with the first message of the next day; not on the day itself, and not two days later."""
    hard = [reading(HARD, 0.9, CueKind.EXPLICIT, ago(days=1, hours=hours), 9 - hours) for hours in (3, 2, 1)]
    asked = (Aim.CHECK_IN, Level.CLEAR)
    assert asked in aims(*hard, first_today=True)
    assert asked not in aims(*hard)
    assert asked not in aims(*hard, first_today=True, later=24)
    assert asked not in aims(*[reading(HARD, at=ago(1))], first_today=True)
    assert asked not in aims(*[reading(Affect(-0.25), at=ago(days=1))], first_today=True)


def test_one_odd_reading_makes_no_hard_day() -> None:
    """[A3] The middle of the day decides."""
    day = [reading(GLAD, at=ago(days=1, hours=hours), seq=hours) for hours in (3, 2)]
    found = aims(*day, reading(HARD, at=ago(days=1, hours=1), seq=9), first_today=True)
    assert all(aim is not Aim.CHECK_IN for aim, _ in found)


def test_what_grows_over_turns_is_answered_sooner_and_shorter() -> None:
    """[A3] Three messages, each harder: shorter comes before gentler, also where little is sure, until they pause."""

    def turns(*values: float, sure: float = 0.9, kind: CueKind = CueKind.EXPLICIT) -> list[tuple[Aim, Level]]:
        count = len(values)
        found = [
            reading(Affect(-value, 0.4), sure, kind, ago((count - n) / 10), n)
            for n, value in enumerate(values)
        ]
        return aims(*found)

    harder, calmer = turns(0.3, 0.5, 0.8), turns(0.8, 0.6, 0.5)
    assert [aim for aim, _ in harder] == [Aim.ANSWER_FIRST, Aim.SHORTER, Aim.GENTLER]
    assert [aim for aim, _ in calmer] == [Aim.ANSWER_FIRST, Aim.GENTLER, Aim.SHORTER]
    little = turns(0.3, 0.5, 0.8, sure=0.4, kind=CueKind.BEHAVIOURAL)
    assert little == [(Aim.ANSWER_FIRST, Level.SLIGHT), (Aim.SHORTER, Level.SLIGHT)]
    assert turns(0.8, 0.8, 0.8, sure=0.4, kind=CueKind.BEHAVIOURAL)[1] == (Aim.GENTLER, Level.SLIGHT)
    swamped = [reading(Affect(-0.2 * n, 0.4, -0.7), at=ago(1 - n / 10), seq=n) for n in (1, 2, 3, 4)]
    assert [aim for aim, _ in aims(*swamped)] == [Aim.ONE_STEP, Aim.SHORTER, Aim.GENTLER]
    assert [aim for aim, _ in aims(*swamped, later=4)] == [Aim.ONE_STEP, Aim.GENTLER, Aim.SHORTER]


def test_what_grows_over_days_is_met_over_days() -> None:
    """[A3] Three days, each harder: the manner is kept for the days to come."""
    days = [
        reading(Affect(-value), 0.9, CueKind.EXPLICIT, ago(days=back), 9 - back, sitting=9 - back)
        for back, value in ((2, 0.3), (1, 0.5), (0, 0.8))
    ]
    assert aims(*days)[-1] == (Aim.PATIENT, Level.CLEAR)
    assert Aim.PATIENT not in {aim for aim, _ in aims(*days[2:])}


def test_evidence_names_what_it_rests_on() -> None:
    """[A3] The glad readings of last week are no evidence for today's manner."""
    old, new = reading(GLAD, 0.9, at=ago(days=8), seq=1), reading(HARD, seq=2, sitting=1)
    assert {one.evidence for one in given_for(old, new)} == {(2,)}
    assert Point(Aim.SHORTER, Level.CLEAR) in {one.point for one in given_for(old, new)}
