"""The numbers of learning how to help."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from innerlife.errors import BadInput
from innerlife.kernel.counts import whole_counts

MOST_FOLLOWING: Final = 10
"""Turns that may count as following a use."""


@dataclass(frozen=True, slots=True)
class LearningPolicy:
    """Counts are of conversations, uses or turns; the rest are shares in [0, 1].

    - `conversations`: different conversations with the same pattern that make a rule. Source: anima §6.1, design §7: 3.
    - `least_sure`: feedback less sure than this makes no rule. Our choice: below it a detector errs as often as not.
    - `follow_turns`: turns after a use in which a correction counts against the rule. Source: anima §6.4 read with
      promise L5: what was wrong is said at once or in the turn after; 2. From 1 to 10: what comes later is about
      something else.
    - `idle_occurrences`: how often the trigger occurs without the rule being used before it retires. Source: promise
      L2: 10.
    - `contrary_weight`: how much of a piece of evidence one against it outweighs. Our choice: a person who says the
      opposite takes one conversation back, and no more.
    - `doubt`: evidence that a rule is compared with, in pieces: sureness is what it has over that plus this. Our
      choice: three conversations give 0.6, ten give 0.83.
    - `pattern_uses`, `pattern_conversations`, `pattern_held`: uses, the conversations they were in, and the share that
      held, for a rule to be a stable pattern. Our choice: as many conversations as made it, and four of five.
    - `skill_uses`, `skill_conversations`, `skill_held`: the same for a skill. Our choice: twice that, nine of ten.
    - `skill_lost`: share of its criteria met over its newest uses below which a skill is a rule again. Our choice: a
      skill that fails two times in five is none.
    - `asked_again_shared`, `asked_again_near`: share of the shorter question's content words that makes a question the
      same one; the same where an embedding model finds that they mean the same. Our choice, by labelled conversations.
    - `means_same`: calibrated nearness from which two questions mean the same. Our choice, by labelled conversations.
    - `likely_correction`, `likely_reask`, `likely_praise`, `likely_abandonment`: how likely a reading must be;
      `likely_left`: the same for a question that nothing followed. Our choice: where precision and recall met on
      conversations by a hand that the heads were not fitted on; for corrections, where few ordinary messages are
      taken for one.
    - `another_topic`: share of content words up to which a message is about something else. Our choice, likewise.
    """

    conversations: int = 3
    least_sure: float = 0.5
    follow_turns: int = 2
    idle_occurrences: int = 10
    contrary_weight: float = 1.0
    doubt: float = 2.0
    pattern_uses: int = 5
    pattern_conversations: int = 3
    pattern_held: float = 0.8
    skill_uses: int = 10
    skill_conversations: int = 6
    skill_held: float = 0.9
    skill_lost: float = 0.6
    asked_again_shared: float = 0.6
    asked_again_near: float = 0.3
    means_same: float = 0.8
    likely_correction: float = 0.65
    likely_reask: float = 0.42
    likely_praise: float = 0.55
    likely_abandonment: float = 0.45
    likely_left: float = 0.4
    another_topic: float = 0.2

    def __post_init__(self) -> None:
        whole_counts(self)
        if not 1 <= self.follow_turns <= MOST_FOLLOWING:
            raise BadInput(
                f"learning.follow_turns is {self.follow_turns}", f"Give a number from 1 to {MOST_FOLLOWING}."
            )
