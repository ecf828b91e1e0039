"""The direction of a course."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innerlife.affect.trajectory import Trajectory, by_day, trajectory
from tests.affect.made import POLICY

COURSES = {
    (): Trajectory.UNKNOWN,
    (0.5, 0.6): Trajectory.UNKNOWN,
    (0.1, 0.3, 0.5): Trajectory.ESCALATING,
    (0.8, 0.5, 0.2): Trajectory.DE_ESCALATING,
    (0.5, 0.5, 0.5): Trajectory.STABLE,
    (0.1, 0.2, 0.4, 0.5, 0.7, 0.8): Trajectory.ESCALATING,
    (0.8, 0.6, 0.6, 0.4, 0.3, 0.1): Trajectory.DE_ESCALATING,
    (0.5, 0.5, 0.6, -0.4, -0.6): Trajectory.SHIFTED,
    (-0.5, -0.4, 0.6, 0.7): Trajectory.SHIFTED,
    (0.1, 0.2, 0.4, -0.9, 0.7, 0.8): Trajectory.ESCALATING,
}


@pytest.mark.parametrize(("strains", "heading"), COURSES.items())
def test_where_it_is_heading(strains: tuple[float, ...], heading: Trajectory) -> None:
    """[A1] Escalating, de-escalating, stable, shifted; too little to tell is said as that."""
    assert trajectory(strains, POLICY) is heading


@given(st.floats(-0.9, 0.9), st.integers(4, 12), st.data())
def test_one_odd_reading_turns_nothing(level: float, length: int, data: st.DataObject) -> None:
    """[A1] A course that is level stays so with any one reading replaced by any other."""
    course = [level] * length
    course[data.draw(st.integers(0, length - 1))] = data.draw(st.floats(-1, 1))
    assert trajectory(course, POLICY) is Trajectory.STABLE


@given(st.lists(st.floats(-1, 1), min_size=3, max_size=15))
def test_the_mirror_of_a_course_heads_the_other_way(course: list[float]) -> None:
    there, back = trajectory(course, POLICY), trajectory([-one for one in course], POLICY)
    turned = {
        Trajectory.ESCALATING: Trajectory.DE_ESCALATING, Trajectory.DE_ESCALATING: Trajectory.ESCALATING,
    }  # fmt: skip
    assert back is turned.get(there, there)


def test_a_day_is_its_middle_reading() -> None:
    """[A1] Over days one outburst does not make the day."""
    monday = date(2026, 3, 9)
    readings = [(monday, 0.1), (monday, 0.9), (monday, 0.2), (monday + timedelta(days=1), 0.4)]
    assert by_day(readings) == [(monday, 0.2), (monday + timedelta(days=1), 0.4)]
