"""The numbers of every domain, with the user's own over them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

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
    for name in numbers:
        if name not in known:
            section = section or kind.__name__.removesuffix("Policy").lower()
            raise BadInput(
                f"There is no setting {section}.{name}; {nearest(name, known)}",
                f"Correct it under [{section}] in {FILE}",
            )
    return replace(kind(), **numbers)  # type: ignore[type-var]


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
