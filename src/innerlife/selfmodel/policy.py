"""The numbers of the self-model."""

from __future__ import annotations

from dataclasses import dataclass

from innerlife.kernel.counts import whole_counts


@dataclass(frozen=True, slots=True)
class SelfModelPolicy:
    """Sizes in estimated tokens, times in days.

    - `interactions`, `days`: meaningful interactions, and different days, since the last rewrite before identity or
      persona may be rewritten. Source: anima §2.4 ("enough evidence"); 5 and 3 by design.
    - `apart_days`: least time between two rewrites. Source: anima §2.3 ("every few weeks"), design: 14.
    - `kept_share`: of the content words that stood before, how many have to stay. Source: anima §2.4, half.
    - `three_back`: which earlier text is looked at beside the current one. Source: design, three rewrites back.
    - `insistent`: reflections in one direction that are overwhelming. Source: design, three.
    - `support_share`: of the content words that a sentence brings in, how many must stand in one quoted message of the
      user. Our choice: a quarter, and at least one; a paraphrase keeps that much, praise from nowhere does not.
    - `persona_tokens`, `identity_tokens`, `human_tokens`: caps of what stands in every prompt. Our choice: with the
      digest of the growth log three quarters of what the workspace grants all that is written, the rest is for the
      soul and the digest of the world.
    - `direction_tokens`: cap of the few words that say where a change leads. Our choice: a short sentence.
    - `state_tokens`, `item_tokens`: caps of the inner state, and of a goal, promise, preference, observation, trait or
      thing held in mind. Our choice: a few sentences, and one.
    - `entry_tokens`: cap of a growth entry. Our choice: two short sentences.
    - `memory_days`: how long a thing is held in mind. Source: anima §2.2, design: 7.
    - `memory_ahead_days`: how long before it is due it comes to mind. Our choice: from the day before on.
    - `closed_goals`: closed goals that stay visible. Source: design, 10.
    - `digest_entries`: growth entries in every prompt. Our choice: the newest three.
    - `stale_days`: an interest unconfirmed for so long is offered for dropping. Source: design, 60.
    - `quiet_goal_days`: a goal that nobody spoke of for so long is closed by the weekly review. Our choice: as above.
    - `fresh_observations`: newest observations that stand beside the relevant ones. Our choice: two, for continuity.
    """

    interactions: int = 5
    days: int = 3
    apart_days: float = 14.0
    kept_share: float = 0.5
    three_back: int = 3
    insistent: int = 3
    support_share: float = 0.25
    persona_tokens: int = 150
    identity_tokens: int = 200
    human_tokens: int = 320
    direction_tokens: int = 30
    state_tokens: int = 100
    item_tokens: int = 40
    entry_tokens: int = 60
    memory_days: float = 7.0
    memory_ahead_days: float = 1.0
    closed_goals: int = 10
    digest_entries: int = 3
    stale_days: float = 60.0
    quiet_goal_days: float = 60.0
    fresh_observations: int = 2

    def __post_init__(self) -> None:
        whole_counts(self)
