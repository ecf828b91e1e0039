from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from innerlife.recall.policy import RecallPolicy
from innerlife.recall.salience import salience, weighed

NOW = datetime(2026, 1, 1, tzinfo=UTC)
POLICY = RecallPolicy()
shares = st.floats(-2, 3)
ages = st.floats(-1_000, 20_000)


@given(shares, ages, shares)
def test_no_factor_leaves_its_bounds(importance: float, age: float, use: float) -> None:
    """[R2] Each of the three factors lies within [0.5, 1.5], whatever is put in."""
    found = salience(importance, NOW - timedelta(days=age), NOW, POLICY, use)
    assert 0.5**3 <= found <= 1.5**3


@given(shares, ages, st.floats(0, 500), shares)
def test_older_is_never_more_present(importance: float, age: float, more: float, use: float) -> None:
    """[R2] Recency falls with age."""
    older = salience(importance, NOW - timedelta(days=age + more), NOW, POLICY, use)
    assert older <= salience(importance, NOW - timedelta(days=age), NOW, POLICY, use)


def test_recency_halves_in_thirty_days() -> None:
    """[R2] Above its floor of 0.5 the factor halves every 30 days: 1.5, 1.0, 0.75."""
    present = [salience(0.5, NOW - timedelta(days=days), NOW, POLICY) for days in (0, 30, 60)]
    assert [round(one, 6) for one in present] == [1.5, 1.0, 0.75]


def test_importance_and_use_multiply() -> None:
    """[R2] The factors multiply: 1.5 × 1.0 × 1.5 against neutral."""
    at = NOW - timedelta(days=30)
    assert round(salience(1.0, at, NOW, POLICY, use=1.0), 6) == 2.25
    assert round(salience(0.0, at, NOW, POLICY, use=0.0), 6) == 0.25


@given(st.floats(0.001, 2), st.floats(0.125, 3.375))
def test_strength_is_the_policys(score: float, present: float) -> None:
    """[R2] Power 0 switches salience off, power 1 applies all of it."""
    assert weighed(score, present, RecallPolicy(salience_power=0.0)) == score
    assert abs(weighed(score, present, RecallPolicy(salience_power=1.0)) - score * present) < 1e-9


def test_counts_stay_whole_numbers_when_settings_give_floats() -> None:
    policy = RecallPolicy(wanted=7.0, salience_power=1)  # type: ignore[arg-type]
    assert policy.wanted == 7
    assert isinstance(policy.wanted, int)
