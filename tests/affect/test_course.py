"""The person's word over what was read."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from innerlife.affect.course import course_of
from innerlife.affect.cues import Affect, CueKind, Say
from innerlife.affect.events import SignalCorrected, SignalDropped
from innerlife.affect.journal import Row
from tests.affect.made import GLAD, HARD, POLICY, TIRED, ago, row, said, signal


def moving(*rows: Row) -> set[int]:
    """Seqs of the readings that may still change manner."""
    return {one.seq for one in course_of(rows, POLICY).readings if one.moves}


def test_im_fine_holds_over_what_was_read_before_and_after() -> None:
    """[A5] In that sitting nothing read before or after counts; in the next one, new readings do."""
    before, fine, after = signal(1, ago(8.5)), said(2, ago(8), Say.FINE), signal(3, ago(7))
    later = signal(4, ago(1))
    assert moving(before) == {1}
    assert moving(before, fine, after, later) == {4}
    assert [one.overridden for one in course_of([before, fine, after, later], POLICY).readings] == [
        True,
        True,
        False,
    ]


def test_a_long_sitting_is_one() -> None:
    """[A5] It goes on as long as it goes on: an hour between messages ends no sitting."""
    rows = [said(1, ago(12), Say.FINE), *(signal(2 + step, ago(11 - step)) for step in range(10))]
    assert moving(*rows) == set()


def test_im_fine_settles_the_days_before_without_denying_them() -> None:
    """[A5] Yesterday was hard all the same; it moves nothing any more."""
    (one,) = course_of([signal(1, ago(days=1)), said(2, ago(1), Say.FINE)], POLICY).readings
    assert (one.moves, one.overridden) == (False, False)


def test_in_one_message_the_last_word_counts() -> None:
    """[A5] "I'm fine, just tired" is tired; "I was furious, I'm fine" is fine."""
    tired = signal(3, ago(1), TIRED, 0.9, CueKind.EXPLICIT, message=100)
    fine_first = [
        said(1, ago(1), Say.FINE, message=100),
        said(2, ago(1), Say.FEELS, TIRED, message=100),
        tired,
    ]
    assert moving(*fine_first) == {3}
    fine_last = [
        said(1, ago(1), Say.FEELS, TIRED, message=100),
        said(2, ago(1), Say.FINE, message=100),
        tired,
    ]
    assert moving(*fine_last) == set()


def test_a_denial_speaks_of_its_side() -> None:
    """[A5] "I'm not angry" takes back what was read as hard, and leaves what was read as glad."""
    rows = [signal(1, ago(2), HARD), signal(2, ago(2), GLAD), said(3, ago(1), Say.DENIES, HARD)]
    assert moving(*rows) == {2}
    assert moving(*rows[:2], said(3, ago(1), Say.DENIES)) == set()


def test_new_words_lift_what_they_said_before() -> None:
    """[A5] "I'm fine" holds until the person says otherwise."""
    fine, said_so = said(1, ago(2), Say.FINE), said(2, ago(1.5), Say.FEELS, HARD)
    explicit = signal(3, ago(1.5), HARD, 0.9, CueKind.EXPLICIT, message=200)
    assert moving(fine, said_so, explicit, signal(4, ago(1))) == {3, 4}


def test_a_feeling_that_is_named_outweighs_what_was_only_read() -> None:
    """[A5] "I'm happy": marks that looked angry were not so, before and after; "I'm furious" would be."""
    rows = [signal(1, ago(2), HARD), said(2, ago(1.5), Say.FEELS, GLAD), signal(3, ago(1), HARD)]
    rows.append(signal(4, ago(1.5), GLAD, 0.9, CueKind.EXPLICIT, message=200))
    assert moving(*rows) == {4}
    assert [one.overridden for one in course_of(rows, POLICY).readings] == [True, False, True]
    lifted = [
        said(5, ago(0.5), Say.FEELS, HARD),
        signal(6, ago(0.5), HARD, 0.9, CueKind.EXPLICIT, message=500),
    ]
    assert moving(*rows, *lifted) == {6}


def test_what_they_said_themselves_was_so() -> None:
    """[A5] Furious at ten and fine at eleven: both; not furious after all: it never was."""
    furious = signal(1, ago(2), HARD, 0.9, CueKind.EXPLICIT, message=7)
    at_ten = [said(2, ago(2), Say.FEELS, HARD, message=7), furious]
    for say, never in ((Say.FINE, False), (Say.DENIES, True)):
        (one,) = course_of([*at_ten, said(3, ago(1), say, HARD)], POLICY).readings
        assert (one.moves, one.overridden) == (False, never)


def test_im_fine_every_time_is_accepted_every_time() -> None:
    """[A5] Without an end, and whatever else is in the message."""
    rows: list[Row] = []
    for turn in range(30):
        at = ago(30 - turn)
        rows += [
            said(2 * turn + 1, at, Say.FINE, message=turn + 1),
            signal(2 * turn + 2, at, HARD, 0.6, message=turn + 1),
        ]
        assert moving(*rows) == set()


def test_a_correction_wins_over_every_reading_of_its_message() -> None:
    """[A2] [A5] Words that name nothing known leave nothing; later looks at that message change nothing."""
    rows = [signal(1, ago(2), message=7), row(2, SignalCorrected("Only in a hurry"), ago(1), 1)]
    late = signal(3, ago(2), HARD, 0.9, CueKind.LINGUISTIC, message=7)
    for found in (course_of(rows, POLICY), course_of([*rows, late], POLICY)):
        (one,) = found.readings
        assert (one.corrected, one.moves, one.overridden) == ("Only in a hurry", False, True)
    named = course_of([rows[0], row(2, SignalCorrected("Tired", TIRED), ago(1), 1), late], POLICY).readings[0]
    assert (named.affect, named.confidence, named.kind, named.moves) == (TIRED, 0.9, CueKind.EXPLICIT, True)
    twice = [*rows, row(4, SignalCorrected("No, glad", GLAD), ago(0.5), 1)]
    assert course_of(twice, POLICY).readings[0].affect == GLAD


def test_a_correction_holds_against_im_fine_that_came_before_only() -> None:
    corrected = [signal(1, ago(2), message=7), row(3, SignalCorrected("Tired", TIRED), ago(1), 1)]
    assert moving(*corrected, said(2, ago(1.5), Say.FINE)) == {1}
    assert moving(*corrected, said(4, ago(0.5), Say.FINE)) == set()


def test_what_was_dropped_is_gone_with_every_look_at_it() -> None:
    """[A2] The message is not read again either."""
    rows = [signal(1, ago(2), message=7), row(2, SignalDropped(), ago(1), 1), signal(3, ago(2), message=7)]
    assert course_of(rows, POLICY).readings == ()


def test_one_message_is_never_two_readings() -> None:
    """[A1] A second look counts where it is as sure as the first, else the first does."""
    sure = signal(2, ago(1), TIRED, 0.6, message=7)
    assert [
        one.seq for one in course_of([signal(1, ago(1), confidence=0.4, message=7), sure], POLICY).readings
    ] == [2]
    unsure = signal(3, ago(1), GLAD, 0.3, message=7)
    assert [one.seq for one in course_of([sure, unsure], POLICY).readings] == [2]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["signal", "fine", "denies", "feels", "drop", "correct"]),
            st.floats(0, 200),
            st.integers(1, 8),
        ),
        max_size=20,
    )
)
def test_after_im_fine_nothing_read_before_it_moves(steps: list[tuple[str, float, int]]) -> None:
    """[A5] Whatever happened before: the newest word is that all is well, so nothing is left to act on."""
    rows: list[Row] = []
    for seq, (what, hours, message) in enumerate(steps, 1):
        at = ago(1 + hours)
        match what:
            case "signal":
                rows.append(signal(seq, at, message=message))
            case "drop":
                rows.append(row(seq, SignalDropped(), at, max(seq - 1, 1)))
            case "correct":
                rows.append(row(seq, SignalCorrected("so", TIRED), at, max(seq - 1, 1)))
            case _:
                rows.append(said(seq, at, Say(what), HARD, message=message))
    assert moving(*rows, said(99, ago(0.1), Say.FINE)) == set()
    course_of([*rows, row(100, SignalCorrected("x", Affect()), ago(), 98)], POLICY)
