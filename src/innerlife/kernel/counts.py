"""Numbers that people set."""

from __future__ import annotations

from dataclasses import fields
from typing import Any


def whole_counts(policy: Any) -> None:
    """Make whole numbers of a policy's counts: settings hand every number over as a float.

    For `__post_init__` of a frozen dataclass whose annotations are strings.
    """
    for one in fields(policy):
        if one.type == "int":
            object.__setattr__(policy, one.name, int(getattr(policy, one.name)))
