"""The numbers of reflection."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from innerlife.kernel import canonical
from innerlife.kernel.counts import whole_counts


@dataclass(frozen=True, slots=True)
class ReflectionPolicy:
    """When the companion thinks, and over how much. Times in seconds.

    - `quiet_s`: quiet after which a conversation is looked back on. Source: anima §3.2, design: 5 minutes.
    - `every`: unread exchanges after which it is looked back on while it goes on. Source: anima §3.2 (a frequency
      counter), design: every third.
    - `self_every_s`: how often it may reconsider who it is. Source: design, at most daily.
    - `review_every_s`: how often intentions are reviewed. Source: anima §2.3, weekly.
    - `calm_s`: how long nobody has talked before either. Source: design, 30 minutes.
    - `lapses_s`: what was said longer ago is not looked back on quickly any more. Our choice: a week, the time for
      which something is held in mind.
    - `substantive_words`: content words that make an exchange one of substance. Our choice: a greeting has fewer.
    - `message_characters`, `lines`: of one message and of one conversation, what a quick reflection reads. Our
      choice: together they fit a window of 8,192 tokens beside instructions and answer.
    - `quotes`, `quote_characters`: messages of the person, and how much of each, that a reconsideration of the self
      reads. Our choice: they fit the same window.
    - `carried_share`, `person_share`: of the content words of what a model claims, how many the quoted sentence must
      have: of what is on the mind, held or noticed, and of what is claimed of the person. Our choice: half, and nearly
      all; a claim in the words of the line has all of them, one from nowhere a word by chance.
    - `mood_confidence`: how far a model's look back at how somebody seemed is believed. Our choice: below the cap of
      what words alone may tell (0.6), as several of them seldom agree.
    - `mentions`: newest messages in which the review looks for a goal. Our choice: some weeks of talk.
    """

    quiet_s: float = 300.0
    every: int = 3
    self_every_s: float = 86_400.0
    review_every_s: float = 604_800.0
    calm_s: float = 1_800.0
    lapses_s: float = 604_800.0
    substantive_words: int = 4
    message_characters: int = 1_200
    lines: int = 24
    quotes: int = 24
    quote_characters: int = 400
    carried_share: float = 0.5
    person_share: float = 0.75
    mood_confidence: float = 0.5
    mentions: int = 2_000

    def __post_init__(self) -> None:
        whole_counts(self)
        for name in ("every", "message_characters", "lines", "quotes", "quote_characters", "mentions"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be 1 or more")
        for name in ("carried_share", "person_share"):
            if not 0.5 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} must be between 0.5 and 1: less would believe what nobody said")

    @property
    def digest(self) -> str:
        """A hash of all numbers (16 hex characters), for the derivation of what was decided under them."""
        return canonical.digest(asdict(self))[:16]
