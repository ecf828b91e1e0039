"""The numbers of every domain, with the user's own over them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from innerlife.affect.policy import AffectPolicy
from innerlife.errors import BadInput
from innerlife.learning.policy import LearningPolicy
from innerlife.recall.policy import RecallPolicy
from innerlife.reflection.policy import ReflectionPolicy
from innerlife.selfmodel.policy import SelfModelPolicy
from innerlife.settings import FILE, Settings, nearest
from innerlife.thinking.policy import ThinkingPolicy
from innerlife.workspace.policy import WorkspacePolicy

P = TypeVar("P")


def policy_of(kind: type[P], numbers: dict[str, float], section: str = "") -> P:
    """A policy with the user's numbers over its defaults. Raises BadInput for a name it does not know.

    `section` is where they stand in the settings; the policy's own name, unless given.
    """
    known = sorted(kind.__dataclass_fields__)  # type: ignore[attr-defined]
    for name, value in numbers.items():
        if name not in known:
            section = section or _section(kind)
            raise BadInput(
                f"There is no setting {section}.{name}; {nearest(name, known)}",
                f"Correct it under [{section}] in {FILE}",
            )
        if not 0 <= value < math.inf:
            raise BadInput(
                f"The setting {section or _section(kind)}.{name} must be a number from 0 up, not {value}",
                f"Correct it under [{section or _section(kind)}] in {FILE}",
            )
    try:
        return replace(kind(), **numbers)  # type: ignore[type-var]
    except ValueError as error:
        section = section or _section(kind)
        raise BadInput(f"The setting {section}.{error}", f"Correct it under [{section}] in {FILE}") from error


def _section(kind: type[Any]) -> str:
    """Where the numbers of a policy stand in the settings."""
    return kind.__name__.removesuffix("Policy").lower()


@dataclass(frozen=True, slots=True)
class Policies:
    """One policy a domain."""

    recall: RecallPolicy
    workspace: WorkspacePolicy
    selfmodel: SelfModelPolicy
    thinking: ThinkingPolicy
    reflection: ReflectionPolicy
    affect: AffectPolicy
    learning: LearningPolicy


def policies_of(settings: Settings) -> Policies:
    """All of them. Raises BadInput for a number that no policy has."""
    return Policies(
        policy_of(RecallPolicy, settings.recall),
        policy_of(WorkspacePolicy, settings.workspace),
        policy_of(SelfModelPolicy, settings.selfmodel.policy, "selfmodel.policy"),
        policy_of(ThinkingPolicy, settings.thinking),
        policy_of(ReflectionPolicy, settings.reflection),
        policy_of(AffectPolicy, settings.affect),
        policy_of(LearningPolicy, settings.learning),
    )
