"""What a forgetting reaches: the closure over causes (design §4)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import assert_never

from innerlife.ledger.envelope import Role
from innerlife.ledger.store import Effect


@dataclass(frozen=True, slots=True)
class Reached:
    """An event that goes, and why: `asked`, `from`, `used` or `record`, and the event that led to it."""

    seq: int
    why: str
    through: int


def closure(
    seeds: Collection[int],
    effects: Callable[[Collection[int]], Iterable[Effect]],
    is_record: Callable[[int], bool],
    uses: Callable[[int, int], bool],
) -> dict[int, Reached]:
    """Everything that goes with `seeds`.

    Over `from` always; over `shown` where the effect is itself a record that lists what was shown, or where
    `uses(cause, effect)` says that the effect drew on the cause; never over `trigger`.
    """
    reached = {seq: Reached(seq, "asked", seq) for seq in sorted(seeds)}
    frontier = list(reached)
    while frontier:
        found: list[int] = []
        for edge in effects(frontier):
            if edge.effect in reached:
                continue
            why = _why(edge, is_record, uses)
            if why:
                reached[edge.effect] = Reached(edge.effect, why, edge.cause)
                found.append(edge.effect)
        frontier = found
    return reached


def _why(edge: Effect, is_record: Callable[[int], bool], uses: Callable[[int, int], bool]) -> str:
    match edge.role:
        case Role.FROM:
            return "from"
        case Role.SHOWN:
            if is_record(edge.effect):
                return "record"
            return "used" if uses(edge.cause, edge.effect) else ""
        case Role.TRIGGER:
            return ""
        case _:
            assert_never(edge.role)
