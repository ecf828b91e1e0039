"""How present a memory is: importance, recency and use (promise R2). Pure; computed when read, never stored."""

from __future__ import annotations

from datetime import datetime, timedelta

from innerlife.recall.policy import RecallPolicy

_DAY = timedelta(days=1)


def salience(importance: float, at: datetime, now: datetime, policy: RecallPolicy, use: float = 0.5) -> float:
    """The product of the factors, each within the policy's bounds.

    `importance` and `use` lie in [0, 1], 0.5 being neutral. Nothing is ever more recent than `now`.
    """
    age = max((now - at) / _DAY, 0.0)
    recency = 2.0 ** (-age / policy.half_life_days)
    return _factor(importance, policy) * _factor(recency, policy) * _factor(use, policy)


def weighed(score: float, present: float, policy: RecallPolicy) -> float:
    """A positive score weighed by a salience, to the strength that the policy chose."""
    return score * float(present**policy.salience_power)


def _factor(value: float, policy: RecallPolicy) -> float:
    low, high = policy.factor_low, policy.factor_high
    return min(max(low + (high - low) * value, low), high)
