"""How the companion has learned to help: what every surface and every prompt asks of rules and skills."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from innerlife.conversations.reading import Conversations
from innerlife.errors import BadInput
from innerlife.kernel.text import normalised
from innerlife.learning import bodies as e
from innerlife.learning.changes import Became, Change
from innerlife.learning.journal import Journal
from innerlife.learning.known import Known, known_from
from innerlife.learning.measures import Month, months_of
from innerlife.learning.policy import LearningPolicy
from innerlife.learning.rows import What
from innerlife.learning.rules import Rule, in_force_for, rules_of
from innerlife.learning.skills import Skill, skills_of
from innerlife.learning.terms import State, Trigger
from innerlife.ledger.envelope import Actor, Cause, Draft, Role, Trust
from innerlife.reflection.growing import entries_for, preferred_by
from innerlife.reflection.sources import Sources
from innerlife.selfmodel.handles import named
from innerlife.selfmodel.sizes import fitting
from innerlife.workspace.when import local_day

Scales = Mapping[str, Mapping[str, float]]
"""What other rooms measured, by month (`2026-03`) and name."""


class Helping:
    """Use-case: rules, skills and measures of one companion. Safe to use from any thread.

    Every method raises StorageFailed on a broken store.
    """

    def __init__(self, sources: Sources) -> None:
        self._ledger = sources.ledger
        self._desk = sources.self_model.desk
        self._policy = sources.learning
        self._journal = Journal(sources.ledger, sources.runtime)
        self._learned = sources.learned
        self._conversations = Conversations(sources.runtime)

    @property
    def policy(self) -> LearningPolicy:
        """The numbers that rules and skills are judged by."""
        return self._policy

    def rules(self, until: datetime | None = None) -> list[Rule]:
        """Every rule there is or was, oldest first, as it stands or stood at `until`: those that yield included."""
        return self._rules(self._known(until), until)

    def skills(self, until: datetime | None = None) -> list[Skill]:
        """The skills, oldest first, as they stand or stood at `until`."""
        known = self._known(until)
        return skills_of(known, self._rules(known, until), self._policy)

    def holding(self, kind: Trigger) -> tuple[list[Rule], list[Skill]]:
        """What holds for a request of a kind: the skills, and the rules that are none of them yet."""
        standing = self._learned.standing()
        met = {rule.pattern: rule for rule in in_force_for(standing.rules, kind)}
        skills = [skill for skill in standing.skills if skill.pattern in met]
        skilled = {skill.pattern for skill in skills}
        return [rule for pattern, rule in met.items() if pattern not in skilled], skills

    def months(self, scales: Scales | None = None) -> list[Month]:
        """How well it helps, month by month (promise L6), with what other rooms measured beside it."""
        rows = [row for row in self._journal.told() if row.what is What.FEEDBACK]
        about = self._ledger.get([min(row.evidence) for row in rows if row.evidence])
        month = {event.seq: f"{local_day(event.happened.at, event.happened.zone):%Y-%m}" for event in about}
        months = {
            row.seq: month[min(row.evidence)] for row in rows if row.evidence and min(row.evidence) in month
        }
        return months_of(rows, self._conversations.by_month(local_day), months, scales)

    # --- the person's hand ---------------------------------------------------------------------------------------

    def edit(self, handle: str, text: str) -> Rule:
        """The rule reads as the person writes it, and holds. Raises NotFound, BadInput."""
        rule = self._named(handle)
        text, _ = fitting(text, self._desk.policy.item_tokens, "A rule", self._desk.measure)
        if normalised(text) == normalised(rule.text) and rule.by_user and rule.state is State.IN_FORCE:
            return rule
        seen = tuple(Cause(seq, Role.SHOWN) for seq in sorted({rule.first[0], rule.words[0]}))
        return self._decide(rule, e.RuleWorded(rule.pattern, text), seen, Became.REWORDED)

    def retire(self, handle: str, reason: str = "") -> Rule:
        """It holds no longer; what it rested on derives it no more. Raises NotFound, BadInput."""
        rule = self._open(handle)
        body = e.RuleRetired(rule.pattern, reason.strip())
        return self._decide(rule, body, (Cause(rule.first[0], Role.TRIGGER),), Became.RETIRED)

    def dispute(self, handle: str, reason: str = "") -> Rule:
        """It is not so: it holds no longer and is not derived again. Raises NotFound, BadInput."""
        rule = self._named(handle)
        if rule.state is State.DISPUTED:
            return rule
        body = e.RuleDisputed(rule.pattern, reason.strip())
        return self._decide(rule, body, (Cause(rule.first[0], Role.TRIGGER),), Became.DISPUTED)

    # --- inside --------------------------------------------------------------------------------------------------

    def _known(self, until: datetime | None) -> Known:
        return known_from(self._learned.rows() if until is None else self._journal.rows(until))

    def _rules(self, known: Known, until: datetime | None) -> list[Rule]:
        return rules_of(known, self._policy, preferred_by(self._desk, until))

    def _named(self, handle: str) -> Rule:
        return named(self.rules(), handle, "rule")

    def _open(self, handle: str) -> Rule:
        rule = self._named(handle)
        if rule.state in {State.RETIRED, State.DISPUTED}:
            raise BadInput(f"The rule {rule.handle} holds no longer already", "An edit lets it hold again.")
        return rule

    def _decide(self, rule: Rule, body: e.LearningEvent, causes: tuple[Cause, ...], became: Became) -> Rule:
        draft = Draft(body, Actor.USER, Trust.USER, causes=causes)
        # The entry speaks in closed words, so that it rests on nothing that could be forgotten.
        entries = entries_for([Change(became, rule.pattern, len(rule.evidence), ())], user=True)
        self._ledger.append_all([draft, *entries])
        return next(one for one in self.rules() if one.pattern == rule.pattern)
