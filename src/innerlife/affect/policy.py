"""The numbers of affect: those of reading, and on top of them those of signals, trajectory and manner."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache

from innerlife.affect.reading_policy import ReadingPolicy
from innerlife.kernel import canonical


@dataclass(frozen=True, slots=True)
class AffectPolicy(ReadingPolicy):
    """Confidences and positions have no unit and lie in [0, 1] and [-1, 1]; times are in hours or days.

    - `floor`: a reading below it is not recorded. Our choice: as `slight`, above what context alone may reach and
      what a pleasant word about some thing comes to.
    - `half_life_hours`: after so long a signal counts half. Source: design, 48.
    - `half_life_turns`: within one sitting a reading counts half after so many newer ones. Our choice: three, so that
      the newest message leads and one odd message does not decide.
    - `back_days`: how far back manner looks. Our choice: five half-lives, after which a thirtieth is left.
    - `slight`, `clear`: from which certainty on manner changes a little, and in full. Our choice: well above what
      context alone may reach, and where only the person's word or fresh strong language reach.
    - `felt`: how far from the middle a state has to be to change anything. Our choice: a fifth of the scale.
    - `stirred`, `overwhelmed`: arousal from which on a reply is lively, dominance (its negative) from which on it gives
      one step at a time. Our choice: a third of the scale.
    - `grave`: unpleasantness from which on a statement is weighed alone: what else is felt beside it makes it no
      lighter, and for as long as it counts it is listened to. Our choice: 0.9, where only that somebody does not want
      to live is.
    - `listened_to`: unpleasantness of a state from which on a reply listens first. Our choice: three quarters of the
      scale, which grief and despair reach and a bad day does not.
    - `hard_day`: strain of a day's middle reading after which the next day begins with a question. Our choice: 0.4.
    - `change`: strain gained or lost over a course that counts as a direction. Our choice: a quarter of the scale.
    - `intense`, `intense_hours`: how far from the middle a reading is, in any dimension, and for how long around it
      what is captured is tagged (promise A8). Our choice: 0.6 and three hours, one sitting.
    - `most_sentences`: sentences of manner in one prompt. Our choice: three; a small model follows no more.
    """

    floor: float = 0.4
    half_life_hours: float = 48.0
    half_life_turns: float = 3.0
    back_days: float = 10.0
    slight: float = 0.4
    clear: float = 0.55
    felt: float = 0.2
    stirred: float = 0.33
    overwhelmed: float = 0.33
    grave: float = 0.9
    listened_to: float = 0.75
    hard_day: float = 0.4
    change: float = 0.25
    intense: float = 0.6
    intense_hours: float = 3.0
    most_sentences: int = 3

    @property
    def digest(self) -> str:
        """A hash of all numbers (16 hex characters), for the derivation of what was decided under them."""
        return _digest(self)


@lru_cache(maxsize=16)
def _digest(policy: AffectPolicy) -> str:
    # Several in each turn, always of the same numbers.
    return canonical.digest(asdict(policy))[:16]
