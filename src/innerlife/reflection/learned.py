"""What was learned of how to help, at hand: folded anew only when something bears on it."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass

from innerlife.learning.at_hand import AtHand
from innerlife.learning.bodies import Pattern
from innerlife.learning.journal import Journal
from innerlife.learning.known import known_from
from innerlife.learning.policy import LearningPolicy
from innerlife.learning.rows import Row
from innerlife.learning.rules import Preferred, Rule, rules_of
from innerlife.learning.skills import Skill, skills_of
from innerlife.reflection.growing import preferred_by
from innerlife.selfmodel.desk import Desk


@dataclass(frozen=True, slots=True)
class Standing:
    """The rules and skills that there are, trials aside: how often a rule was used changes nothing of what holds.

    `shows` are the events by which a record of a prompt names them.
    """

    rules: tuple[Rule, ...]
    skills: tuple[Skill, ...]
    shows: Mapping[int, Pattern]


class Learned:
    """What every turn and every noticed message asks for. Safe to use from any thread.

    Every method raises StorageFailed on a broken store.
    """

    def __init__(self, journal: Journal, desk: Desk, policy: LearningPolicy) -> None:
        self._at_hand = AtHand(journal)
        self._desk = desk
        self._policy = policy
        self._lock = threading.Lock()
        self._kept: tuple[object, Standing] | None = None

    def rows(self) -> list[Row]:
        """Everything that rules are judged by, the newest trials included."""
        return self._at_hand.rows()

    def preferred(self) -> list[Preferred]:
        """What the person said they want."""
        return preferred_by(self._desk)

    def standing(self) -> Standing:
        """Kept until another row, a preference or a forgetting comes."""
        preferred = self.preferred()
        read, rows = self._at_hand.told()
        key = (read, tuple(preferred))
        with self._lock:
            if self._kept is not None and self._kept[0] == key:
                return self._kept[1]
        known = known_from(rows)
        rules = rules_of(known, self._policy, preferred)
        skills = skills_of(known, rules, self._policy)
        found = Standing(tuple(rules), tuple(skills), _shows(rules, skills))
        with self._lock:
            self._kept = (key, found)
        return found


def _shows(rules: list[Rule], skills: list[Skill]) -> dict[int, Pattern]:
    shows = {seq: rule.pattern for rule in rules for seq in (rule.first[0], rule.words[0])}
    return shows | {skill.seq: skill.pattern for skill in skills}
